// Where packed textures (ir/plan/fragment.h) have their numbers, in GLSL.
#pragma once

#include <string_view>

#include "ir/plan/fragment.h"

namespace lac::codegen::glsl {

/// lac_place: the place of a texel by its number; lac_packed: number e of a texture.
inline constexpr std::string_view packed_functions =
    "ivec2 lac_place(int texel) { return ivec2(texel & 4095, texel >> 12); }\n"
    "float lac_packed(sampler2D values, int e) { return texelFetch(values, lac_place(e >> 2), 0)[e & 3]; }\n";
static_assert(texel_fold == 1 << 12);

}  // namespace lac::codegen::glsl
