// Scalar functions over strips: rows of neighbouring points of a kernel. Bit for bit what
// codegen/llvm/kernel/scalar_math emits, which says why each function is as it is.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/graph/attributes.h"
#include "ir/plan/vector_isa.h"
#include "ir/scalar/scalar_op.h"

namespace lac::runtime {

/// How a value is held: truth values as bytes 0 and 1, integers and reals as double.
enum class Register : std::uint8_t { real, single, truth };
Register register_of(Element element);
std::int64_t byte_size(Register kind);

/// out[l] = f(in[0][l], in[1][l], ...) for l < count. `data` is the operation's own.
using StripFunction = void (*)(const void* data, const void* const* in, void* out, std::int64_t count);

struct Operation {
  StripFunction function = nullptr;
  const void* data = nullptr;
  Register first = Register::real;   ///< what operand 0 has to be
  Register others = Register::real;  ///< what the others have to be
  Register result = Register::real;
};

/// `op` with a result of `element`, over operands of these elements. Over vectors functions are SLEEF's, `count` is
/// then a multiple of kernel_lanes; else libm's. `exponent`: the number that the second operand of a power always is.
Operation operation_of(ScalarOp op, Element element, const std::vector<Element>& operands, VectorIsa isa, bool vectors,
                       std::optional<double> exponent);

/// Null where nothing is to be done.
StripFunction conversion(Register from, Register to);

}  // namespace lac::runtime
