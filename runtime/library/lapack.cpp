#include "runtime/library/lapack.h"

// OpenBLAS's own control; its headers are not needed for anything else.
extern "C" void openblas_set_num_threads(int count);

namespace lac::runtime::lapack {

void configure() {
  static const bool done = [] {
    openblas_set_num_threads(1);
    LAPACKE_set_nancheck(0);
    return true;
  }();
  static_cast<void>(done);
}

bool fits(const Tensor& tensor) {
  constexpr std::int64_t limit = std::numeric_limits<lapack_int>::max();
  return tensor.rows() <= limit && tensor.cols() <= limit;
}

}  // namespace lac::runtime::lapack
