// Octave's num2str, int2str and mat2str.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// The rows of int2str(x) for integers x: all their digits, aligned as num2str does.
std::vector<std::string> int2str(const Tensor& x);
/// The rows of num2str(x), one per row of x, all of one length; a matrix without elements has none. Integers are shown
/// whole up to 16 digits, other matrices with four digits after the point of the largest element; columns are aligned
/// and blanks that all rows begin with are dropped.
std::vector<std::string> num2str(const Tensor& x);
/// num2str(x, digits): that many significant digits.
std::vector<std::string> num2str(const Tensor& x, int digits);
/// num2str(x, format): the format once per column, a line per row of x. Fails as printf does.
Result<std::vector<std::string>> num2str(const Tensor& x, std::string_view format);

/// "[1 2;3 4]" with `digits` significant digits; "class(...)" around it where a class is named.
std::string mat2str(const Tensor& x, int digits, std::string_view class_name = {});

}  // namespace lac::runtime
