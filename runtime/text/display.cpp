#include "runtime/text/display.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"
#include "runtime/tensor/structure.h"

namespace lac::runtime {
namespace {

constexpr int column_gap = 2;
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::string shape_text(const Tensor& a) {
  return "[](" + std::to_string(a.rows()) + "x" + std::to_string(a.cols()) + ")";
}

// " Columns 1 through 8:" and its forms for one and two columns, with the blank lines around it.
std::string column_header(std::int64_t first, std::int64_t last) {
  std::string header = first > 0 ? "\n" : "";
  if (last - first == 1) header += " Column " + std::to_string(last) + ":";
  else
    header += " Columns " + std::to_string(first + 1) + (last - first == 2 ? " and " : " through ") +
              std::to_string(last) + ":";
  return header + "\n\n";
}

// Rows of cells, split into groups of columns where a row is longer than `width`.
std::string grid(const Tensor& shape, std::int64_t column_width, std::int64_t width,
                 const std::function<void(std::string& out, std::int64_t i, std::int64_t j)>& append_cell) {
  const bool split = shape.cols() * column_width > width;
  const std::int64_t group = split ? std::max<std::int64_t>(1, width / column_width) : shape.cols();
  std::string out;
  for (std::int64_t first = 0; first < shape.cols(); first += group) {
    const std::int64_t last = std::min(first + group, shape.cols());
    if (split) out += column_header(first, last);
    for (std::int64_t i = 0; i < shape.rows(); ++i) {
      for (std::int64_t j = first; j < last; ++j) {
        out.append(column_gap, ' ');
        append_cell(out, i, j);
      }
      out += '\n';
    }
  }
  return out;
}

std::string grid(const Tensor& dense, const NumberFormat& format, std::int64_t width) {
  return grid(dense, format.width + column_gap, width,
              [&](std::string& out, std::int64_t i, std::int64_t j) { append_formatted(out, dense.at(i, j), format); });
}

// Octave reckons with one blank more between columns than it prints.
std::string complex_grid(const Tensor& re, const Tensor& im, const NumberFormat& format, bool is_diagonal,
                         std::int64_t row_width) {
  const int width = 2 * format.width - 1;
  const auto cell = [&](std::string& out, std::int64_t i, std::int64_t j) {
    if (!is_diagonal || i == j) return append_complex(out, re.at(i, j), im.at(i, j), format);
    out.append(static_cast<std::size_t>(width + 3), ' ');
    out += '0';
  };
  return grid(re, width + 7, row_width, cell);
}

int number_of_digits(double whole) {
  int digits = 1;
  for (double rest = std::abs(whole); rest >= 10; rest /= 10) ++digits;
  return digits;
}

std::string scalar_text(double value, Element element, ShownDigits digits) {
  std::string out;
  append_formatted(out, value, scalar_format(value, element, digits));
  return out;
}

// Without the width of a negative number: logical values have no sign. An all-false matrix is never split (Octave
// computes its width from the logarithm of zero).
std::string logical_grid(const Tensor& dense, std::int64_t width) {
  return grid(dense, {NumberFormat::Style::fixed, 1, 0}, count_nonzeros(dense) > 0 ? width : unlimited);
}

// As wide as the most digits, with a place for the sign where any has one. Zeros are counted as without digits where
// Octave asks whether the columns fit.
std::string integer_grid(const Tensor& dense, const DisplayHint& hint) {
  const Tensor& all = hint.all ? *hint.all : dense;
  int digits = 1;
  bool negative = false;
  for (std::int64_t k = 0; k < all.count(); ++k) {
    const double value = all.stored_value(k);
    if (value < 0 && value == hint.lowest) continue;  // its negative is itself: no sign and no digits, says Octave
    negative = negative || value < 0;
    digits = std::max(digits, number_of_digits(value));
  }
  const NumberFormat format{NumberFormat::Style::fixed, digits + (negative ? 1 : 0), 0};
  const int counted = count_nonzeros(all) == 0 ? 0 : format.width;
  return grid(dense, counted + column_gap, hint.width,
              [&](std::string& out, std::int64_t i, std::int64_t j) { append_formatted(out, dense.at(i, j), format); });
}

std::string full_text(const Tensor& dense, const DisplayHint& hint) {
  if (dense.element() == Element::logical) return logical_grid(dense, hint.width);
  if (hint.form == DisplayForm::integer) return integer_grid(dense, hint);
  if (hint.form == DisplayForm::diagonal)
    return grid(dense, matrix_format(diagonal_of(dense, 0), hint.digits), hint.width);
  const bool as_range = hint.range.has_value() && dense.rows() == 1;
  return grid(dense, as_range ? range_format(*hint.range, hint.digits) : matrix_format(dense, hint.digits), hint.width);
}

// "50%": two significant digits, more near a full matrix so that it does not round to 100.
std::string fill_text(std::int64_t nonzeros, const Tensor& a) {
  double percent =
      100.0 * static_cast<double>(nonzeros) / (static_cast<double>(a.rows()) * static_cast<double>(a.cols()));
  const int precision = percent == 100.0 ? 3 : percent > 99.9 ? 4 : percent > 99.0 ? 3 : 2;
  if (percent < 100.0) percent = std::min(percent, 99.99);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.*g%%", precision, percent);
  return buffer;
}

std::string sparse_heading(std::int64_t nonzeros, const Tensor& a) {
  return "Compressed Column Sparse (rows = " + std::to_string(a.rows()) + ", cols = " + std::to_string(a.cols()) +
         ", nnz = " + std::to_string(nonzeros) + (a.empty() ? "" : " [" + fill_text(nonzeros, a) + "]") + ")\n\n";
}

std::string sparse_text(const Tensor& a, ShownDigits digits) {
  const std::int64_t nonzeros = count_nonzeros(a);
  std::string out = sparse_heading(nonzeros, a);
  for (const Triplet& e : to_triplets(transpose(to_csr(a)))) {
    if (e.value == 0.0) continue;
    out += "  (" + std::to_string(e.col + 1) + ", " + std::to_string(e.row + 1) + ") -> " +
           scalar_text(e.value, a.element(), digits) + "\n";
  }
  return out;
}

std::string_view heading(DisplayForm form) {
  if (form == DisplayForm::diagonal || form == DisplayForm::complex_diagonal) return "Diagonal Matrix\n\n";
  return form == DisplayForm::permutation ? "Permutation Matrix\n\n" : "";
}

bool is_sparse(const Tensor& a) { return !a.is_dense(); }

bool shows_real(const Tensor& im, const DisplayHint& hint) {
  return im.empty() || (hint.form != DisplayForm::kept_complex && count_nonzeros(im) == 0);
}

DisplayHint hint_of_real(const DisplayHint& hint) {
  DisplayHint real = hint;
  real.form = hint.form == DisplayForm::complex_diagonal ? DisplayForm::diagonal : DisplayForm::full;
  return real;
}

std::string complex_scalar_text(double re, double im, Element element, ShownDigits digits) {
  std::string out;
  append_complex(out, re, im, complex_scalar_format(re, im, element, digits));
  return out;
}

std::string sparse_complex_text(const Tensor& re, const Tensor& im, ShownDigits digits) {
  const Tensor full_re = to_dense(re), full_im = to_dense(im);
  std::string entries;
  std::int64_t nonzeros = 0;
  for (std::int64_t j = 0; j < re.cols(); ++j)
    for (std::int64_t i = 0; i < re.rows(); ++i) {
      if (full_re.at(i, j) == 0.0 && full_im.at(i, j) == 0.0) continue;
      ++nonzeros;
      entries += "  (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + ") -> " +
                 complex_scalar_text(full_re.at(i, j), full_im.at(i, j), re.element(), digits) + "\n";
    }
  return sparse_heading(nonzeros, re) + entries;
}

}  // namespace

std::string disp(const Tensor& value, const DisplayHint& hint) {
  if (is_sparse(value)) return sparse_text(value, hint.digits);
  if (value.empty()) return shape_text(value) + "\n";
  if (hint.all) return integer_grid(value, hint);
  if (value.is_scalar() && hint.form == DisplayForm::integer) return integer_grid(value, {}).substr(column_gap);
  if (value.is_scalar()) return scalar_text(value.as_scalar(), value.element(), hint.digits) + "\n";
  return std::string(heading(hint.form)) + full_text(value, hint);
}

std::string disp(const std::vector<std::string>& rows) {
  if (rows.empty()) return "\n";
  std::string out;
  for (const std::string& row : rows) out += row + "\n";
  return out;
}

std::string disp(const Tensor& re, const Tensor& im, const DisplayHint& hint) {
  if (shows_real(im, hint)) return disp(re, hint_of_real(hint));
  if (is_sparse(re)) return sparse_complex_text(re, im, hint.digits);
  if (re.is_scalar()) return complex_scalar_text(re.as_scalar(), im.as_scalar(), re.element(), hint.digits) + "\n";
  const bool is_diagonal = hint.form == DisplayForm::complex_diagonal;
  const NumberFormat format = is_diagonal ? complex_matrix_format(diagonal_of(re, 0), diagonal_of(im, 0), hint.digits)
                                          : complex_matrix_format(re, im, hint.digits);
  return std::string(heading(hint.form)) + complex_grid(re, im, format, is_diagonal, hint.width);
}

std::string display(std::string_view name, const Tensor& value, const DisplayHint& hint) {
  const bool on_one_line = value.empty() || value.is_scalar();
  const std::string text = disp(value, hint);
  if (on_one_line) return std::string(name) + " = " + text;
  return std::string(name) + " =\n\n" + text + "\n";
}

std::string display(std::string_view name, const Tensor& re, const Tensor& im, const DisplayHint& hint) {
  if (shows_real(im, hint)) return display(name, re, hint_of_real(hint));
  const std::string text = disp(re, im, hint);
  return std::string(name) + (re.is_scalar() ? " = " + text : " =\n\n" + text + "\n");
}

std::string display(std::string_view name, const std::vector<std::string>& rows) {
  if (rows.size() < 2) return std::string(name) + " = " + disp(rows);
  return std::string(name) + " =\n\n" + disp(rows) + "\n";
}

}  // namespace lac::runtime
