// Numbers as GLSL text, exactly.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/types/type.h"

namespace lac::codegen::glsl {

/// A literal that reads back as this value, NaN, Inf and -0 included: float ("1.5"), double ("1.5lf"), bool ("true").
/// Negative numbers are in parentheses.
std::string literal_text(double value, Element element);

/// The value of a text that literal_text wrote for a finite number, nothing for any other text.
std::optional<double> literal_value(std::string_view text);

}  // namespace lac::codegen::glsl
