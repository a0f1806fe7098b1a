// Compiled for machines with AVX-512 (F, VL, DQ).
#include "runtime/steps/dense/small_lu_steps.h"

namespace lac::runtime {

namespace {

template <class T, int n>
constexpr SmallLuCode<T> code_of_size() {
  using Quarter = Registers<T, 16>;
  using Half = Registers<T, 32>;
  using Whole = Registers<T, 64>;
  if constexpr (n <= Quarter::lanes) return SmallLuSteps<Quarter>::template code_of_size<n>();
  else if constexpr (n <= Half::lanes) return SmallLuSteps<Half>::template code_of_size<n>();
  else if constexpr (n <= Whole::lanes) return SmallLuSteps<Whole>::template code_of_size<n>();
  else return SmallLuSteps<Whole>::template code_of_registers<n>();
}

}  // namespace

template <class T>
const SmallLuCode<T>& small_lu_avx512(int n) {
  static constexpr auto codes = codes_of_sizes([](auto size) { return code_of_size<T, size>(); });
  return codes[static_cast<std::size_t>(n - 1)];
}

template const SmallLuCode<float>& small_lu_avx512(int);
template const SmallLuCode<double>& small_lu_avx512(int);

}  // namespace lac::runtime
