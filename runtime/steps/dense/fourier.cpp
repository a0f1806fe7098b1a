#include "runtime/steps/dense/fourier.h"

#define EIGEN_MPL2_ONLY
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <unsupported/Eigen/FFT>

#include "runtime/steps/dense/complex_matrix.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

/// Longer lengths whose largest prime factor is above this go by convolution.
constexpr int most_direct_factor = 127;

int largest_factor(int n) {
  int largest = 1;
  for (int p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return n > 1 ? std::max(largest, n) : largest;
}

int power_of_two_from(int n) {
  int power = 1;
  while (power < n) power *= 2;
  return power;
}

}  // namespace

template <class T>
struct FourierTransform<T>::Plan {
  using Value = std::complex<T>;
  int n;
  bool inverse;
  Eigen::internal::kissfft_impl<T> fft = {};
  // exp(-i pi k^2 / n), and the transform of its conjugate, continued to `length`
  int length = 0;
  std::vector<Value> chirp = {}, filter = {}, work = {}, product = {};

  Plan(int size, bool is_inverse) : n(size), inverse(is_inverse) {
    if (n > most_direct_factor && largest_factor(n) > most_direct_factor) make_chirp();
  }

  void make_chirp() {
    length = power_of_two_from(2 * n - 1);
    chirp.resize(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
      const auto square = static_cast<double>(static_cast<std::int64_t>(k) * k % (2 * static_cast<std::int64_t>(n)));
      const double angle = -std::numbers::pi * square / n;
      chirp[static_cast<std::size_t>(k)] = {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
    }
    work.assign(static_cast<std::size_t>(length), Value(0));
    for (int k = 0; k < n; ++k) {
      work[static_cast<std::size_t>(k)] = std::conj(chirp[static_cast<std::size_t>(k)]);
      if (k > 0) work[static_cast<std::size_t>(length - k)] = std::conj(chirp[static_cast<std::size_t>(k)]);
    }
    filter.resize(work.size());
    product.resize(work.size());
    fft.fwd(filter.data(), work.data(), length);
  }

  // Of the inverse transform the conjugate is the transform of the conjugate.
  void by_convolution(const Value* in, Value* out) {
    std::ranges::fill(work, Value(0));
    for (int k = 0; k < n; ++k)
      work[static_cast<std::size_t>(k)] = (inverse ? std::conj(in[k]) : in[k]) * chirp[static_cast<std::size_t>(k)];
    fft.fwd(product.data(), work.data(), length);
    for (std::size_t k = 0; k < product.size(); ++k) product[k] *= filter[k];
    fft.inv(work.data(), product.data(), length);
    for (int k = 0; k < n; ++k) {
      const Value value =
          work[static_cast<std::size_t>(k)] * chirp[static_cast<std::size_t>(k)] / static_cast<T>(length);
      out[k] = inverse ? std::conj(value) : value;
    }
  }

  void run(const Value* in, Value* out) {
    if (n == 1) out[0] = in[0];
    else if (length > 0) by_convolution(in, out);
    else if (inverse) fft.inv(out, in, n);
    else fft.fwd(out, in, n);
    if (!inverse) return;
    for (int k = 0; k < n; ++k) out[k] /= static_cast<T>(n);
  }
};

template <class T>
FourierTransform<T>::FourierTransform(int n, bool inverse) : plan_(std::make_unique<Plan>(n, inverse)) {}
template <class T>
FourierTransform<T>::~FourierTransform() = default;
template <class T>
FourierTransform<T>::FourierTransform(FourierTransform&&) noexcept = default;
template <class T>
FourierTransform<T>& FourierTransform<T>::operator=(FourierTransform&&) noexcept = default;

template <class T>
void FourierTransform<T>::operator()(const std::complex<T>* in, std::complex<T>* out) {
  plan_->run(in, out);
}

template class FourierTransform<float>;
template class FourierTransform<double>;

namespace steps {
namespace {

/// The leading part of `x`, and zeros behind it.
template <class T>
ComplexMatrix<T> resized(ComplexMatrix<T> x, int rows, int cols) {
  if (rows == x.rows && cols == x.cols) return x;
  ComplexMatrix<T> result(rows, cols);
  for (int j = 0; j < std::min(cols, x.cols); ++j)
    for (int i = 0; i < std::min(rows, x.rows); ++i) result.at(i, j) = x.at(i, j);
  return result;
}

template <class T>
ComplexMatrix<T> transposed(ComplexMatrix<T> x) {
  if (x.rows == 1 || x.cols == 1) {
    std::swap(x.rows, x.cols);
    return x;
  }
  ComplexMatrix<T> result(x.cols, x.rows);
  for (int j = 0; j < x.cols; ++j)
    for (int i = 0; i < x.rows; ++i) result.at(j, i) = x.at(i, j);
  return result;
}

/// X(-i, -j) = conj(X(i, j)) to the last bit, the columns j .. j + cols - 1 taken as a matrix of their own: what a
/// transform makes of real values, and makes real values of.
template <class T>
struct Block {
  ComplexMatrix<T>& x;
  int first, cols;

  std::complex<T>& at(int i, int j) const { return x.at(i, first + j); }
  std::complex<T>& mirrored(int i, int j) const { return at((x.rows - i) % x.rows, (cols - j) % cols); }

  template <class F>
  bool all(F&& holds) const {
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < x.rows; ++i)
        if (!holds(i, j)) return false;
    return true;
  }
  bool is_real() const {
    return all([&](int i, int j) { return at(i, j).imag() == 0; });
  }
  bool is_symmetric() const {
    return all([&](int i, int j) { return at(i, j) == std::conj(mirrored(i, j)); });
  }
  void make_real() const {
    all([&](int i, int j) {
      at(i, j) = at(i, j).real();
      return true;
    });
  }
  void make_symmetric() const {
    all([&](int i, int j) {
      std::complex<T>& other = mirrored(i, j);
      if (&other == &at(i, j)) at(i, j) = at(i, j).real();
      else other = std::conj(at(i, j));
      return true;
    });
  }
};

/// Runs `transform` over the block. What the mathematics makes real or symmetric is so exactly, as in Octave: the
/// inverse of the transform of real values shows as real.
template <class T, class F>
void keeping_symmetry(const Block<T>& block, F&& transform) {
  const bool gives_real = block.is_symmetric(), gives_symmetric = block.is_real();
  transform();
  if (gives_real) block.make_real();
  if (gives_symmetric) block.make_symmetric();
}

/// The transform of this length that this thread did last, whose factors take as long as one run; not of huge ones,
/// which would keep memory.
template <class T>
FourierTransform<T>& transform_of(int n, bool inverse, std::optional<FourierTransform<T>>& own) {
  constexpr int most_kept = 1 << 22;
  struct Kept {
    int n = 0;
    std::optional<FourierTransform<T>> transform;
  };
  static thread_local Kept kept[2];
  if (n > most_kept) return own.emplace(n, inverse);
  Kept& last = kept[inverse ? 1 : 0];
  if (last.n != n) last.transform.emplace(n, inverse);
  last.n = n;
  return *last.transform;
}

template <class T>
void transform_columns(ComplexMatrix<T>& x, bool inverse, bool keeps_symmetry) {
  std::optional<FourierTransform<T>> own;
  FourierTransform<T>& fourier = transform_of(x.rows, inverse, own);
  std::vector<std::complex<T>> out(static_cast<std::size_t>(x.rows));
  const auto run = [&](int j) {
    poll_stop();
    fourier(&x.at(0, j), out.data());
    if (x.cols == 1) x.values.swap(out);
    else std::ranges::copy(out, &x.at(0, j));
  };
  for (int j = 0; j < x.cols; ++j) {
    if (keeps_symmetry) keeping_symmetry(Block<T>{x, j, 1}, [&] { run(j); });
    else run(j);
  }
}

enum class Along { both = 0, columns = 1, rows = 2 };

template <class T>
ComplexMatrix<T> transformed(ComplexMatrix<T> x, Along along, bool inverse) {
  if (x.values.empty()) return x;
  if (along == Along::rows) {
    x = transposed(std::move(x));
    transform_columns(x, inverse, true);
    return transposed(std::move(x));
  }
  if (along == Along::columns) {
    transform_columns(x, inverse, true);
    return x;
  }
  keeping_symmetry(Block<T>{x, 0, x.cols}, [&] {
    transform_columns(x, inverse, false);
    x = transposed(std::move(x));
    transform_columns(x, inverse, false);
    x = transposed(std::move(x));
  });
  return x;
}

template <class T>
Output transform(const Input& input) {
  const ResultType& type = input.results[0];
  constexpr std::int64_t most = std::int64_t{1} << 29;
  if (type.rows > most || type.cols > most) return Failure{"error: fft: transforms of more than 2^29 numbers"};
  const Tensor& re = input.operands[0];
  const bool is_complex = input.operands.size() > 3;
  const Tensor zero = is_complex ? input.operands[3] : lapack::zeros<T>(re.rows(), re.cols()).tensor;
  ComplexMatrix<T> x = resized(ComplexMatrix<T>(re, zero), static_cast<int>(type.rows), static_cast<int>(type.cols));
  std::vector<Tensor> results;
  append_parts(results, transformed(std::move(x), static_cast<Along>(static_cast<int>(input.operands[1].as_scalar())),
                                    input.operands[2].as_scalar() != 0));
  return results;
}

}  // namespace

Output fourier(const Input& input) {
  return input.results[0].element == Element::single ? transform<float>(input) : transform<double>(input);
}

}  // namespace steps
}  // namespace lac::runtime
