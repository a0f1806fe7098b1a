#include "runtime/steps/sparse/substitution.h"

#include <cstdint>

#include "runtime/stop.h"

namespace lac::runtime {
namespace {

constexpr std::int64_t rows_between_looks = 1 << 16;

/// Which triangles have entries.
struct Sides {
  bool lower = false, upper = false, usable = true;
};

template <class Value>
Sides sides_of(const Tensor& a) {
  Sides sides;
  const std::int32_t *rows = a.row_pointers(), *columns = a.column_indices();
  const Value* values = a.values<Value>();
  for (std::int64_t i = 0; i < a.rows() && sides.usable && !(sides.lower && sides.upper); ++i) {
    bool is_finite = true, has_pivot = false;
    for (std::int32_t k = rows[i]; k < rows[i + 1]; ++k) {  // without branches: they would cost as much as solving
      const double value = static_cast<double>(values[k]);
      const bool is_there = value != 0;
      is_finite &= value - value == 0;
      has_pivot |= is_there & (columns[k] == i);
      sides.lower |= is_there & (columns[k] < i);
      sides.upper |= is_there & (columns[k] > i);
    }
    sides.usable = is_finite && has_pivot;
  }
  return sides;
}

/// One row: x[i] has b[i]. Unknowns that are zero leave no term, as in column after column.
template <class Value>
void solve_row(const Tensor& a, std::int64_t i, bool is_lower, double* x) {
  const std::int32_t *rows = a.row_pointers(), *columns = a.column_indices();
  const Value* values = a.values<Value>();
  double sum = x[i], pivot = 1;
  const auto add = [&](std::int32_t k) {
    const std::int32_t j = columns[k];
    const double value = static_cast<double>(values[k]);
    if (j == i) pivot = value;  // not zero
    else if (x[j] != 0 && value != 0) sum -= x[j] * value;
  };
  if (is_lower)
    for (std::int32_t k = rows[i]; k < rows[i + 1]; ++k) add(k);
  else
    for (std::int32_t k = rows[i + 1]; k-- > rows[i];) add(k);
  x[i] = sum == 0 ? sum : sum / pivot;
}

template <class Value>
void solve_column(const Tensor& a, bool is_lower, double* x) {
  const std::int64_t n = a.rows();
  for (std::int64_t done = 0; done < n; ++done) {
    if (done % rows_between_looks == 0) poll_stop();
    solve_row<Value>(a, is_lower ? done : n - 1 - done, is_lower, x);
  }
}

}  // namespace

std::optional<Substitution> Substitution::of(const Tensor& a) {
  if (a.storage() != Storage::csr || a.rows() != a.cols()) return std::nullopt;
  const Sides sides = with_element(a.element(), [&]<class Value>(Value) { return sides_of<Value>(a); });
  if (!sides.usable || sides.lower == sides.upper) return std::nullopt;
  return Substitution(a, sides.lower);
}

Tensor Substitution::solve(const Tensor& b) const {
  Tensor x = b;
  double* values = x.mutable_values<double>();
  with_element(a_.element(), [&]<class Value>(Value) {
    for (std::int64_t j = 0; j < x.cols(); ++j) solve_column<Value>(a_, is_lower_, values + j * x.rows());
  });
  return x;
}

}  // namespace lac::runtime
