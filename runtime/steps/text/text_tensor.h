// Strings as tensors: character codes, one string a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/steps/library.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// The bytes as one row; none: 1x0.
Tensor text_tensor(std::string_view text, const ResultType& type);
/// Rows of the type's width; shorter ones end in blanks.
Tensor text_tensor(const std::vector<std::string>& rows, const ResultType& type);

/// All characters in column-major order, as printf reads them.
std::string text_of(const Tensor& codes);
std::vector<std::string> text_rows(const Tensor& codes);

}  // namespace lac::runtime
