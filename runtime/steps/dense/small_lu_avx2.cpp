// Compiled for machines with AVX2 and fma.
#include "runtime/steps/dense/small_lu_steps.h"

namespace lac::runtime {

template <class T>
SmallLuCode<T> small_lu_avx2(int n) {
  using Half = Registers<T, 16>;
  using Whole = Registers<T, 32>;
  if (n <= Half::lanes) return SmallLuSteps<Half>::code_of_size(n);
  if (n <= Whole::lanes) return SmallLuSteps<Whole>::code_of_size(n);
  return SmallLuSteps<Whole>::code_of_registers(n);
}

template SmallLuCode<float> small_lu_avx2(int);
template SmallLuCode<double> small_lu_avx2(int);

}  // namespace lac::runtime
