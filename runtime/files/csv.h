// Matrices as comma-separated text.
#pragma once

#include <string>
#include <string_view>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// One matrix row a line, numbers separated by commas, blanks or tabs; blank lines and lines starting with '#' are
/// skipped. Every row must have as many numbers as the first; a header line is refused with its place. Dense, real.
Result<Tensor> read_csv(std::string_view text, const std::string& name);

/// Commas between numbers in the shortest form that reads back equal. Sparse tensors are written dense.
std::string format_csv(const Tensor& a);

}  // namespace lac::runtime
