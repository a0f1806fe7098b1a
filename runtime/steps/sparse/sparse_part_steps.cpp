// Steps that take sparse matrices apart and put them together.
#include "ir/types/extent.h"
#include "runtime/steps/steps.h"
#include "runtime/tensor/sparse.h"
#include "runtime/tensor/sparse_select.h"

namespace lac::runtime::steps {
namespace {

std::int64_t position(const Tensor& operand) { return size_of_number(operand.as_scalar()); }

/// visit(column, place among the stored values) for the entries of row i, from left to right; all from 0.
template <class F>
void for_each_in_row(const Tensor& a, std::int64_t i, F&& visit) {
  if (a.storage() == Storage::csr) {
    for (std::int64_t k = a.row_pointers()[i]; k < a.row_pointers()[i + 1]; ++k) visit(a.column_indices()[k], k);
    return;
  }
  const std::vector<std::int64_t>& offsets = a.offsets();
  for (std::size_t d = 0; d < offsets.size(); ++d)
    if (const std::int64_t j = i + offsets[d]; j >= 0 && j < a.cols())
      visit(j, static_cast<std::int64_t>(d) * a.rows() + i);
}

/// From left to right, each operation rounded, as compiled code has it (codegen/llvm/program/cursors.cpp).
template <class Real>
Real row_product(const Tensor& a, std::int64_t i, std::int64_t first, std::int64_t count, const Tensor& x,
                 std::int64_t at) {
  Real sum = 0;
  for_each_in_row(a, i, [&](std::int64_t j, std::int64_t stored) {
    if (j < first || j >= first + count) return;
    const auto value = static_cast<Real>(a.stored_value(stored));
    if (value != 0) sum += value * static_cast<Real>(x.stored_value(at + j - first));
  });
  return sum;
}

}  // namespace

Output sparse_row_product(const Input& input) {
  const Tensor &a = input.operands[0], &x = input.operands[4];
  const std::int64_t i = position(input.operands[1]) - 1, first = position(input.operands[2]) - 1,
                     count = position(input.operands[3]), at = position(input.operands[5]) - 1;
  const Element element = input.results[0].element;
  // Where a check will stop the program nobody looks at the result.
  const bool inside = i >= 0 && i < a.rows() && first >= 0 && first <= a.cols() && at >= 0 && count >= 0;
  if (!inside || at > x.count() - count) return std::vector{Tensor::scalar(0, element)};
  const double sum = element == Element::single ? row_product<float>(a, i, first, count, x, at)
                                                : row_product<double>(a, i, first, count, x, at);
  return std::vector{Tensor::scalar(sum, element)};
}

Output sparse_element(const Input& input) {
  const Tensor& a = input.operands[0];
  const std::int64_t i = position(input.operands[1]) - 1, j = position(input.operands[2]) - 1;
  const bool inside = i >= 0 && i < a.rows() && j >= 0 && j < a.cols();
  return std::vector{Tensor::scalar(inside ? a.at(i, j) : 0, input.results[0].element)};
}

Output sparse_rows(const Input& input) { return conformed(select_rows(input.operands[0], input.operands[1]), input); }

Output sparse_columns(const Input& input) {
  return conformed(select_columns(input.operands[0], input.operands[1]), input);
}

Output sparse_elements(const Input& input) {
  const ResultType& type = input.results[0];
  return conformed(select_elements(input.operands[0], input.operands[1], type.rows, type.cols), input);
}

Output sparse_update(const Input& input) {
  const ResultType& type = input.results[0];
  const auto& o = input.operands;
  if (o.size() == 3) return conformed(assign_elements(o[0], type.rows, type.cols, o[1], o[2], type.element), input);
  return conformed(assign_region(o[0], type.rows, type.cols, o[1], o[2], o[3], type.element), input);
}

Output sparse_assign(const Input& input) {
  const ResultType& type = input.results[0];
  const auto& o = input.operands;
  return conformed(assign_list(o[0], type.rows, type.cols, o[1], position(o[2])), input);
}

Output sparse_horzcat(const Input& input) {
  return conformed(join_columns({input.operands.begin(), input.operands.end()}, input.results[0].element), input);
}

Output sparse_vertcat(const Input& input) {
  return conformed(join_rows({input.operands.begin(), input.operands.end()}, input.results[0].element), input);
}

Output sparse_reshape(const Input& input) {
  const ResultType& type = input.results[0];
  return conformed(reshape_sparse(input.operands[0], type.rows, type.cols), input);
}

Output sparse_band(const Input& input) {
  return conformed(select_band(input.operands[0], input.operands[1].as_scalar(), input.operands[2].as_scalar()), input);
}

Output sparse_on_diagonal(const Input& input) {
  return conformed(runtime::sparse_on_diagonal(input.operands[0], position(input.operands[1])), input);
}

}  // namespace lac::runtime::steps
