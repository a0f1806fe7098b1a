#include "frontend/sema/program/carried.h"

#include <algorithm>

namespace lac::frontend {
namespace {

bool covers_element(const std::optional<Element>& element, const std::optional<Element>& other) {
  return !other || (element && join(*element, *other) == *element);
}

}  // namespace

bool Carried::covers(const Carried& other) const {
  for (int axis = 0; axis < 2; ++axis)
    if (varies[axis] < other.varies[axis] || shrinks[axis] < other.shrinks[axis]) return false;
  return covers_element(element, other.element) && grows >= other.grows && may_lack >= other.may_lack &&
         csr >= other.csr && other_text >= other.other_text && late.has_value() >= other.late.has_value();
}

void Carried::join(const Carried& other) {
  if (other.element) element = element ? lac::join(*element, *other.element) : other.element;
  for (int axis = 0; axis < 2; ++axis) {
    varies[axis] = varies[axis] || other.varies[axis];
    shrinks[axis] = shrinks[axis] || other.shrinks[axis];
  }
  grows = grows || other.grows;
  may_lack = may_lack || other.may_lack;
  csr = csr || other.csr;
  other_text = other_text || other.other_text;
  if (!late) late = other.late;
}

bool covers(const CarriedTypes& types, const CarriedTypes& other) {
  return std::ranges::all_of(other, [&](const auto& variable) {
    const auto found = types.find(variable.first);
    return (found == types.end() ? Carried{} : found->second).covers(variable.second);
  });
}

void join(CarriedTypes& types, const CarriedTypes& other) {
  for (const auto& [name, carried] : other) types[name].join(carried);
}

}  // namespace lac::frontend
