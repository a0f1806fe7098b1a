#include "runtime/figures/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lac::runtime::figures {
namespace {

constexpr double slack = 1e-9;  // of a step: rounding does not decide whether a tick stands at the end

int exponent_of(double value) { return value > 0 ? static_cast<int>(std::floor(std::log10(value) + slack)) : 0; }

/// Powers of ten that all labels have in common; 0 where plain numbers are short.
int common_exponent(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  const int exponent = exponent_of(most);
  return exponent >= 5 || exponent <= -4 ? exponent : 0;
}

/// Decimals that tell the values apart, at most nine.
int decimals_of(const std::vector<double>& values) {
  for (int decimals = 0; decimals < 9; ++decimals) {
    const double scale = std::pow(10.0, decimals);
    const bool exact = std::ranges::all_of(values, [&](double value) {
      return std::abs(value * scale - std::round(value * scale)) < 1e-6 * std::max(1.0, std::abs(value * scale) * 1e-6);
    });
    if (exact) return decimals;
  }
  return 9;
}

std::string power_label(int exponent) { return fmt::format("10^{{{}}}", exponent); }

Ticks linear(Range range, int most) {
  const double step = nice_step(range.high - range.low, most);
  std::vector<double> values;
  const double first = std::ceil(range.low / step - slack);
  for (double k = first; k * step <= range.high + slack * step && values.size() < 1000; ++k)
    values.push_back(k == 0 ? 0.0 : k * step);
  return ticks_at(values);
}

Ticks decades(Range range, int most) {
  const int first = static_cast<int>(std::ceil(std::log10(range.low) - slack));
  const int last = static_cast<int>(std::floor(std::log10(range.high) + slack));
  const int step = std::max(1, static_cast<int>(std::ceil(static_cast<double>(last - first) / most)));
  Ticks ticks;
  for (int k = first; k <= last; k += step) {
    ticks.values.push_back(std::pow(10.0, k));
    ticks.labels.push_back(power_label(k));
  }
  if (step > 1) return ticks;
  for (int k = first - 1; k <= last; ++k)
    for (int digit = 2; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, k);
      if (value > range.low && value < range.high) ticks.minor.push_back(value);
    }
  return ticks;
}

}  // namespace

double nice_step(double extent, int most) {
  const double least = extent / std::max(1, most);
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= least * (1 - slack)) return digit * power;
  return 10 * power;
}

Range axis_range(Range data, bool logarithmic, bool tight, int most) {
  if (!(data.low <= data.high)) return logarithmic ? Range{1, 10} : Range{0, 1};
  if (logarithmic) {
    if (tight && data.low < data.high) return data;
    const double low = std::floor(std::log10(data.low) + slack), high = std::ceil(std::log10(data.high) - slack);
    return {std::pow(10.0, low), std::pow(10.0, high > low ? high : low + 1)};
  }
  if (data.high - data.low <= 1e-12 * std::max(std::abs(data.low), std::abs(data.high))) {
    const double around = data.low == 0 ? 1 : std::abs(data.low) * 0.1;
    data = {data.low - around, data.high + around};
  }
  if (tight) return data;
  const double step = nice_step(data.high - data.low, most);
  return {std::floor(data.low / step + slack) * step, std::ceil(data.high / step - slack) * step};
}

Ticks ticks_of(Range range, bool logarithmic, int most) {
  if (logarithmic && range.low > 0 && range.high / range.low >= 10 * (1 - slack)) return decades(range, most);
  return linear(range, most);
}

Ticks ticks_at(const std::vector<double>& values) {
  Ticks ticks{values, {}, {}, {}};
  const int exponent = common_exponent(values);
  std::vector<double> shown = values;
  for (double& value : shown) value /= std::pow(10.0, exponent);
  const int decimals = decimals_of(shown);
  for (const double value : shown) ticks.labels.push_back(fmt::format("{:.{}f}", value, decimals));
  if (exponent != 0) ticks.factor = "\\times" + power_label(exponent);
  return ticks;
}

}  // namespace lac::runtime::figures
