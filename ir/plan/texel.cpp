#include "ir/plan/texel.h"

#include <algorithm>

namespace lac {
namespace {

/// Each point stores to its own place. In a vector the other coordinate is always zero.
bool is_at_point(const Kernel& kernel, AccessMap map) {
  if (kernel.rows.is(1)) map.row.i = 1;
  if (kernel.cols.is(1)) map.col.j = 1;
  return map == AccessMap::identity();
}

bool gathers(const AccessMap& map) { return map.row_gather || map.col_gather; }

}  // namespace

bool fits_texels(const Type& type) { return type.is_dense() && type.element == Element::single && !type.is_scalar(); }

bool folds(const Type& type) { return type.is_vector(); }

ImageExtent image_extent(bool folded, std::int64_t rows, std::int64_t cols) {
  if (!folded) return {std::max<std::int64_t>(1, cols), std::max<std::int64_t>(1, (rows + 3) / 4)};
  const std::int64_t texels = std::max<std::int64_t>(1, (rows * cols + 3) / 4);
  return {std::min(texels, texel_fold), (texels + texel_fold - 1) / texel_fold};
}

std::int64_t float_position(bool folded, std::int64_t rows, std::int64_t cols, std::int64_t row, std::int64_t col) {
  // Rows of a folded image are full, so that its texels follow one another.
  return folded ? col * rows + row : 4 * (row / 4 * image_extent(false, rows, cols).width + col) + row % 4;
}

void to_texels(bool folded, std::int64_t rows, std::int64_t cols, std::span<const float> elements,
               std::span<float> texels) {
  std::ranges::fill(texels, 0.0f);
  for (std::int64_t j = 0, at = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i, ++at)
      texels[static_cast<std::size_t>(float_position(folded, rows, cols, i, j))] =
          elements[static_cast<std::size_t>(at)];
}

void from_texels(bool folded, std::int64_t rows, std::int64_t cols, std::span<const float> texels,
                 std::span<float> elements) {
  for (std::int64_t j = 0, at = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i, ++at)
      elements[static_cast<std::size_t>(at)] =
          texels[static_cast<std::size_t>(float_position(folded, rows, cols, i, j))];
}

bool reads_texels(const Kernel& kernel, std::uint32_t input) {
  const bool based = std::ranges::any_of(
      kernel.outputs, [&](const KernelOutput& output) { return output.base == static_cast<std::int32_t>(input); });
  return fits_texels(kernel.inputs[input].type) && !based;
}

bool writes_texels(const Kernel& kernel, std::uint32_t output) {
  const KernelOutput& written = kernel.outputs[output];
  if (!fits_texels(written.type) || written.base >= 0) return false;
  if (kernel.contraction && kernel.contraction->storage == Storage::dense) return false;
  if (written.type.rows != kernel.rows || written.type.cols != kernel.cols) return false;
  const bool along_axis = std::ranges::any_of(kernel.reductions, [&](const KernelReduction& reduction) {
    return effective_axis(kernel, reduction.reduction.axis) != Axis::all;
  });
  const bool scatters = std::ranges::any_of(kernel.stores, [](const Store& store) { return gathers(store.map); });
  const auto stores = std::ranges::count(kernel.stores, output, &Store::output);
  const bool at_point = std::ranges::any_of(
      kernel.stores, [&](const Store& store) { return store.output == output && is_at_point(kernel, store.map); });
  return !along_axis && !scatters && stores == 1 && at_point;
}

}  // namespace lac
