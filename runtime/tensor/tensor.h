// A matrix value at run time: an element type, a shape, a storage and the memory that holds it. Cheap to copy: memory
// is shared until written. Whatever makes a tensor throws std::bad_alloc when it does not fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/types/type.h"
#include "runtime/tensor/memory.h"

namespace lac::runtime {

/// rows * cols. Throws std::bad_alloc where no memory could hold a matrix of that many elements.
std::int64_t element_count(std::int64_t rows, std::int64_t cols);

/// Layouts, all indices from 0:
/// - dense: column-major, A(i, j) = values[j * rows + i];
/// - csr: row_pointers[rows + 1] and column_indices[nnz] are int32; inside a row columns ascend and are distinct;
/// - diagonal: offsets ascend, values[d * rows + i] = A(i, i + offsets[d]), zero where i + offsets[d] is no column.
class Tensor {
 public:
  /// The empty 0x0 real matrix.
  Tensor() = default;

  static Tensor scalar(double value, Element element = Element::real);
  /// A zero dense matrix.
  static Tensor dense(Element element, std::int64_t rows, std::int64_t cols);
  /// The same, for who writes all of it next.
  static Tensor for_writing(Element element, std::int64_t rows, std::int64_t cols);
  /// A dense matrix from values in column-major order, converted to `element`.
  static Tensor dense(Element element, std::int64_t rows, std::int64_t cols, const std::vector<double>& values);
  /// A dense matrix in host memory, which is neither copied nor written; the host keeps it alive.
  static Tensor borrow_dense(Element element, std::int64_t rows, std::int64_t cols, const void* values);
  /// A CSR matrix with room for `nnz` entries; pointers, indices and values are zero and to be filled in.
  static Tensor csr(Element element, std::int64_t rows, std::int64_t cols, std::int64_t nnz);
  /// A dense matrix of what lies there in column-major order.
  static Tensor adopt_dense(Element element, std::int64_t rows, std::int64_t cols, Memory values);
  static Tensor borrow_csr(Element element, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                           const std::int32_t* row_pointers, const std::int32_t* column_indices, const void* values);
  /// A zero matrix in diagonal storage; `offsets` must ascend.
  static Tensor diagonal(Element element, std::int64_t rows, std::int64_t cols, std::vector<std::int64_t> offsets);

  Element element() const { return element_; }
  Storage storage() const { return storage_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t count() const { return rows_ * cols_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  bool is_scalar() const { return rows_ == 1 && cols_ == 1; }
  bool is_dense() const { return storage_ == Storage::dense; }

  /// Stored values: rows*cols (dense), nnz (csr), diagonals*rows (diagonal).
  std::int64_t stored() const { return stored_; }
  std::size_t value_bytes() const { return static_cast<std::size_t>(stored_ * byte_size(element_)); }

  const void* data() const { return values_.data(); }
  /// The values for writing; shared or borrowed values are copied first.
  void* mutable_data() { return values_.writable(); }
  template <class T>
  const T* values() const {
    return static_cast<const T*>(values_.data());
  }
  template <class T>
  T* mutable_values() {
    return static_cast<T*>(values_.writable());
  }
  bool borrowed() const { return values_.borrowed(); }

  const std::int32_t* row_pointers() const { return static_cast<const std::int32_t*>(row_pointers_.data()); }
  const std::int32_t* column_indices() const { return static_cast<const std::int32_t*>(column_indices_.data()); }
  /// One of the arrays of its storage (ir/types/storage.h), as bytes.
  std::span<const std::byte> bytes_of(const StorageArray& array) const;
  std::int32_t* mutable_row_pointers() { return static_cast<std::int32_t*>(row_pointers_.writable()); }
  std::int32_t* mutable_column_indices() { return static_cast<std::int32_t*>(column_indices_.writable()); }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }

  /// A(i, j) from any storage, indices from 0 and in range. O(1) dense, O(log) else. For tests and small work.
  double at(std::int64_t i, std::int64_t j) const;
  /// Stored value k as a double.
  double stored_value(std::int64_t k) const;
  /// Sets stored value k, rounded to the element type.
  void set_stored_value(std::int64_t k, double value);
  /// The value of a 1x1 tensor.
  double as_scalar() const { return at(0, 0); }

  /// The same pattern with other values: shares this tensor's indices, values are zero and of type `element`.
  Tensor like(Element element) const;
  /// The same stored elements, of a dense matrix or of diagonals, as a dense matrix with as many.
  Tensor reshaped(std::int64_t rows, std::int64_t cols) const;

 private:
  Tensor(Element element, Storage storage, std::int64_t rows, std::int64_t cols, std::int64_t stored);

  Element element_ = Element::real;
  Storage storage_ = Storage::dense;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::int64_t stored_ = 0;
  Memory values_;
  Memory row_pointers_;
  Memory column_indices_;
  std::vector<std::int64_t> offsets_;
};

/// Calls `f(T{})` with the C++ type of the element: uint8_t, double, float.
template <class F>
decltype(auto) with_element(Element element, F&& f) {
  switch (element) {
    case Element::logical: return f(std::uint8_t{});
    case Element::single: return f(float{});
    default: return f(double{});
  }
}

}  // namespace lac::runtime
