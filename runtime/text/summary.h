// A large result in a few lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

struct SummaryLimits {
  std::int64_t whole = 200;  ///< a value with at most so many (sparse: stored non-zero) elements is printed whole
  std::int64_t rows = 5;     ///< rows (sparse: entries) shown of a larger one
  std::int64_t cols = 8;     ///< columns shown of a larger one
};

/// Whether `display` is short enough for this value.
bool prints_whole(const Tensor& value, const SummaryLimits& limits = {});

/// Shape, smallest and largest value, 2-norm of all values (Frobenius) and the first rows:
///     x = 1024x1 double
///       min -0.5, max 12.25, norm 81.2
///       first 5 rows:
///        0.5000
///        ...
/// NaN values are counted and left out of the rest; a sparse matrix also tells its non-zeros.
std::string summary(std::string_view name, const Tensor& value, const SummaryLimits& limits = {});

}  // namespace lac::runtime
