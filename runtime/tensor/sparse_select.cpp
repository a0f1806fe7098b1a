#include "runtime/tensor/sparse_select.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/scalar/scalar_op.h"
#include "ir/support/result.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/csr_builder.h"
#include "runtime/tensor/sparse.h"

namespace lac::runtime {
namespace {

/// Positions as indices from 0.
std::vector<std::int64_t> indices_of(const Tensor& positions) {
  const Tensor dense = to_dense(positions);
  std::vector<std::int64_t> indices(static_cast<std::size_t>(dense.count()));
  for (std::size_t k = 0; k < indices.size(); ++k)
    indices[k] = static_cast<std::int64_t>(dense.stored_value(static_cast<std::int64_t>(k))) - 1;
  return indices;
}

bool inside(std::int64_t index, std::int64_t extent) { return index >= 0 && index < extent; }

void add_row(const Tensor& diagonals, std::int64_t i, CsrBuilder& builder) {
  for (std::size_t d = 0; d < diagonals.offsets().size(); ++d) {
    const std::int64_t j = i + diagonals.offsets()[d];
    if (inside(j, diagonals.cols()))
      builder.add(j, diagonals.stored_value(static_cast<std::int64_t>(d) * diagonals.rows() + i));
  }
}

void add_row(const Tensor& csr, std::int64_t i, std::int64_t shift, CsrBuilder& builder) {
  for (std::int32_t k = csr.row_pointers()[i]; k < csr.row_pointers()[i + 1]; ++k)
    builder.add(csr.column_indices()[k] + shift, csr.stored_value(k));
}

/// Entries in the order they are given, then sorted; of equal places the last one given stays.
void keep_last(std::vector<Triplet>& entries) {
  const auto before = [](const Triplet& a, const Triplet& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) std::stable_sort(entries.begin(), entries.end(), before);
  std::size_t kept = 0;
  for (const Triplet& e : entries) {
    if (kept > 0 && entries[kept - 1].row == e.row && entries[kept - 1].col == e.col) entries[kept - 1] = e;
    else entries[kept++] = e;
  }
  entries.resize(kept);
}

/// Where the places of `changes` are stored; fewer where one is not, or becomes a zero, which is not stored.
std::vector<std::int64_t> stored_places(const Tensor& csr, const std::vector<Triplet>& changes) {
  std::vector<std::int64_t> places;
  for (const Triplet& change : changes) {
    if (change.row >= csr.rows() || change.value == 0) break;
    const std::int32_t* end = csr.column_indices() + csr.row_pointers()[change.row + 1];
    const std::int32_t* at = std::lower_bound(csr.column_indices() + csr.row_pointers()[change.row], end, change.col);
    if (at == end || *at != change.col) break;
    places.push_back(at - csr.column_indices());
  }
  return places;
}

/// A with the entries replaced by `changes`, which are sorted and distinct. Where all of them are stored the pattern is
/// shared and only values are copied.
Tensor replace_entries(const Tensor& a, std::int64_t rows, std::int64_t cols, const std::vector<Triplet>& changes,
                       Element element) {
  const Tensor csr = to_csr(a);
  if (a.rows() == rows && a.cols() == cols && a.element() == element)
    if (const auto places = stored_places(csr, changes); places.size() == changes.size()) {
      Tensor result = csr;
      for (std::size_t k = 0; k < places.size(); ++k) result.set_stored_value(places[k], changes[k].value);
      return result;
    }
  CsrBuilder builder(element, rows, cols);
  auto change = changes.begin();
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int32_t k = i < a.rows() ? csr.row_pointers()[i] : 0;
    const std::int32_t end = i < a.rows() ? csr.row_pointers()[i + 1] : 0;
    for (; change != changes.end() && change->row == i; ++change) {
      for (; k < end && csr.column_indices()[k] < change->col; ++k)
        builder.add(csr.column_indices()[k], csr.stored_value(k));
      if (k < end && csr.column_indices()[k] == change->col) ++k;
      builder.add(change->col, change->value);
    }
    for (; k < end; ++k) builder.add(csr.column_indices()[k], csr.stored_value(k));
    builder.end_row();
  }
  return builder.finish();
}

}  // namespace

Tensor select_rows(const Tensor& a, const Tensor& positions) {
  const std::vector<std::int64_t> indices = indices_of(positions);
  CsrBuilder builder(a.element(), static_cast<std::int64_t>(indices.size()), a.cols());
  const Tensor source = a.storage() == Storage::diagonal ? a : to_csr(a);
  for (const std::int64_t i : indices) {
    if (inside(i, a.rows())) {
      if (source.storage() == Storage::diagonal) add_row(source, i, builder);
      else add_row(source, i, 0, builder);
    }
    builder.end_row();
  }
  return builder.finish();
}

Tensor select_columns(const Tensor& a, const Tensor& positions) {
  const std::vector<std::int64_t> indices = indices_of(positions);
  const auto count = static_cast<std::int64_t>(indices.size());
  const bool ascending = std::adjacent_find(indices.begin(), indices.end(), std::greater_equal<>()) == indices.end();
  if (!ascending) return transpose(select_rows(transpose(to_csr(a)), positions));
  // Where column j goes, or -1.
  std::vector<std::int32_t> place(static_cast<std::size_t>(a.cols()), -1);
  for (std::int64_t k = 0; k < count; ++k)
    if (inside(indices[static_cast<std::size_t>(k)], a.cols()))
      place[static_cast<std::size_t>(indices[static_cast<std::size_t>(k)])] = static_cast<std::int32_t>(k);
  const Tensor csr = to_csr(a);
  CsrBuilder builder(a.element(), a.rows(), count);
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    for (std::int32_t k = csr.row_pointers()[i]; k < csr.row_pointers()[i + 1]; ++k)
      if (const std::int32_t to = place[static_cast<std::size_t>(csr.column_indices()[k])]; to >= 0)
        builder.add(to, csr.stored_value(k));
    builder.end_row();
  }
  return builder.finish();
}

Tensor select_elements(const Tensor& a, const Tensor& positions, std::int64_t rows, std::int64_t cols) {
  const std::vector<std::int64_t> indices = indices_of(positions);
  if (static_cast<std::int64_t>(indices.size()) != rows * cols)
    throw InternalError("sparse elements for another shape");
  CsrBuilder builder(a.element(), rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j)
      if (const std::int64_t index = indices[static_cast<std::size_t>(j * rows + i)]; inside(index, a.count()))
        builder.add(j, a.at(index % a.rows(), index / a.rows()));
    builder.end_row();
  }
  return builder.finish();
}

Tensor reshape_sparse(const Tensor& a, std::int64_t rows, std::int64_t cols) {
  std::vector<Triplet> entries = to_triplets(a);
  for (Triplet& e : entries) {
    const std::int64_t position = e.col * a.rows() + e.row;
    e.row = static_cast<std::int32_t>(position % rows);
    e.col = static_cast<std::int32_t>(position / rows);
  }
  return csr_from_triplets(a.element(), rows, cols, entries);
}

Tensor select_band(const Tensor& a, double first, double last) {
  const auto kept = [&](std::int64_t offset) {
    return static_cast<double>(offset) >= first && static_cast<double>(offset) <= last;
  };
  if (a.storage() == Storage::diagonal) {
    Tensor result = a;
    for (std::size_t d = 0; d < a.offsets().size(); ++d)
      if (!kept(a.offsets()[d]))
        for (std::int64_t i = 0; i < a.rows(); ++i)
          result.set_stored_value(static_cast<std::int64_t>(d) * a.rows() + i, 0);
    return result;
  }
  const Tensor csr = to_csr(a);
  CsrBuilder builder(a.element(), a.rows(), a.cols());
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    for (std::int32_t k = csr.row_pointers()[i]; k < csr.row_pointers()[i + 1]; ++k)
      if (kept(csr.column_indices()[k] - i)) builder.add(csr.column_indices()[k], csr.stored_value(k));
    builder.end_row();
  }
  return builder.finish();
}

Tensor sparse_on_diagonal(const Tensor& v, std::int64_t k) {
  const std::int64_t extent = v.count() + std::abs(k);
  std::vector<Triplet> entries;
  for (const Triplet& e : to_triplets(v)) {
    const std::int32_t at = e.row + e.col;  // one of them is 0
    const auto shift = static_cast<std::int32_t>(std::abs(k));
    entries.push_back({k < 0 ? at + shift : at, k > 0 ? at + shift : at, e.value});
  }
  return csr_from_triplets(v.element(), extent, extent, entries);
}

Tensor join_columns(const std::vector<Tensor>& parts, Element element) {
  std::vector<Tensor> rows;
  std::int64_t cols = 0;
  for (const Tensor& part : parts) {
    rows.push_back(to_csr(part));
    cols += part.cols();
  }
  CsrBuilder builder(element, parts[0].rows(), cols);
  for (std::int64_t i = 0; i < parts[0].rows(); ++i) {
    std::int64_t shift = 0;
    for (const Tensor& part : rows) {
      add_row(part, i, shift, builder);
      shift += part.cols();
    }
    builder.end_row();
  }
  return builder.finish();
}

Tensor join_rows(const std::vector<Tensor>& parts, Element element) {
  std::int64_t rows = 0;
  for (const Tensor& part : parts) rows += part.rows();
  CsrBuilder builder(element, rows, parts[0].cols());
  for (const Tensor& part : parts) {
    const Tensor csr = to_csr(part);
    for (std::int64_t i = 0; i < part.rows(); ++i) {
      add_row(csr, i, 0, builder);
      builder.end_row();
    }
  }
  return builder.finish();
}

Tensor assign_region(const Tensor& a, std::int64_t rows, std::int64_t cols, const Tensor& row_positions,
                     const Tensor& col_positions, const Tensor& value, Element element) {
  const std::vector<std::int64_t> is = indices_of(row_positions), js = indices_of(col_positions);
  const Tensor from = to_dense(value);
  std::vector<Triplet> changes;
  changes.reserve(is.size() * js.size());
  for (std::size_t i = 0; i < is.size(); ++i)
    for (std::size_t j = 0; j < js.size(); ++j) {
      if (!inside(is[i], rows) || !inside(js[j], cols)) continue;
      const auto k = static_cast<std::int64_t>(j * is.size() + i);
      changes.push_back({static_cast<std::int32_t>(is[i]), static_cast<std::int32_t>(js[j]),
                         from.stored_value(from.is_scalar() ? 0 : k)});
    }
  keep_last(changes);
  return replace_entries(a, rows, cols, changes, element);
}

Tensor assign_elements(const Tensor& a, std::int64_t rows, std::int64_t cols, const Tensor& positions,
                       const Tensor& value, Element element) {
  const std::vector<std::int64_t> indices = indices_of(positions);
  const Tensor from = to_dense(value);
  std::vector<Triplet> changes;
  changes.reserve(indices.size());
  for (std::size_t k = 0; k < indices.size(); ++k)
    if (inside(indices[k], rows * cols))
      changes.push_back({static_cast<std::int32_t>(indices[k] % rows), static_cast<std::int32_t>(indices[k] / rows),
                         from.stored_value(from.is_scalar() ? 0 : static_cast<std::int64_t>(k))});
  keep_last(changes);
  return replace_entries(a, rows, cols, changes, element);
}

Tensor assign_list(const Tensor& a, std::int64_t rows, std::int64_t cols, const Tensor& list, std::int64_t count) {
  struct Change {
    Triplet entry;
    bool adds = false;
  };
  std::vector<Change> changes;
  for (std::int64_t k = 0; k < count; ++k)
    changes.push_back(
        {{static_cast<std::int32_t>(list.at(0, k)) - 1, static_cast<std::int32_t>(list.at(1, k)) - 1, list.at(2, k)},
         list.at(3, k) != 0});
  const auto place = [](const Change& change) { return std::pair(change.entry.row, change.entry.col); };
  std::ranges::stable_sort(changes, {}, place);
  std::vector<Triplet> entries;
  for (const Change& change : changes) {
    const auto& [row, col, value] = change.entry;
    const bool again = !entries.empty() && entries.back().row == row && entries.back().col == col;
    const bool stands = row < a.rows() && col < a.cols();
    if (!again) entries.push_back({row, col, change.adds && stands ? a.at(row, col) : 0});
    entries.back().value = round_to(a.element(), change.adds ? entries.back().value + value : value);
  }
  return replace_entries(a, rows, cols, entries, a.element());
}

}  // namespace lac::runtime
