// Products of matrices on packed textures in blocks of 4x4: where columns begin with texels, a fragment has four rows
// of a column of the result, and takes a texel of the right factor and four of the left for every four k, five for
// sixteen multiply-adds. Each element is summed in the order of k, as it is one by one: the same bits.
#pragma once

#include <optional>
#include <string>

#include "codegen/glsl/kernel/context.h"

namespace lac::codegen::glsl {

/// A product of two single matrices as they are, or transposed: inputs of the kernel.
struct BlockProduct {
  std::uint32_t left = 0, right = 0;
  bool left_transposed = false, right_transposed = false;
};
std::optional<BlockProduct> block_product(const Kernel& kernel);

/// Whether columns begin with texels, as a bool expression.
std::string has_blocks(StageWriter& pass, const Kernel& kernel);

/// Adds the terms of the part (KernelContext::part, of a multiple of four terms) to `sum`, the vec4 of the fragment's
/// texel.
void emit_blocks(StageWriter& pass, const KernelContext& context, const BlockProduct& product, const std::string& sum);

}  // namespace lac::codegen::glsl
