// Norms of a whole matrix or vector for any p. Norms that are sums or maxima of elements for a constant p are kernels;
// what comes here is the 2-norm of a matrix, the p-norms of matrices, and a p that the run decides.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/steps/dense/dense_input.h"
#include "runtime/steps/dense/singular.h"

namespace lac::runtime::steps {
namespace {

using lapack::Matrix;
using Vector = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// (sum |x|^p)^(1/p), scaled by the largest element; the limits for p = Inf, -Inf; the number of non-zeros for p = 0.
double vector_norm(const Vector& x, double p) {
  if (p == 0) return static_cast<double>(std::count_if(x.begin(), x.end(), [](double e) { return e != 0; }));
  double largest = 0, least = infinity;
  for (double element : x) {
    if (std::isnan(element) || std::isnan(p)) return not_a_number;
    largest = std::max(largest, std::abs(element));
    least = std::min(least, std::abs(element));
  }
  if (x.empty()) return 0;
  if (p == infinity) return largest;
  if (p == -infinity) return least;
  if (p < 0) return infinity;  // as Octave has it
  if (largest == 0 || std::isinf(largest)) return largest;
  double sum = 0;
  if (p == 1) {
    for (double element : x) sum += std::abs(element);
    return sum;
  }
  if (p == 2) {
    for (double element : x) sum += (element / largest) * (element / largest);
    return largest * std::sqrt(sum);
  }
  for (double element : x) sum += std::pow(std::abs(element) / largest, p);
  return largest * std::pow(sum, 1 / p);
}

/// The vector of dual norm 1 whose product with x is norm(x, p).
Vector dual(const Vector& x, double p) {
  Vector result(x.size());
  const double norm = vector_norm(x, p);
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = std::copysign(std::pow(std::abs(x[i]) / norm, p - 1), x[i]);
  return result;
}

Vector times(const Matrix<double>& a, const Vector& x) {
  Vector y(static_cast<std::size_t>(a.rows()));
  for (int j = 0; j < a.cols(); ++j)
    for (int i = 0; i < a.rows(); ++i) y[static_cast<std::size_t>(i)] += a.at(i, j) * x[static_cast<std::size_t>(j)];
  return y;
}

Vector transposed_times(const Matrix<double>& a, const Vector& y) {
  Vector x(static_cast<std::size_t>(a.cols()));
  for (int j = 0; j < a.cols(); ++j)
    for (int i = 0; i < a.rows(); ++i) x[static_cast<std::size_t>(j)] += a.at(i, j) * y[static_cast<std::size_t>(i)];
  return x;
}

/// The start of the power method: columns are joined one by one, each at the angle that makes the sum largest.
Vector start_vector(const Matrix<double>& a, double p) {
  constexpr int angles = 100;
  Vector x(static_cast<std::size_t>(a.cols())), sum(static_cast<std::size_t>(a.rows()));
  for (int k = 0; k < a.cols(); ++k) {
    double best = -1, keep = 0, add = 1;
    Vector trial(sum.size());
    for (int step = 0; step < angles && k > 0; ++step) {
      const double angle = step * std::numbers::pi / angles;
      const double size = vector_norm({std::cos(angle), std::sin(angle)}, p);
      const double c = std::cos(angle) / size, s = std::sin(angle) / size;
      for (int i = 0; i < a.rows(); ++i)
        trial[static_cast<std::size_t>(i)] = c * sum[static_cast<std::size_t>(i)] + s * a.at(i, k);
      if (const double norm = vector_norm(trial, p); norm > best) {
        best = norm;
        keep = c;
        add = s;
      }
    }
    for (double& element : x) element *= keep;
    x[static_cast<std::size_t>(k)] = add;
    for (int i = 0; i < a.rows(); ++i)
      sum[static_cast<std::size_t>(i)] = keep * sum[static_cast<std::size_t>(i)] + add * a.at(i, k);
  }
  return x;
}

/// N. J. Higham, Estimating the matrix p-norm, Numer. Math. 62 (1992) 539-555: a power method for the largest
/// norm(A*x, p) / norm(x, p); exact for matrices without negative elements, else perhaps a local maximum.
double induced_norm(const Matrix<double>& a, double p) {
  constexpr int most_trips = 100;
  const double tolerance = std::sqrt(std::numeric_limits<double>::epsilon()), q = p / (p - 1);
  Vector x = start_vector(a, p);
  const double size = vector_norm(x, p);
  for (double& element : x) element /= size;
  double norm = 0;
  for (int trip = 0; trip < most_trips; ++trip) {
    const Vector y = times(a, x);
    const double before = std::exchange(norm, vector_norm(y, p));
    const Vector z = transposed_times(a, dual(y, p));
    if (trip > 0 && (vector_norm(z, q) <= norm || norm - before <= tolerance * norm)) break;
    x = dual(z, q);
  }
  return norm;
}

double largest_sum(const Matrix<double>& a, bool of_columns) {
  Vector sums(static_cast<std::size_t>(of_columns ? a.cols() : a.rows()));
  for (int j = 0; j < a.cols(); ++j)
    for (int i = 0; i < a.rows(); ++i) sums[static_cast<std::size_t>(of_columns ? j : i)] += std::abs(a.at(i, j));
  return *std::max_element(sums.begin(), sums.end());  // as in Octave, a NaN counts only where it is the first
}

Result<double> matrix_norm(Matrix<double> a, double p, Element element) {
  if (p == 1) return largest_sum(a, true);
  if (p == infinity) return largest_sum(a, false);
  if (!(p > 1)) return Failure{"error: xnorm: p must be >= 1"};
  if (!lapack::all_finite(a)) return not_a_number;
  if (p != 2)
    return std::all_of(a.data, a.data + a.tensor.count(), [](double e) { return e == 0; }) ? not_a_number
                                                                                           : induced_norm(a, p);
  if (element != Element::single) return decompose(std::move(a), SvdForm::values_only).values[0];
  return static_cast<double>(
      decompose(Matrix<float>(to_element(a.tensor, Element::single)), SvdForm::values_only).values[0]);
}

}  // namespace

Output norm(const Input& input) {
  const Tensor& operand = input.operands[0];
  if (!operand.is_dense()) return Failure{"error: norm: a sparse matrix is not supported yet"};
  if (!lapack::fits(operand)) return Failure{"error: norm: more than 2^31-1 rows or columns"};
  const double p = input.operands[1].as_scalar();
  const Element element = input.results[0].element;
  Matrix<double> a(to_element(operand, Element::real));
  if (a.tensor.empty()) return std::vector{Tensor::scalar(0, element)};
  if (a.rows() == 1 || a.cols() == 1) {
    const Vector values(a.data, a.data + a.tensor.count());
    return std::vector{Tensor::scalar(vector_norm(values, p), element)};
  }
  const Result<double> value = matrix_norm(std::move(a), p, element);
  if (!value) return value.failure();
  return std::vector{Tensor::scalar(value.value(), element)};
}

}  // namespace lac::runtime::steps
