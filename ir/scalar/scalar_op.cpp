#include "ir/scalar/scalar_op.h"

#include <cmath>

namespace lac {
namespace {

constexpr ScalarOpInfo infos[] = {
#define LAC_SCALAR_OP(name, arity, result, work) {#name, arity, ScalarResult::result},
#include "ir/scalar/scalar_ops.def"
#undef LAC_SCALAR_OP
};
static_assert(std::size(infos) == scalar_op_count);

}  // namespace

const ScalarOpInfo& info(ScalarOp op) { return infos[static_cast<int>(op)]; }

std::optional<ScalarOp> scalar_op_named(std::string_view name) {
  for (int i = 0; i < scalar_op_count; ++i)
    if (infos[i].name == name) return static_cast<ScalarOp>(i);
  return std::nullopt;
}

Element result_element(ScalarOp op, const Element* operands, Element precision) {
  const ScalarOpInfo& entry = info(op);
  if (entry.result == ScalarResult::truth) return Element::logical;
  if (entry.result == ScalarResult::choice) return join(operands[1], operands[2]);
  Element element = arithmetic_join(operands[0], operands[entry.arity - 1]);
  if (entry.result == ScalarResult::floating && element == Element::integer) element = precision;
  return element;
}

double round_to(Element element, double value) {
  if (element == Element::single) return static_cast<double>(static_cast<float>(value));
  if (element == Element::logical) return value != 0 ? 1 : 0;
  return value;
}

}  // namespace lac
