// What steps over strings and files give: a text or numbers, and their extents for the step that is asked first.
#pragma once

#include <string>
#include <vector>

#include "runtime/steps/steps.h"

namespace lac::runtime::steps {

using Rows = Result<std::vector<std::string>>;

inline Output number(const Input& input, double value) {
  return std::vector{Tensor::scalar(value, input.results[0].element)};
}

/// Rows and columns, for the step that is asked first.
Output sizes(const Input& input, std::size_t rows, std::size_t cols);
/// Numbers in column-major order, in the shape of the result.
Output as_matrix(const std::vector<double>& numbers, const Input& input);
Output as_text(const Rows& rows, const Input& input);
Output as_length(const Rows& rows, const Input& input);  ///< of the longest row

}  // namespace lac::runtime::steps
