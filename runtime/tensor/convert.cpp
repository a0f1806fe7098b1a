#include "runtime/tensor/convert.h"

#include <algorithm>
#include <limits>
#include <new>

#include "ir/types/extent.h"

namespace lac::runtime {
namespace {

// Calls f(i, j, value) for every entry, row by row with ascending columns (dense: column by column, all entries).
template <class F>
void for_each_entry(const Tensor& a, F&& f) {
  with_element(a.element(), [&](auto tag) {
    const auto* values = a.values<decltype(tag)>();
    if (a.storage() == Storage::csr) {
      for (std::int64_t i = 0; i < a.rows(); ++i)
        for (std::int32_t k = a.row_pointers()[i]; k < a.row_pointers()[i + 1]; ++k)
          f(i, std::int64_t{a.column_indices()[k]}, static_cast<double>(values[k]));
    } else if (a.storage() == Storage::diagonal) {
      const auto& offsets = a.offsets();
      for (std::int64_t i = 0; i < a.rows(); ++i)
        for (std::size_t d = 0; d < offsets.size(); ++d) {
          const std::int64_t j = i + offsets[d];
          if (j >= 0 && j < a.cols()) f(i, j, static_cast<double>(values[static_cast<std::int64_t>(d) * a.rows() + i]));
        }
    } else {
      for (std::int64_t j = 0; j < a.cols(); ++j)
        for (std::int64_t i = 0; i < a.rows(); ++i) f(i, j, static_cast<double>(values[j * a.rows() + i]));
    }
  });
}

template <class To, class From>
void convert_values(const From* from, To* to, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) {
    if constexpr (std::is_same_v<To, std::uint8_t>) to[k] = from[k] != From{0};
    else to[k] = static_cast<To>(from[k]);
  }
}

// Entries sorted by column, stably: the first half of a two-pass bucket sort.
std::vector<Triplet> sorted_by_column(const std::vector<Triplet>& entries, std::int64_t cols) {
  std::vector<std::int64_t> next(static_cast<std::size_t>(cols) + 1, 0);
  for (const Triplet& e : entries) ++next[static_cast<std::size_t>(e.col) + 1];
  for (std::size_t j = 1; j < next.size(); ++j) next[j] += next[j - 1];
  std::vector<Triplet> sorted(entries.size());
  for (const Triplet& e : entries) sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(e.col)]++)] = e;
  return sorted;
}

bool is_row_major(const std::vector<Triplet>& entries) {
  return std::is_sorted(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  });
}

// Far more rows and columns than entries: no array is to be as long as these.
bool is_hypersparse(std::int64_t rows, std::int64_t cols, std::int64_t entries) {
  return rows + cols > 4 * entries + 1024;
}

// Entries sorted by row, then column, duplicates kept in their order; those of a hypersparse shape by comparison.
std::vector<Triplet> sorted_row_major(const std::vector<Triplet>& entries, std::int64_t rows, std::int64_t cols) {
  if (is_hypersparse(rows, cols, static_cast<std::int64_t>(entries.size()))) {
    std::vector<Triplet> sorted = entries;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Triplet& a, const Triplet& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
    return sorted;
  }
  const std::vector<Triplet> by_column = sorted_by_column(entries, cols);
  std::vector<std::int64_t> next(static_cast<std::size_t>(rows) + 1, 0);
  for (const Triplet& e : by_column) ++next[static_cast<std::size_t>(e.row) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<Triplet> sorted(entries.size());
  for (const Triplet& e : by_column) sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(e.row)]++)] = e;
  return sorted;
}

void add_duplicates(std::vector<Triplet>& sorted) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    if (kept > 0 && sorted[kept - 1].row == sorted[k].row && sorted[kept - 1].col == sorted[k].col)
      sorted[kept - 1].value += sorted[k].value;
    else sorted[kept++] = sorted[k];
  }
  sorted.resize(kept);
}

}  // namespace

Tensor csr_from_triplets(Element element, std::int64_t rows, std::int64_t cols, const std::vector<Triplet>& entries) {
  std::vector<Triplet> sorted = is_row_major(entries) ? entries : sorted_row_major(entries, rows, cols);
  add_duplicates(sorted);
  Tensor result = Tensor::csr(element, rows, cols, static_cast<std::int64_t>(sorted.size()));
  std::int32_t* pointers = result.mutable_row_pointers();
  std::int32_t* columns = result.mutable_column_indices();
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    ++pointers[sorted[k].row + 1];
    columns[k] = sorted[k].col;
  }
  for (std::int64_t i = 0; i < rows; ++i) pointers[i + 1] += pointers[i];
  with_element(element, [&](auto tag) {
    using T = decltype(tag);
    T* values = result.mutable_values<T>();
    for (std::size_t k = 0; k < sorted.size(); ++k) convert_values(&sorted[k].value, values + k, 1);
  });
  return result;
}

std::vector<Triplet> to_triplets(const Tensor& a) {
  if (!is_sparse_extent(a.rows()) || !is_sparse_extent(a.cols())) throw std::bad_alloc();  // as triplets are
  std::vector<Triplet> entries;
  entries.reserve(static_cast<std::size_t>(a.storage() == Storage::csr ? a.stored() : 0));
  for_each_entry(a, [&](std::int64_t i, std::int64_t j, double value) {
    if (a.storage() == Storage::csr || value != 0.0)
      entries.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), value});
  });
  return entries;
}

Tensor to_element(const Tensor& a, Element element) {
  if (a.element() == element) return a;
  Tensor result = a.like(element);
  with_element(a.element(), [&](auto from) {
    with_element(element, [&](auto to) {
      convert_values(a.values<decltype(from)>(), result.mutable_values<decltype(to)>(), a.stored());
    });
  });
  return result;
}

Tensor to_dense(const Tensor& a) {
  if (a.is_dense()) return a;
  Tensor result = Tensor::dense(a.element(), a.rows(), a.cols());
  with_element(a.element(), [&](auto tag) {
    using T = decltype(tag);
    T* values = result.mutable_values<T>();
    for_each_entry(
        a, [&](std::int64_t i, std::int64_t j, double value) { values[j * a.rows() + i] = static_cast<T>(value); });
  });
  return result;
}

Tensor to_csr(const Tensor& a) {
  if (a.storage() == Storage::csr) return a;
  return csr_from_triplets(a.element(), a.rows(), a.cols(), to_triplets(a));
}

std::vector<std::int64_t> diagonal_offsets(const Tensor& a) {
  if (a.storage() == Storage::diagonal) return a.offsets();
  std::vector<std::int64_t> offsets;
  if (a.empty()) return offsets;
  if (is_hypersparse(a.rows(), a.cols(), a.stored())) {
    for_each_entry(a, [&](std::int64_t i, std::int64_t j, double) { offsets.push_back(j - i); });
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
  }
  std::vector<bool> used(static_cast<std::size_t>(a.rows() + a.cols() - 1), false);
  for_each_entry(a, [&](std::int64_t i, std::int64_t j, double value) {
    if (a.storage() == Storage::csr || value != 0.0) used[static_cast<std::size_t>(j - i + a.rows() - 1)] = true;
  });
  for (std::size_t d = 0; d < used.size(); ++d)
    if (used[d]) offsets.push_back(static_cast<std::int64_t>(d) - (a.rows() - 1));
  return offsets;
}

std::optional<Tensor> to_diagonal(const Tensor& a, std::int64_t max_diagonals) {
  std::vector<std::int64_t> offsets = diagonal_offsets(a);
  if (static_cast<std::int64_t>(offsets.size()) > max_diagonals) return std::nullopt;
  if (a.storage() == Storage::diagonal) return a;
  Tensor result = Tensor::diagonal(a.element(), a.rows(), a.cols(), offsets);
  with_element(a.element(), [&](auto tag) {
    using T = decltype(tag);
    T* values = result.mutable_values<T>();
    for_each_entry(a, [&](std::int64_t i, std::int64_t j, double value) {
      if (value == 0.0) return;  // a zero of a dense matrix may lie on a diagonal that is not stored
      const auto place = std::lower_bound(offsets.begin(), offsets.end(), j - i) - offsets.begin();
      values[place * a.rows() + i] = static_cast<T>(value);
    });
  });
  return result;
}

Tensor to_storage(const Tensor& a, Storage storage) {
  if (storage == Storage::dense) return to_dense(a);
  if (storage == Storage::csr) return to_csr(a);
  return *to_diagonal(a, std::numeric_limits<std::int64_t>::max());
}

bool pays_as_diagonal(const Tensor& csr) {
  constexpr std::int64_t max_diagonals = 512;
  if (csr.storage() != Storage::csr || csr.stored() == 0) return false;
  const auto diagonals = static_cast<std::int64_t>(diagonal_offsets(csr).size());
  return diagonals <= max_diagonals && 2 * diagonals * csr.rows() <= 3 * csr.stored();
}

Tensor detect_storage(const Tensor& a) { return pays_as_diagonal(a) ? to_storage(a, Storage::diagonal) : a; }

}  // namespace lac::runtime
