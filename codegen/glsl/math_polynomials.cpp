#include "codegen/glsl/math_polynomials.h"

#include "ir/support/result.h"

namespace lac::codegen::glsl {

std::span<const double> polynomial(std::string_view name, Element) {
  throw InternalError("no polynomial " + std::string(name));
}

}  // namespace lac::codegen::glsl
