// Singular values and the pseudo-inverse.
#include "runtime/steps/dense/singular.h"

#include <algorithm>

#include "runtime/steps/dense/dense_input.h"

namespace lac::runtime {

using lapack::Functions;
using lapack::Matrix;

template <class T>
SingularValues<T> decompose(Matrix<T> a, SvdForm form) {
  const int m = a.rows(), n = a.cols(), inner = std::min(m, n);
  const bool complete = form == SvdForm::complete, vectors = form != SvdForm::values_only;
  SingularValues<T> result{lapack::zeros<T>(vectors ? m : 0, complete  ? m
                                                             : vectors ? inner
                                                                       : 0),
                           std::vector<T>(static_cast<std::size_t>(inner)),
                           lapack::zeros<T>(complete  ? n
                                            : vectors ? inner
                                                      : 0,
                                            vectors ? n : 0),
                           true};
  if (inner == 0) {  // the vectors are columns of the identity
    for (int i = 0; i < std::min(result.u.rows(), result.u.cols()); ++i) result.u.at(i, i) = 1;
    for (int i = 0; i < std::min(result.vt.rows(), result.vt.cols()); ++i) result.vt.at(i, i) = 1;
    return result;
  }
  const char job = complete ? 'A' : vectors ? 'S' : 'N';
  result.converged = Functions<T>::gesvd(job, job, m, n, a.data, a.leading(), result.values.data(), result.u.data,
                                         result.u.leading(), result.vt.data, result.vt.leading()) == 0;
  return result;
}

template SingularValues<float> decompose(Matrix<float> a, SvdForm form);
template SingularValues<double> decompose(Matrix<double> a, SvdForm form);

namespace {

constexpr const char* not_finite = "error: svd: cannot take SVD of matrix containing Inf or NaN values";
constexpr const char* not_converged = "error: svd: the iteration did not converge";

template <class T>
Tensor column_of(const std::vector<T>& values) {
  Matrix<T> column = lapack::zeros<T>(static_cast<std::int64_t>(values.size()), 1);
  std::copy(values.begin(), values.end(), column.data);
  return column.tensor;
}

template <class T>
Tensor transposed(const Matrix<T>& a) {
  Matrix<T> result = lapack::zeros<T>(a.cols(), a.rows());
  for (int j = 0; j < a.cols(); ++j)
    for (int i = 0; i < a.rows(); ++i) result.at(j, i) = a.at(i, j);
  return result.tensor;
}

/// V * diag(1/s) * U' over the singular values that count.
template <class T>
Tensor pseudo_inverse_of(Matrix<T> a, T tolerance) {
  const int m = a.rows(), n = a.cols();
  if (!lapack::all_finite(a)) {
    Matrix<T> result = lapack::zeros<T>(n, m);
    std::fill_n(result.data, result.tensor.count(), std::numeric_limits<T>::quiet_NaN());
    return result.tensor;
  }
  if (a.tensor.empty()) return lapack::zeros<T>(n, m).tensor;
  SingularValues<T> svd = decompose(std::move(a), SvdForm::economical);
  if (!(tolerance > 0)) tolerance = static_cast<T>(std::max(m, n)) * svd.values[0] * std::numeric_limits<T>::epsilon();
  if (tolerance == 0) tolerance = std::numeric_limits<T>::min();
  for (std::size_t k = 0; k < svd.values.size(); ++k) {
    const T factor = svd.values[k] < tolerance ? T(0) : T(1) / svd.values[k];
    for (int i = 0; i < m; ++i) svd.u.at(i, static_cast<int>(k)) *= factor;
  }
  return lapack::product(svd.vt, svd.u, true, true).tensor;
}

}  // namespace

namespace steps {

Output singular_values(const Input& input) {
  return with_matrix(input, "svd", [](auto a) -> Output {
    if (!lapack::all_finite(a)) return Failure{not_finite};
    auto svd = decompose(std::move(a), SvdForm::values_only);
    if (!svd.converged) return Failure{not_converged};
    for (auto& value : svd.values) value = std::abs(value);  // no negative zero
    return std::vector{column_of(svd.values)};
  });
}

Output svd(const Input& input) {
  return with_matrix(input, "svd", [&](auto a) -> Output {
    if (!lapack::all_finite(a)) return Failure{not_finite};
    const bool complete = input.results[0].cols == a.rows() && input.results[2].cols == a.cols();
    const auto svd = decompose(std::move(a), complete ? SvdForm::complete : SvdForm::economical);
    if (!svd.converged) return Failure{not_converged};
    return std::vector{svd.u.tensor, column_of(svd.values), transposed(svd.vt)};
  });
}

Output pseudo_inverse(const Input& input) {
  return with_matrix(input, "pinv", [&](auto a) -> Output {
    using T = std::remove_pointer_t<decltype(a.data)>;
    const double tolerance = input.operands[1].as_scalar();
    if (tolerance < 0) return Failure{"error: pinv: TOL must be greater than zero"};
    return std::vector{pseudo_inverse_of(std::move(a), static_cast<T>(tolerance))};
  });
}

}  // namespace steps
}  // namespace lac::runtime
