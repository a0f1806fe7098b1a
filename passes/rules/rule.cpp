#include "passes/rules/rule.h"

#include <cmath>

namespace lac::passes {

bool Rewrite::is_number(ValueId value, double number) const {
  const std::optional<double> held = constant_value(graph, value);
  return held && *held == number && std::signbit(*held) == std::signbit(number);
}

bool Rewrite::fits(ValueId value) const {
  const Type& candidate = graph.type(value);
  return candidate.element == type().element && candidate.storage == type().storage && candidate.same_shape(type()) &&
         candidate.offsets == type().offsets;
}

std::optional<ValueId> Rewrite::spread(ValueId value) const {
  if (fits(value)) return value;
  const Type& candidate = graph.type(value);
  if (!candidate.is_scalar() || candidate.element != type().element || !type().is_dense()) return std::nullopt;
  return build.fill(value, type().rows, type().cols);
}

}  // namespace lac::passes
