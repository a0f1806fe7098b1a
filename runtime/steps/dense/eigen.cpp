// Eigenvalues, with Octave's choice of the algorithm.
#include "runtime/steps/dense/eigen.h"

#include "runtime/steps/dense/complex_matrix.h"
#include "runtime/steps/dense/dense_input.h"

namespace lac::runtime {

using lapack::Functions;
using lapack::Matrix;

namespace {

char job(bool wanted) { return wanted ? 'V' : 'N'; }

template <class T>
std::vector<std::complex<T>> joined(const std::vector<T>& real, const std::vector<T>& imaginary) {
  std::vector<std::complex<T>> values;
  for (std::size_t k = 0; k < real.size(); ++k) values.emplace_back(real[k], imaginary[k]);
  return values;
}

/// Symmetric: the vectors overwrite A, and the left ones are the right ones.
template <class T>
Eigen<T> symmetric_result(Matrix<T> a, const std::vector<T>& values, int status) {
  return {{values.begin(), values.end()}, Matrix<T>(a.tensor), Matrix<T>(a.tensor), true, status == 0};
}

template <class T>
bool is_positive_definite(Matrix<T> b) {
  return Functions<T>::potrf('L', b.rows(), b.data, b.leading()) == 0;
}

}  // namespace

template <class T>
Eigen<T> eigen(Matrix<T> a, EigenVectors vectors, bool balance) {
  const int n = a.rows();
  const auto count = static_cast<std::size_t>(n);
  std::vector<T> values(count), imaginary(count);
  if (n == 0) return symmetric_result(std::move(a), values, 0);
  const bool right = vectors != EigenVectors::none, left = vectors == EigenVectors::both;
  if (lapack::is_symmetric(a)) {
    const int status = Functions<T>::syev(job(right), 'U', n, a.data, n, values.data());
    return symmetric_result(std::move(a), values, status);
  }
  Matrix<T> vr = lapack::zeros<T>(right ? n : 1, right ? n : 1), vl = lapack::zeros<T>(left ? n : 1, left ? n : 1);
  const int status =
      Functions<T>::geev_balanced(balance ? 'B' : 'N', job(left), job(right), n, a.data, n, values.data(),
                                  imaginary.data(), vl.data, vl.leading(), vr.data, vr.leading());
  return {joined(values, imaginary), std::move(vr), std::move(vl), false, status == 0};
}

template <class T>
Eigen<T> eigen(Matrix<T> a, Matrix<T> b, EigenVectors vectors, bool qz) {
  const int n = a.rows();
  const auto count = static_cast<std::size_t>(n);
  std::vector<T> values(count), imaginary(count), beta(count);
  if (n == 0) return symmetric_result(std::move(a), values, 0);
  const bool right = vectors != EigenVectors::none, left = vectors == EigenVectors::both;
  if (!qz && lapack::is_symmetric(a) && lapack::is_symmetric(b) && is_positive_definite(Matrix<T>(b.tensor))) {
    const int status = Functions<T>::sygv(1, job(right), 'U', n, a.data, n, b.data, n, values.data());
    return symmetric_result(std::move(a), values, status);
  }
  Matrix<T> vr = lapack::zeros<T>(right ? n : 1, right ? n : 1), vl = lapack::zeros<T>(left ? n : 1, left ? n : 1);
  const int status = Functions<T>::ggev(job(left), job(right), n, a.data, n, b.data, n, values.data(), imaginary.data(),
                                        beta.data(), vl.data, vl.leading(), vr.data, vr.leading());
  for (std::size_t k = 0; k < count; ++k) {
    values[k] /= beta[k];
    if (imaginary[k] != 0) imaginary[k] /= beta[k];
  }
  return {joined(values, imaginary), std::move(vr), std::move(vl), false, status == 0};
}

template Eigen<float> eigen(Matrix<float> a, EigenVectors vectors, bool balance);
template Eigen<double> eigen(Matrix<double> a, EigenVectors vectors, bool balance);

namespace steps {
namespace {

/// The operand `how`.
enum class EigenChoice { standard = 0, no_balancing = 1, qz = 2 };

template <class T>
Tensor real_parts(const std::vector<std::complex<T>>& values) {
  Matrix<T> column = lapack::zeros<T>(static_cast<std::int64_t>(values.size()), 1);
  for (std::size_t k = 0; k < values.size(); ++k) column.data[k] = values[k].real();
  return column.tensor;
}

template <class T>
Output checked(const Eigen<T>& result, EigenVectors vectors) {
  if (!result.converged) return Failure{"error: eig: the iteration did not converge"};
  if (!result.real()) return Failure{"error: eig: an eigenvalue is complex, which this matrix was not thought to have"};
  const Tensor values = real_parts(result.values);
  if (vectors == EigenVectors::none) return std::vector{values};
  std::vector results{result.right.tensor, values};
  if (vectors == EigenVectors::both) results.push_back(result.left.tensor);
  return results;
}

// LAPACK packs the vectors of a conjugate pair as the real and the imaginary parts of the first.
template <class T>
ComplexMatrix<T> unpacked(const Matrix<T>& packed, const Eigen<T>& of) {
  ComplexMatrix<T> vectors(packed.rows(), packed.cols());
  for (int j = 0; j < packed.cols(); ++j) {
    const bool pair = of.values[static_cast<std::size_t>(j)].imag() != 0 && j + 1 < packed.cols();
    for (int i = 0; i < packed.rows(); ++i) {
      vectors.at(i, j) = {packed.at(i, j), pair ? packed.at(i, j + 1) : T(0)};
      if (pair) vectors.at(i, j + 1) = std::conj(vectors.at(i, j));
    }
    if (pair) ++j;
  }
  return vectors;
}

template <class T>
Output whole(const Eigen<T>& result, EigenVectors vectors) {
  if (!result.converged) return Failure{"error: eig: the iteration did not converge"};
  std::vector<Tensor> results;
  if (vectors != EigenVectors::none) append_parts(results, unpacked(result.right, result));
  ComplexMatrix<T> values(static_cast<int>(result.values.size()), 1);
  values.values = result.values;
  append_parts(results, values);
  if (vectors == EigenVectors::both) append_parts(results, unpacked(result.left, result));
  return results;
}

/// `results` makes the results of an Eigen<T>.
template <class Results>
Output decompose(const Input& input, EigenVectors vectors, Results&& results) {
  constexpr const char* not_finite = "error: EIG: matrix contains Inf or NaN values";
  return with_square_matrix(input, "eig", "A must be a square matrix", [&](auto a) -> Output {
    if (!lapack::all_finite(a)) return Failure{not_finite};
    const auto how = static_cast<EigenChoice>(static_cast<int>(input.operands[1].as_scalar()));
    if (input.operands.size() < 3)
      return results(eigen(std::move(a), vectors, how != EigenChoice::no_balancing), vectors);
    decltype(a) b(to_element(input.operands[2], a.tensor.element()));
    if (b.rows() != a.rows() || b.cols() != a.cols()) return Failure{"error: EIG requires same size matrices"};
    if (!lapack::all_finite(b)) return Failure{not_finite};
    return results(eigen(std::move(a), std::move(b), vectors, how == EigenChoice::qz), vectors);
  });
}

Output real_spectrum(const Input& input, EigenVectors vectors) {
  return decompose(input, vectors, [](const auto& result, EigenVectors which) { return checked(result, which); });
}

Output any_spectrum(const Input& input, EigenVectors vectors) {
  return decompose(input, vectors, [](const auto& result, EigenVectors which) { return whole(result, which); });
}

}  // namespace

Output eigenvalues(const Input& input) { return real_spectrum(input, EigenVectors::none); }
Output eigenvectors(const Input& input) { return real_spectrum(input, EigenVectors::right); }
Output eigenvectors_both(const Input& input) { return real_spectrum(input, EigenVectors::both); }
Output spectrum(const Input& input) { return any_spectrum(input, EigenVectors::none); }
Output spectrum_vectors(const Input& input) { return any_spectrum(input, EigenVectors::right); }
Output spectrum_vectors_both(const Input& input) { return any_spectrum(input, EigenVectors::both); }

}  // namespace steps
}  // namespace lac::runtime
