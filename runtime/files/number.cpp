#include "runtime/files/number.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace lac::runtime {
namespace {

// from_chars takes no leading '+'.
const char* skip_plus(const char* begin, const char* end) {
  const bool plus = begin != end && *begin == '+' && begin + 1 != end && begin[1] != '-' && begin[1] != '+';
  return plus ? begin + 1 : begin;
}

// The rare cases that from_chars leaves open: overflow against underflow.
ParsedNumber<double> parse_extreme(const char* begin, const char* number_end) {
  const double value = std::strtod(std::string(begin, number_end).c_str(), nullptr);
  return {value, number_end, std::isinf(value) ? NumberError::out_of_range : NumberError::none};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 1.5D+3, as Fortran writes double precision.
ParsedNumber<double> parse_fortran(const char* begin, const char* mantissa_end, const char* end) {
  const char* p = mantissa_end + 1;
  if (p != end && (*p == '+' || *p == '-')) ++p;
  if (p == end || !is_digit(*p)) return {0.0, mantissa_end, NumberError::not_a_number};
  while (p != end && is_digit(*p)) ++p;
  std::string text(begin, p);
  text[static_cast<std::size_t>(mantissa_end - begin)] = 'e';
  ParsedNumber<double> parsed = parse_double(text.data(), text.data() + text.size());
  parsed.end = p;
  return parsed;
}

template <class T>
void append_shortest(std::string& out, T value) {
  if (value != value) {
    out += "nan";  // without the sign that to_chars shows
    return;
  }
  char buffer[32];
  const std::to_chars_result result = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, result.ptr);
}

}  // namespace

ParsedNumber<double> parse_double(const char* begin, const char* end) {
  begin = skip_plus(begin, end);
  ParsedNumber<double> parsed;
  const std::from_chars_result result = std::from_chars(begin, end, parsed.value);
  parsed.end = result.ptr;
  if (result.ec == std::errc::result_out_of_range) return parse_extreme(begin, result.ptr);
  if (result.ec != std::errc()) return {0.0, begin, NumberError::not_a_number};
  if (result.ptr != end && (*result.ptr == 'D' || *result.ptr == 'd')) return parse_fortran(begin, result.ptr, end);
  return parsed;
}

ParsedNumber<std::int64_t> parse_integer(const char* begin, const char* end) {
  begin = skip_plus(begin, end);
  ParsedNumber<std::int64_t> parsed;
  const std::from_chars_result result = std::from_chars(begin, end, parsed.value);
  parsed.end = result.ptr;
  if (result.ec == std::errc::result_out_of_range) parsed.error = NumberError::out_of_range;
  else if (result.ec != std::errc()) parsed.error = NumberError::not_a_number;
  return parsed;
}

void append_number(std::string& out, double value) { append_shortest(out, value); }
void append_number(std::string& out, float value) { append_shortest(out, value); }
void append_number(std::string& out, std::int64_t value) { append_shortest(out, value); }

}  // namespace lac::runtime
