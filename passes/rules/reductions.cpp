// Reductions. Sums and products may be reordered: their tree is the schedule's; the other reductions are exact in any
// order.
#include "passes/rules/rule.h"

namespace lac::passes {
namespace {

Replacement one(ValueId value) { return std::vector<ValueId>{value}; }

Reduction reduction(const Rewrite& r) { return attribute<Reduction>(r.op); }

/// The number of elements that go into one result.
Size reduced_extent(const Rewrite& r) {
  const Type& type = r.operand_type(0);
  const Axis axis = reduction(r).axis;
  return axis == Axis::rows ? type.rows : axis == Axis::cols ? type.cols : type.count();
}

// A reduction to a scalar is one over all.
Replacement to_scalar(Rewrite& r) {
  const Reduction how = reduction(r);
  if (!r.type().is_scalar() || how.axis == Axis::all || r.operand_type(0).is_scalar()) return std::nullopt;
  if (r.op.kind == OpKind::reduce) return one(r.build.reduce(r.operand(0), {how.op, Axis::all}));
  const Builder::ArgResult result = r.build.arg_reduce(r.operand(0), {how.op, Axis::all});
  return std::vector<ValueId>{result.value, result.index};
}

// A reduction of one element is that element. Exact.
Replacement of_one(Rewrite& r) {
  if (!reduced_extent(r).is(1)) return std::nullopt;
  const Type type = r.type();
  const ReduceOp op = reduction(r).op;
  if (op != ReduceOp::any && op != ReduceOp::all) return one(r.build.convert(r.operand(0), type.element));
  const ValueId zero = r.build.constant(0, r.operand_type(0).element);
  return one(r.build.map(ScalarOp::ne, r.operand(0), zero));
}

// reduce(reduce(x, rows), all) = reduce(x, all)
Replacement nested(Rewrite& r) {
  const Op* inner = r.defined_by(r.operand(0), OpKind::reduce);
  if (!inner || reduction(r).axis != Axis::all || attribute<Reduction>(*inner).op != reduction(r).op)
    return std::nullopt;
  return one(r.build.reduce(inner->operands[0], reduction(r)));
}

// A reduction over all elements does not see their arrangement.
Replacement over_view(Rewrite& r) {
  const Op* view = r.graph.definition(r.operand(0));
  if (!view || (view->kind != OpKind::reshape && view->kind != OpKind::transpose)) return std::nullopt;
  const ValueId source = view->operands[0];
  if (!r.graph.type(source).is_dense()) return std::nullopt;
  if (reduction(r).axis == Axis::all) return one(r.build.reduce(source, reduction(r)));
  if (view->kind != OpKind::transpose) return std::nullopt;
  const Axis other = reduction(r).axis == Axis::rows ? Axis::cols : Axis::rows;
  return one(r.build.transpose(r.build.reduce(source, {reduction(r).op, other})));
}

// sum(-x) = 0 - sum(x), sum(-x .* y) = 0 - sum(x .* y), over all. Exact: rounding has no side, and no sum is -0.
Replacement of_negatives(Rewrite& r) {
  const Reduction how = reduction(r);
  if (how.op != ReduceOp::sum || how.axis != Axis::all || !is_floating(r.type().element)) return std::nullopt;
  const auto negated = [&](ValueId value) -> std::optional<ValueId> {
    const Op* op = r.defined_by(value, OpKind::map);
    if (!op || attribute<ScalarOp>(*op) != ScalarOp::neg) return std::nullopt;
    return op->operands[0];
  };
  const auto opposite_of_sum = [&](ValueId x) {
    return one(r.build.map(ScalarOp::sub, r.build.constant(0, r.type().element), r.build.reduce(x, how)));
  };
  if (const auto x = negated(r.operand(0))) return opposite_of_sum(*x);
  const Op* product = r.defined_by(r.operand(0), OpKind::map);
  if (!product || attribute<ScalarOp>(*product) != ScalarOp::mul) return std::nullopt;
  std::vector<ValueId> factors = product->operands;
  for (ValueId& factor : factors)
    if (const auto x = negated(factor)) {
      factor = *x;
      return opposite_of_sum(r.build.map(ScalarOp::mul, factors[0], factors[1]));
    }
  return std::nullopt;
}

}  // namespace

std::span<const Rule> reduction_rules() {
  static constexpr Rule rules[] = {
      {OpKind::reduce, of_one},    {OpKind::reduce, to_scalar},    {OpKind::reduce, nested},
      {OpKind::reduce, over_view}, {OpKind::reduce, of_negatives}, {OpKind::arg_reduce, to_scalar},
  };
  return rules;
}

}  // namespace lac::passes
