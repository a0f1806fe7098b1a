#include "passes/retime.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/fusion/reader.h"
#include "passes/structure/levels.h"
#include "passes/structure/loop_slots.h"

namespace lac::passes {
namespace {

constexpr std::uint32_t no_slot = UINT32_MAX;

/// The update of a carried value that may wait: elementwise ops that nobody else reads, in their order, the last of
/// which makes what is carried on.
struct Update {
  std::uint32_t slot = 0;       ///< in the block's arguments and yields
  std::vector<Op> ops;          ///< as they were
  std::vector<ValueId> leaves;  ///< what they read
};

bool is_csr_product(const Graph& graph, const Op& op) {
  return op.kind == OpKind::matmul && graph.type(op.operands[0]).storage == Storage::csr;
}

bool has_csr_product(const Graph& graph, BlockId body) {
  return std::ranges::any_of(graph.blocks[body].ops, [&](OpId id) { return is_csr_product(graph, graph.ops[id]); });
}

class LoopRetimer {
 public:
  LoopRetimer(Graph& graph, const Capabilities& capabilities, BlockId outside, OpId loop)
      : graph_(graph),
        capabilities_(capabilities),
        outside_(outside),
        loop_(loop),
        body_(graph.ops[loop].blocks[0]),
        uses_(graph, body_),
        outer_(graph),
        levels_(graph, outer_) {
    levels_.add(body().ops);
  }

  bool run() {
    for (std::uint32_t slot = 0; slot < body().yields.size(); ++slot) yielded_[body().yields[slot]].push_back(slot);
    find_updates();
    if (waiting_.empty()) return false;
    make_slots();
    settle();
    return true;
  }

 private:
  const Block& body() const { return graph_.blocks[body_]; }
  ValueId argument(std::uint32_t slot) const { return body().arguments[slot]; }

  // -- what reads what

  const std::vector<OpId>& readers(ValueId value) const { return uses_.readers(value); }
  bool is_local(ValueId value) const { return uses_.is_local(value); }

  /// The slot whose value at the start of a trip this is; of a value made in the trip, the slot that carries it on.
  std::uint32_t slot_before(ValueId value) const {
    const auto found = std::ranges::find(body().arguments, value);
    return found == body().arguments.end() || found == body().arguments.begin()
               ? no_slot
               : static_cast<std::uint32_t>(found - body().arguments.begin());
  }
  std::uint32_t slot_after(ValueId value) const {
    const auto found = yielded_.find(value);
    return found == yielded_.end() || found->second.front() == 0 ? no_slot : found->second.front();
  }

  // -- which updates wait

  /// Updates may read each other's values, as the two parts of a complex one do: all that could wait are supposed to,
  /// until none of those left reads what does not.
  void find_updates() {
    for (std::uint32_t slot = 1; slot < body().arguments.size(); ++slot)
      if (std::optional<Update> update = update_of(slot)) waiting_.push_back(std::move(*update));
    const auto does_not_wait = [&](const Update& update) { return !is_wanted(update) || !may_wait(update); };
    do {
      for (auto found = std::ranges::find_if(waiting_, does_not_wait); found != waiting_.end();
           found = std::ranges::find_if(waiting_, does_not_wait))
        waiting_.erase(found);
    } while (drop_idle());
  }

  /// What a stencil or a product of the trip reads gains by it; what only updates that wait read may go with it.
  bool is_wanted(const Update& update) const {
    return is_read_in_trip(update) ||
           std::ranges::all_of(readers(argument(update.slot)), [&](OpId id) { return is_waiting_part(id); });
  }
  bool is_read_in_trip(const Update& update) const {
    return is_read_by_stencils(argument(update.slot)) || is_read_by_products(argument(update.slot));
  }
  bool is_waiting_part(OpId id) const {
    return std::ranges::any_of(waiting_, [&](const Update& update) { return is_part(update, id); });
  }

  /// Updates that neither gain, nor read or are read by one that does, and so on. Whether there were any.
  bool drop_idle() {
    const auto reads = [&](const Update& reader, const Update& update) {
      return std::ranges::find(reader.leaves, argument(update.slot)) != reader.leaves.end();
    };
    std::unordered_set<std::uint32_t> busy;
    for (const Update& update : waiting_)
      if (is_read_in_trip(update)) busy.insert(update.slot);
    for (std::size_t known = 0; known < busy.size();) {
      known = busy.size();
      for (const Update& a : waiting_)
        for (const Update& b : waiting_)
          if (busy.contains(a.slot) && (reads(a, b) || reads(b, a))) busy.insert(b.slot);
    }
    return std::erase_if(waiting_, [&](const Update& update) { return !busy.contains(update.slot); }) > 0;
  }

  bool waits(std::uint32_t slot) const {
    return std::ranges::any_of(waiting_, [&](const Update& update) { return update.slot == slot; });
  }

  /// A shift reads it, and whatever else does is part of a kernel anyway.
  bool is_read_by_stencils(ValueId value) const {
    bool shifted = false;
    for (OpId id : readers(value)) {
      const Op& op = graph_.ops[id];
      shifted |= op.kind == OpKind::shift;
      if (op.kind == OpKind::reshape) {
        const std::vector<OpId>& further = readers(op.results[0]);
        shifted |= std::ranges::any_of(further, [&](OpId reader) { return graph_.ops[reader].kind == OpKind::shift; });
      } else if (op.kind != OpKind::shift && op.kind != OpKind::reduce && !is_elementwise(op)) {
        return false;
      }
    }
    return shifted;
  }

  /// A product with a sparse matrix that no trip changes reads it, behind a nest that makes it (follow_products).
  bool is_read_by_products(ValueId value) const {
    return capabilities_.several_nests && std::ranges::any_of(readers(value), [&](OpId id) {
             const Op& op = graph_.ops[id];
             return is_csr_product(graph_, op) && op.operands[1] == value && !is_of_trip(graph_, body_, op.operands[0]);
           });
  }

  std::optional<Update> update_of(std::uint32_t slot) const {
    const ValueId last = body().yields[slot];
    const Op& loop = graph_.ops[loop_];
    const Type& type = graph_.type(argument(slot));
    const auto is_alike = [&](ValueId value) { return graph_.type(value) == type; };
    if (type.is_scalar() || !type.is_dense() || !is_alike(last) || !is_alike(loop.results[slot]) ||
        !is_alike(loop.operands[slot + 1]) || mentions_trip(graph_, body_, type))
      return std::nullopt;
    if (!is_local(last) || yielded_.at(last).size() != 1 || !readers(last).empty()) return std::nullopt;
    Update update{slot, {}, {}};
    collect(update);
    if (update.ops.empty()) return std::nullopt;
    const bool reads_itself = std::ranges::find(update.leaves, argument(slot)) != update.leaves.end();
    return reads_itself ? std::optional(update) : std::nullopt;
  }

  bool is_part(const Update& update, OpId id) const {
    const std::vector<ValueId>& results = graph_.ops[id].results;
    return std::ranges::any_of(update.ops, [&](const Op& op) { return op.results == results; });
  }

  /// The ops that make the slot's new value and nothing else, in the order of the block; then what they read.
  void collect(Update& update) const {
    const ValueId last = body().yields[update.slot];
    std::unordered_set<ValueId> made = {last};
    std::vector<OpId> parts;
    for (auto id = body().ops.rbegin(); id != body().ops.rend(); ++id) {
      const Op& op = graph_.ops[*id];
      if (!is_elementwise(op) || graph_.type(op.results[0]).is_scalar() || !made.contains(op.results[0])) continue;
      const auto is_inside = [&](OpId reader) { return std::ranges::find(parts, reader) != parts.end(); };
      const bool only_here = std::ranges::all_of(readers(op.results[0]), is_inside) &&
                             (op.results[0] == last || !yielded_.contains(op.results[0]));
      if (!only_here) continue;
      parts.push_back(*id);
      made.insert(op.operands.begin(), op.operands.end());
    }
    for (auto id = parts.rbegin(); id != parts.rend(); ++id) update.ops.push_back(graph_.ops[*id]);
    for (const Op& op : update.ops)
      for (ValueId operand : op.operands)
        if (!is_result(update, operand) && std::ranges::find(update.leaves, operand) == update.leaves.end())
          update.leaves.push_back(operand);
  }

  static bool is_result(const Update& update, ValueId value) {
    return std::ranges::any_of(update.ops, [&](const Op& op) { return op.results[0] == value; });
  }

  /// Every matrix that it reads is at hand in the next trip. (What a trip makes for a slot and an update reads is read,
  /// so that slot does not wait.)
  bool may_wait(const Update& update) const {
    const auto leaves_trip = [&](const Op& op) { return may_leave_trip(graph_, body_, op); };
    return std::ranges::all_of(update.ops, leaves_trip) && std::ranges::all_of(update.leaves, [&](ValueId leaf) {
             if (graph_.type(leaf).is_scalar() || leaf == argument(update.slot)) return true;
             if (const std::uint32_t before = slot_before(leaf); before != no_slot) return waits(before);
             if (!is_local(leaf)) return true;
             return slot_after(leaf) != no_slot || may_be_carried(leaf, update);
           });
  }

  /// A matrix of the shape of the update that is in memory anyway: a later pass of the trip reads it as well.
  bool may_be_carried(ValueId leaf, const Update& update) const {
    const auto reads_later = [&](OpId reader) {
      return graph_.ops[reader].blocks.empty() && !is_waiting_part(reader) &&
             levels_.of_operands(graph_.ops[reader]) > levels_.of(leaf);
    };
    return graph_.type(leaf) == graph_.type(argument(update.slot)) && std::ranges::any_of(readers(leaf), reads_later);
  }

  // -- what is carried besides

  void make_slots() {
    Builder build(graph_, outside_, graph_.ops[loop_].location);
    const std::size_t built = graph_.blocks[outside_].ops.size();
    const ValueId no = build.constant(0, Element::logical), yes = build.constant(1, Element::logical);
    pending_ = add_slot(graph_, outside_, loop_, no, yes, "");
    for (const Update& update : waiting_)
      for (ValueId leaf : update.leaves) {
        const Type type = graph_.type(leaf);
        const bool scalar = type.is_scalar() && changes(leaf),
                   matrix = !type.is_scalar() && is_local(leaf) && slot_after(leaf) == no_slot;
        if (carried_.contains(leaf) || !(scalar || matrix)) continue;
        ValueId initial = build.constant(0, type.element);
        if (matrix) initial = build.fill(initial, type.rows, type.cols);
        carried_[leaf] = add_slot(graph_, outside_, loop_, initial, leaf, graph_.values[leaf].name);
      }
    move_ops(graph_, outside_, built, place_of_loop());
  }

  bool changes(ValueId value) const {
    return is_local(value) || std::ranges::find(body().arguments, value) != body().arguments.end();
  }

  // -- settling: what is pending is done

  /// At the start of a trip, and behind the loop.
  void settle() {
    const std::vector<ValueId> before = body().arguments, left = graph_.ops[loop_].results;
    std::vector<std::pair<ValueId, ValueId>> settled;
    const auto replace = [&](ValueId value) {
      const ValueId by = Builder(graph_, body_, {}).new_value(graph_.type(value), graph_.values[value].name);
      settled.emplace_back(value, by);
      return by;
    };
    std::vector<ValueId> in_trip, behind;
    for (const Update& update : waiting_) {
      in_trip.push_back(replace(before[update.slot]));
      behind.push_back(replace(left[update.slot]));
    }
    replace_all_uses(graph_, settled);
    const std::size_t in_body = body().ops.size(), outside = graph_.blocks[outside_].ops.size();
    for (std::size_t n = 0; n < waiting_.size(); ++n) {
      append_settled(body_, waiting_[n], before, in_trip[n]);
      append_settled(outside_, waiting_[n], left, behind[n]);
      graph_.blocks[body_].yields[waiting_[n].slot] = in_trip[n];
    }
    move_ops(graph_, body_, in_body, 0);
    move_ops(graph_, outside_, outside, place_of_loop() + 1);
  }

  /// result = pending ? update : value, of the slots' values as `at` gives them.
  void append_settled(BlockId block, const Update& update, const std::vector<ValueId>& at, ValueId result) {
    Builder build(graph_, block, update.ops.back().location);
    std::unordered_map<ValueId, ValueId> image;
    for (ValueId leaf : update.leaves)
      if (const std::uint32_t slot = slot_of(leaf); slot != no_slot) image[leaf] = at[slot];
    append_copies(graph_, block, update.ops, image);
    Op choice;
    choice.kind = OpKind::map;
    choice.attribute = ScalarOp::select;
    choice.operands = {at[pending_], image.at(update.ops.back().results[0]), at[update.slot]};
    choice.results = {result};
    build.append(std::move(choice));
  }

  /// The slot whose value, a trip later, is the leaf as the update read it.
  std::uint32_t slot_of(ValueId leaf) const {
    if (const auto carried = carried_.find(leaf); carried != carried_.end()) return carried->second;
    if (const std::uint32_t before = slot_before(leaf); before != no_slot) return before;
    return is_local(leaf) ? slot_after(leaf) : no_slot;
  }

  std::size_t place_of_loop() const {
    const std::vector<OpId>& ops = graph_.blocks[outside_].ops;
    return static_cast<std::size_t>(std::ranges::find(ops, loop_) - ops.begin());
  }
  Graph& graph_;
  const Capabilities& capabilities_;
  BlockId outside_;
  OpId loop_;
  BlockId body_;
  BlockUses uses_;
  OuterUses outer_;
  Levels levels_;
  std::unordered_map<ValueId, std::vector<std::uint32_t>> yielded_;  ///< the slots that carry a value on
  std::vector<Update> waiting_;
  std::uint32_t pending_ = no_slot;
  std::unordered_map<ValueId, std::uint32_t> carried_;  ///< new slots of what updates read
};

}  // namespace

bool retime(Graph& graph, PassContext& context) {
  return for_each_loop(graph, graph.body, [&](BlockId block, OpId loop) {
    const BlockId body = graph.ops[loop].blocks[0];
    if (!has_stencil(graph, body) && !has_csr_product(graph, body)) return false;
    const bool retimed = LoopRetimer(graph, context.capabilities, block, loop).run();
    return drop_twins(graph, block, loop) || retimed;
  });
}

}  // namespace lac::passes
