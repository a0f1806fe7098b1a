// Discrete Fourier transforms of one length. Eigen's FFT (MPL-2.0, after KISS FFT) does lengths of small factors;
// others are turned into convolutions of a power of two (Bluestein 1970), so that no length takes n^2 operations. Long
// ones are done as short ones (four_step.h).
#pragma once

#include <memory>

namespace lac::runtime {

/// X(k) = sum over j of x(j) exp(-2 pi i jk / n); the inverse has the other sign and divides by n.
template <class T>
class FourierTransform {
 public:
  explicit FourierTransform(int n, bool inverse);
  ~FourierTransform();
  FourierTransform(FourierTransform&&) noexcept;
  FourierTransform& operator=(FourierTransform&&) noexcept;

  /// The real and the imaginary parts of n values, in place.
  void operator()(T* re, T* im);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

extern template class FourierTransform<float>;
extern template class FourierTransform<double>;

}  // namespace lac::runtime
