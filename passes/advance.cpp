#include "passes/advance.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/cost/cost.h"
#include "passes/fusion/reader.h"
#include "passes/structure/loop_slots.h"
#include "passes/structure/uses.h"

namespace lac::passes {
namespace {

class LoopAdvancer {
 public:
  LoopAdvancer(Graph& graph, BlockId outside, OpId loop)
      : graph_(graph), outside_(outside), loop_(loop), body_(graph.ops[loop].blocks[0]), uses_(graph, body_) {
    yielded_.insert(body().yields.begin(), body().yields.end());
  }

  bool advance_stencils() {
    find_start();
    if (!pays()) return false;
    move_start();
    return true;
  }

  bool advance_reductions() {
    find_reductions();
    if (results_.empty() || !ends_are_known()) return false;
    move_start();
    return true;
  }

 private:
  const Block& body() const { return graph_.blocks[body_]; }
  bool is_local(ValueId value) const { return uses_.is_local(value); }
  const std::vector<OpId>& readers(ValueId value) const { return uses_.readers(value); }
  bool is_matrix(ValueId value) const { return !graph_.type(value).is_scalar(); }
  std::optional<std::size_t> slot_of_argument(ValueId value) const {
    const auto found = std::ranges::find(body().arguments, value);
    if (found == body().arguments.end() || found == body().arguments.begin()) return std::nullopt;
    return static_cast<std::size_t>(found - body().arguments.begin());
  }

  // -- what starts a trip

  /// What is known when the trip starts: elementwise work on what is carried, what is the
  /// same on all trips in another shape, and ops of these other kinds.
  using Kinds = bool (*)(OpKind);
  static bool reads_no_more(OpKind kind) { return kind == OpKind::reshape || kind == OpKind::constant; }
  static bool is_generated(OpKind kind) { return kind == OpKind::constant || kind == OpKind::fill; }

  std::unordered_set<ValueId> known_early(Kinds others) const {
    std::unordered_set<ValueId> early;
    for (OpId id : body().ops) {
      const Op& op = graph_.ops[id];
      bool known = is_elementwise(op) || op.kind == OpKind::size || others(op.kind) || is_invariant(id);
      const auto need = [&](ValueId value) { known &= early.contains(value) || !is_local(value); };
      if (op.kind == OpKind::size) for_each_size_value(graph_, op, need);
      else std::ranges::for_each(op.operands, need);
      if (known && may_leave_trip(graph_, body_, op)) early.insert(op.results[0]);
    }
    return early;
  }

  /// The start: what makes the wanted ones, in the order of the block.
  void collect(std::unordered_set<ValueId> wanted, const std::unordered_set<ValueId>& early) {
    for (auto id = body().ops.rbegin(); id != body().ops.rend(); ++id) {
      const Op& op = graph_.ops[*id];
      if (op.results.size() != 1 || !wanted.contains(op.results[0]) || !early.contains(op.results[0])) continue;
      start_.insert(start_.begin(), *id);
      in_start_.insert(*id);
      for_each_used_value(graph_, op, [&](ValueId value) { wanted.insert(value); });
    }
  }

  /// Back from what stencils read.
  void find_start() {
    const std::unordered_set<ValueId> early = known_early(reads_no_more);
    std::unordered_set<ValueId> wanted;
    for (OpId id : body().ops)
      if (graph_.ops[id].kind == OpKind::shift && early.contains(graph_.ops[id].operands[0]))
        wanted.insert(graph_.ops[id].operands[0]);
    collect(std::move(wanted), early);
    for (OpId id : start_)
      if (const ValueId value = graph_.ops[id].results[0]; is_read_later(value) && !is_invariant(id))
        results_.push_back(value);
  }

  // -- reductions that start a trip

  /// Back from reductions of carried matrices that the end of a trip makes elementwise, where matrices of this trip
  /// wait for the number: the pass that makes the matrix can reduce it as well.
  void find_reductions() {
    std::unordered_set<ValueId> early = known_early(is_generated);
    const std::unordered_set<ValueId> awaited = awaited_scalars(graph_, body_);
    for (OpId id : body().ops) {
      const Op& op = graph_.ops[id];
      if (op.kind != OpKind::reduce || is_matrix(op.results[0]) || !early.contains(op.operands[0])) continue;
      if (reduces_what_trips_make(op.operands[0]) && awaited.contains(op.results[0])) results_.push_back(op.results[0]);
    }
    early.insert(results_.begin(), results_.end());
    collect({results_.begin(), results_.end()}, early);
    if (!may_be_made_twice()) results_.clear();
  }

  /// Every matrix that it is made of is carried or the same on all trips, and one of its own shape is made by a trip,
  /// elementwise.
  bool reduces_what_trips_make(ValueId value) const {
    const Type& type = graph_.type(value);
    std::unordered_set<ValueId> seen;
    std::vector<ValueId> pending = {value};
    bool made = false;
    while (!pending.empty()) {
      const ValueId next = pending.back();
      pending.pop_back();
      if (!is_matrix(next) || !seen.insert(next).second) continue;
      if (const std::optional<std::size_t> slot = slot_of_argument(next))
        made |= is_made_by_trip(*slot) && graph_.type(next).same_shape(type);
      else if (is_local(next))
        for (ValueId operand : graph_.definition(next)->operands) pending.push_back(operand);
    }
    return made;
  }

  bool is_made_by_trip(std::size_t slot) const {
    const ValueId next = body().yields[slot];
    const Op* made = graph_.definition(next);
    return is_local(next) && made && is_elementwise(*made);
  }

  /// What the rest of the trip reads of the start as well is computed there once more: the sum needs no pass that
  /// reads.
  bool may_be_made_twice() const {
    const auto stays = [&](OpId id) {
      return is_matrix(graph_.ops[id].results[0]) && is_read_later(graph_.ops[id].results[0]);
    };
    cost::Time time = 0;
    for (OpId id : start_)
      if (is_elementwise(graph_.ops[id]) && is_matrix(graph_.ops[id].results[0])) time += cost::time_of(graph_.ops[id]);
    return std::ranges::none_of(start_, stays) || cost::is_as_fast_as_reading(time);
  }

  /// A constant, or what is the same on all trips in another shape.
  bool is_invariant(OpId id) const {
    const Op& op = graph_.ops[id];
    if (op.kind == OpKind::constant) return true;
    return op.kind == OpKind::reshape && !is_local(op.operands[0]) && !slot_of_argument(op.operands[0]);
  }

  bool is_read_later(ValueId value) const {
    return yielded_.contains(value) ||
           std::ranges::any_of(readers(value), [&](OpId reader) { return !in_start_.contains(reader); });
  }

  // -- whether it pays

  bool pays() const {
    const auto carried_on = [&](ValueId value) { return !is_matrix(value) || yielded_.contains(value); };
    return !start_.empty() && std::ranges::all_of(results_, carried_on) && saves_a_matrix() && ends_are_known();
  }

  /// A carried matrix that only the start reads, made elementwise, that nobody wants behind the loop.
  bool saves_a_matrix() const {
    const Op& loop = graph_.ops[loop_];
    const Uses used(graph_, outside_);
    for (std::size_t slot = 1; slot < body().arguments.size(); ++slot) {
      const ValueId argument = body().arguments[slot], next = body().yields[slot];
      const std::vector<OpId>& read = readers(argument);
      const Op* made = graph_.definition(next);
      const auto in_start = [&](OpId reader) { return in_start_.contains(reader); };
      if (is_matrix(argument) && !read.empty() && std::ranges::all_of(read, in_start) && made && is_local(next) &&
          is_elementwise(*made) && !in_start_.contains(graph_.values[next].op) && !used.is_used(loop.results[slot]))
        return true;
    }
    return false;
  }

  /// What the start reads of the next trip is at hand at the end of this one, in the same shape.
  bool ends_are_known() const {
    const Op& loop = graph_.ops[loop_];
    return std::ranges::all_of(start_, [&](OpId id) {
      std::vector<ValueId> read;
      for_each_used_value(graph_, graph_.ops[id], [&](ValueId value) { read.push_back(value); });
      return std::ranges::all_of(read, [&](ValueId operand) {
        const std::optional<std::size_t> slot = slot_of_argument(operand);
        return !slot || (graph_.type(body().yields[*slot]) == graph_.type(operand) &&
                         graph_.type(loop.operands[*slot + 1]) == graph_.type(operand) &&
                         !mentions_trip(graph_, body_, graph_.type(operand)));
      });
    });
  }

  // -- moving it

  void move_start() {
    std::vector<Op> start;
    for (OpId id : start_) start.push_back(graph_.ops[id]);
    std::unordered_map<ValueId, ValueId> first, next;
    for (std::size_t slot = 1; slot < body().arguments.size(); ++slot)
      first[body().arguments[slot]] = graph_.ops[loop_].operands[slot + 1];
    const std::size_t built = graph_.blocks[outside_].ops.size();
    const ValueId trip = body().arguments[0];
    bool counts = false;
    for (const Op& op : start) for_each_used_value(graph_, op, [&](ValueId value) { counts |= value == trip; });
    if (counts) first[trip] = Builder(graph_, outside_, graph_.ops[loop_].location).constant(0, Element::integer);
    append_copies(graph_, outside_, start, first);
    const std::vector<OpId>& outer = graph_.blocks[outside_].ops;
    move_ops(graph_, outside_, built, static_cast<std::size_t>(std::ranges::find(outer, loop_) - outer.begin()));

    std::vector<std::pair<ValueId, ValueId>> replaced;
    std::vector<std::uint32_t> slots;
    for (ValueId result : results_) {
      const ValueId initial = first.at(result);  // what the slot yields is set below
      slots.push_back(add_slot(graph_, outside_, loop_, initial, initial, graph_.values[result].name));
      replaced.emplace_back(result, body().arguments[slots.back()]);
    }
    const std::vector<ValueId> arguments = body().arguments;
    replace_all_uses(graph_, replaced);
    for (std::size_t slot = 1; slot < arguments.size(); ++slot) next[arguments[slot]] = body().yields[slot];
    if (counts) {
      Builder build(graph_, body_, graph_.ops[loop_].location);
      next[trip] = build.map(ScalarOp::add, trip, build.constant(1, Element::integer));
    }
    append_copies(graph_, body_, start, next);
    for (std::size_t n = 0; n < slots.size(); ++n) graph_.blocks[body_].yields[slots[n]] = next.at(results_[n]);
  }

  Graph& graph_;
  BlockId outside_;
  OpId loop_;
  BlockId body_;
  BlockUses uses_;
  std::unordered_set<ValueId> yielded_;
  std::vector<OpId> start_;
  std::unordered_set<OpId> in_start_;
  std::vector<ValueId> results_;  ///< of the start, that the rest of the trip reads
};

}  // namespace

bool advance(Graph& graph, PassContext&) {
  return for_each_loop(graph, graph.body, [&](BlockId block, OpId loop) {
    const bool stencils =
        has_stencil(graph, graph.ops[loop].blocks[0]) && LoopAdvancer(graph, block, loop).advance_stencils();
    return LoopAdvancer(graph, block, loop).advance_reductions() || stencils;
  });
}

}  // namespace lac::passes
