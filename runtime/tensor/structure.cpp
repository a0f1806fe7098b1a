#include "runtime/tensor/structure.h"

#include <algorithm>
#include <cmath>

#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"

namespace lac::runtime {
namespace {

bool agree(double a, double b, double tolerance) {
  if (a == b) return true;
  const double larger = std::max(std::abs(a), std::abs(b));  // infinite: no tolerance covers the difference
  return std::isfinite(larger) && std::abs(a - b) <= tolerance * larger;
}

std::optional<Asymmetry> find_dense_asymmetry(const Tensor& a, double tolerance) {
  return with_element(a.element(), [&](auto tag) -> std::optional<Asymmetry> {
    const auto* values = a.values<decltype(tag)>();
    const std::int64_t n = a.rows();
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = i; j < n; ++j) {
        const auto upper = static_cast<double>(values[j * n + i]);
        const auto lower = static_cast<double>(values[i * n + j]);
        if (!agree(upper, lower, tolerance)) return Asymmetry{i, j, upper, lower};
      }
    return std::nullopt;
  });
}

// Merges row i of A with row i of its transpose; an absent entry counts as zero.
std::optional<Asymmetry> find_row_asymmetry(const Tensor& a, const Tensor& transposed, std::int64_t i,
                                            double tolerance) {
  std::int32_t k = a.row_pointers()[i];
  std::int32_t t = transposed.row_pointers()[i];
  const std::int32_t k_end = a.row_pointers()[i + 1];
  const std::int32_t t_end = transposed.row_pointers()[i + 1];
  constexpr std::int32_t past_the_end = 0x7fffffff;
  while (k < k_end || t < t_end) {
    const std::int32_t k_col = k < k_end ? a.column_indices()[k] : past_the_end;
    const std::int32_t t_col = t < t_end ? transposed.column_indices()[t] : past_the_end;
    const double value = k_col <= t_col ? a.stored_value(k) : 0.0;
    const double mirrored = t_col <= k_col ? transposed.stored_value(t) : 0.0;
    if (!agree(value, mirrored, tolerance)) return Asymmetry{i, std::min(k_col, t_col), value, mirrored};
    k += k_col <= t_col;
    t += t_col <= k_col;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t count_nonzeros(const Tensor& a) {
  return with_element(a.element(), [&](auto tag) {
    const auto* values = a.values<decltype(tag)>();
    return static_cast<std::int64_t>(
        std::count_if(values, values + a.stored(), [](auto value) { return value != decltype(value){0}; }));
  });
}

std::optional<Asymmetry> find_asymmetry(const Tensor& a, double tolerance) {
  if (a.is_dense()) return find_dense_asymmetry(a, tolerance);
  const Tensor rows = to_csr(a);
  const Tensor transposed = transpose(rows);
  for (std::int64_t i = 0; i < rows.rows(); ++i)
    if (auto found = find_row_asymmetry(rows, transposed, i, tolerance)) return found;
  return std::nullopt;
}

Bandwidth bandwidth(const Tensor& a) {
  Bandwidth result;
  if (a.storage() == Storage::csr) {  // stored zeros do not count
    for (const Triplet& e : to_triplets(a)) {
      if (e.value == 0.0) continue;
      result.lower = std::max<std::int64_t>(result.lower, e.row - e.col);
      result.upper = std::max<std::int64_t>(result.upper, e.col - e.row);
    }
    return result;
  }
  const std::vector<std::int64_t> offsets = diagonal_offsets(a);
  if (offsets.empty()) return result;
  return {std::max<std::int64_t>(0, -offsets.front()), std::max<std::int64_t>(0, offsets.back())};
}

std::optional<std::int64_t> find_nonpositive_diagonal(const Tensor& a) {
  const std::int64_t n = std::min(a.rows(), a.cols());
  for (std::int64_t i = 0; i < n; ++i)
    if (!(a.at(i, i) > 0.0)) return i;
  return std::nullopt;
}

}  // namespace lac::runtime
