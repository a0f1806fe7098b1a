// Steps that compute with the values of sparse matrices: functions of elements, reductions, norms, their non-zeros.
#include <algorithm>
#include <cmath>

#include "runtime/steps/steps.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"
#include "runtime/tensor/sparse_map.h"
#include "runtime/tensor/sparse_reduce.h"
#include "runtime/tensor/structure.h"

namespace lac::runtime::steps {
namespace {

int number(const Tensor& operand) { return static_cast<int>(operand.as_scalar()); }

}  // namespace

Output sparse_map(const Input& input) {
  const auto op = static_cast<ScalarOp>(number(input.operands[0]));
  const Element element = input.results[0].element;
  if (input.operands.size() == 2) return conformed(map_sparse(op, element, input.operands[1]), input);
  return conformed(map_sparse(op, element, input.operands[1], input.operands[2]), input);
}

Output sparse_reduce(const Input& input) {
  const auto op = static_cast<ReduceOp>(number(input.operands[1]));
  const Axis axis = number(input.operands[2]) == 1 ? Axis::rows : Axis::cols;
  return conformed(reduce_sparse(op, axis, input.results[0].element, input.operands[0]), input);
}

Output sparse_norm(const Input& input) {
  const double kind = input.operands[1].as_scalar();
  const SparseNorm norm = kind == 1 ? SparseNorm::one : kind == 0 ? SparseNorm::frobenius : SparseNorm::infinity;
  return std::vector{Tensor::scalar(norm_sparse(input.operands[0], norm), input.results[0].element)};
}

Output sparse_find(const Input& input) {
  const Tensor& a = input.operands[0];
  std::vector<double> parts[3];
  const auto add = [&](std::int64_t row, std::int64_t col, double value) {
    if (value == 0) return;
    parts[0].push_back(static_cast<double>(row + 1));
    parts[1].push_back(static_cast<double>(col + 1));
    parts[2].push_back(value);
  };
  if (a.storage() == Storage::csr && a.rows() == 1)  // in the order of its columns
    for (const Triplet& e : to_triplets(a)) add(e.row, e.col, e.value);
  else
    for (const Triplet& e : to_triplets(transpose(to_csr(a)))) add(e.col, e.row, e.value);
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < 3; ++i) {
    const ResultType& type = input.results[i];
    results.push_back(Tensor::dense(type.element, type.rows, type.cols, parts[i]));
  }
  return results;
}

Output sparse_bandwidth(const Input& input) {
  const Bandwidth found = bandwidth(to_csr(input.operands[0]));
  return std::vector{Tensor::scalar(static_cast<double>(found.lower), input.results[0].element),
                     Tensor::scalar(static_cast<double>(found.upper), input.results[1].element)};
}

Output sparse_reach(const Input& input) {
  const Tensor& a = input.operands[0];
  std::int64_t reach = 0;
  if (a.storage() == Storage::csr) {
    for (std::int64_t i = 0; i < a.rows(); ++i) {
      const std::int64_t begin = a.row_pointers()[i], end = a.row_pointers()[i + 1];
      if (begin == end) continue;
      const std::int64_t first = a.column_indices()[begin], last = a.column_indices()[end - 1];  // columns ascend
      reach = std::max({reach, i - first, last - i});
    }
  } else {
    const Bandwidth found = bandwidth(a);
    reach = std::max(found.lower, found.upper);
  }
  return std::vector{Tensor::scalar(static_cast<double>(reach), input.results[0].element)};
}

Output sparse_symmetric(const Input& input) {
  return std::vector{Tensor::scalar(is_symmetric_sparse(input.operands[0]) ? 1 : 0, input.results[0].element)};
}

}  // namespace lac::runtime::steps
