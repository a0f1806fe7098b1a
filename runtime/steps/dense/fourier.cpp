#include "runtime/steps/dense/fourier.h"

#define EIGEN_MPL2_ONLY
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <unsupported/Eigen/FFT>

#include "runtime/steps/dense/four_step.h"
#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/steps.h"
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
  std::optional<FourStepTransform<T>> by_steps[2] = {};  // of a long one: forward, inverse
  std::vector<Value> between = {};
  std::vector<Value> in = {}, out = {};  // of a short one
  // exp(-i pi k^2 / n), and the transform of its conjugate, continued to `length`
  int length = 0;
  std::vector<Value> chirp = {}, filter = {}, product = {};

  Plan(int size, bool is_inverse) : n(size), inverse(is_inverse) {
    if (n > most_direct_factor && largest_factor(n) > most_direct_factor) make_chirp();
  }

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  void make_chirp() {
    length = power_of_two_from(2 * n - 1);
    chirp.resize(at(n));
    for (int k = 0; k < n; ++k) {
      const auto square = static_cast<double>(static_cast<std::int64_t>(k) * k % (2 * static_cast<std::int64_t>(n)));
      const double angle = -std::numbers::pi * square / n;
      chirp[at(k)] = {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
    }
    const auto continued = [&](std::size_t k) {
      const std::size_t to_zero = std::min(k, at(length) - k);
      return to_zero < chirp.size() ? std::conj(chirp[to_zero]) : Value(0);
    };
    filter.resize(at(length));
    product.resize(at(length));
    direct(length, false, continued, [&](std::size_t k, Value value) { filter[k] = value; });
  }

  // Without a factor 1/size. A plan has one size that it transforms directly.
  template <class Read, class Write>
  void direct(int size, bool backward, const Read& read, const Write& write) {
    const auto short_one = [&](const Value* from, Value* to, int part) {
      if (part == 1) to[0] = from[0];
      else if (backward) fft.inv(to, from, part);
      else fft.fwd(to, from, part);
    };
    const FourSteps steps = four_steps(size);
    if (steps.rows > 1) {
      std::optional<FourStepTransform<T>>& by = by_steps[backward ? 1 : 0];
      if (!by) by.emplace(steps, backward);
      return (*by)(read, write, between, short_one);
    }
    in.resize(at(size));
    out.resize(at(size));
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = read(k);
    short_one(in.data(), out.data(), size);
    for (std::size_t k = 0; k < out.size(); ++k) write(k, out[k]);
  }

  // Of the inverse transform the conjugate is the transform of the conjugate.
  template <class Read, class Write>
  void by_convolution(const Read& read, const Write& write) {
    const auto times_chirp = [&](std::size_t k) {
      if (k >= chirp.size()) return Value(0);
      return (inverse ? std::conj(read(k)) : read(k)) * chirp[k];
    };
    direct(length, false, times_chirp, [&](std::size_t k, Value value) { product[k] = value * filter[k]; });
    const auto from_chirp = [&](std::size_t k, Value value) {
      if (k >= chirp.size()) return;
      const Value result = value * chirp[k] / static_cast<T>(length);
      write(k, inverse ? std::conj(result) : result);
    };
    direct(
        length, true, [&](std::size_t k) { return product[k]; }, from_chirp);
  }

  void run(T* re, T* im) {
    const T divisor = static_cast<T>(inverse ? n : 1);
    const auto read = [&](std::size_t k) { return Value(re[k], im[k]); };
    const auto write = [&](std::size_t k, Value value) {
      re[k] = value.real() / divisor;
      im[k] = value.imag() / divisor;
    };
    if (length > 0) by_convolution(read, write);
    else direct(n, inverse, read, write);
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
void FourierTransform<T>::operator()(T* re, T* im) {
  plan_->run(re, im);
}

template class FourierTransform<float>;
template class FourierTransform<double>;

namespace steps {
namespace {

template <class T>
using Part = lapack::Matrix<T>;

template <class T>
struct Parts {
  Part<T> re, im;
  int rows() const { return re.rows(); }
  int cols() const { return re.cols(); }
};

/// The leading part of `x`, and zeros behind it.
template <class T>
Part<T> resized(Part<T> x, int rows, int cols) {
  if (rows == x.rows() && cols == x.cols()) return x;
  Part<T> result = lapack::zeros<T>(rows, cols);
  for (int j = 0; j < std::min(cols, x.cols()); ++j)
    for (int i = 0; i < std::min(rows, x.rows()); ++i) result.at(i, j) = x.at(i, j);
  return result;
}

template <class T>
Part<T> transposed(const Part<T>& x) {
  Part<T> result = lapack::zeros<T>(x.cols(), x.rows());
  for (int j = 0; j < x.cols(); ++j)
    for (int i = 0; i < x.rows(); ++i) result.at(j, i) = x.at(i, j);
  return result;
}
template <class T>
Parts<T> transposed(const Parts<T>& x) {
  return {transposed(x.re), transposed(x.im)};
}

/// X(-i, -j) = conj(X(i, j)) to the last bit, the columns j .. j + cols - 1 taken as a matrix of their own: what a
/// transform makes of real values, and makes real values of.
template <class T>
struct Block {
  Parts<T>& x;
  int first, cols;

  int across(int i) const { return i == 0 ? 0 : x.rows() - i; }
  int along(int j) const { return first + (j == 0 ? 0 : cols - j); }

  template <class F>
  bool all(F&& holds) const {
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < x.rows(); ++i)
        if (!holds(i, j)) return false;
    return true;
  }
  bool is_real() const {
    return all([&](int i, int j) { return x.im.at(i, first + j) == 0; });
  }
  bool is_symmetric() const {
    return all([&](int i, int j) {
      return x.re.at(i, first + j) == x.re.at(across(i), along(j)) &&
             x.im.at(i, first + j) == -x.im.at(across(i), along(j));
    });
  }
  void make_real() const {
    all([&](int i, int j) {
      x.im.at(i, first + j) = 0;
      return true;
    });
  }
  void make_symmetric() const {
    all([&](int i, int j) {
      const bool is_own = across(i) == i && along(j) == first + j;
      x.re.at(across(i), along(j)) = x.re.at(i, first + j);
      x.im.at(across(i), along(j)) = is_own ? T(0) : -x.im.at(i, first + j);
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
void transform_columns(Parts<T>& x, bool inverse, bool keeps_symmetry) {
  std::optional<FourierTransform<T>> own;
  FourierTransform<T>& fourier = transform_of(x.rows(), inverse, own);
  for (int j = 0; j < x.cols(); ++j) {
    poll_stop();
    const auto run = [&] { fourier(&x.re.at(0, j), &x.im.at(0, j)); };
    if (keeps_symmetry) keeping_symmetry(Block<T>{x, j, 1}, run);
    else run();
  }
}

enum class Along { both = 0, columns = 1, rows = 2 };

template <class T>
Parts<T> transformed(Parts<T> x, Along along, bool inverse) {
  if (x.rows() == 0 || x.cols() == 0) return x;
  if (along == Along::rows) {
    x = transposed(x);
    transform_columns(x, inverse, true);
    return transposed(x);
  }
  if (along == Along::columns) {
    transform_columns(x, inverse, true);
    return x;
  }
  keeping_symmetry(Block<T>{x, 0, x.cols()}, [&] {
    transform_columns(x, inverse, false);
    x = transposed(x);
    transform_columns(x, inverse, false);
    x = transposed(x);
  });
  return x;
}

template <class T>
Output transform(const Input& input) {
  const ResultType& type = input.results[0];
  constexpr std::int64_t most = std::int64_t{1} << 29;
  if (type.rows > most || type.cols > most) return Failure{"error: fft: transforms of more than 2^29 numbers"};
  const auto part = [&](const Tensor& tensor) {
    Part<T> own(to_element(to_dense(tensor), lapack::element_of<T>()));
    return resized(std::move(own), static_cast<int>(type.rows), static_cast<int>(type.cols));
  };
  Part<T> re = part(input.operands[0]);
  Part<T> im = input.operands.size() > 3 ? part(input.operands[3]) : lapack::zeros<T>(re.rows(), re.cols());
  const Parts<T> made = transformed(Parts<T>{std::move(re), std::move(im)},
                                    static_cast<Along>(static_cast<int>(input.operands[1].as_scalar())),
                                    input.operands[2].as_scalar() != 0);
  return std::vector<Tensor>{made.re.tensor, made.im.tensor};
}

}  // namespace

Output fourier(const Input& input) {
  return input.results[0].element == Element::single ? transform<float>(input) : transform<double>(input);
}

}  // namespace steps
}  // namespace lac::runtime
