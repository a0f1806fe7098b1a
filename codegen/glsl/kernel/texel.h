// Matrices as images in compute shaders: reading single elements, writing whole texels. ir/plan/texel.h has the layout.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "codegen/glsl/kernel/walk.h"

namespace lac::codegen::glsl {

/// Element `position` of an input of Layout::texel, as a register expression.
std::string texel_element(StageWriter& writer, const KernelContext& context, std::uint32_t input,
                          const Position& position);

/// The walk of kernels with outputs of Layout::texel: an invocation takes the four points of a texel. `visit` stands in
/// a loop over `part` = 0 .. 3, the texel's channel. `begin` and `end` run before and after the points of a texel;
/// `end` is given the texel's place as an ivec2.
std::array<GroupCount, 3> emit_texels(StageWriter& writer, const KernelContext& context, bool reduces,
                                      const std::function<void()>& begin, const Visit& visit,
                                      const std::function<void(const std::string& place)>& end);

/// Stores a vec4 as a texel of an output.
void emit_texel_store(StageWriter& writer, const KernelContext& context, std::uint32_t output, const std::string& place,
                      const std::string& texel);

}  // namespace lac::codegen::glsl
