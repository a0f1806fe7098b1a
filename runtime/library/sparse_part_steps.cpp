// Steps that take sparse matrices apart and put them together.
#include "ir/types/extent.h"
#include "runtime/library/steps.h"
#include "runtime/tensor/sparse_select.h"

namespace lac::runtime::steps {
namespace {

std::int64_t position(const Tensor& operand) { return size_of_number(operand.as_scalar()); }

}  // namespace

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
