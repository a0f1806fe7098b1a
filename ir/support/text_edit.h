// Functions of strings that the compiler applies to strings that it knows, and steps to those that the run makes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/support/result.h"

namespace lac {

/// What Octave's isspace holds for; the zero character counts as blank besides for some of its functions.
inline constexpr std::string_view space_characters = " \t\n\v\f\r";
inline constexpr std::string_view blank_characters(" \t\n\v\f\r\0", 7);

/// Of the 26 letters.
std::string lower_case(std::string text);
/// Without these characters at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks);
/// Where the pattern begins, counted from 0, places that overlap included; an empty pattern begins nowhere.
std::vector<std::size_t> places_of(std::string_view pattern, std::string_view text);
/// Octave's strrep: places that overlap are replaced each.
std::string replaced(std::string_view text, std::string_view pattern, std::string_view replacement);
/// Octave's strtok: the first word between separators, and all from the separator behind it.
std::pair<std::string_view, std::string_view> first_word(std::string_view text, std::string_view separators);

/// Octave's str2double of what is no complex number, which fails; NaN where there is no number (number_in_text.h).
Result<double> number_in(std::string text);

/// The numbers that a text has between blanks and commas; ';' and a new line end a row, [] may stand around them.
struct NumberRows {
  std::size_t rows = 0, columns = 0;
  std::vector<double> by_rows;
};
/// Octave's str2num of texts that are no programs: what is no number fails.
Result<NumberRows> numbers_in(std::string_view text);

}  // namespace lac
