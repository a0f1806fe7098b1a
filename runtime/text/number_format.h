// How Octave 7 lays out numbers under `format short` and `format long`: the choice of width, digits and notation for a
// scalar, a matrix or a range, and the printing of one number under that choice.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

enum class ShownDigits : std::uint8_t { few, many };  ///< format short, format long

struct NumberFormat {
  enum class Style { general, fixed, scientific };
  Style style = Style::fixed;
  int width = 0;      ///< 0: no padding
  int precision = 0;  ///< significant digits (general) or digits after the point
};

/// A range as the program wrote it: Octave lays out by base and limit, not by the elements.
struct RangeHint {
  double base = 0.0;
  double increment = 1.0;
  double limit = 0.0;
};

NumberFormat scalar_format(double value, Element element, ShownDigits digits);
/// For the values of a dense tensor; width includes the sign, not the two blanks between columns.
NumberFormat matrix_format(const Tensor& dense, ShownDigits digits);
NumberFormat range_format(const RangeHint& range, ShownDigits digits);

/// The format of real parts; imaginary ones, whose sign stands apart, have one place less.
NumberFormat complex_scalar_format(double re, double im, Element element, ShownDigits digits);
NumberFormat complex_matrix_format(const Tensor& re, const Tensor& im, ShownDigits digits);

/// Appends one number, right-aligned. Zero of either sign is "0"; NaN and Inf are words.
void append_formatted(std::string& out, double value, const NumberFormat& format);
/// "1.5000 - 2.0000i"
void append_complex(std::string& out, double re, double im, const NumberFormat& format);

}  // namespace lac::runtime
