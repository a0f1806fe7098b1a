// Linear systems and dense products.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/dense/small_lu.h"
#include "runtime/steps/dense/small_solve.h"
#include "runtime/steps/steps.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {
namespace {

using lapack::Functions;
using lapack::Matrix;
using lapack::Shape;

/// A solver of A x = b for one matrix. A few unknowns without LAPACK where no warning is near; else Octave's order:
/// triangular by substitution, Cholesky where it may work, LU (of some unknowns without LAPACK where no warning is
/// near), and least squares of minimum norm when LU meets a zero pivot or A is not square.
template <class T>
struct Solver {
  using Lapack = Functions<T>;

  Matrix<T> a, b;
  Element element;
  std::vector<LibraryWarning>& warnings;

  Tensor solve() {
    if (a.tensor.empty() || b.tensor.empty()) return Tensor::dense(element, a.cols(), b.cols());
    if (a.rows() == 1 && a.cols() == 1) return divide();
    const T missing = not_finite();
    if (a.rows() != a.cols()) return least_squares(missing);
    if (a.rows() <= most_small_unknowns && solve_small(a.data, b.data, b.data, a.rows(), b.cols())) return b.tensor;
    const Shape shape = lapack::shape_of(a);
    if (shape == Shape::upper || shape == Shape::lower) return substitute(shape == Shape::upper ? 'U' : 'L');
    if (shape == Shape::positive && factor_positive()) return b.tensor;
    return factor_small() || factor_full() ? b.tensor : least_squares(missing);
  }

  /// An element of A that is NaN, else one that is infinite, else 0.
  T not_finite() const {
    T found = 0;
    for (std::int64_t k = 0; k < a.tensor.count(); ++k) {
      if (std::isnan(a.data[k])) return a.data[k];
      if (std::isinf(a.data[k])) found = a.data[k];
    }
    return found;
  }

  Tensor divide() {
    for (std::int64_t k = 0; k < b.tensor.count(); ++k) b.data[k] /= a.data[0];
    return b.tensor;
  }

  Tensor substitute(char triangle) {
    T rcond = 0;
    Lapack::trcon('1', triangle, 'N', a.rows(), a.data, a.leading(), &rcond);
    warn_if_singular(rcond, element, warnings);
    Lapack::trtrs(triangle, 'N', 'N', a.rows(), b.cols(), a.data, a.leading(), b.data, b.leading());
    return b.tensor;
  }

  bool factor_positive() {
    Matrix<T> factor(a.tensor);
    const T norm = lapack::norm1(a);
    if (Lapack::potrf('U', a.rows(), factor.data, a.leading()) != 0) return false;
    T rcond = 0;
    Lapack::pocon('U', a.rows(), factor.data, a.leading(), norm, &rcond);
    if (warn_if_singular(rcond, element, warnings)) warn_if_singular(rcond, element, warnings);  // Octave: twice
    Lapack::potrs('U', a.rows(), b.cols(), factor.data, a.leading(), b.data, b.leading());
    return true;
  }

  bool factor_small() {
    SmallLu<T> lu;
    if (a.rows() > most_of_small_lu || !lu.factor(a.rows(), a.data) || !lu.is_surely_regular(a.data)) return false;
    constexpr int at_once = 4096;  // columns, before somebody may end the run
    for (int j = 0; j < b.cols(); j += at_once) {
      poll_stop();
      T* columns = b.data + static_cast<std::int64_t>(j) * b.rows();
      lu.solve(std::min(at_once, b.cols() - j), columns, columns);
    }
    return true;
  }

  bool factor_full() {
    Matrix<T> factor(a.tensor);
    std::vector<int> pivots(static_cast<std::size_t>(a.rows()));
    const T norm = lapack::norm1(a);
    T rcond = 0;
    const bool zero_pivot = Lapack::getrf(a.rows(), a.rows(), factor.data, a.leading(), pivots.data()) != 0;
    if (!zero_pivot) Lapack::gecon('1', a.rows(), factor.data, a.leading(), norm, &rcond);
    warn_if_singular(rcond, element, warnings);
    if (zero_pivot) return false;
    Lapack::getrs('N', a.rows(), b.cols(), factor.data, a.leading(), pivots.data(), b.data, b.leading());
    return true;
  }

  // Of a matrix with Inf, zeros, and with NaN, NaN: as Octave has it.
  Tensor least_squares(T missing) {
    if (!std::isfinite(missing)) {
      Matrix<T> none(Tensor::dense(element, a.cols(), b.cols()));
      std::fill_n(none.data, none.tensor.count(), std::isnan(missing) ? missing : T(0));
      return none.tensor;
    }
    const int extent = std::max(a.rows(), a.cols());
    Matrix<T> x(Tensor::dense(element, extent, b.cols()));
    for (int j = 0; j < b.cols(); ++j)
      for (int i = 0; i < b.rows(); ++i) x.at(i, j) = b.at(i, j);
    std::vector<T> singular_values(static_cast<std::size_t>(std::min(a.rows(), a.cols())));
    int rank = 0;
    Lapack::gelsd(a.rows(), a.cols(), b.cols(), a.data, a.leading(), x.data, x.leading(), singular_values.data(), T(-1),
                  &rank);
    Matrix<T> result(Tensor::dense(element, a.cols(), b.cols()));
    for (int j = 0; j < b.cols(); ++j)
      for (int i = 0; i < a.cols(); ++i) result.at(i, j) = x.at(i, j);
    return result.tensor;
  }
};

/// The third operand of gemm.
Transposes transposes_of(std::span<const Tensor> operands) {
  const int which = operands.size() > 2 ? static_cast<int>(operands[2].as_scalar()) : 0;
  return {(which & 1) != 0, (which & 2) != 0};
}

/// A'*A or A*A': as in Octave half of it is computed, so that it is symmetric, and solving with it tries Cholesky.
bool is_gram(const Tensor& a, const Tensor& b, Transposes flags) {
  return flags.left != flags.right && a.rows() == b.rows() && a.cols() == b.cols() && a.element() == b.element() &&
         a.is_dense() && b.is_dense() && a.data() == b.data();
}

template <class T>
void multiply_by_itself(const Tensor& a, bool transposed_first, Tensor& c) {
  const int inner = static_cast<int>(transposed_first ? a.rows() : a.cols());
  lapack::gram<T>(transposed_first ? CblasTrans : CblasNoTrans, static_cast<int>(c.rows()), inner, a.values<T>(),
                  static_cast<int>(std::max<std::int64_t>(1, a.rows())), c.mutable_values<T>());
}

template <class T>
void multiply(const Tensor& a, const Tensor& b, Transposes flags, Tensor& c) {
  const auto layout = [](bool transposed) { return transposed ? CblasTrans : CblasNoTrans; };
  const int inner = static_cast<int>(flags.left ? a.rows() : a.cols());
  const auto leading = [](const Tensor& x) { return static_cast<int>(std::max<std::int64_t>(1, x.rows())); };
  const int m = static_cast<int>(c.rows()), n = static_cast<int>(c.cols());
  lapack::multiply<T>(layout(flags.left), layout(flags.right), m, n, inner, a.values<T>(), leading(a), b.values<T>(),
                      leading(b), c.mutable_values<T>(), leading(c));
}

Element computing_element(Element element) { return element == Element::single ? Element::single : Element::real; }

}  // namespace

bool warn_if_singular(double rcond, Element precision, std::vector<LibraryWarning>& warnings) {
  const bool singular = std::isnan(rcond) || round_to(precision, rcond + 1.0) == 1.0;
  if (!singular) return false;
  const std::string text = "warning: matrix singular to machine precision";
  if (rcond == 0) warnings.push_back({"Octave:singular-matrix", text});
  else warnings.push_back({"Octave:nearly-singular-matrix", fmt::format("{}, rcond = {:g}", text, rcond)});
  return true;
}

Output solve(const Input& input) {
  const Tensor& a = input.operands[0];
  const Tensor& b = input.operands[1];
  if (!a.is_dense() || !b.is_dense())
    return Failure{
        "error: operator \\: a sparse operand is not supported yet; use full(A) \\ b or an iterative solver"};
  if (a.rows() != b.rows())
    return Failure{fmt::format("error: operator \\: nonconformant arguments (op1 is {}x{}, op2 is {}x{})", a.rows(),
                               a.cols(), b.rows(), b.cols())};
  if (!lapack::fits(a) || !lapack::fits(b)) return Failure{"error: operator \\: more than 2^31-1 rows or columns"};
  const Element element = computing_element(input.results[0].element);
  const Tensor left = to_element(a, element), right = to_element(b, element);
  const auto solution = [&](auto tag) {
    return Solver<decltype(tag)>{Matrix<decltype(tag)>(left), Matrix<decltype(tag)>(right), element, input.warnings}
        .solve();
  };
  const Tensor x = element == Element::single ? solution(float{}) : solution(double{});
  return std::vector{to_element(x, input.results[0].element)};
}

Output try_solve(const Input& input) { return quietly(solve, input); }

Output gemm(const Input& input) {
  const Transposes flags = transposes_of(input.operands);
  const ResultType& type = input.results[0];
  const Element element = computing_element(type.element);
  const bool gram = is_gram(input.operands[0], input.operands[1], flags);
  const Tensor a = to_element(to_dense(input.operands[0]), element),
               b = gram ? a : to_element(to_dense(input.operands[1]), element);
  if ((flags.left ? a.rows() : a.cols()) != (flags.right ? b.cols() : b.rows()))
    throw InternalError("gemm of matrices that do not fit");
  if (!lapack::fits(a) || !lapack::fits(b)) return Failure{"error: operator *: more than 2^31-1 rows or columns"};
  Tensor c = Tensor::dense(element, type.rows, type.cols);
  if (c.empty() || a.empty()) return std::vector{to_element(c, type.element)};
  if (gram)
    element == Element::single ? multiply_by_itself<float>(a, flags.left, c)
                               : multiply_by_itself<double>(a, flags.left, c);
  else element == Element::single ? multiply<float>(a, b, flags, c) : multiply<double>(a, b, flags, c);
  return std::vector{to_element(c, type.element)};
}

}  // namespace lac::runtime::steps
