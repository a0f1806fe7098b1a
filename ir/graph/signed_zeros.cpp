#include "ir/graph/signed_zeros.h"

#include <algorithm>
#include <cmath>

namespace lac {

SignedZeros::SignedZeros(const Graph& graph, Intervals& intervals)
    : graph_(graph), intervals_(intervals), found_(graph.values.size()) {
  while (visit(graph_.body)) {
  }
}

bool SignedZeros::set(ValueId value, bool may) {
  if (!may || found_[value.index]) return false;
  const Interval interval = bounds(value);
  if (interval.low > 0 || interval.high < 0) return false;
  found_[value.index] = true;
  return true;
}

bool SignedZeros::visit(BlockId block) {
  bool changed = false;
  for (const OpId id : graph_.blocks[block].ops) {
    const Op& op = graph_.ops[id];
    if (op.kind == OpKind::loop) {
      const Block& body = graph_.blocks[op.blocks[0]];
      for (std::size_t k = 1; k < body.arguments.size(); ++k) {
        const bool may = found_[op.operands[k + 1].index] || found_[body.yields[k].index];
        changed = set(body.arguments[k], may) || changed;
      }
    }
    for (const BlockId inner : op.blocks) changed = visit(inner) || changed;
    for (std::size_t n = 0; n < op.results.size(); ++n)
      if (graph_.type(op.results[n]).is_scalar()) changed = set(op.results[n], of_op(op, n)) || changed;
  }
  return changed;
}

bool SignedZeros::of_op(const Op& op, std::size_t result) const {
  switch (op.kind) {
    case OpKind::constant: return attribute<double>(op) == 0 && std::signbit(attribute<double>(op));
    case OpKind::size: return false;
    case OpKind::convert: return found_[op.operands[0].index];
    case OpKind::map: return of_map(op);
    case OpKind::branch:
      return std::ranges::any_of(op.blocks,
                                 [&](BlockId arm) { return found_[graph_.blocks[arm].yields[result].index]; });
    case OpKind::loop: return result != 0 && found_[graph_.blocks[op.blocks[0]].arguments[result].index];
    default: return true;
  }
}

// -0 is what a factor below zero makes of 0, and the sum of two of them. Of whole numbers: products of fractions that
// underflow are not looked at.
bool SignedZeros::of_map(const Op& op) const {
  const auto may = [&](std::size_t n) { return bool(found_[op.operands[n].index]); };
  switch (attribute<ScalarOp>(op)) {
    case ScalarOp::add: return may(0) && may(1);
    case ScalarOp::sub:
    case ScalarOp::floor: return may(0);
    case ScalarOp::mul: return of_product(op.operands[0], op.operands[1]);
    case ScalarOp::div: return may(0) || !is_positive(op.operands[1]);
    case ScalarOp::min:
    case ScalarOp::max: return may(0) || may(1);
    case ScalarOp::select: return may(1) || may(2);
    case ScalarOp::abs:
    case ScalarOp::bit_and:
    case ScalarOp::bit_or:
    case ScalarOp::bit_xor: return false;
    case ScalarOp::mod: return !is_positive(op.operands[1]);
    default: return graph_.type(op.results[0]).element != Element::logical;
  }
}

bool SignedZeros::of_product(ValueId a, ValueId b) const {
  const bool none = !found_[a.index] && !found_[b.index];
  if (is_positive(a)) return found_[b.index];
  if (is_positive(b)) return found_[a.index];
  return !(none && is_not_negative(a) && is_not_negative(b));
}

}  // namespace lac
