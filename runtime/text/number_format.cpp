#include "runtime/text/number_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "ir/support/missing.h"

namespace lac::runtime {
namespace {

constexpr int significant = 5;  // of `format short`
// More digits than this before and after the point together switch to scientific notation.
constexpr int most_digits = 7;

/// Digits before the point; 0 and negative for numbers below one, 0 for zero.
int digit_count(double magnitude) {
  return magnitude == 0.0 ? 0 : 1 + static_cast<int>(std::floor(std::log10(magnitude)));
}

struct Digits {
  int before = 1;
  int after = significant - 1;
};

// Digits on both sides of the point that show `significant` of them.
Digits digits_for(int count) {
  if (count > 0) return {count, significant > count ? significant - count : significant};
  if (count < 0) return {1, significant - count};
  return {};
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
NumberFormat integer_format(int largest, int smallest, bool has_nonfinite, int extra) {
  const int digits = std::max(largest, smallest);
  int width = digits <= 0 ? 2 : digits + 1;
  if (has_nonfinite) width = std::max(width, 4);
  if (width > most_digits)
    return {NumberFormat::Style::scientific, 2 + significant + exponent_width(largest, smallest) + extra,
            significant - 1};
  return {NumberFormat::Style::general, width, width};
}

NumberFormat real_format(int largest, int smallest, int extra) {
  const Digits a = digits_for(largest);
  const Digits b = digits_for(smallest);
  const int before = std::max(a.before, b.before);
  const int after = std::max(a.after, b.after);
  if (before + after > most_digits) {
    const int exponent = exponent_width(exponent_measure(largest), exponent_measure(smallest));
    return {NumberFormat::Style::scientific, 2 + significant + exponent + extra, significant - 1};
  }
  return {NumberFormat::Style::fixed, 2 + before + after + extra, after};
}

}  // namespace

NumberFormat scalar_format(double value, Element element) {
  if (!std::isfinite(value)) return {.width = 3};  // NA gets a blank
  const int count = digit_count(std::abs(value));
  const bool integer = element == Element::single ? is_integer_in_single(value) : std::nearbyint(value) == value;
  if (integer) {
    if (count > most_digits) return {NumberFormat::Style::scientific, 0, significant - 1};
    return {NumberFormat::Style::fixed, 0, 0};
  }
  NumberFormat format = real_format(count, count, 0);
  format.width = 0;
  return format;
}

NumberFormat matrix_format(const Tensor& dense) {
  const Extremes found = extremes_of(dense);
  const int largest = digit_count(found.largest);
  const int smallest = digit_count(found.smallest);
  if (found.all_integers) return integer_format(largest, smallest, found.has_nonfinite, 0);
  return real_format(largest, smallest, 0);
}

NumberFormat range_format(const RangeHint& range) {
  const int largest = digit_count(std::abs(std::max(range.base, range.limit)));
  const int smallest = digit_count(std::abs(std::min(range.base, range.limit)));
  const bool integers = range.base == std::nearbyint(range.base) && range.increment == std::nearbyint(range.increment);
  // One place more than a matrix with the same numbers, kept for the sign of the increment.
  return integers ? integer_format(largest, smallest, false, 1) : real_format(largest, smallest, 1);
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

}  // namespace lac::runtime
