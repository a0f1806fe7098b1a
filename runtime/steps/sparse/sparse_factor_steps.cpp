// Steps that solve with sparse matrices and factor them.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runtime/steps/sparse/sparse_solver.h"
#include "runtime/steps/sparse/substitution.h"
#include "runtime/steps/steps.h"
#include "runtime/stop.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/csr_builder.h"
#include "runtime/tensor/sparse.h"
#include "runtime/tensor/sparse_select.h"
#include "runtime/tensor/structure.h"

namespace lac::runtime::steps {
namespace {

constexpr const char* singular_text = "warning: matrix singular to machine precision";

/// x as csr for a sparse b, in blocks of columns so that no dense matrix of b's size arises.
Tensor solve_by_blocks(const SparseSolver& solver, const Tensor& b) {
  constexpr std::int64_t block = 64;
  const Tensor columns = transpose(to_csr(b));
  std::vector<Tensor> solved;
  for (std::int64_t first = 0; first < b.cols(); first += block) {
    poll_stop();
    std::vector<double> positions;
    for (std::int64_t j = first; j < std::min(first + block, b.cols()); ++j)
      positions.push_back(static_cast<double>(j + 1));
    const auto count = static_cast<std::int64_t>(positions.size());
    const Tensor part = select_rows(columns, Tensor::dense(Element::real, count, 1, positions));
    solved.push_back(to_csr(solver.solve(to_dense(transpose(part)))));
  }
  return join_columns(solved, Element::real);
}

Output not_square(const char* message) { return Failure{message}; }

}  // namespace

Output sparse_solve(const Input& input) {
  const Tensor &a = input.operands[0], &b = input.operands[1];
  const ResultType& type = input.results[0];
  if (a.rows() != b.rows())
    return Failure{fmt::format("error: operator \\: nonconformant arguments (op1 is {}x{}, op2 is {}x{})", a.rows(),
                               a.cols(), b.rows(), b.cols())};
  if (a.empty() || b.empty()) return conformed(Tensor::csr(Element::real, a.cols(), b.cols(), 0), input);
  if (type.storage == Storage::dense)
    if (const auto triangle = Substitution::of(a))
      return conformed(triangle->solve(to_element(to_dense(b), Element::real)), input);
  const SparseSolver solver(a);
  if (solver.singular()) input.warnings.push_back({"Octave:singular-matrix", singular_text});
  if (type.storage != Storage::dense) return conformed(solve_by_blocks(solver, b), input);
  return conformed(solver.solve(to_dense(b)), input);
}

Output sparse_try_solve(const Input& input) { return quietly(sparse_solve, input); }

Output sparse_inverse(const Input& input) {
  const Tensor& a = input.operands[0];
  if (a.rows() != a.cols()) return not_square("error: inverse: argument must be a square matrix");
  if (a.empty()) return conformed(a, input);
  if (count_nonzeros(a) == 0) return Failure{"error: inverse of the null matrix not defined"};
  const SparseSolver solver(a);
  if (solver.singular()) {  // Inf where A is not zero
    input.warnings.push_back({"Octave:singular-matrix", singular_text});
    CsrBuilder builder(Element::real, a.rows(), a.cols());
    const CsrView view(a);
    for (std::int64_t i = 0; i < a.rows(); ++i) {
      for (std::int32_t k = view.begin(i); k < view.end(i); ++k)
        if (view.value(k) != 0) builder.add(view.col(k), std::numeric_limits<double>::infinity());
      builder.end_row();
    }
    return conformed(builder.finish(), input);
  }
  Tensor identity = Tensor::diagonal(Element::real, a.rows(), a.rows(), {0});
  for (std::int64_t i = 0; i < a.rows(); ++i) identity.set_stored_value(i, 1);
  return conformed(solve_by_blocks(solver, identity), input);
}

Output sparse_det(const Input& input) {
  if (input.operands[0].rows() != input.operands[0].cols()) return not_square("error: det: A must be a square matrix");
  return std::vector{Tensor::scalar(determinant_sparse(input.operands[0]), input.results[0].element)};
}

Output sparse_cholesky(const Input& input) {
  if (input.operands[0].rows() != input.operands[0].cols()) return not_square("error: chol: A must be a square matrix");
  const SparseCholesky factor = cholesky_sparse(input.operands[0], input.operands[1].as_scalar() != 0);
  return std::vector{
      conform(factor.upper, input.results[0]),
      Tensor::scalar(static_cast<double>(factor.rows), input.results[1].element),
      Tensor::dense(input.results[2].element, 1, static_cast<std::int64_t>(factor.order.size()), factor.order)};
}

Output sparse_lu(const Input& input) {
  const Tensor& a = input.operands[0];
  if (a.rows() != a.cols()) return not_square("error: lu: of sparse matrices only square ones are factored: use full");
  const std::optional<SparseLu> factor = lu_sparse(a, input.operands[1].as_scalar() != 0);
  if (!factor) return not_square("error: lu: the sparse matrix is singular: use full to factor it");
  const std::int64_t n = a.rows();
  return std::vector{conform(factor->lower, input.results[0]), conform(factor->upper, input.results[1]),
                     Tensor::dense(input.results[2].element, 1, n, factor->row_order),
                     Tensor::dense(input.results[3].element, 1, n, factor->cols)};
}

}  // namespace lac::runtime::steps
