#include "runtime/text/summary.h"

#include <algorithm>
#include <cmath>

#include "runtime/files/number.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/structure.h"
#include "runtime/text/display.h"

namespace lac::runtime {
namespace {

struct Statistics {
  double smallest = 0.0, largest = 0.0;
  double norm = 0.0;
  std::int64_t nans = 0;
  std::int64_t counted = 0;  // values that are no NaN, the unstored zeros of a sparse matrix included
};

// The norm is scaled by the largest magnitude, so that it overflows only if it is itself out of range.
Statistics statistics_of(const Tensor& value) {
  const Tensor a = value.storage() == Storage::diagonal ? to_csr(value) : value;  // without the padding of diagonals
  Statistics s;
  double scale = 0.0;
  for (std::int64_t k = 0; k < a.stored(); ++k) {
    const double value = a.stored_value(k);
    if (std::isnan(value)) {
      ++s.nans;
      continue;
    }
    s.smallest = s.counted == 0 ? value : std::min(s.smallest, value);
    s.largest = s.counted == 0 ? value : std::max(s.largest, value);
    scale = std::max(scale, std::abs(value));
    ++s.counted;
  }
  if (!a.is_dense() && count_nonzeros(a) < a.count()) {
    s.smallest = s.counted == 0 ? 0.0 : std::min(s.smallest, 0.0);
    s.largest = s.counted == 0 ? 0.0 : std::max(s.largest, 0.0);
    ++s.counted;
  }
  double sum = 0.0;
  for (std::int64_t k = 0; k < a.stored() && scale > 0.0 && std::isfinite(scale); ++k) {
    const double value = a.stored_value(k) / scale;
    if (!std::isnan(value)) sum += value * value;
  }
  s.norm = std::isfinite(scale) ? scale * std::sqrt(sum) : scale;
  return s;
}

std::string number(double value) {
  std::string out;
  append_formatted(out, value, {NumberFormat::Style::general, 0, 6});
  return out;
}

std::string element_word(Element element) {
  switch (element) {
    case Element::logical: return "logical";
    case Element::integer: return "integer";
    case Element::single: return "single";
    case Element::real: return "double";
  }
  return "";
}

std::string storage_word(const Tensor& a) {
  if (a.is_dense()) return "";
  const std::int64_t count = count_nonzeros(a);
  const std::string nonzeros = ", " + std::to_string(count) + (count == 1 ? " non-zero" : " non-zeros");
  if (a.storage() == Storage::csr) return " sparse" + nonzeros;
  return " sparse in " + std::to_string(a.offsets().size()) + " diagonals" + nonzeros;
}

Tensor corner(const Tensor& a, std::int64_t rows, std::int64_t cols) {
  Tensor result = Tensor::dense(a.element(), rows, cols);
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i) result.set_stored_value(j * rows + i, a.at(i, j));
  return result;
}

std::string counted(std::int64_t count, const char* noun) {
  return count == 1 ? std::string(noun) : std::to_string(count) + " " + noun + "s";
}

}  // namespace

bool prints_whole(const Tensor& value, const SummaryLimits& limits) {
  return (value.is_dense() ? value.count() : count_nonzeros(value)) <= limits.whole;
}

std::string summary(std::string_view name, const Tensor& value, const SummaryLimits& limits) {
  std::string out = std::string(name) + " = " + std::to_string(value.rows()) + "x" + std::to_string(value.cols()) +
                    " " + element_word(value.element()) + storage_word(value) + "\n";
  if (value.empty()) return out;
  const Statistics s = statistics_of(value);
  if (s.counted > 0)
    out += "  min " + number(s.smallest) + ", max " + number(s.largest) + ", norm " + number(s.norm) + "\n";
  if (s.nans > 0) out += "  " + std::to_string(s.nans) + " NaN\n";
  const std::int64_t rows = std::min(value.rows(), limits.rows);
  const std::int64_t cols = std::min(value.cols(), limits.cols);
  out += "  first " + counted(rows, "row") + (cols < value.cols() ? ", first " + counted(cols, "column") : "") + ":\n";
  return out + disp(corner(value, rows, cols));
}

}  // namespace lac::runtime
