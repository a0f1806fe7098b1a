// Stores where a mask holds: x(x < 0) = 0, y(m) = 2*y(m) + 1.
#include <algorithm>

#include "passes/cost/cost.h"
#include "passes/rules/rule.h"

namespace lac::passes {
namespace {

/// Of the true elements of a mask the positions that `find` gives, all of them.
std::optional<ValueId> mask_of_positions(const Rewrite& r, ValueId positions) {
  while (const Op* convert = r.defined_by(positions, OpKind::convert)) positions = convert->operands[0];
  const Op* leading = r.defined_by(positions, OpKind::index);
  const Op* found = leading ? r.defined_by(leading->operands[0], OpKind::library) : nullptr;
  if (!found || attribute<LibraryFn>(*found) != LibraryFn::find || found->results[0] != leading->operands[0])
    return std::nullopt;
  const Subscripts& subscripts = attribute<Subscripts>(*leading);
  const Subscript& taken = subscripts.axes[0];
  const SymbolId count = r.graph.values[found->results[1]].symbol;
  const bool all = subscripts.linear() && taken.kind == SubscriptKind::range && taken.first.is(0) && taken.step.is(1) &&
                   count.valid() && taken.count == Size::symbol(count);
  return all ? std::optional(found->operands[0]) : std::nullopt;
}

/// Of one truth value: as many ones as it says, 0 or 1.
std::optional<ValueId> mask_of_one(const Rewrite& r, ValueId positions) {
  const Op* ones = r.defined_by(positions, OpKind::fill);
  const auto count =
      ones && r.is_number(ones->operands[0], 1) ? r.graph.type(positions).rows.as_symbol() : std::nullopt;
  if (!count || r.graph.symbols[*count].origin != SymbolOrigin::value) return std::nullopt;
  const Op* truth = r.defined_by(r.graph.symbols[*count].value, OpKind::convert);
  const bool logical = truth && r.graph.type(truth->operands[0]).element == Element::logical;
  return logical ? std::optional(truth->operands[0]) : std::nullopt;
}

/// What is stored, at every element of a matrix of that shape instead of at those where the mask holds.
class Everywhere {
 public:
  Everywhere(Rewrite& r, ValueId mask, const Type& shape) : r_(r), mask_(mask), shape_(shape) {}

  std::optional<ValueId> of(ValueId value, int depth = 6) {
    if (r_.graph.type(value).is_scalar() && !shape_.is_scalar()) return value;
    const Op* found = r_.graph.definition(value);
    if (!found || depth == 0) return std::nullopt;
    const Op op = *found;
    switch (op.kind) {
      case OpKind::fill: return op.operands[0];
      case OpKind::index: return picked(op);
      case OpKind::reshape: return of(op.operands[0], depth - 1);
      case OpKind::map:
      case OpKind::convert: return computed(op, depth);
      default: return std::nullopt;
    }
  }

  /// It takes no longer than what finds the positions, and reads and stores by them.
  bool pays() const { return cost::is_as_fast_as_words(time_, cost::words_of_positions); }

 private:
  /// x(m), of the same mask.
  std::optional<ValueId> picked(const Op& op) const {
    const Subscripts& subscripts = attribute<Subscripts>(op);
    if (!subscripts.linear() || subscripts.axes[0].kind != SubscriptKind::vector || !has_shape(op.operands[0]))
      return std::nullopt;
    const auto mask = shape_.is_scalar() ? mask_of_one(r_, op.operands[1]) : mask_of_positions(r_, op.operands[1]);
    return mask == mask_ ? std::optional(ValueId(op.operands[0])) : std::nullopt;
  }

  std::optional<ValueId> computed(const Op& op, int depth) {
    std::vector<ValueId> operands;
    for (ValueId operand : op.operands) {
      const auto everywhere = of(operand, depth - 1);
      if (!everywhere) return std::nullopt;
      operands.push_back(*everywhere);
    }
    time_ += cost::time_of(op);
    const Element element = r_.graph.type(op.results[0]).element;
    if (op.kind == OpKind::convert) return r_.build.convert(operands[0], element);
    return r_.build.map(attribute<ScalarOp>(op), operands);
  }

  bool has_shape(ValueId value) const {
    const Type& type = r_.graph.type(value);
    return type.is_dense() && type.rows == shape_.rows && type.cols == shape_.cols;
  }

  Rewrite& r_;
  ValueId mask_;
  Type shape_;
  cost::Time time_ = 0;
};

// x(m) = v: v where m holds, else x. Exact: what is computed where it does not is not kept.
Replacement store_where_true(Rewrite& r) {
  const Subscripts& subscripts = attribute<Subscripts>(r.op);
  if (!subscripts.linear() || subscripts.axes[0].kind != SubscriptKind::vector) return std::nullopt;
  const Type base = r.operand_type(0);
  const auto mask = base.is_scalar() ? mask_of_one(r, r.operand(1)) : mask_of_positions(r, r.operand(1));
  if (!mask || !base.is_dense()) return std::nullopt;
  const Type& truth = r.graph.type(*mask);
  if (!truth.is_dense() || truth.rows != base.rows || truth.cols != base.cols) return std::nullopt;
  Everywhere everywhere(r, *mask, base);
  const auto value = everywhere.of(r.op.operands.back());
  if (!value || !everywhere.pays()) return std::nullopt;
  const Type& made = r.graph.type(*value);
  const bool fits = made.is_scalar() || (made.is_dense() && made.rows == base.rows && made.cols == base.cols);
  if (!fits) return std::nullopt;
  const Element element = r.type().element;
  return std::vector<ValueId>{
      r.build.map(ScalarOp::select, *mask, r.build.convert(*value, element), r.build.convert(r.operand(0), element))};
}

}  // namespace

std::span<const Rule> mask_rules() {
  static constexpr Rule rules[] = {{OpKind::update, store_where_true}};
  return rules;
}

}  // namespace lac::passes
