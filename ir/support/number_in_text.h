// Numbers that stand in strings, as str2double reads them.
#pragma once

#include <complex>
#include <optional>
#include <string>

namespace lac {

/// A decimal number, Inf, NaN or NA with signs, blanks and commas, or a sum of such a real and an imaginary part:
/// "-1e3", "1 + 2i", "i*2 - Inf". Nothing where the text is none.
std::optional<std::complex<double>> number_in_text(std::string text);

}  // namespace lac
