// What the steps over dense matrices share: their operand in the result's precision.
#pragma once

#include <string>
#include <utility>

#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/steps.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {

/// Calls f(Matrix<T>) with operand `k` as a dense matrix in the precision that the first result asks for.
template <class F>
Output with_matrix(const Input& input, const char* what, F&& f, std::size_t k = 0) {
  const Tensor& operand = input.operands[k];
  if (!operand.is_dense()) return Failure{std::string("error: ") + what + ": a sparse matrix is not supported yet"};
  if (!lapack::fits(operand)) return Failure{std::string("error: ") + what + ": more than 2^31-1 rows or columns"};
  if (input.results[0].element == Element::single)
    return f(lapack::Matrix<float>(to_element(operand, Element::single)));
  return f(lapack::Matrix<double>(to_element(operand, Element::real)));
}

/// The same, with a failure for a matrix that is not square.
template <class F>
Output with_square_matrix(const Input& input, const char* what, const char* not_square, F&& f) {
  return with_matrix(input, what, [&](auto a) -> Output {
    if (a.rows() != a.cols()) return Failure{std::string("error: ") + what + ": " + not_square};
    return f(std::move(a));
  });
}

}  // namespace lac::runtime::steps
