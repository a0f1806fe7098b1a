#include "runtime/tensor/tensor.h"

#include <algorithm>
#include <array>
#include <functional>
#include <new>
#include <optional>

#include "ir/support/result.h"
#include "ir/types/extent.h"
#include "runtime/tensor/blocks.h"

namespace lac::runtime {

Tensor::Tensor(Element element, Storage storage, std::int64_t rows, std::int64_t cols, std::int64_t stored)
    : element_(element), storage_(storage), rows_(rows), cols_(cols), stored_(stored) {
  const auto fits = storage == Storage::dense ? is_extent : is_sparse_extent;
  if (!fits(rows) || !fits(cols) || !is_extent(stored)) throw std::bad_alloc();
}

std::int64_t element_count(std::int64_t rows, std::int64_t cols) {
  const std::optional<std::int64_t> count = checked_count(rows, cols);
  if (!count) throw std::bad_alloc();
  return *count;
}

Tensor Tensor::dense(Element element, std::int64_t rows, std::int64_t cols) {
  Tensor result(element, Storage::dense, rows, cols, element_count(rows, cols));
  result.values_ = Memory::allocate(result.value_bytes());
  return result;
}

Tensor Tensor::for_writing(Element element, std::int64_t rows, std::int64_t cols) {
  Tensor result = dense(element, rows, cols);
  ask_for_large_pages(result.mutable_data(), result.value_bytes());
  return result;
}

Tensor Tensor::dense(Element element, std::int64_t rows, std::int64_t cols, const std::vector<double>& values) {
  Tensor result = dense(element, rows, cols);
  if (static_cast<std::int64_t>(values.size()) != result.count())
    throw InternalError("dense tensor: wrong value count");
  for (std::int64_t k = 0; k < result.count(); ++k) result.set_stored_value(k, values[static_cast<std::size_t>(k)]);
  return result;
}

Tensor Tensor::scalar(double value, Element element) { return dense(element, 1, 1, {value}); }

Tensor Tensor::borrow_dense(Element element, std::int64_t rows, std::int64_t cols, const void* values) {
  Tensor result(element, Storage::dense, rows, cols, element_count(rows, cols));
  result.values_ = Memory::borrow(values, result.value_bytes());
  return result;
}

Tensor Tensor::adopt_dense(Element element, std::int64_t rows, std::int64_t cols, Memory values) {
  Tensor result(element, Storage::dense, rows, cols, element_count(rows, cols));
  if (values.size() != result.value_bytes()) throw InternalError("a dense matrix of memory of another size");
  result.values_ = std::move(values);
  return result;
}

Tensor Tensor::csr(Element element, std::int64_t rows, std::int64_t cols, std::int64_t nnz) {
  if (!is_sparse_extent(nnz)) throw std::bad_alloc();
  Tensor result(element, Storage::csr, rows, cols, nnz);
  result.values_ = Memory::allocate(result.value_bytes());
  result.row_pointers_ = Memory::allocate(static_cast<std::size_t>(rows + 1) * sizeof(std::int32_t));
  result.column_indices_ = Memory::allocate(static_cast<std::size_t>(nnz) * sizeof(std::int32_t));
  return result;
}

Tensor Tensor::borrow_csr(Element element, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                          const std::int32_t* row_pointers, const std::int32_t* column_indices, const void* values) {
  if (!is_sparse_extent(nnz)) throw std::bad_alloc();
  Tensor result(element, Storage::csr, rows, cols, nnz);
  result.values_ = Memory::borrow(values, result.value_bytes());
  result.row_pointers_ = Memory::borrow(row_pointers, static_cast<std::size_t>(rows + 1) * sizeof(std::int32_t));
  result.column_indices_ = Memory::borrow(column_indices, static_cast<std::size_t>(nnz) * sizeof(std::int32_t));
  return result;
}

Tensor Tensor::diagonal(Element element, std::int64_t rows, std::int64_t cols, std::vector<std::int64_t> offsets) {
  if (std::adjacent_find(offsets.begin(), offsets.end(), std::greater_equal<>()) != offsets.end())
    throw InternalError("diagonal tensor: offsets must ascend");
  Tensor result(element, Storage::diagonal, rows, cols, element_count(rows, static_cast<std::int64_t>(offsets.size())));
  result.offsets_ = std::move(offsets);
  result.values_ = Memory::allocate(result.value_bytes());
  return result;
}

double Tensor::at(std::int64_t i, std::int64_t j) const {
  if (i < 0 || i >= rows_ || j < 0 || j >= cols_) throw InternalError("tensor index out of range");
  if (storage_ == Storage::csr) {
    const std::int32_t* first = column_indices() + row_pointers()[i];
    const std::int32_t* last = column_indices() + row_pointers()[i + 1];
    const std::int32_t* found = std::lower_bound(first, last, j);
    return found != last && *found == j ? stored_value(found - column_indices()) : 0.0;
  }
  if (storage_ == Storage::diagonal) {
    const auto found = std::lower_bound(offsets_.begin(), offsets_.end(), j - i);
    return found != offsets_.end() && *found == j - i ? stored_value((found - offsets_.begin()) * rows_ + i) : 0.0;
  }
  return stored_value(j * rows_ + i);
}

double Tensor::stored_value(std::int64_t k) const {
  return with_element(element_, [&](auto tag) { return static_cast<double>(values<decltype(tag)>()[k]); });
}

void Tensor::set_stored_value(std::int64_t k, double value) {
  if (element_ == Element::logical) {
    mutable_values<std::uint8_t>()[k] = value != 0.0;
    return;
  }
  with_element(element_, [&](auto tag) { mutable_values<decltype(tag)>()[k] = static_cast<decltype(tag)>(value); });
}

std::span<const std::byte> Tensor::bytes_of(const StorageArray& array) const {
  const std::array<const Memory*, array_roles> memories = {&values_, &row_pointers_, &column_indices_};
  const std::int64_t each = array.index_bytes > 0 ? array.index_bytes : byte_size(element_);
  return {static_cast<const std::byte*>(memories[static_cast<std::size_t>(array.role)]->data()),
          static_cast<std::size_t>(extent_of(array, rows_, stored_) * each)};
}

Tensor Tensor::like(Element element) const {
  Tensor result = *this;
  result.element_ = element;
  result.values_ = Memory::allocate(result.value_bytes());
  return result;
}

Tensor Tensor::reshaped(std::int64_t rows, std::int64_t cols) const {
  if (storage_ == Storage::csr || element_count(rows, cols) != stored())
    throw InternalError("reshape of a tensor to another element count");
  Tensor result = *this;
  result.storage_ = Storage::dense;
  result.offsets_.clear();
  result.rows_ = rows;
  result.cols_ = cols;
  return result;
}

}  // namespace lac::runtime
