#include "runtime/text/number_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "ir/support/missing.h"

namespace lac::runtime {
namespace {

/// Digits that are shown, and how many before and after the point together switch to scientific notation.
struct Shown {
  int significant, most;
};

constexpr Shown shown_few = {5, 7}, shown_many = {16, 16}, shown_many_of_single = {8, 8};

Shown shown(ShownDigits digits, Element element) {
  if (digits == ShownDigits::few) return shown_few;
  return element == Element::single ? shown_many_of_single : shown_many;
}

/// Digits before the point; 0 and negative for numbers below one, 0 for zero.
int digit_count(double magnitude) {
  return magnitude == 0.0 ? 0 : 1 + static_cast<int>(std::floor(std::log10(magnitude)));
}

struct Digits {
  int before, after;
};

// Digits on both sides of the point that show `significant` of them.
Digits digits_for(int count, int significant) {
  if (count > 0) return {count, significant > count ? significant - count : significant};
  return {1, count < 0 ? significant - count : significant - 1};
}

// What decides between a two and a three digit exponent.
int exponent_measure(int count) { return count > 0 ? count + 1 : 1 - count; }

int exponent_width(int a, int b) { return a > 100 || b > 100 ? 5 : 4; }

struct Extremes {
  double largest = 0.0;  // of the magnitudes of finite values
  double smallest = 0.0;
  bool has_nonfinite = false;
  bool all_integers = true;  // non-finite values aside
};

// Octave rounds by floor(x + 1/2) in single precision, so that large odd integers fail, and 1 + 1e-8 passes. It tests
// the elements of every matrix so, and scalars of single precision.
bool is_integer_in_single(double value) {
  const auto rounded = static_cast<float>(value);
  return !std::isfinite(rounded) || std::floor(rounded + 0.5f) == rounded;
}

Extremes extremes_of(const Tensor& dense) {
  Extremes found;
  found.smallest = std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < dense.count(); ++k) {
    const double value = dense.stored_value(k);
    if (!std::isfinite(value)) {
      found.has_nonfinite = true;
      continue;
    }
    found.largest = std::max(found.largest, std::abs(value));
    found.smallest = std::min(found.smallest, std::abs(value));
    found.all_integers = found.all_integers && is_integer_in_single(value);
  }
  if (std::isinf(found.smallest)) found.smallest = 0.0;
  return found;
}

// Integers of a matrix or range; `extra` widens scientific notation.
NumberFormat integer_format(int largest, int smallest, bool has_nonfinite, int extra, const Shown& shown) {
  const int digits = std::max(largest, smallest);
  int width = digits <= 0 ? 2 : digits + 1;
  if (has_nonfinite) width = std::max(width, 4);
  if (width > shown.most)
    return {NumberFormat::Style::scientific, 2 + shown.significant + exponent_width(largest, smallest) + extra,
            shown.significant - 1};
  return {NumberFormat::Style::general, width, width};
}

NumberFormat real_format(int largest, int smallest, int extra, const Shown& shown) {
  const Digits a = digits_for(largest, shown.significant);
  const Digits b = digits_for(smallest, shown.significant);
  const int before = std::max(a.before, b.before);
  const int after = std::max(a.after, b.after);
  if (before + after > shown.most) {
    const int exponent = exponent_width(exponent_measure(largest), exponent_measure(smallest));
    return {NumberFormat::Style::scientific, 2 + shown.significant + exponent + extra, shown.significant - 1};
  }
  return {NumberFormat::Style::fixed, 2 + before + after + extra, after};
}

}  // namespace

NumberFormat scalar_format(double value, Element element, ShownDigits digits) {
  const Shown kept = shown(digits, element);
  if (!std::isfinite(value)) return {.width = 3};  // NA gets a blank
  const int count = digit_count(std::abs(value));
  const bool integer = element == Element::single ? is_integer_in_single(value) : std::nearbyint(value) == value;
  if (integer) {
    if (count > kept.most) return {NumberFormat::Style::scientific, 0, kept.significant - 1};
    return {NumberFormat::Style::fixed, 0, 0};
  }
  NumberFormat format = real_format(count, count, 0, kept);
  format.width = 0;
  return format;
}

NumberFormat matrix_format(const Tensor& dense, ShownDigits digits) {
  const Shown kept = shown(digits, dense.element());
  const Extremes found = extremes_of(dense);
  const int largest = digit_count(found.largest);
  const int smallest = digit_count(found.smallest);
  if (found.all_integers) return integer_format(largest, smallest, found.has_nonfinite, 0, kept);
  return real_format(largest, smallest, 0, kept);
}

NumberFormat complex_scalar_format(double re, double im, Element element, ShownDigits digits) {
  const Shown kept = shown(digits, element);
  const auto count = [](double part) { return std::isfinite(part) ? digit_count(std::abs(part)) : 0; };
  const auto integer = [&](double part) {
    return element == Element::single ? is_integer_in_single(part) : std::nearbyint(part) == part;
  };
  const bool finite = std::isfinite(re) && std::isfinite(im);
  const auto whole = [&](double part) { return std::isnan(part) || integer(part); };
  const int largest = std::max(count(re), count(im)), smallest = std::min(count(re), count(im));
  if (!whole(re) || !whole(im)) return real_format(largest, smallest, 0, kept);
  if (largest > kept.most) return integer_format(largest, smallest, false, 0, kept);
  const int width = std::max(finite ? 2 : 4, largest + 1);
  return {NumberFormat::Style::fixed, width, 0};
}

NumberFormat complex_matrix_format(const Tensor& re, const Tensor& im, ShownDigits digits) {
  const Shown kept = shown(digits, re.element());
  const Extremes a = extremes_of(re), b = extremes_of(im);
  const int largest = std::max(digit_count(a.largest), digit_count(b.largest));
  const int smallest = std::max(digit_count(a.smallest), digit_count(b.smallest));
  if (a.all_integers && b.all_integers)
    return integer_format(largest, smallest, a.has_nonfinite || b.has_nonfinite, 0, kept);
  return real_format(largest, smallest, 0, kept);
}

NumberFormat range_format(const RangeHint& range, ShownDigits digits) {
  const Shown kept = shown(digits, Element::real);
  const int largest = digit_count(std::abs(std::max(range.base, range.limit)));
  const int smallest = digit_count(std::abs(std::min(range.base, range.limit)));
  const bool integers = range.base == std::nearbyint(range.base) && range.increment == std::nearbyint(range.increment);
  // One place more than a matrix with the same numbers, kept for the sign of the increment.
  return integers ? integer_format(largest, smallest, false, 1, kept) : real_format(largest, smallest, 1, kept);
}

void append_formatted(std::string& out, double value, const NumberFormat& format) {
  char buffer[400];
  int length = 0;
  if (std::isnan(value)) {
    length = std::snprintf(buffer, sizeof buffer, "%*s", format.width, is_missing(value) ? "NA" : "NaN");
  } else if (std::isinf(value)) {
    length = std::snprintf(buffer, sizeof buffer, "%*s", format.width, value < 0 ? "-Inf" : "Inf");
  } else if (value == 0.0) {
    length = std::snprintf(buffer, sizeof buffer, "%*s", format.width, "0");
  } else if (format.style == NumberFormat::Style::general) {
    length = std::snprintf(buffer, sizeof buffer, "%*.*g", format.width, format.precision, value);
  } else if (format.style == NumberFormat::Style::scientific) {
    length = std::snprintf(buffer, sizeof buffer, "%*.*e", format.width, format.precision, value);
  } else {
    length = std::snprintf(buffer, sizeof buffer, "%*.*f", format.width, format.precision, value);
  }
  out.append(buffer, static_cast<std::size_t>(length));
}

void append_complex(std::string& out, double re, double im, const NumberFormat& format) {
  append_formatted(out, re, format);
  NumberFormat imaginary = format;
  imaginary.width = std::max(0, format.width - 1);
  out += std::signbit(im) && !std::isnan(im) ? " - " : " + ";
  append_formatted(out, std::abs(im), imaginary);
  out += 'i';
}

}  // namespace lac::runtime
