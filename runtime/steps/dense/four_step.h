// Transforms whose values no longer fit a cache, as short ones of rows and columns (Bailey, FFTs in external or
// hierarchical memory, 1990). With j = cols*a + b and k = c + rows*d, n = rows*cols,
//     X(k) = sum over b of w_cols^(bd) * w_n^(bc) * (sum over a of x(j) w_rows^(ac))
// so memory is read and written twice, whatever n is. A transform of the whole goes over it once for each factor that
// it takes out of n.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <vector>

namespace lac::runtime {

/// The roots of unity w_n^m, 0 <= m < n, as products of two from tables of about sqrt(n).
template <class T>
class Roots {
 public:
  Roots(int n, bool inverse);
  std::complex<T> operator()(std::int64_t m) const {
    return product(coarse_[static_cast<std::size_t>(m >> fine_bits)],
                   fine_[static_cast<std::size_t>(m & ((1 << fine_bits) - 1))]);
  }
  /// std::complex's own product looks for NaN.
  static std::complex<T> product(std::complex<T> a, std::complex<T> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  static constexpr int fine_bits = 10;
  std::vector<std::complex<T>> coarse_, fine_;
};

/// n = rows * cols, of about the same size where n has no large prime factor; 1 * n where a cache holds the whole.
struct FourSteps {
  int rows = 1, cols = 1;
};
FourSteps four_steps(int n);

/// Values and their transform, without a factor 1/n: `read(j)` gives one, `write(k, X)` takes one, after all are read;
/// `shorter(in, out, length)` is a transform in the same direction of rows or cols values; `between` is memory that the
/// transforms of one length may share.
template <class T>
class FourStepTransform {
 public:
  FourStepTransform(FourSteps steps, bool inverse)
      : rows_(static_cast<std::size_t>(steps.rows)),
        cols_(static_cast<std::size_t>(steps.cols)),
        roots_(steps.rows * steps.cols, inverse),
        stride_(std::max(rows_, cols_) + apart),
        lines_(at_once * stride_),
        made_(at_once * stride_) {}

  template <class Read, class Write, class F>
  void operator()(const Read& read, const Write& write, std::vector<std::complex<T>>& between, F&& shorter) {
    between.resize(rows_ * cols_);
    for_each_group(cols_, [&](std::size_t first, std::size_t count) {
      for (std::size_t a = 0; a < rows_; ++a)
        for (std::size_t n = 0; n < count; ++n) lines_[n * stride_ + a] = read(a * cols_ + first + n);
      for (std::size_t n = 0; n < count; ++n)
        shorter(&lines_[n * stride_], &made_[n * stride_], static_cast<int>(rows_));
      for (std::size_t c = 0; c < rows_; ++c)
        for (std::size_t n = 0; n < count; ++n)
          between[c * cols_ + first + n] =
              Roots<T>::product(made_[n * stride_ + c], roots_(static_cast<std::int64_t>((first + n) * c)));
    });
    for_each_group(rows_, [&](std::size_t first, std::size_t count) {
      for (std::size_t n = 0; n < count; ++n)
        shorter(&between[(first + n) * cols_], &made_[n * stride_], static_cast<int>(cols_));
      for (std::size_t d = 0; d < cols_; ++d)
        for (std::size_t n = 0; n < count; ++n) write(d * rows_ + first + n, made_[n * stride_ + d]);
    });
  }

 private:
  static constexpr std::size_t at_once = 8;  // whole cache lines of columns
  static constexpr std::size_t apart = 8;    // so that lines whose length is a power of two share no set of a cache

  template <class F>
  static void for_each_group(std::size_t lines, F&& visit) {
    for (std::size_t first = 0; first < lines; first += at_once) visit(first, std::min(at_once, lines - first));
  }

  std::size_t rows_, cols_;
  Roots<T> roots_;
  std::size_t stride_;
  std::vector<std::complex<T>> lines_, made_;
};

extern template class Roots<float>;
extern template class Roots<double>;

}  // namespace lac::runtime
