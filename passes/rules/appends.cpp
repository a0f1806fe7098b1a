// What a loop appends: x = [x v], s = [s c], A = [A column]. Where there is room behind the elements only what is added
// is written.
#include <algorithm>
#include <cstddef>

#include "passes/rules/rule.h"

namespace lac::passes {
namespace {

/// Along which it grows, 0 or 1, if elements that are appended lie behind all others.
std::optional<std::size_t> end_of(const Type& type, Axis axis) {
  if (!type.is_dense()) return std::nullopt;
  if (axis == Axis::rows && type.cols.is(1)) return 0;
  if (axis == Axis::cols && type.rows.is_constant()) return 1;
  return std::nullopt;
}

/// Whether the op takes the first elements of a vector, or the first columns: x(1:n-1).
bool is_leading_part(const Rewrite& r, const Op& op) {
  if (op.kind != OpKind::index) return false;
  const std::vector<Subscript>& axes = attribute<Subscripts>(op).axes;
  const auto is_first = [](const Subscript& axis) {
    return axis.kind == SubscriptKind::range && axis.first.is(0) && axis.step.is(1);
  };
  if (axes.size() == 1) return is_first(axes[0]);
  return axes[0].kind == SubscriptKind::all ? is_first(axes[1])
                                            : r.graph.type(op.operands[0]).cols.is(1) && is_first(axes[0]);
}

/// Whether a loop carries `value`, or it was made of what one carries by appending to it and leaving out its end.
bool is_carried(const Rewrite& r, ValueId value, int depth = 8) {
  const Op* made = r.graph.definition(value);
  if (!made) {
    const OpId parent = r.graph.blocks[r.graph.values[value].block].parent;
    return parent.valid() && r.graph.ops[parent].kind == OpKind::loop;
  }
  if (depth == 0) return false;
  if (made->kind == OpKind::branch) {
    const std::uint32_t n = r.graph.values[value].index;
    return std::ranges::any_of(made->blocks,
                               [&](BlockId arm) { return is_carried(r, r.graph.blocks[arm].yields[n], depth - 1); });
  }
  const bool is_made_in_place =
      made->kind == OpKind::update || made->kind == OpKind::resize || is_leading_part(r, *made);
  return is_made_in_place && is_carried(r, made->operands[0], depth - 1);
}

/// Of the uses of `value` those before the op, and by another arm of the branch around it, which leaves it as it is.
std::ptrdiff_t uses_before(const Rewrite& r, ValueId value) {
  std::ptrdiff_t uses = 0;
  for_each_op(r.graph, r.build.block, [&](OpId id) { uses += std::ranges::count(r.graph.ops[id].operands, value); });
  const OpId parent = r.graph.blocks[r.build.block].parent;
  if (!parent.valid() || r.graph.ops[parent].kind != OpKind::branch) return uses;
  for (const BlockId arm : r.graph.ops[parent].blocks)
    if (arm != r.build.block) uses += std::ranges::count(r.graph.blocks[arm].yields, value);
  return uses;
}

/// Whether nobody wants to know behind the op what it was. Where that is wrong the memory is copied, and nothing else
/// is: uses are counted once in a round.
bool is_given_up(const Rewrite& r, ValueId value) {
  if (value.index >= r.uses.size() || std::ranges::count(r.op.operands, value) != 1) return false;
  return r.uses[value.index] <= uses_before(r, value) + 1;
}

Replacement appended(Rewrite& r, Axis axis) {
  const ValueId base = r.operand(0);
  const Type before = r.operand_type(0), after = r.type();
  const auto grows = end_of(before, axis);
  if (!r.capabilities.growth_in_place || !grows || before.element != after.element) return std::nullopt;
  if (before.count().is_constant() || !is_carried(r, base) || !is_given_up(r, base)) return std::nullopt;
  ValueId made = r.build.resize(base, after.rows, after.cols);
  Size end = *grows == 0 ? before.rows : before.cols;
  for (std::size_t n = 1; n < r.op.operands.size(); ++n) {
    const Type part = r.operand_type(n);
    const Size& count = *grows == 0 ? part.rows : part.cols;
    Subscripts place;
    if (*grows == 0) place.axes = {{SubscriptKind::range, end, 1, count}, {SubscriptKind::all, 0, 1, 1}};
    else place.axes = {{SubscriptKind::all, 0, 1, after.rows}, {SubscriptKind::range, end, 1, count}};
    made = r.build.update(made, place, {}, r.build.convert(r.operand(n), after.element));
    end = end + count;
  }
  return std::vector<ValueId>{made};
}

Replacement appended_elements(Rewrite& r) { return appended(r, attribute<Axis>(r.op)); }

Replacement appended_text(Rewrite& r) {
  if (attribute<LibraryFn>(r.op) != LibraryFn::text_join || !r.type().rows.is(1)) return std::nullopt;
  return appended(r, Axis::cols);
}

}  // namespace

std::span<const Rule> append_rules() {
  static constexpr Rule rules[] = {
      {OpKind::concat, appended_elements},
      {OpKind::library, appended_text},
  };
  return rules;
}

}  // namespace lac::passes
