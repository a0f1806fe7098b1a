// Arithmetic. Exact in floating point, bit for bit, unless a rule says otherwise. Not here because not exact:
// x + 0 = x (-0 + 0 is 0), x * 0 = 0 (NaN, Inf), x - x = 0 (NaN, Inf), !(x < y) = (x >= y) (NaN).
#include <algorithm>

#include "passes/rules/rule.h"

namespace lac::passes {
namespace {

Replacement one(std::optional<ValueId> value) {
  if (!value) return std::nullopt;
  return std::vector<ValueId>{*value};
}

ScalarOp function(const Rewrite& r) { return attribute<ScalarOp>(r.op); }

/// The argument of `value` if it is f(argument).
std::optional<ValueId> argument_of(const Rewrite& r, ValueId value, ScalarOp f) {
  const Op* op = r.defined_by(value, OpKind::map);
  if (!op || attribute<ScalarOp>(*op) != f) return std::nullopt;
  return op->operands[0];
}

// x * 1 = 1 * x = x / 1 = x ^ 1 = x - 0 = x
Replacement neutral_operand(Rewrite& r) {
  const ScalarOp f = function(r);
  const bool right_one = f == ScalarOp::mul || f == ScalarOp::div || f == ScalarOp::pow;
  if (right_one && r.is_number(r.operand(1), 1)) return one(r.spread(r.operand(0)));
  if (f == ScalarOp::mul && r.is_number(r.operand(0), 1)) return one(r.spread(r.operand(1)));
  if (f == ScalarOp::sub && r.is_number(r.operand(1), 0)) return one(r.spread(r.operand(0)));
  return std::nullopt;
}

// -(-x) = x; !(!x) = x for logical x; !(x == y) = (x != y) and back, also for NaN
Replacement double_negation(Rewrite& r) {
  const ScalarOp f = function(r);
  if (f == ScalarOp::neg || f == ScalarOp::logical_not) {
    const std::optional<ValueId> inner = argument_of(r, r.operand(0), f);
    if (inner && r.fits(*inner)) return one(*inner);
  }
  if (f != ScalarOp::logical_not) return std::nullopt;
  const Op* compared = r.defined_by(r.operand(0), OpKind::map);
  if (!compared) return std::nullopt;
  const std::vector<ValueId> operands = compared->operands;
  if (attribute<ScalarOp>(*compared) == ScalarOp::eq) return one(r.build.map(ScalarOp::ne, operands));
  if (attribute<ScalarOp>(*compared) == ScalarOp::ne) return one(r.build.map(ScalarOp::eq, operands));
  return std::nullopt;
}

// round(x) = x for an integer x, and the like
Replacement rounded_integer(Rewrite& r) {
  const ScalarOp f = function(r);
  const bool rounds = f == ScalarOp::floor || f == ScalarOp::ceil || f == ScalarOp::round || f == ScalarOp::fix;
  if (!rounds || r.type().element != Element::integer || !r.fits(r.operand(0))) return std::nullopt;
  return one(r.operand(0));
}

// x ^ 2 = x * x, as Octave squares; x ^ -1 = 1 / x. Exact: pow is within rounding of both, which are rounded once.
Replacement small_power(Rewrite& r) {
  if (function(r) != ScalarOp::pow) return std::nullopt;
  const bool square = r.is_number(r.operand(1), 2);
  if (!square && !r.is_number(r.operand(1), -1)) return std::nullopt;
  const ValueId x = r.build.convert(r.operand(0), r.type().element);
  if (square) return one(r.build.map(ScalarOp::mul, x, x));
  return one(r.build.map(ScalarOp::div, r.build.constant(1, r.type().element), x));
}

// x & true = x | false = x for logical x; x & false = false, x | true = true
Replacement decided_logic(Rewrite& r) {
  const ScalarOp f = function(r);
  if (f != ScalarOp::logical_and && f != ScalarOp::logical_or) return std::nullopt;
  for (int n = 0; n < 2; ++n) {
    const std::optional<double> known = constant_value(r.graph, r.operand(static_cast<std::size_t>(n)));
    if (!known) continue;
    if ((*known != 0) != (f == ScalarOp::logical_and)) return one(r.spread(r.build.constant(*known, Element::logical)));
    const ValueId other = r.operand(static_cast<std::size_t>(1 - n));
    return r.fits(other) ? one(other) : std::nullopt;
  }
  return std::nullopt;
}

// select(true, x, y) = x, select(false, x, y) = y, select(c, x, x) = x
Replacement decided_select(Rewrite& r) {
  if (function(r) != ScalarOp::select) return std::nullopt;
  if (r.operand(1) == r.operand(2)) return one(r.spread(r.operand(1)));
  const std::optional<double> condition = constant_value(r.graph, r.operand(0));
  if (!condition) return std::nullopt;
  return one(r.spread(r.operand(*condition != 0 ? 1 : 2)));
}

// f(view(x), view(y)) = view(f(x, y)) for equal transposes, and reshapes of equal shapes to equal shapes
Replacement below_views(Rewrite& r) {
  std::optional<OpKind> kind;
  std::optional<Type> source, shown;
  std::vector<ValueId> operands;
  for (ValueId value : r.op.operands) {
    const Op* view = r.graph.definition(value);
    if (r.graph.type(value).is_scalar()) {
      operands.push_back(value);
      continue;
    }
    if (!view || (view->kind != OpKind::transpose && view->kind != OpKind::reshape)) return std::nullopt;
    const Type& from = r.graph.type(view->operands[0]);
    if (kind && (*kind != view->kind || !source->same_shape(from) || !shown->same_shape(r.graph.type(value))))
      return std::nullopt;
    kind = view->kind;
    source = from;
    shown = r.graph.type(value);
    operands.push_back(view->operands[0]);
  }
  if (!kind || source->is_scalar() || !source->is_dense()) return std::nullopt;
  const Type result = r.type();
  const ValueId inner =
      r.op.kind == OpKind::convert ? r.build.convert(operands[0], result.element) : r.build.map(function(r), operands);
  if (*kind == OpKind::transpose) return one(r.build.transpose(inner));
  return one(r.build.reshape(inner, result.rows, result.cols));
}

/// Every number of `from` is exactly one of `to`; integers are doubles.
bool holds(Element to, Element from) {
  return to == from || from == Element::logical || to == Element::real || to == Element::integer;
}

// convert(x) = x for its own element; convert(convert(x)) = convert(x) where the first loses nothing
Replacement double_conversion(Rewrite& r) {
  if (r.fits(r.operand(0))) return one(r.operand(0));
  const Op* first = r.defined_by(r.operand(0), OpKind::convert);
  if (!first || !holds(r.operand_type(0).element, r.graph.type(first->operands[0]).element)) return std::nullopt;
  return one(r.build.convert(first->operands[0], r.type().element));
}

// A conversion between sparse elements is a library step.
Replacement sparse_conversion(Rewrite& r) {
  if (!r.operand_type(0).is_sparse()) return std::nullopt;
  return r.build.library(LibraryFn::sparse_convert, {r.operand(0)}, {r.type()});
}

// convert(fill(s)) = fill(convert(s)); f(fill(s), t) = fill(f(s, t)) when every operand is a fill or a scalar
Replacement of_fills(Rewrite& r) {
  if (r.type().is_scalar()) return std::nullopt;
  std::vector<ValueId> scalars;
  for (ValueId value : r.op.operands) {
    const Op* fill = r.defined_by(value, OpKind::fill);
    if (!fill && !r.graph.type(value).is_scalar()) return std::nullopt;
    scalars.push_back(fill ? fill->operands[0] : value);
  }
  const Type result = r.type();
  const ValueId value =
      r.op.kind == OpKind::convert ? r.build.convert(scalars[0], result.element) : r.build.map(function(r), scalars);
  if (r.graph.type(value).element != result.element) return std::nullopt;
  return one(r.build.fill(value, result.rows, result.cols));
}

}  // namespace

std::span<const Rule> elementwise_rules() {
  static constexpr Rule rules[] = {
      {OpKind::map, neutral_operand},
      {OpKind::map, double_negation},
      {OpKind::map, small_power},
      {OpKind::map, rounded_integer},
      {OpKind::map, decided_logic},
      {OpKind::map, decided_select},
      {OpKind::map, of_fills},
      {OpKind::map, below_views},
      {OpKind::convert, double_conversion},
      {OpKind::convert, sparse_conversion},
      {OpKind::convert, of_fills},
      {OpKind::convert, below_views},
  };
  return rules;
}

}  // namespace lac::passes
