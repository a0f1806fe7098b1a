// LU with partial pivoting and its solves over one kind of vector registers, for each size or number of registers a
// piece of straight code. All of it is local to the file that includes it, which is compiled for one kind of machine.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "runtime/steps/dense/small_lu.h"
#include "runtime/steps/dense/small_lu_registers.h"

namespace lac::runtime {
/// Over registers R (small_lu_registers.h).
template <class R>
struct SmallLuSteps {
  using T = typename R::Element;
  using Vector = typename R::Vector;
  using Indices = typename R::Indices;
  using Index = typename R::Index;
  using Factors = SmallLu<T>;
  static constexpr int lanes = R::lanes;

  /// std::swap would be a function that others call as well.
  static void exchange(T& a, T& b) {
    const T held = a;
    a = b;
    b = held;
  }

  // -- a column is one register: all of A is in registers, and every loop is written out ------------------------------

  /// Rows stay where they are until the end, when all of them move at once: what each step waits for is the search, a
  /// product and an fma.
  template <int n>
  static bool factor_in_registers(Factors& f, const T* a) {
    static_assert(n <= lanes);
    const Indices lane = R::iota();
    f.leading_ = lanes;
    f.zero_pivot_ = 0;
    RowOrder<n> rows;
    Indices order = lane, left = lane < R::index(n);  // left: rows that no step has chosen
    Vector w[n];
#pragma GCC unroll 16
    for (int j = 0; j < n; ++j) w[j] = R::load(a + j * n, n);
#pragma GCC unroll 16
    for (int k = 0; k + 1 < n; ++k) {
      // Magnitudes are in order as their bits are. Reciprocals of all rows do not wait for the search.
      const Indices key = left ? (Indices)R::magnitude(w[k]) : R::index(-1);
      const Vector reciprocals = R::splat(1) / w[k];
      const Indices most = R::largest(key);
      unsigned chosen = R::equal(key, most);
      const bool of_equals = (chosen & (chosen - 1)) != 0;
      if (of_equals) chosen = rows.first_of(chosen, k);
      const Indices pivot = R::lane_of(chosen);
      f.pivots_[k] = rows.exchange(k, __builtin_ctz(chosen)) + 1;
      order = lane == R::index(k) ? pivot : order;
      left &= lane != pivot;
      if (of_equals && most[0] == 0) {
        if (f.zero_pivot_ == 0) f.zero_pivot_ = k + 1;
        continue;
      }
      const Vector l = w[k] * R::permuted(reciprocals, pivot);
      w[k] = left ? l : w[k];
#pragma GCC unroll 16
      for (int j = k + 1; j < n; ++j) {
        const Vector u = R::permuted(w[j], pivot);
        w[j] = left ? R::subtract_product(w[j], l, u) : w[j];
      }
    }
    f.pivots_[n - 1] = n;
    order = lane == R::index(n - 1) ? R::lane_of(R::equal(left, R::index(-1))) : order;
#pragma GCC unroll 16
    for (int j = 0; j < n; ++j) {
      if constexpr (n > 1) w[j] = R::permuted(w[j], order);
      R::store(f.lu_ + j * lanes, w[j]);
    }
    if (w[n - 1][n - 1] == 0 && f.zero_pivot_ == 0) f.zero_pivot_ = n;
    Indices most = {};
#pragma GCC unroll 16
    for (int j = 0; j < n; ++j) {
      const Indices magnitude = (Indices)R::magnitude(w[j]);
      most = magnitude > most ? magnitude : most;
    }
    return is_finite(most);
  }

  /// Where the rows would be if each step exchanged two of them, as LAPACK's do.
  template <int n>
  class RowOrder {
   public:
    RowOrder() {
#pragma GCC unroll 16
      for (int k = 0; k < n; ++k) row_at_[k] = place_of_[k] = static_cast<std::int8_t>(k);
    }
    /// Of rows as bits the one that stands first, from place k on.
    unsigned first_of(unsigned rows, int k) const {
      while ((rows >> row_at_[k] & 1) == 0) ++k;
      return 1u << row_at_[k];
    }
    /// Brings the row to place k; where it stood.
    int exchange(int k, int row) {
      const std::int8_t place = place_of_[row], other = row_at_[k];
      row_at_[place] = other;
      place_of_[other] = place;
      row_at_[k] = static_cast<std::int8_t>(row);
      return place;
    }

   private:
    std::int8_t row_at_[n], place_of_[n];
  };

  /// Of the largest magnitudes, by their bits: those of Inf and NaN are larger. What lies beside the rows of several
  /// registers may be such as well, which only makes it LAPACK's.
  static bool is_finite(Indices largest) { return R::largest(largest)[0] < R::bits_of_infinity; }

  // -- columns of `count` registers
  // -------------------------------------------------------------------------------------

  template <int count>
  static void load(Factors& f, const T* a) {
    f.leading_ = count * lanes;
    const int n = f.n_, rest = n - (count - 1) * lanes;
    for (int j = 0; j < n; ++j) {
      T* column = f.lu_ + j * f.leading_;
      for (int v = 0; v + 1 < count; ++v) R::store(column + v * lanes, R::load(a + j * n + v * lanes));
      R::store(column + (count - 1) * lanes, R::load(a + j * n + (count - 1) * lanes, rest));
    }
  }

  template <int count>
  static void store(const Factors& f, T* a) {
    const int n = f.n_, rest = n - (count - 1) * lanes;
    for (int j = 0; j < n; ++j) {
      const T* column = f.lu_ + j * f.leading_;
      for (int v = 0; v + 1 < count; ++v) R::store(a + j * n + v * lanes, R::load(column + v * lanes));
      R::store(a + j * n + (count - 1) * lanes, R::load(column + (count - 1) * lanes), rest);
    }
  }

  template <int count>
  static bool factor(Factors& f, const T* a) {
    load<count>(f, a);
    f.zero_pivot_ = 0;
    steps_from<count>(f, 0);
    Indices most = {};
    for (int k = 0; k < f.n_ * count; ++k) {
      const Indices magnitude = (Indices)R::magnitude(R::load(f.lu_ + k * lanes));
      most = magnitude > most ? magnitude : most;
    }
    return is_finite(most);
  }

  /// The steps whose pivots lie in register `first` of a column or behind it, which are `count`.
  template <int count>
  static void steps_from(Factors& f, int first) {
    const int end = (first + 1) * lanes < f.n_ ? (first + 1) * lanes : f.n_;
    for (int k = first * lanes; k < end; ++k) step<count>(f, first, k);
    if constexpr (count > 1) steps_from<count - 1>(f, first + 1);
  }

  template <int count>
  static void step(Factors& f, int first, int k) {
    T* const rows = f.lu_ + first * lanes;  // from here on rows are counted from there
    T* const column = rows + k * f.leading_;
    const Indices lane = R::iota();
    const auto at = static_cast<Index>(k - first * lanes), end = static_cast<Index>(f.n_ - first * lanes);
    Vector c[count];
    for (int v = 0; v < count; ++v) c[v] = R::load(column + v * lanes);
    const Index pivot = largest_row<count>(c, at, end);
    f.pivots_[k] = first * lanes + static_cast<int>(pivot) + 1;
    if (column[pivot] == 0) {
      if (f.zero_pivot_ == 0) f.zero_pivot_ = k + 1;
      return;
    }
    const Vector reciprocal = R::splat(T(1) / column[pivot]);
    const Vector of_pivot = R::splat(column[pivot]), of_row = R::splat(column[at]);
    const Indices here = lane == R::index(at), below = lane > R::index(at);
    Indices chosen[count];
    Vector l[count];
    for (int v = 0; v < count; ++v) {
      chosen[v] = lane == R::index(pivot - v * lanes);
      c[v] = chosen[v] ? of_row : c[v];
      if (v == 0) c[v] = here ? of_pivot : c[v];
      l[v] = c[v] * reciprocal;
      if (v == 0) l[v] = below ? l[v] : c[v];
      R::store(column + v * lanes, l[v]);
    }
    for (int j = k + 1; j < f.n_; ++j) {
      T* const y = rows + j * f.leading_;
      const Vector u = R::splat(y[pivot]), exchanged = R::splat(y[at]);
      for (int v = 0; v < count; ++v) {
        Vector x = chosen[v] ? exchanged : R::load(y + v * lanes);
        if (v == 0) x = here ? u : x;
        const Vector reduced = R::subtract_product(x, l[v], u);
        R::store(y + v * lanes, v > 0 ? reduced : (Vector)(below ? reduced : x));
      }
    }
    for (int j = 0; j < k; ++j) exchange(rows[j * f.leading_ + at], rows[j * f.leading_ + pivot]);
  }

  /// The first of the largest in rows [at, end) of a column.
  template <int count>
  static Index largest_row(const Vector* c, Index at, Index end) {
    const Indices lane = R::iota();
    Indices key[count], most;
    for (int v = 0; v < count; ++v) {
      const Indices row = lane + R::index(v * lanes);
      Indices left = row < R::index(end);
      if (v == 0) left &= row >= R::index(at);
      key[v] = left ? (Indices)R::magnitude(c[v]) : R::index(-1);
      most = v == 0 ? key[v] : key[v] > most ? key[v] : most;
    }
    most = R::largest(most);
    Indices first = R::index(count * lanes);
    for (int v = count - 1; v >= 0; --v) first = key[v] == most ? lane + R::index(v * lanes) : first;
    return R::smallest(first)[0];
  }

  // -- solves
  // -------------------------------------------------------------------------------------------------------------

  template <int count>
  static void solve(const Factors& f, int m, const T* b, T* x) {
    constexpr int together = 4;  // columns, none of which waits for another
    int j = 0;
    for (; j + together <= m; j += together) solve_columns<count, together>(f, b + j * f.n_, x + j * f.n_);
    for (; j < m; ++j) solve_columns<count, 1>(f, b + j * f.n_, x + j * f.n_);
  }

  template <int count, int columns>
  static void solve_columns(const Factors& f, const T* b, T* x) {
    const int n = f.n_, rest = n - (count - 1) * lanes;
    Vector y[columns][count];
    for (int j = 0; j < columns; ++j) {
      alignas(64) T column[count * lanes];
      std::memcpy(column, b + j * n, static_cast<std::size_t>(n) * sizeof(T));
      for (int k = 0; k < n; ++k) exchange(column[k], column[f.pivots_[k] - 1]);
      for (int v = 0; v < count; ++v) y[j][v] = R::load(column + v * lanes);
    }
    forward<false, count, columns, 0>(f, f.lu_, y);
    backward<false, count, columns, count - 1>(f, f.lu_, y);
    for (int j = 0; j < columns; ++j) {
      for (int v = 0; v + 1 < count; ++v) R::store(x + j * n + v * lanes, y[j][v]);
      R::store(x + j * n + (count - 1) * lanes, y[j][count - 1], rest);
    }
  }

  /// L y = y, from the rows of register `first` on; U' y = y where `lu` is transposed.
  template <bool transposed, int count, int columns, int first>
  static void forward(const Factors& f, const T* lu, Vector (&y)[columns][count]) {
    const Indices lane = R::iota();
    const int end = (first + 1) * lanes < f.n_ ? (first + 1) * lanes : f.n_;
    for (int k = first * lanes; k < end; ++k) {
      const T* l = lu + k * f.leading_;
      const Vector reciprocal = R::splat(transposed ? T(1) / l[k] : T(1));
      const Indices at = R::index(static_cast<Index>(k - first * lanes));
      for (int j = 0; j < columns; ++j) {
        Vector known = R::permuted(y[j][first], at);
        if constexpr (transposed) known = known * reciprocal;
        const Vector reduced = R::subtract_product(y[j][first], R::load(l + first * lanes), known);
        y[j][first] = lane > at ? reduced : y[j][first];
        if constexpr (transposed) y[j][first] = lane == at ? known : y[j][first];
        for (int v = first + 1; v < count; ++v) y[j][v] = R::subtract_product(y[j][v], R::load(l + v * lanes), known);
      }
    }
    if constexpr (first + 1 < count) forward<transposed, count, columns, first + 1>(f, lu, y);
  }

  /// U y = y, from the last row of register `last` up; L' y = y where `lu` is transposed.
  template <bool transposed, int count, int columns, int last>
  static void backward(const Factors& f, const T* lu, Vector (&y)[columns][count]) {
    const Indices lane = R::iota();
    const int end = (last + 1) * lanes < f.n_ ? (last + 1) * lanes : f.n_;
    for (int k = end - 1; k >= last * lanes; --k) {
      const T* u = lu + k * f.leading_;
      const Vector reciprocal = R::splat(transposed ? T(1) : T(1) / u[k]);
      const Indices at = R::index(static_cast<Index>(k - last * lanes));
      for (int j = 0; j < columns; ++j) {
        Vector known = R::permuted(y[j][last], at);
        if constexpr (!transposed) known = known * reciprocal;
        const Vector reduced = R::subtract_product(y[j][last], R::load(u + last * lanes), known);
        y[j][last] = lane < at ? reduced : lane == at ? known : y[j][last];
        for (int v = 0; v < last; ++v) y[j][v] = R::subtract_product(y[j][v], R::load(u + v * lanes), known);
      }
    }
    if constexpr (last > 0) backward<transposed, count, columns, last - 1>(f, lu, y);
  }

  template <bool transposed, int count, int columns>
  static void apply(const Factors& f, const T* lu, T* x) {
    Vector y[columns][count];
    for (int j = 0; j < columns; ++j)
      for (int v = 0; v < count; ++v) y[j][v] = R::load(x + j * f.leading_ + v * lanes);
    forward<transposed, count, columns, 0>(f, lu, y);
    backward<transposed, count, columns, count - 1>(f, lu, y);
    for (int j = 0; j < columns; ++j)
      for (int v = 0; v < count; ++v) R::store(x + j * f.leading_ + v * lanes, y[j][v]);
  }

  // -- the code for a size
  // ------------------------------------------------------------------------------------------------

  template <int count>
  static constexpr SmallLuCode<T> code() {
    return {factor<count>,          store<count>,           solve<count>,
            apply<false, count, 1>, apply<false, count, 2>, apply<true, count, 1>};
  }

  /// Of columns that are one register.
  template <int n>
  static constexpr SmallLuCode<T> code_of_size() {
    SmallLuCode<T> code = SmallLuSteps::code<1>();
    code.factor = factor_in_registers<n>;
    return code;
  }

  /// Of longer ones.
  template <int n>
  static constexpr SmallLuCode<T> code_of_registers() {
    return code<(n + lanes - 1) / lanes>();
  }
};

namespace {  // NOLINT(google-build-namespaces)

/// Of each size from 1 on what `code_of` gives for it as a constant.
template <class CodeOf, int... before>
constexpr auto codes_of_sizes(CodeOf code_of, std::integer_sequence<int, before...>) {
  return std::array{code_of(std::integral_constant<int, before + 1>())...};
}
template <class CodeOf>
constexpr auto codes_of_sizes(CodeOf code_of) {
  return codes_of_sizes(code_of, std::make_integer_sequence<int, most_of_small_lu>());
}

}  // namespace
}  // namespace lac::runtime
