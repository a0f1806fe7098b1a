// Matrices as RGBA32F images: how Layout::texel lays them out, and which kernels can read and write them so.
//
// A texel holds four elements of one column: texel (x, y) of an image holds rows 4y .. 4y + 3 of column x; rows past
// the end are zero. A vector (a type whose rows or cols are 1) is folded: its elements 4t .. 4t + 3 are texel
// (t mod texel_fold, t div texel_fold). Only single precision lies so; scalars never do.
#pragma once

#include <cstdint>
#include <span>

#include "ir/kernel/kernel.h"

namespace lac {

inline constexpr std::int64_t texel_fold = 4096;  ///< a width that every Vulkan device has; a power of two

/// Dense, single, and not a scalar.
bool fits_texels(const Type& type);
/// A vector by its type: folded.
bool folds(const Type& type);

/// In texels; at least 1 x 1.
struct ImageExtent {
  std::int64_t width = 1;
  std::int64_t height = 1;
};
ImageExtent image_extent(bool folded, std::int64_t rows, std::int64_t cols);

/// Where element (row, col) of a matrix with `rows` rows lies in its image's floats, tightly packed row by row.
std::int64_t float_position(bool folded, std::int64_t rows, std::int64_t cols, std::int64_t row, std::int64_t col);
/// Between column-major elements and the floats of an image of image_extent (4 * width * height of them).
void to_texels(bool folded, std::int64_t rows, std::int64_t cols, std::span<const float> elements,
               std::span<float> texels);
void from_texels(bool folded, std::int64_t rows, std::int64_t cols, std::span<const float> texels,
                 std::span<float> elements);

/// Whether shaders of this kernel can load input `input` from texels: any dense input of single elements, unless an
/// output starts from it.
bool reads_texels(const Kernel& kernel, std::uint32_t input);
/// Whether they can write output `output` as texels, where one invocation must have all four elements: one store, at
/// the point itself, in a kernel that neither scatters, nor reduces along one axis, nor sums a dense contraction.
bool writes_texels(const Kernel& kernel, std::uint32_t output);

}  // namespace lac
