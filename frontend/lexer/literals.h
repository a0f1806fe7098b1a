// Numbers and strings: pure functions from text to value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lac::frontend {

/// A number or string that begins at a given place. `error` says what is wrong with it, or is empty.
struct NumberLiteral {
  std::size_t end = 0;
  double value = 0;
  bool imaginary = false;  ///< `2i`
  int integer_bits = 0;    ///< `0x1f`, `0b101`: of the integer class that it is of, 8, 16, 32 or 64
  bool integer_signed = false;
  std::string error;
};

struct StringLiteral {
  std::size_t end = 0;
  std::string text;  ///< decoded
  std::string error;
};

/// `1`, `.5`, `5.`, `1e-3`, `1d3`, `1_000`, `0x1f`, `0b101`. Too large is Inf and too small 0, as in Octave. `2i`, `2j`
/// are imaginary. Hexadecimal and binary numbers are of the unsigned class that has room for as many digits, or of the
/// one that a suffix names (`0xffs8` is -1). `text[begin]` is a digit, or '.' before one.
NumberLiteral scan_number(std::string_view text, std::size_t begin);

/// `text[begin]` is the opening quote: '"' resolves escapes, '\'' takes the text as it is; a doubled quote is one.
StringLiteral scan_string(std::string_view text, std::size_t begin);

/// Length of the UTF-8 sequence at `text[at]`, or 0 when it is not valid UTF-8.
std::size_t utf8_length(std::string_view text, std::size_t at);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

}  // namespace lac::frontend
