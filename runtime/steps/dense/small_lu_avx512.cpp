// Compiled for machines with AVX-512 (F, VL, DQ).
#include "runtime/steps/dense/small_lu_steps.h"

namespace lac::runtime {

template <class T>
SmallLuCode<T> small_lu_avx512(int n) {
  using Quarter = Registers<T, 16>;
  using Half = Registers<T, 32>;
  using Whole = Registers<T, 64>;
  if (n <= Quarter::lanes) return SmallLuSteps<Quarter>::code_of_size(n);
  if (n <= Half::lanes) return SmallLuSteps<Half>::code_of_size(n);
  if (n <= Whole::lanes) return SmallLuSteps<Whole>::code_of_size(n);
  return SmallLuSteps<Whole>::code_of_registers(n);
}

template SmallLuCode<float> small_lu_avx512(int);
template SmallLuCode<double> small_lu_avx512(int);

}  // namespace lac::runtime
