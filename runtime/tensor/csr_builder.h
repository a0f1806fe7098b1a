// Puts a CSR matrix together row by row.
#pragma once

#include <cstdint>
#include <new>
#include <vector>

#include "ir/types/extent.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// Entries in the order of rows, columns ascending within a row. Zeros are left out, as Octave stores none.
class CsrBuilder {
 public:
  CsrBuilder(Element element, std::int64_t rows, std::int64_t cols) : element_(element), rows_(rows), cols_(cols) {
    if (!is_sparse_extent(rows) || !is_sparse_extent(cols)) throw std::bad_alloc();
    pointers_.reserve(static_cast<std::size_t>(rows) + 1);
    pointers_.push_back(0);
  }

  void add(std::int64_t col, double value) {
    if (value == 0) return;
    columns_.push_back(static_cast<std::int32_t>(col));
    values_.push_back(value);
  }
  void end_row() { pointers_.push_back(static_cast<std::int32_t>(columns_.size())); }
  /// After end_row of every row.
  Tensor finish() const;

 private:
  Element element_;
  std::int64_t rows_, cols_;
  std::vector<std::int32_t> pointers_, columns_;
  std::vector<double> values_;
};

/// The entry values of CSR storage as doubles, whatever the element.
class CsrView {
 public:
  explicit CsrView(const Tensor& csr);

  std::int32_t begin(std::int64_t row) const { return pointers_[row]; }
  std::int32_t end(std::int64_t row) const { return pointers_[row + 1]; }
  std::int32_t col(std::int32_t k) const { return columns_[k]; }
  double value(std::int32_t k) const { return values_[k]; }
  std::int64_t rows() const { return real_.rows(); }
  std::int64_t cols() const { return real_.cols(); }
  std::int64_t stored() const { return real_.stored(); }

 private:
  Tensor real_;
  const std::int32_t* pointers_;
  const std::int32_t* columns_;
  const double* values_;
};

}  // namespace lac::runtime
