#include "runtime/tensor/sparse_reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/tensor/convert.h"
#include "runtime/tensor/csr_builder.h"
#include "runtime/tensor/structure.h"

namespace lac::runtime {
namespace {

/// What one result of the reduction has seen.
struct Lane {
  double value = 0;
  std::int64_t entries = 0;  ///< that are not zero
};

double start(ReduceOp op) {
  return op == ReduceOp::prod || op == ReduceOp::all  ? 1
         : op == ReduceOp::min || op == ReduceOp::max ? std::numeric_limits<double>::quiet_NaN()
                                                      : 0;
}

void visit(ReduceOp op, Element element, Lane& lane, double value) {
  ++lane.entries;
  if (op == ReduceOp::any) lane.value = 1;
  else if (op != ReduceOp::all) lane.value = round_to(element, combine(op, lane.value, value));
}

/// The value once the zeros that are not stored are counted too.
double finished(ReduceOp op, Element element, const Lane& lane, std::int64_t length) {
  if (lane.entries == length) return lane.value;
  if (op == ReduceOp::all) return 0;
  if (op == ReduceOp::any || op == ReduceOp::sum) return lane.value;
  return round_to(element, combine(op, lane.value, 0));
}

template <class F>
void for_each_nonzero(const Tensor& a, F&& f) {
  const CsrView view(a);
  for (std::int64_t i = 0; i < a.rows(); ++i)
    for (std::int32_t k = view.begin(i); k < view.end(i); ++k)
      if (view.value(k) != 0) f(i, std::int64_t{view.col(k)}, view.value(k));
}

}  // namespace

Tensor reduce_sparse(ReduceOp op, Axis axis, Element element, const Tensor& a) {
  const bool along_rows = axis == Axis::rows;
  const std::int64_t count = along_rows ? a.cols() : a.rows(), length = along_rows ? a.rows() : a.cols();
  std::vector<Lane> lanes(static_cast<std::size_t>(count), Lane{start(op), 0});
  for_each_nonzero(a, [&](std::int64_t i, std::int64_t j, double value) {
    visit(op, element, lanes[static_cast<std::size_t>(along_rows ? j : i)], value);
  });
  CsrBuilder builder(element, along_rows ? 1 : count, along_rows ? count : 1);
  for (std::int64_t k = 0; k < count; ++k) {
    builder.add(along_rows ? k : 0, finished(op, element, lanes[static_cast<std::size_t>(k)], length));
    if (!along_rows) builder.end_row();
  }
  if (along_rows) builder.end_row();
  return builder.finish();
}

double norm_sparse(const Tensor& a, SparseNorm kind) {
  if (kind != SparseNorm::frobenius) {
    std::vector<double> sums(static_cast<std::size_t>(kind == SparseNorm::one ? a.cols() : a.rows()), 0.0);
    for_each_nonzero(a, [&](std::int64_t i, std::int64_t j, double value) {
      sums[static_cast<std::size_t>(kind == SparseNorm::one ? j : i)] += std::abs(value);
    });
    // As in Octave, a NaN counts only where it is the first.
    return sums.empty() ? 0.0 : *std::max_element(sums.begin(), sums.end());
  }
  // scale^2 * squares is the sum so far
  double scale = 0, squares = 1;
  for_each_nonzero(a, [&](std::int64_t, std::int64_t, double value) {
    const double size = std::abs(value);
    if (size > scale) {
      squares = 1 + squares * (scale / size) * (scale / size);
      scale = size;
    } else if (std::isnan(size) || std::isfinite(scale)) {
      squares += (size / scale) * (size / scale);
    }
  });
  return scale * std::sqrt(squares);
}

bool is_symmetric_sparse(const Tensor& a) { return a.rows() == a.cols() && !find_asymmetry(a); }

}  // namespace lac::runtime
