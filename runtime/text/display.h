// What a statement without ';' and `disp` print: Octave 7's text for an 80 column terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph/attributes.h"
#include "runtime/tensor/tensor.h"
#include "runtime/text/number_format.h"

namespace lac::runtime {

struct DisplayHint {
  DisplayForm form = DisplayForm::full;  ///< `text` is not for tensors: see the other functions
  std::optional<RangeHint> range = {};   ///< of the form `range`
  ShownDigits digits = ShownDigits::few;
  std::int64_t width = 80;      ///< characters in a line: of the terminal, without what indents it
  double lowest = 0;            ///< of the form `integer`: the least number of the class
  const Tensor* all = nullptr;  ///< likewise, of a page: the array, whose pages have one width
};

/// "x = 5\n", "x =\n\n   1   2\n\n" and so on. Tensors in csr and diagonal storage print as Octave's sparse matrices,
/// column by column, without stored zeros.
std::string display(std::string_view name, const Tensor& value, const DisplayHint& hint = {});
std::string display(std::string_view name, const std::vector<std::string>& rows);  ///< of a character matrix

/// Complex values, as real ones where all imaginary parts are zero.
std::string display(std::string_view name, const Tensor& re, const Tensor& im, const DisplayHint& hint = {});

/// The same without the name.
std::string disp(const Tensor& value, const DisplayHint& hint = {});
std::string disp(const std::vector<std::string>& rows);
std::string disp(const Tensor& re, const Tensor& im, const DisplayHint& hint = {});

}  // namespace lac::runtime
