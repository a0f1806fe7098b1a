// What steps over strings give: the text, and its length for the step that is asked first.
#pragma once

#include <string>
#include <vector>

#include "runtime/library/steps.h"

namespace lac::runtime::steps {

using Rows = Result<std::vector<std::string>>;

inline Output number(const Input& input, double value) {
  return std::vector{Tensor::scalar(value, input.results[0].element)};
}

Output as_text(const Rows& rows, const Input& input);
Output as_length(const Rows& rows, const Input& input);  ///< of the longest row

}  // namespace lac::runtime::steps
