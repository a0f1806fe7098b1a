// Compiled for machines with AVX2 and fma.
#include "runtime/steps/dense/small_lu_steps.h"

namespace lac::runtime {

namespace {

template <class T, int n>
constexpr SmallLuCode<T> code_of_size() {
  using Half = Registers<T, 16>;
  using Whole = Registers<T, 32>;
  if constexpr (n <= Half::lanes) return SmallLuSteps<Half>::template code_of_size<n>();
  else if constexpr (n <= Whole::lanes) return SmallLuSteps<Whole>::template code_of_size<n>();
  else return SmallLuSteps<Whole>::template code_of_registers<n>();
}

}  // namespace

template <class T>
const SmallLuCode<T>& small_lu_avx2(int n) {
  static constexpr auto codes = codes_of_sizes([](auto size) { return code_of_size<T, size>(); });
  return codes[static_cast<std::size_t>(n - 1)];
}

template const SmallLuCode<float>& small_lu_avx2(int);
template const SmallLuCode<double>& small_lu_avx2(int);

}  // namespace lac::runtime
