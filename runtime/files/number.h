// Numbers in text files, without locale: parsing by std::from_chars, printing the shortest form that reads back equal.
#pragma once

#include <cstdint>
#include <string>

namespace lac::runtime {

enum class NumberError { none, not_a_number, out_of_range };

template <class T>
struct ParsedNumber {
  T value{};
  const char* end = nullptr;  ///< the first byte after the number; undefined after an error
  NumberError error = NumberError::none;
};

/// A decimal number at `begin` with an optional sign; also inf, infinity, nan in any case and Fortran exponents
/// (1.5D+3). Too large for a double is out_of_range; too small becomes zero or a subnormal number.
ParsedNumber<double> parse_double(const char* begin, const char* end);
ParsedNumber<std::int64_t> parse_integer(const char* begin, const char* end);

/// Appends the shortest text that parses back to the same value ("inf", "-inf", "nan" for those).
void append_number(std::string& out, double value);
void append_number(std::string& out, float value);
void append_number(std::string& out, std::int64_t value);

}  // namespace lac::runtime
