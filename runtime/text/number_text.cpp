#include "runtime/text/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ir/support/missing.h"
#include "ir/support/printf.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

constexpr int most_digits = 16;     // that a double is shown with
constexpr int digits_of_reals = 5;  // of numbers below ten
constexpr int integer_gap = 2;
constexpr int real_gap = 7;  // room for a sign, a point, an exponent
constexpr std::string_view blanks = " \t\n\v\f\r";

struct Layout {
  int width = 0;
  int digits = 0;
};

std::string number(double value, const Layout& layout) {
  const char* word = is_missing(value)   ? "NA"
                     : std::isnan(value) ? "NaN"
                     : std::isinf(value) ? (value < 0 ? "-Inf" : "Inf")
                                         : nullptr;
  const auto write = [&](char* to, std::size_t room) {
    return word ? std::snprintf(to, room, "%*s", layout.width, word)
                : std::snprintf(to, room, "%*.*g", layout.width, layout.digits, value);
  };
  std::string text(static_cast<std::size_t>(std::max(write(nullptr, 0), 0)), '\0');
  write(text.data(), text.size() + 1);
  return text;
}

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos || c == '\0'; }

// Rows of one length, without the columns on either side that are blank in all of them.
std::vector<std::string> trimmed(std::vector<std::string> rows) {
  std::size_t width = 0;
  for (const std::string& row : rows) width = std::max(width, row.size());
  for (std::string& row : rows) row.resize(width, ' ');
  const auto blank = [&](std::size_t column) {
    return std::all_of(rows.begin(), rows.end(), [&](const std::string& row) { return is_blank(row[column]); });
  };
  std::size_t first = 0, last = width;
  while (first < last && blank(first)) ++first;
  while (last > first && blank(last - 1)) --last;
  for (std::string& row : rows) row = row.substr(first, last - first);
  return rows;
}

std::vector<std::string> laid_out(const Tensor& dense, const Layout& layout) {
  std::vector<std::string> rows(dense.empty() ? 0 : static_cast<std::size_t>(dense.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::int64_t j = 0; j < dense.cols(); ++j)
      rows[i] += number(dense.at(static_cast<std::int64_t>(i), j), layout);
  return trimmed(std::move(rows));
}

struct Summary {
  double largest = 0;  // magnitude of the finite elements
  bool integers = true, all_finite = true;
};

Summary summary_of(const Tensor& dense) {
  Summary found;
  for (std::int64_t k = 0; k < dense.count(); ++k) {
    const double value = dense.stored_value(k);
    if (!std::isfinite(value)) {
      found.all_finite = false;
      continue;
    }
    found.largest = std::max(found.largest, std::abs(value));
    found.integers = found.integers && value == std::trunc(value);
  }
  return found;
}

// The power of ten of the leading digit.
int exponent_of(double magnitude) { return magnitude == 0 ? 0 : static_cast<int>(std::floor(std::log10(magnitude))); }

std::vector<std::string> whole_numbers(const Tensor& dense, const Summary& summary) {
  const int digits = std::max(exponent_of(summary.largest) + 1, summary.all_finite ? 1 : 3);
  return laid_out(dense, {digits + integer_gap, digits});
}

}  // namespace

std::vector<std::string> int2str(const Tensor& x) {
  const Tensor dense = to_dense(x);
  return whole_numbers(dense, summary_of(dense));
}

std::vector<std::string> num2str(const Tensor& x) {
  const Tensor dense = to_dense(x);
  const Summary summary = summary_of(dense);
  const int exponent = exponent_of(summary.largest);
  if (summary.integers && exponent < most_digits) return whole_numbers(dense, summary);
  const int digits = std::clamp(exponent + digits_of_reals, digits_of_reals, most_digits);
  return laid_out(dense, {digits + real_gap, digits});
}

std::vector<std::string> num2str(const Tensor& x, int digits) {
  return laid_out(to_dense(x), {digits + real_gap, digits});
}

Result<std::vector<std::string>> num2str(const Tensor& x, std::string_view format) {
  const Tensor dense = to_dense(x);
  std::string row_format;
  for (std::int64_t j = 0; j < dense.cols(); ++j) row_format += format;
  std::vector<double> values;
  for (std::int64_t i = 0; i < dense.rows(); ++i)
    for (std::int64_t j = 0; j < dense.cols(); ++j) values.push_back(dense.at(i, j));
  Result<std::string> text = format_printf(row_format + "\n", {PrintfArgument::numbers(std::move(values))}, "num2str");
  if (!text) return text.failure();
  std::vector<std::string> rows = {""};
  for (char c : text.value()) {
    if (c == '\n') rows.emplace_back();
    else rows.back() += c;
  }
  while (rows.size() > 1 && rows.back().empty()) rows.pop_back();
  return trimmed(std::move(rows));
}

std::string mat2str(const Tensor& x, int digits, std::string_view class_name) {
  const Tensor dense = to_dense(x);
  const auto element = [&](std::int64_t i, std::int64_t j) {
    const double value = dense.at(i, j);
    if (dense.element() == Element::logical) return std::string(value != 0 ? "true" : "false");
    return number(value, {0, digits});
  };
  std::string text;
  for (std::int64_t i = 0; i < dense.rows(); ++i)
    for (std::int64_t j = 0; j < dense.cols(); ++j) text += (j > 0 ? " " : i > 0 ? ";" : "") + element(i, j);
  if (!dense.is_scalar()) text = "[" + text + "]";
  return class_name.empty() ? text : std::string(class_name) + "(" + text + ")";
}

}  // namespace lac::runtime
