#include <algorithm>
#include <cstdlib>

#include "runtime/tensor/sparse.h"

namespace lac::runtime {

Tensor diagonal_of(const Tensor& a, std::int64_t k) {
  const std::int64_t row = std::max<std::int64_t>(0, -k);
  const std::int64_t col = std::max<std::int64_t>(0, k);
  const std::int64_t length = std::max<std::int64_t>(0, std::min(a.rows() - row, a.cols() - col));
  Tensor result = Tensor::dense(a.element(), length, 1);
  with_element(a.element(), [&](auto tag) {
    using T = decltype(tag);
    T* to = result.mutable_values<T>();
    for (std::int64_t i = 0; i < length; ++i) to[i] = static_cast<T>(a.at(row + i, col + i));
  });
  return result;
}

Tensor diagonal_matrix(const Tensor& v, std::int64_t k, Storage storage) {
  const std::int64_t length = v.count();
  const std::int64_t n = length + std::abs(k);
  const std::int64_t first_row = std::max<std::int64_t>(0, -k);
  const bool dense = storage == Storage::dense;
  Tensor result = dense ? Tensor::dense(v.element(), n, n) : Tensor::diagonal(v.element(), n, n, {k});
  with_element(v.element(), [&](auto tag) {
    using T = decltype(tag);
    T* to = result.mutable_values<T>();
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t row = first_row + i;
      to[dense ? (row + k) * n + row : row] = static_cast<T>(v.stored_value(i));
    }
  });
  return result;
}

Tensor spdiags(const Tensor& columns, const std::vector<std::int64_t>& offsets, std::int64_t rows, std::int64_t cols) {
  std::vector<std::int64_t> sorted = offsets;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::erase_if(sorted, [&](std::int64_t d) { return d <= -rows || d >= cols; });
  Tensor result = Tensor::diagonal(columns.element(), rows, cols, sorted);
  with_element(columns.element(), [&](auto tag) {
    using T = decltype(tag);
    const T* from = columns.values<T>();
    T* to = result.mutable_values<T>();
    for (std::size_t c = 0; c < offsets.size(); ++c) {
      const std::int64_t offset = offsets[c];
      const auto found = std::lower_bound(sorted.begin(), sorted.end(), offset);
      if (found == sorted.end() || *found != offset) continue;
      T* diagonal = to + (found - sorted.begin()) * rows;
      const std::int64_t shift = rows >= cols ? -offset : 0;  // row r of the columns goes to matrix row r + shift
      for (std::int64_t r = 0; r < columns.rows(); ++r) {
        const std::int64_t i = r + shift;
        if (i < 0 || i >= rows || i + offset < 0 || i + offset >= cols) continue;
        diagonal[i] = static_cast<T>(diagonal[i] + from[static_cast<std::int64_t>(c) * columns.rows() + r]);
      }
    }
  });
  return result;
}

Tensor extract_diagonals(const Tensor& a, const std::vector<std::int64_t>& offsets) {
  const std::int64_t length = std::min(a.rows(), a.cols());
  Tensor result = Tensor::dense(a.element(), length, static_cast<std::int64_t>(offsets.size()));
  for (std::size_t c = 0; c < offsets.size(); ++c) {
    const Tensor diagonal = diagonal_of(a, offsets[c]);
    const bool at_end = a.rows() >= a.cols() ? offsets[c] > 0 : offsets[c] < 0;
    const std::int64_t first = static_cast<std::int64_t>(c) * length + (at_end ? length - diagonal.count() : 0);
    for (std::int64_t i = 0; i < diagonal.count(); ++i) result.set_stored_value(first + i, diagonal.stored_value(i));
  }
  return result;
}

}  // namespace lac::runtime
