#include "runtime/cpu/strip/sums.h"

#include <cmath>

namespace lac::runtime {
namespace {

// Each loop twice, for machines with and without fma: __builtin_fma is one instruction in the first.
template <bool fused, class T>
[[gnu::always_inline]] inline T multiply_add(T a, T b, T c) {
  if constexpr (!fused) {
    const T product = a * b;
    return c + product;
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
}

template <bool fused, class T>
[[gnu::always_inline]] inline void products(const T* a, std::int64_t step_a, const T* b, std::int64_t step_b, T* sum,
                                            std::int64_t count) {
  if (step_a == 1 && step_b == 0) {
    const T factor = *b;
    for (std::int64_t l = 0; l < count; ++l) sum[l] = multiply_add<fused>(a[l], factor, sum[l]);
  } else if (step_a == 1 && step_b == 1) {
    for (std::int64_t l = 0; l < count; ++l) sum[l] = multiply_add<fused>(a[l], b[l], sum[l]);
  } else {
    for (std::int64_t l = 0; l < count; ++l) sum[l] = multiply_add<fused>(a[l * step_a], b[l * step_b], sum[l]);
  }
}

template <bool fused, bool look, class T>
[[gnu::always_inline]] inline T row(const T* values, const std::int32_t* columns, std::int64_t count, const T* x,
                                    std::int64_t step, T sum) {
  for (std::int64_t e = 0; e < count; ++e)
    if (!look || values[e] != 0) sum = multiply_add<fused>(values[e], x[columns[e] * step], sum);
  return sum;
}

template <bool fused, class T>
[[gnu::always_inline]] inline void diagonal(const T* values, const T* x, T* sum, std::int64_t count) {
  for (std::int64_t l = 0; l < count; ++l) {
    const T next = multiply_add<fused>(values[l], x[l], sum[l]);
    sum[l] = values[l] != 0 ? next : sum[l];
  }
}

template <class T>
__attribute__((target("avx2,fma"))) void fused_products(const T* a, std::int64_t step_a, const T* b,
                                                        std::int64_t step_b, T* sum, std::int64_t count) {
  products<true>(a, step_a, b, step_b, sum, count);
}
template <bool look, class T>
__attribute__((target("avx2,fma"))) T fused_row(const T* values, const std::int32_t* columns, std::int64_t count,
                                                const T* x, std::int64_t step, T sum) {
  return row<true, look>(values, columns, count, x, step, sum);
}
template <class T>
__attribute__((target("avx2,fma"))) void fused_diagonal(const T* values, const T* x, T* sum, std::int64_t count) {
  diagonal<true>(values, x, sum, count);
}

}  // namespace

template <class T>
void add_products(bool fused, const T* a, std::int64_t step_a, const T* b, std::int64_t step_b, T* sum,
                  std::int64_t count) {
  if (fused) fused_products(a, step_a, b, step_b, sum, count);
  else products<false>(a, step_a, b, step_b, sum, count);
}

template <class T>
T add_row(bool fused, const T* values, const std::int32_t* columns, std::int64_t count, const T* x, std::int64_t step,
          T sum) {
  return fused ? fused_row<false>(values, columns, count, x, step, sum)
               : row<false, false>(values, columns, count, x, step, sum);
}

template <class T>
T add_row_entries(bool fused, const T* values, const std::int32_t* columns, std::int64_t count, const T* x,
                  std::int64_t step, T sum) {
  return fused ? fused_row<true>(values, columns, count, x, step, sum)
               : row<false, true>(values, columns, count, x, step, sum);
}

template <class T>
void add_diagonal(bool fused, const T* values, const T* x, T* sum, std::int64_t count) {
  if (fused) fused_diagonal(values, x, sum, count);
  else diagonal<false>(values, x, sum, count);
}

template void add_products(bool, const double*, std::int64_t, const double*, std::int64_t, double*, std::int64_t);
template void add_products(bool, const float*, std::int64_t, const float*, std::int64_t, float*, std::int64_t);
template double add_row(bool, const double*, const std::int32_t*, std::int64_t, const double*, std::int64_t, double);
template float add_row(bool, const float*, const std::int32_t*, std::int64_t, const float*, std::int64_t, float);
template double add_row_entries(bool, const double*, const std::int32_t*, std::int64_t, const double*, std::int64_t,
                                double);
template float add_row_entries(bool, const float*, const std::int32_t*, std::int64_t, const float*, std::int64_t,
                               float);
template void add_diagonal(bool, const double*, const double*, double*, std::int64_t);
template void add_diagonal(bool, const float*, const float*, float*, std::int64_t);

}  // namespace lac::runtime
