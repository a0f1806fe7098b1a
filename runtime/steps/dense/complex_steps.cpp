// Systems and factorisations of complex matrices. The order of the attempts is Octave's, as in dense.cpp and
// factor.cpp.
#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "runtime/steps/dense/complex_matrix.h"

namespace lac::runtime::steps {
namespace {

template <class T>
using Routine = ComplexRoutine<T>;

template <class T>
using Matrix = ComplexMatrix<T>;

template <class T>
std::vector<Tensor> parts(const Matrix<T>& a) {
  std::vector<Tensor> results;
  append_parts(results, a);
  return results;
}

template <class T>
bool triangular(const Matrix<T>& a, bool upper) {
  for (int j = 0; j < a.cols; ++j)
    for (int i = upper ? j + 1 : 0; i < (upper ? a.rows : std::min(j, a.rows)); ++i)
      if (a.at(i, j) != T(0)) return false;
  return true;
}

/// Whether Cholesky may work: hermitian, and the diagonal is positive.
template <class T>
bool may_be_positive(const Matrix<T>& a) {
  for (int i = 0; i < a.rows; ++i)
    if (!(a.at(i, i).real() > 0)) return false;
  return a.hermitian();
}

/// The reciprocal condition number of what was factored. The routine takes WORK of `columns` columns.
template <class T, class... Arguments>
T condition(const char* name, int n, Arguments... arguments) {
  T rcond = 0;
  std::vector<std::complex<T>> work(static_cast<std::size_t>(2 * std::max(1, n)));
  std::vector<T> reals(static_cast<std::size_t>(2 * std::max(1, n)));
  const Routine<T> routine(name);
  routine(arguments..., &rcond, work.data(), reals.data());
  return rcond;
}

template <class T>
struct ComplexSolver {
  Matrix<T> a, b;
  std::vector<LibraryWarning>& warnings;

  Matrix<T> solve() {
    if (a.values.empty() || b.values.empty()) return Matrix<T>(a.cols, b.cols);
    if (a.rows != a.cols) return least_squares();
    if (triangular(a, true)) return substitute('U');
    if (triangular(a, false)) return substitute('L');
    if (may_be_positive(a) && positive()) return b;
    return full() ? b : least_squares();
  }

  bool warn(T rcond) { return warn_if_singular(static_cast<double>(rcond), lapack::element_of<T>(), warnings); }

  Matrix<T> substitute(char triangle) {
    warn(condition<T>("trcon", a.rows, '1', triangle, 'N', a.rows, a.data(), a.leading()));
    Routine<T>("trtrs")(triangle, 'N', 'N', a.rows, b.cols, a.data(), a.leading(), b.data(), b.leading());
    return b;
  }

  bool positive() {
    Matrix<T> factor = a;
    const T norm = a.norm1();
    if (Routine<T>("potrf")('U', a.rows, factor.data(), a.leading()) != 0) return false;
    warn(condition<T>("pocon", a.rows, 'U', a.rows, factor.data(), a.leading(), norm));
    Routine<T>("potrs")('U', a.rows, b.cols, factor.data(), a.leading(), b.data(), b.leading());
    return true;
  }

  bool full() {
    Matrix<T> factor = a;
    std::vector<int> pivots(static_cast<std::size_t>(a.rows));
    const T norm = a.norm1();
    const bool zero_pivot = Routine<T>("getrf")(a.rows, a.rows, factor.data(), a.leading(), pivots.data()) != 0;
    warn(zero_pivot ? T(0) : condition<T>("gecon", a.rows, '1', a.rows, factor.data(), a.leading(), norm));
    if (zero_pivot) return false;
    Routine<T>("getrs")('N', a.rows, b.cols, factor.data(), a.leading(), pivots.data(), b.data(), b.leading());
    return true;
  }

  Matrix<T> least_squares() {
    const int extent = std::max(a.rows, a.cols), inner = std::min(a.rows, a.cols);
    Matrix<T> x(extent, b.cols), result(a.cols, b.cols);
    if (!a.finite()) {
      std::ranges::fill(result.values, std::numeric_limits<T>::quiet_NaN());
      return result;
    }
    for (int j = 0; j < b.cols; ++j)
      for (int i = 0; i < b.rows; ++i) x.at(i, j) = b.at(i, j);
    std::vector<T> values(static_cast<std::size_t>(inner));
    int rank = 0;
    gelsd(x, values, rank);
    for (int j = 0; j < b.cols; ++j)
      for (int i = 0; i < a.cols; ++i) result.at(i, j) = x.at(i, j);
    return result;
  }

  // The only routine that tells the sizes of three workspaces.
  void gelsd(Matrix<T>& x, std::vector<T>& values, int& rank) {
    std::complex<T> wanted = 0;
    T wanted_reals = 0;
    int wanted_integers = 0;
    const auto call = [&](std::complex<T>* work, int size, T* reals, int* integers) {
      Routine<T>("gelsd")(a.rows, a.cols, b.cols, a.data(), a.leading(), x.data(), x.leading(), values.data(), T(-1),
                          &rank, work, size, reals, integers);
    };
    call(&wanted, -1, &wanted_reals, &wanted_integers);
    std::vector<std::complex<T>> work(static_cast<std::size_t>(std::max(1, static_cast<int>(wanted.real()))));
    std::vector<T> reals(static_cast<std::size_t>(std::max(1, static_cast<int>(wanted_reals))));
    std::vector<int> integers(static_cast<std::size_t>(std::max(1, wanted_integers)));
    call(work.data(), static_cast<int>(work.size()), reals.data(), integers.data());
  }
};

/// By Cholesky: hermitian to the last bit. Nothing where the matrix is not positive definite.
template <class T>
std::optional<Matrix<T>> positive_inverse(Matrix<T> a, std::vector<LibraryWarning>& warnings) {
  const int n = a.rows;
  const T norm = a.norm1();
  if (n == 0 || !may_be_positive(a) || Routine<T>("potrf")('U', n, a.data(), a.leading()) != 0) return std::nullopt;
  const T rcond = condition<T>("pocon", n, 'U', n, a.data(), a.leading(), norm);
  if (!(rcond > 0)) return std::nullopt;
  warn_if_singular(static_cast<double>(rcond), lapack::element_of<T>(), warnings);
  Routine<T>("potri")('U', n, a.data(), a.leading());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) a.at(j, i) = std::conj(a.at(i, j));
  return a;
}

template <class T>
Output inverse_of(Matrix<T> a, std::vector<LibraryWarning>& warnings) {
  if (const auto inverse = positive_inverse(a, warnings)) return parts(*inverse);
  const int n = a.rows;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  const T norm = a.norm1();
  const bool zero_pivot = n > 0 && Routine<T>("getrf")(n, n, a.data(), a.leading(), pivots.data()) != 0;
  const T rcond = zero_pivot || n == 0 ? T(n == 0) : condition<T>("gecon", n, '1', n, a.data(), a.leading(), norm);
  if (n > 0) warn_if_singular(static_cast<double>(rcond), lapack::element_of<T>(), warnings);
  if (zero_pivot) {
    std::ranges::fill(a.values, std::numeric_limits<T>::infinity());
    return parts(a);
  }
  if (n > 0) Routine<T>("getri").with_workspace(n, a.data(), a.leading(), static_cast<const int*>(pivots.data()));
  return parts(a);
}

template <class T>
Output determinant_of(Matrix<T> a) {
  if (Matrix<T> factor = a;
      may_be_positive(a) && a.rows > 0 && Routine<T>("potrf")('U', a.rows, factor.data(), a.leading()) == 0) {
    Matrix<T> product(1, 1);
    product.values[0] = 1;
    for (int i = 0; i < a.rows; ++i) product.values[0] *= factor.at(i, i).real();
    product.values[0] *= product.values[0];
    return parts(product);
  }
  std::vector<int> pivots(static_cast<std::size_t>(a.rows));
  if (a.rows > 0) Routine<T>("getrf")(a.rows, a.rows, a.data(), a.leading(), pivots.data());
  Matrix<T> product(1, 1);
  product.values[0] = 1;
  for (int i = 0; i < a.rows; ++i)
    product.values[0] *= pivots[static_cast<std::size_t>(i)] != i + 1 ? -a.at(i, i) : a.at(i, i);
  return parts(product);
}

/// The upper triangle of the leading `rows` rows.
template <class T>
Matrix<T> upper_part(const Matrix<T>& a, int rows) {
  Matrix<T> upper(rows, a.cols);
  for (int j = 0; j < a.cols; ++j)
    for (int i = 0; i < std::min({j + 1, rows, a.rows}); ++i) upper.at(i, j) = a.at(i, j);
  return upper;
}

template <class T>
Output lu_of(Matrix<T> a, const Input& input) {
  const int inner = std::min(a.rows, a.cols);
  std::vector<int> pivots(static_cast<std::size_t>(inner));
  if (inner > 0) Routine<T>("getrf")(a.rows, a.cols, a.data(), a.leading(), pivots.data());
  Matrix<T> lower(a.rows, inner);
  for (int j = 0; j < inner; ++j)
    for (int i = j; i < a.rows; ++i) lower.at(i, j) = i == j ? std::complex<T>(1) : a.at(i, j);
  std::vector<double> order(static_cast<std::size_t>(a.rows));
  std::iota(order.begin(), order.end(), 1.0);
  for (std::size_t k = 0; k < pivots.size(); ++k) std::swap(order[k], order[static_cast<std::size_t>(pivots[k] - 1)]);
  std::vector<Tensor> results = parts(lower);
  append_parts(results, upper_part(a, inner));
  results.push_back(Tensor::dense(input.results[4].element, 1, a.rows, order));
  return results;
}

template <class T>
Output cholesky_of(Matrix<T> a, const Input& input) {
  const int order = a.rows == 0 ? 0 : Routine<T>("potrf")('U', a.rows, a.data(), a.leading());
  std::vector<Tensor> results = parts(upper_part(a, a.rows));
  results.push_back(Tensor::scalar(order, input.results[2].element));
  return results;
}

template <class T>
Output qr_of(Matrix<T> a, const Input& input) {
  const int m = a.rows, count = std::min(m, a.cols), cols = static_cast<int>(input.results[0].cols);
  std::vector<std::complex<T>> tau(static_cast<std::size_t>(count));
  if (count > 0) Routine<T>("geqrf").with_workspace(m, a.cols, a.data(), a.leading(), tau.data());
  Matrix<T> q(m, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < m; ++i) q.at(i, j) = j < a.cols && count > 0 ? a.at(i, j) : std::complex<T>(i == j);
  if (count > 0)
    Routine<T>("ungqr").with_workspace(m, cols, count, q.data(), q.leading(),
                                       static_cast<const std::complex<T>*>(tau.data()));
  std::vector<Tensor> results = parts(q);
  append_parts(results, upper_part(a, cols));
  return results;
}

template <class T>
Tensor column_of(const std::vector<T>& values) {
  lapack::Matrix<T> column = lapack::zeros<T>(static_cast<std::int64_t>(values.size()), 1);
  std::copy(values.begin(), values.end(), column.data);
  return column.tensor;
}

constexpr const char* svd_not_finite = "error: svd: cannot take SVD of matrix containing Inf or NaN values";

template <class T>
Output singular_values_of(Matrix<T> a) {
  if (!a.finite()) return Failure{svd_not_finite};
  const int inner = std::min(a.rows, a.cols);
  std::vector<T> values(static_cast<std::size_t>(inner));
  std::complex<T> none[1];
  if (inner > 0)
    Routine<T>("gesvd").with_real_workspace(static_cast<std::size_t>(5 * inner), 'N', 'N', a.rows, a.cols, a.data(),
                                            a.leading(), values.data(), +none, 1, +none, 1);
  return std::vector{column_of(values)};
}

template <class T>
Output svd_of(Matrix<T> a, const Input& input) {
  if (!a.finite()) return Failure{svd_not_finite};
  const int m = a.rows, n = a.cols, inner = std::min(m, n);
  const bool left_complete = input.results[0].cols == m, right_complete = input.results[3].cols == n;
  Matrix<T> u(m, left_complete ? m : inner), vt(right_complete ? n : inner, n);
  std::vector<T> values(static_cast<std::size_t>(inner));
  if (inner > 0)
    Routine<T>("gesvd").with_real_workspace(static_cast<std::size_t>(5 * inner), left_complete ? 'A' : 'S',
                                            right_complete ? 'A' : 'S', m, n, a.data(), a.leading(), values.data(),
                                            u.data(), u.leading(), vt.data(), vt.leading());
  Matrix<T> v(n, vt.rows);
  for (int j = 0; j < vt.rows; ++j)
    for (int i = 0; i < n; ++i) v.at(i, j) = std::conj(vt.at(j, i));
  std::vector<Tensor> results = parts(u);
  results.push_back(column_of(values));
  append_parts(results, v);
  return results;
}

template <class T>
struct Spectrum {
  Matrix<T> values, vectors;
  bool converged = true;
};

template <class T>
Spectrum<T> spectrum_of(Matrix<T> a, bool wanted) {
  const int n = a.rows;
  Spectrum<T> result{Matrix<T>(n, 1), Matrix<T>(wanted ? n : 1, wanted ? n : 1)};
  if (n == 0) return result;
  if (a.hermitian()) {
    std::vector<T> values(static_cast<std::size_t>(n));
    result.converged = Routine<T>("heev").with_real_workspace(static_cast<std::size_t>(3 * n), wanted ? 'V' : 'N', 'U',
                                                              n, a.data(), a.leading(), values.data()) == 0;
    std::ranges::copy(values, result.values.values.begin());
    if (wanted) result.vectors = a;
    return result;
  }
  std::vector<T> scale(static_cast<std::size_t>(n)), unused(static_cast<std::size_t>(n));
  int low = 0, high = 0;
  T norm = 0;
  std::complex<T> none[1];
  result.converged = Routine<T>("geevx").with_real_workspace(
                         static_cast<std::size_t>(2 * n), 'B', 'N', wanted ? 'V' : 'N', 'N', n, a.data(), a.leading(),
                         result.values.data(), +none, 1, result.vectors.data(), result.vectors.leading(), &low, &high,
                         scale.data(), &norm, unused.data(), unused.data()) == 0;
  return result;
}

Output spectrum(const Input& input, bool vectors) {
  return with_complex(input, "eig", [&](auto a) -> Output {
    if (!a.finite()) return Failure{"error: EIG: matrix contains Inf or NaN values"};
    const auto result = spectrum_of(std::move(a), vectors);
    if (!result.converged) return Failure{"error: eig: the iteration did not converge"};
    std::vector<Tensor> results;
    if (vectors) append_parts(results, result.vectors);
    append_parts(results, result.values);
    return results;
  });
}

}  // namespace

Output complex_solve(const Input& input) {
  return with_complex(input, "operator \\", [&](auto a) -> Output {
    decltype(a) b(input.operands[2], input.operands[3]);
    if (a.rows != b.rows)
      return Failure{fmt::format("error: operator \\: nonconformant arguments (op1 is {}x{}, op2 is {}x{})", a.rows,
                                 a.cols, b.rows, b.cols)};
    using Real = typename decltype(a)::Value::value_type;
    return parts(ComplexSolver<Real>{std::move(a), std::move(b), input.warnings}.solve());
  });
}

Output complex_inverse(const Input& input) {
  return with_complex(input, "inverse", [&](auto a) { return inverse_of(std::move(a), input.warnings); });
}

Output complex_det(const Input& input) {
  return with_complex(input, "det", [](auto a) { return determinant_of(std::move(a)); });
}

Output complex_lu(const Input& input) {
  return with_complex(input, "lu", [&](auto a) { return lu_of(std::move(a), input); });
}

Output complex_cholesky(const Input& input) {
  return with_complex(input, "chol", [&](auto a) { return cholesky_of(std::move(a), input); });
}

Output complex_qr(const Input& input) {
  return with_complex(input, "qr", [&](auto a) { return qr_of(std::move(a), input); });
}

Output complex_singular_values(const Input& input) {
  return with_complex(input, "svd", [](auto a) { return singular_values_of(std::move(a)); });
}

Output complex_svd(const Input& input) {
  return with_complex(input, "svd", [&](auto a) { return svd_of(std::move(a), input); });
}

Output complex_spectrum(const Input& input) { return spectrum(input, false); }
Output complex_spectrum_vectors(const Input& input) { return spectrum(input, true); }

}  // namespace lac::runtime::steps
