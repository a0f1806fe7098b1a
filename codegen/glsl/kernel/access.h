// Access maps as int expressions, and reading and writing through them.
#pragma once

#include <optional>
#include <string>

#include "codegen/glsl/kernel/context.h"

namespace lac::codegen::glsl {

/// A point of the domain, and the contraction's coordinate: int expressions, safe inside any other.
struct Point {
  std::string i = "i", j = "j", k = "k";
  std::string flat;  ///< the point's column-major position in the domain, where some variable holds it; else empty
};

/// The positions (1-based, int expressions) that the gathers of a map refer to; empty where it has none.
struct GatheredPositions {
  std::string row, col;
};

/// A place in a matrix: its column-major position, and row and column where they are known (not through linear maps).
/// `inside` is a bool expression; empty: always inside.
struct Position {
  std::string index;
  std::string inside;
  std::string row, col;
};

/// May emit locals. `matrix` is the type of the input or output that is touched.
Position emit_position(StageWriter& writer, const Kernel& kernel, const AccessMap& map, const Type& matrix,
                       const Point& point, const GatheredPositions& gathered);

/// base + i*I + j*J + k*K, divided or taken modulo, as an int expression.
std::string affine_text(StageWriter& writer, const AffineIndex& index, const Point& point);

/// Element `position` of dense input `input` (not a scalar), in a register: emits a local where it must.
TypedText emit_load(StageWriter& writer, const KernelContext& context, std::uint32_t input, const Position& position,
                    double fill);

/// Stored value `index` (an int expression) of input `input`, whatever holds it, as a register expression.
std::string element_text(StageWriter& writer, const KernelContext& context, std::uint32_t input,
                         const std::string& index);

/// Scalar input `input` as `as`, wherever it lives.
TypedText emit_scalar(StageWriter& writer, const KernelContext& context, std::uint32_t input, Element as);

/// `value` to element `position` of output `output`, which may be a scalar (then the position is not looked at).
void emit_store(StageWriter& writer, const KernelContext& context, std::uint32_t output, const Position& position,
                const TypedText& value);

}  // namespace lac::codegen::glsl
