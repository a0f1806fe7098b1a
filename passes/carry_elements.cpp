#include "passes/carry_elements.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "ir/graph/builder.h"
#include "ir/plan/plan.h"
#include "passes/structure/loop_slots.h"

namespace lac::passes {
namespace {

/// One place of a matrix, by sizes alone.
bool is_place(const Subscripts& subscripts) {
  return std::ranges::all_of(
      subscripts.axes, [](const Subscript& axis) { return axis.kind == SubscriptKind::range && axis.count.is(1); });
}

class LoopCarrier {
 public:
  LoopCarrier(Graph& graph, BlockId outside, OpId loop)
      : graph_(graph), outside_(outside), loop_(loop), body_(graph.ops[loop].blocks[0]) {}

  bool run() {
    bool changed = false;
    for (std::size_t slot = 1, slots = body().arguments.size(); slot < slots; ++slot) changed |= carry(slot);
    return changed;
  }

 private:
  const Block& body() const { return graph_.blocks[body_]; }

  /// What the matrix of the slot gets in the end of a trip, where that is one number.
  const Op* last_update(std::size_t slot) const {
    const ValueId matrix = body().arguments[slot], next = body().yields[slot];
    const Op* made = graph_.definition(next);
    const Type& type = graph_.type(matrix);
    const bool stays = graph_.type(next) == type && graph_.type(graph_.ops[loop_].operands[slot + 1]) == type;
    if (!made || made->kind != OpKind::update || !stays || is_small_matrix(type)) return nullptr;
    const Type& value = graph_.type(made->operands.back());
    const bool one = is_of_trip(graph_, body_, next) && value.is_scalar() && value.element == type.element;
    return one && is_place(attribute<Subscripts>(*made)) ? made : nullptr;
  }

  /// The place with another number of trips; nothing where it names other values of the trip.
  std::optional<Subscripts> at_trip(Subscripts place, const Size& trip) const {
    bool known = true;
    const auto image = [&](SymbolId symbol) -> std::optional<Size> {
      const ValueId named = graph_.symbols[symbol].value;
      if (named == body().arguments[0]) return trip;
      known &= !named || !is_of_trip(graph_, body_, named);
      return std::nullopt;
    };
    for (Subscript& axis : place.axes) axis.first = axis.first.substitute(image);
    return known ? std::optional(place) : std::nullopt;
  }

  /// At any depth of the body.
  std::vector<ValueId> reads_of(ValueId matrix, const Subscripts& place) const {
    std::vector<ValueId> found;
    for_each_op(graph_, body_, [&](OpId id) {
      const Op& op = graph_.ops[id];
      if (op.kind == OpKind::index && op.operands == std::vector{matrix} && attribute<Subscripts>(op) == place)
        found.push_back(op.results[0]);
    });
    return found;
  }

  bool carry(std::size_t slot) {
    const SymbolId trip = graph_.values[body().arguments[0]].symbol;
    const Op* update = last_update(slot);
    if (!update) return false;
    const Subscripts& stored = attribute<Subscripts>(*update);
    const auto before = at_trip(stored, trip ? Size::symbol(trip) - 1 : Size(0));
    if (!before) return false;
    const std::vector<ValueId> reads = reads_of(body().arguments[slot], *before);
    if (reads.empty()) return false;
    const ValueId value = update->operands.back();
    const ValueId initial = first_read(slot, *at_trip(*before, Size(0)));
    const std::uint32_t carried = add_slot(graph_, outside_, loop_, initial, value, graph_.values[reads[0]].name);
    for (const ValueId read : reads) replace_all_uses(graph_, read, body().arguments[carried]);
    return true;
  }

  // -- before the loop

  /// What is there before the first trip; where the place may lie outside, 0 stands for what no trip reads.
  ValueId first_read(std::size_t slot, const Subscripts& place) {
    const ValueId matrix = graph_.ops[loop_].operands[slot + 1];
    const std::size_t built = graph_.blocks[outside_].ops.size();
    Builder build(graph_, outside_, graph_.ops[loop_].location);
    const std::optional<ValueId> inside = lies_inside(build, graph_.type(matrix), place);
    const ValueId read = inside ? chosen(build, *inside, matrix, place) : build.index(matrix, place, {}, 1, 1);
    const std::vector<OpId>& ops = graph_.blocks[outside_].ops;
    move_ops(graph_, outside_, built, static_cast<std::size_t>(std::ranges::find(ops, loop_) - ops.begin()));
    return read;
  }

  /// Nothing where it surely does.
  std::optional<ValueId> lies_inside(Builder& build, const Type& type, const Subscripts& place) {
    std::optional<ValueId> all;
    const auto require = [&](const Size& size) {  // not to be negative
      if (size.lower_bound(graph_.symbols).value_or(-1) >= 0) return;
      const ValueId holds = build.map(ScalarOp::ge, build.size(size), build.constant(0, Element::integer));
      all = all ? build.map(ScalarOp::logical_and, *all, holds) : holds;
    };
    const std::vector<Size> extents =
        place.linear() ? std::vector{type.rows * type.cols} : std::vector{type.rows, type.cols};
    for (std::size_t n = 0; n < extents.size(); ++n) {
      require(place.axes[n].first);
      require(extents[n] - 1 - place.axes[n].first);
    }
    return all;
  }

  ValueId chosen(Builder& build, ValueId inside, ValueId matrix, const Subscripts& place) {
    Op choice;
    choice.kind = OpKind::branch;
    choice.operands = {inside};
    choice.blocks = {build.new_block(), build.new_block()};
    const Element element = graph_.type(matrix).element;
    Builder there(graph_, choice.blocks[0], build.location), nowhere(graph_, choice.blocks[1], build.location);
    graph_.blocks[choice.blocks[0]].yields = {there.index(matrix, place, {}, 1, 1)};
    graph_.blocks[choice.blocks[1]].yields = {nowhere.constant(0, element)};
    choice.results = {build.new_value(Type::scalar(element))};
    const ValueId result = choice.results[0];
    build.append(std::move(choice));
    return result;
  }

  Graph& graph_;
  BlockId outside_;
  OpId loop_;
  BlockId body_;
};

}  // namespace

bool carry_elements(Graph& graph, PassContext&) {
  return for_each_loop(graph, graph.body,
                       [&](BlockId block, OpId loop) { return LoopCarrier(graph, block, loop).run(); });
}

}  // namespace lac::passes
