#include "frontend/lexer/literals.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

namespace lac::frontend {
namespace {

char at(std::string_view text, std::size_t i) { return i < text.size() ? text[i] : '\0'; }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

std::size_t skip_digits(std::string_view text, std::size_t i) {
  while (is_digit(at(text, i)) || at(text, i) == '_') ++i;
  return i;
}

/// "1." takes the point, but "1./x", "1.'", "1.^2" and "1..." do not.
bool point_belongs_to_number(std::string_view text, std::size_t i) {
  if (at(text, i) != '.') return false;
  const char next = at(text, i + 1);
  constexpr std::string_view operators = "*/\\^'";
  if (next != '\0' && operators.find(next) != std::string_view::npos) return false;
  return text.substr(i, 3) != "...";
}

double to_double(std::string digits) {
  for (char& c : digits) {
    if (c == 'd' || c == 'D') c = 'e';
  }
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc::result_out_of_range) return value;
  long double wide = 0;  // tells too large from too small, but for absurd exponents, where the exponent's sign does
  const auto wide_status = std::from_chars(digits.data(), digits.data() + digits.size(), wide).ec;
  if (wide_status != std::errc::result_out_of_range) return static_cast<double>(wide);
  return digits.find('-') == std::string::npos ? std::numeric_limits<double>::infinity() : 0.0;
}

std::string without_underscores(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  return digits;
}

/// `u8`, `s16`, ... behind a hexadecimal or binary number; without length where there is none.
struct IntegerSuffix {
  std::size_t length = 0;
  int bits = 0;
  bool is_signed = false;
};

IntegerSuffix integer_suffix(std::string_view text, std::size_t i) {
  constexpr std::array<std::pair<std::string_view, int>, 4> widths = {{{"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}}};
  const char sign = at(text, i);
  if (sign != 'u' && sign != 's') return {};
  for (const auto& [digits, bits] : widths)
    if (text.substr(i + 1, digits.size()) == digits && !is_name_part(at(text, i + 1 + digits.size())))
      return {1 + digits.size(), bits, sign == 's'};
  return {};
}

/// The bits of the smallest class that has so many.
std::size_t room_for(std::size_t bits) { return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64; }

/// Signed ones in two's complement.
double as_integer(std::uint64_t value, std::size_t bits, bool is_signed) {
  const bool negative = is_signed && (value >> (bits - 1) & 1) != 0;
  return negative ? -static_cast<double>((bits == 64 ? 0 : std::uint64_t{1} << bits) - value)
                  : static_cast<double>(value);
}

NumberLiteral scan_based(std::string_view text, std::size_t begin, int base, std::size_t max_digits) {
  NumberLiteral literal;
  std::size_t i = begin + 2;
  std::size_t count = 0;
  std::uint64_t value = 0;
  for (; digit_value(at(text, i)) < base || at(text, i) == '_'; ++i) {
    if (text[i] == '_') continue;
    value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit_value(text[i]));
    ++count;
  }
  const IntegerSuffix suffix = integer_suffix(text, i);
  const std::size_t bits = suffix.bits != 0 ? static_cast<std::size_t>(suffix.bits) : room_for(count * 64 / max_digits);
  literal.end = i + suffix.length;
  literal.integer_bits = static_cast<int>(bits);
  literal.integer_signed = suffix.is_signed;
  literal.value = as_integer(value, bits, suffix.is_signed);
  if (count == 0) literal.error = "a digit is missing after '" + std::string(text.substr(begin, 2)) + "'";
  else if (count > max_digits) literal.error = "this number has more than 64 bits";
  else if (count * 64 / max_digits > bits)
    literal.error = "too many digits for a class of " + std::to_string(bits) + " bits";
  return literal;
}

NumberLiteral scan_decimal(std::string_view text, std::size_t begin) {
  NumberLiteral literal;
  std::size_t i = skip_digits(text, begin);
  if (point_belongs_to_number(text, i)) i = skip_digits(text, i + 1);
  const char mark = at(text, i);
  if (mark == 'e' || mark == 'E' || mark == 'd' || mark == 'D') {
    std::size_t k = i + 1;
    if (at(text, k) == '+' || at(text, k) == '-') ++k;
    if (is_digit(at(text, k))) {
      i = skip_digits(text, k);
    } else {
      literal.error = "the exponent of this number has no digits";
      i = k;
    }
  }
  literal.end = i;
  if (literal.error.empty()) literal.value = to_double(without_underscores(text.substr(begin, i - begin)));
  return literal;
}

/// What may not follow a number directly: a suffix, or a second point.
void refuse_suffix(std::string_view text, std::size_t begin, NumberLiteral& literal) {
  const std::size_t suffix = literal.end;
  if (!literal.error.empty()) {
    while (is_name_part(at(text, literal.end))) ++literal.end;
    return;
  }
  const bool second_point = at(text, suffix) == '.' && is_digit(at(text, suffix + 1));
  if (!is_name_start(at(text, suffix)) && !second_point) return;
  if (second_point) ++literal.end;
  while (is_name_part(at(text, literal.end))) ++literal.end;
  const std::string_view word = text.substr(suffix, literal.end - suffix);
  const std::string whole(text.substr(begin, std::min<std::size_t>(literal.end - begin, 40)));
  if (literal.integer_bits != 0) {
    literal.error = "'" + whole + "' is not a number";
  } else if (word == "i" || word == "j" || word == "I" || word == "J") {
    literal.imaginary = true;
  } else {
    literal.error = "'" + whole + "' is not a number";
  }
}

struct Escape {
  char letter;
  char value;
};

constexpr std::array<Escape, 10> escapes = {{{'\\', '\\'},
                                             {'"', '"'},
                                             {'\'', '\''},
                                             {'a', '\a'},
                                             {'b', '\b'},
                                             {'f', '\f'},
                                             {'n', '\n'},
                                             {'r', '\r'},
                                             {'t', '\t'},
                                             {'v', '\v'}}};

/// `text[i]` is the character after the backslash; appends what it stands for and returns the place behind it.
std::size_t decode_escape(std::string_view text, std::size_t i, StringLiteral& literal) {
  const char c = at(text, i);
  for (const Escape& escape : escapes) {
    if (escape.letter != c) continue;
    literal.text += escape.value;
    return i + 1;
  }
  const bool hex = c == 'x' && digit_value(at(text, i + 1)) < 16;
  const bool octal = c >= '0' && c <= '7';
  if (!hex && !octal) {
    if (literal.error.empty()) {
      literal.error = c == '\0' || c == '\n' ? "this string is not closed before the end of the line"
                                             : std::string("'\\") + c +
                                                   "' is not an escape sequence of a string in "
                                                   "double quotes; write '\\\\' for a backslash";
    }
    return i;
  }
  const int base = hex ? 16 : 8;
  std::size_t k = hex ? i + 1 : i;
  const std::size_t limit = k + (hex ? 2 : 3);
  int value = 0;
  for (; k < limit && digit_value(at(text, k)) < base; ++k) value = value * base + digit_value(text[k]);
  if (value > 255 && literal.error.empty()) literal.error = "this escape sequence is larger than a character";
  literal.text += static_cast<char>(value);
  return k;
}

}  // namespace

NumberLiteral scan_number(std::string_view text, std::size_t begin) {
  const char mark = at(text, begin) == '0' ? at(text, begin + 1) : '\0';
  NumberLiteral literal = mark == 'x' || mark == 'X'   ? scan_based(text, begin, 16, 16)
                          : mark == 'b' || mark == 'B' ? scan_based(text, begin, 2, 64)
                                                       : scan_decimal(text, begin);
  refuse_suffix(text, begin, literal);
  return literal;
}

StringLiteral scan_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  StringLiteral literal;
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != '\n') {
    if (text[i] == quote) {
      if (at(text, i + 1) != quote) {
        literal.end = i + 1;
        return literal;
      }
      literal.text += quote;
      i += 2;
    } else if (text[i] == '\\' && quote == '"' && at(text, i + 1) == '\n') {
      i += 2;  // the string goes on in the next line
    } else if (text[i] == '\\' && quote == '"') {
      i = decode_escape(text, i + 1, literal);
    } else if (const std::size_t length = utf8_length(text, i); length == 0 || text[i] == '\0') {
      if (literal.error.empty()) literal.error = "this string holds bytes that are not UTF-8 text";
      ++i;
    } else {
      literal.text.append(text.substr(i, length));
      i += length;
    }
  }
  literal.error = "this string is not closed before the end of the line";
  literal.end = i;
  while (literal.end > begin + 1 && is_blank(text[literal.end - 1])) --literal.end;
  return literal;
}

std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(at(text, k)); };
  const unsigned lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  }
  return length;
}

}  // namespace lac::frontend
