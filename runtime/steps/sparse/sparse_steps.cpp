// Steps on sparse matrices: the algorithms are runtime/tensor's, here their results get the stated storage.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/types/extent.h"
#include "runtime/steps/steps.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"
#include "runtime/tensor/sparse_map.h"
#include "runtime/tensor/structure.h"

namespace lac::runtime::steps {
namespace {

/// The same values on exactly these diagonals; a value elsewhere would be lost, so it is a broken invariant.
Tensor on_diagonals(const Tensor& a, const std::vector<std::int64_t>& offsets) {
  if (a.storage() == Storage::diagonal && a.offsets() == offsets) return a;
  Tensor result = Tensor::diagonal(a.element(), a.rows(), a.cols(), offsets);
  for (const Triplet& entry : to_triplets(a)) {
    const auto found = std::lower_bound(offsets.begin(), offsets.end(), entry.col - entry.row);
    if (found == offsets.end() || *found != entry.col - entry.row)
      throw InternalError("a value outside the diagonals of the result");
    result.set_stored_value((found - offsets.begin()) * a.rows() + entry.row, entry.value);
  }
  return result;
}

}  // namespace

Tensor conform(const Tensor& value, const ResultType& type) {
  const Tensor a = to_element(value, type.element);
  if (a.rows() != type.rows || a.cols() != type.cols) throw InternalError("a library step's result has another shape");
  return type.storage == Storage::diagonal ? on_diagonals(a, type.offsets) : to_storage(a, type.storage);
}

namespace {

/// One index of sparse(i, j, v, m, n) from 0; Octave's words when it is out of range.
Result<std::int32_t> checked_index(double index, std::int64_t extent, const char* axis) {
  if (index != std::trunc(index)) return Failure{"error: sparse: subscript indices must be integers"};
  if (index < 1)
    return Failure{
        fmt::format("error: index ({}): subscripts must be either integers 1 to (2^63)-1 or logicals",
                    std::string_view(axis) == "row" ? fmt::format("{},_", index) : fmt::format("_,{}", index))};
  if (index > static_cast<double>(extent))
    return Failure{fmt::format("error: sparse: {} index {} out of bound {}", axis, index, extent)};
  return static_cast<std::int32_t>(index) - 1;
}

std::vector<std::int64_t> offsets_of(const Tensor& operand) {
  const Tensor dense = to_dense(operand);
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < dense.count(); ++k) offsets.push_back(size_of_number(dense.stored_value(k)));
  return offsets;
}

std::vector<std::int64_t> nonzero_offsets(const Tensor& a) {
  std::vector<std::int64_t> offsets;
  for (const Triplet& e : to_triplets(a))
    if (e.value != 0) offsets.push_back(e.col - e.row);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return offsets;
}

}  // namespace

Output kron(const Input& input) { return conformed(runtime::kron(input.operands[0], input.operands[1]), input); }

Output spdiags(const Input& input) {
  const ResultType& type = input.results[0];
  return conformed(runtime::spdiags(to_dense(input.operands[0]), type.offsets, type.rows, type.cols), input);
}

Output sparse_identity(const Input& input) {
  const ResultType& type = input.results[0];
  Tensor result = Tensor::diagonal(type.element, type.rows, type.cols, {0});
  for (std::int64_t i = 0; i < std::min(type.rows, type.cols); ++i) result.set_stored_value(i, 1);
  return conformed(result, input);
}

Output sparse_convert(const Input& input) { return conformed(input.operands[0], input); }

Output sparse_triplets(const Input& input) {
  const ResultType& type = input.results[0];
  const Tensor rows = to_dense(input.operands[0]), cols = to_dense(input.operands[1]),
               values = to_dense(input.operands[2]);
  const std::int64_t count = std::max({rows.count(), cols.count(), values.count()});
  for (const Tensor* part : {&rows, &cols, &values})
    if (part->count() != count && part->count() != 1) return Failure{"error: sparse: dimension mismatch"};
  const auto value = [](const Tensor& part, std::int64_t k) { return part.stored_value(part.count() == 1 ? 0 : k); };
  std::vector<Triplet> entries;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto row = checked_index(value(rows, k), type.rows, "row"),
               col = checked_index(value(cols, k), type.cols, "column");
    if (!row) return row.failure();
    if (!col) return col.failure();
    if (value(values, k) != 0) entries.push_back({row.value(), col.value(), value(values, k)});
  }
  const Tensor sum = csr_from_triplets(type.element, type.rows, type.cols, entries);
  const bool cancelled = count_nonzeros(sum) != sum.stored();
  return conformed(cancelled ? map_sparse(ScalarOp::add, type.element, sum, Tensor::scalar(0)) : sum, input);
}

Output sparse_add(const Input& input) { return conformed(add_sparse(input.operands[0], input.operands[1]), input); }

Output sparse_subtract(const Input& input) {
  return conformed(subtract_sparse(input.operands[0], input.operands[1]), input);
}

Output sparse_transpose(const Input& input) { return conformed(transpose(input.operands[0]), input); }

Output sparse_multiply(const Input& input) {
  return conformed(multiply_sparse(input.operands[0], input.operands[1]), input);
}

Output sparse_diagonal(const Input& input) {
  const double k = input.operands.size() > 1 ? input.operands[1].as_scalar() : 0;
  return conformed(diagonal_of(input.operands[0], size_of_number(k)), input);
}

Output sparse_zeros(const Input& input) {
  const ResultType& type = input.results[0];
  return conformed(Tensor::csr(type.element, type.rows, type.cols, 0), input);
}

Output sparse_from_diagonals(const Input& input) {
  const ResultType& type = input.results[0];
  return conformed(runtime::spdiags(to_dense(input.operands[0]), offsets_of(input.operands[1]), type.rows, type.cols),
                   input);
}

Output sparse_diagonals(const Input& input) {
  return conformed(extract_diagonals(input.operands[0], offsets_of(input.operands[1])), input);
}

Output sparse_offsets(const Input& input) {
  const ResultType& type = input.results[0];
  std::vector<double> offsets;
  for (const std::int64_t offset : nonzero_offsets(input.operands[0])) offsets.push_back(static_cast<double>(offset));
  const auto count = static_cast<double>(offsets.size());
  offsets.resize(static_cast<std::size_t>(type.rows * type.cols), 0.0);
  return std::vector{Tensor::dense(type.element, type.rows, type.cols, offsets),
                     Tensor::scalar(count, input.results[1].element)};
}

Output sparse_nnz(const Input& input) {
  return std::vector{Tensor::scalar(static_cast<double>(count_nonzeros(input.operands[0])), input.results[0].element)};
}

}  // namespace lac::runtime::steps
