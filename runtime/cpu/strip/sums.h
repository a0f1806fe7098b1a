// Multiply-adds over memory: the inner loops of plain products.
#pragma once

#include <cstdint>

namespace lac::runtime {

/// sum[l] = a[l*step_a] * b[l*step_b] + sum[l], by one rounding where `fused`.
template <class T>
void add_products(bool fused, const T* a, std::int64_t step_a, const T* b, std::int64_t step_b, T* sum,
                  std::int64_t count);

/// sum = values[e] * x[columns[e] * step] + sum for all e in order.
template <class T>
T add_row(bool fused, const T* values, const std::int32_t* columns, std::int64_t count, const T* x, std::int64_t step,
          T sum);
/// The same without the entries that are zero.
template <class T>
T add_row_entries(bool fused, const T* values, const std::int32_t* columns, std::int64_t count, const T* x,
                  std::int64_t step, T sum);

/// sum[l] = values[l] * x[l] + sum[l] where values[l] is not zero.
template <class T>
void add_diagonal(bool fused, const T* values, const T* x, T* sum, std::int64_t count);

}  // namespace lac::runtime
