#include "runtime/interp/evaluate_op.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "ir/support/result.h"
#include "ir/types/extent.h"
#include "runtime/interp/values.h"
#include "runtime/steps/arrays/scan.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"

namespace lac::runtime::interp {
namespace {

using Values = std::vector<double>;

void require(bool condition, const char* what) {
  if (!condition) throw InternalError(what);
}

/// Memory for the elements of a result, all at once: what does not fit is refused before it is computed.
Values room_for(const ResultType& type) {
  Values values;
  values.reserve(static_cast<std::size_t>(element_count(type.rows, type.cols)));
  return values;
}

std::vector<Tensor> one(const ResultType& type, const Values& values) {
  return {Tensor::dense(type.element, type.rows, type.cols, values)};
}

/// Column-major element (i, j) of a tensor that is broadcast along its axes of extent 1.
struct Broadcast {
  explicit Broadcast(const Tensor& tensor) : values(values_of(tensor)), rows(tensor.rows()), cols(tensor.cols()) {}
  bool fits(std::int64_t m, std::int64_t n) const { return (rows == 1 || rows == m) && (cols == 1 || cols == n); }
  double at(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>((cols == 1 ? 0 : j) * rows + (rows == 1 ? 0 : i))];
  }

  Values values;
  std::int64_t rows, cols;
};

/// The 0-based positions of one subscript along an axis (or, for linear subscripts, among all elements).
std::vector<std::int64_t> positions(const Subscript& subscript, std::int64_t extent, const Tensor*& vectors,
                                    const SizeOf& size_of) {
  std::vector<std::int64_t> found;
  if (subscript.kind == SubscriptKind::vector) {
    for (double position : values_of(*vectors++)) found.push_back(static_cast<std::int64_t>(position) - 1);
  } else {
    const bool all = subscript.kind == SubscriptKind::all;
    const std::int64_t first = all ? 0 : size_of(subscript.first), step = all ? 1 : size_of(subscript.step);
    found.resize(static_cast<std::size_t>(all ? extent : std::max<std::int64_t>(0, size_of(subscript.count))));
    for (std::size_t p = 0; p < found.size(); ++p) found[p] = first + static_cast<std::int64_t>(p) * step;
  }
  for (std::int64_t position : found)
    if (position < 0 || position >= extent)
      throw InternalError("unchecked subscript " + std::to_string(position + 1) + " outside 1.." +
                          std::to_string(extent));
  return found;
}

/// The column-major positions that the subscripts of an index or update select in `x`, in order.
std::vector<std::int64_t> selected(const OpInput& input, const Tensor& x) {
  const Subscripts& subscripts = attribute<Subscripts>(input.op);
  const Tensor* vectors = input.operands.data() + 1;
  if (subscripts.linear()) return positions(subscripts.axes[0], x.count(), vectors, input.size_of);
  const auto rows = positions(subscripts.axes[0], x.rows(), vectors, input.size_of);
  const auto cols = positions(subscripts.axes[1], x.cols(), vectors, input.size_of);
  std::vector<std::int64_t> found;
  found.reserve(static_cast<std::size_t>(
      element_count(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(cols.size()))));
  for (std::int64_t j : cols)
    for (std::int64_t i : rows) found.push_back(j * x.rows() + i);
  return found;
}

/// Every place of a matrix in column-major order; one without rows has none, however many its columns.
template <class Visit>
void for_each_place(std::int64_t rows, std::int64_t cols, const Visit& visit) {
  if (rows == 0) return;
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i) visit(i, j);
}

/// A run of elements, `stride` apart, that one reduction goes through.
struct Lane {
  std::int64_t first, stride, count;
};

/// The lanes of `x` along `axis`, in the order of the results.
std::vector<Lane> lanes(const Tensor& x, Axis axis) {
  if (axis == Axis::all) return {{0, 1, x.count()}};
  std::vector<Lane> found;
  if (axis == Axis::rows)
    for (std::int64_t j = 0; j < x.cols(); ++j) found.push_back({j * x.rows(), 1, x.rows()});
  else
    for (std::int64_t i = 0; i < x.rows(); ++i) found.push_back({i, x.rows(), x.cols()});
  return found;
}

double element(const Values& values, const Lane& lane, std::int64_t p) {
  return values[static_cast<std::size_t>(lane.first + p * lane.stride)];
}

/// One row of a product's left operand: what it holds at which columns, absent and (in sparse storage) zero entries
/// left out.
struct Entry {
  std::int64_t col;
  double value;
};

std::vector<std::vector<Entry>> entries_by_row(const Tensor& a) {
  std::vector<std::vector<Entry>> rows(static_cast<std::size_t>(a.rows()));
  if (a.is_dense()) {
    const Values values = values_of(a);
    for (std::int64_t i = 0; i < a.rows(); ++i)
      for (std::int64_t k = 0; k < a.cols(); ++k)
        rows[static_cast<std::size_t>(i)].push_back({k, values[static_cast<std::size_t>(k * a.rows() + i)]});
    return rows;
  }
  for (const Triplet& entry : to_triplets(a))
    if (entry.value != 0) rows[static_cast<std::size_t>(entry.row)].push_back({entry.col, entry.value});
  return rows;
}

}  // namespace

std::vector<Tensor> constant(const OpInput& input) { return one(input.results[0], {attribute<double>(input.op)}); }

std::vector<Tensor> size(const OpInput& input) {
  const auto symbol = [&](SymbolId id) { return input.size_of(Size::symbol(id)); };
  return one(input.results[0], {evaluate_sum(attribute<Size>(input.op), symbol).number()});
}

std::vector<Tensor> table(const OpInput& input) { return one(input.results[0], *attribute<Numbers>(input.op).values); }

std::vector<Tensor> text(const OpInput& input) {
  return {text_tensor(attribute<std::string>(input.op), input.results[0])};
}

std::vector<Tensor> fill(const OpInput& input) {
  const ResultType& type = input.results[0];
  return one(type,
             Values(static_cast<std::size_t>(element_count(type.rows, type.cols)), input.operands[0].as_scalar()));
}

std::vector<Tensor> iota(const OpInput& input) {
  const ResultType& type = input.results[0];
  const bool along_rows = attribute<Axis>(input.op) == Axis::rows;
  Values values = room_for(type);
  for_each_place(type.rows, type.cols,
                 [&](std::int64_t i, std::int64_t j) { values.push_back(static_cast<double>(along_rows ? i : j)); });
  return one(type, values);
}

std::vector<Tensor> convert(const OpInput& input) { return {to_element(input.operands[0], input.results[0].element)}; }

std::vector<Tensor> map(const OpInput& input) {
  const ResultType& type = input.results[0];
  const ScalarOp op = attribute<ScalarOp>(input.op);
  std::vector<Broadcast> operands(input.operands.begin(), input.operands.end());
  for (const Broadcast& operand : operands)
    require(operand.fits(type.rows, type.cols), "map of operands that do not broadcast to its result");
  Values values = room_for(type);
  double arguments[3] = {0, 0, 0};
  for_each_place(type.rows, type.cols, [&](std::int64_t i, std::int64_t j) {
    for (std::size_t a = 0; a < operands.size(); ++a) arguments[a] = operands[a].at(i, j);
    values.push_back(evaluate_as(type.element, op, arguments[0], arguments[1], arguments[2]));
  });
  return one(type, values);
}

std::vector<Tensor> transpose(const OpInput& input) { return {runtime::transpose(input.operands[0])}; }

std::vector<Tensor> reshape(const OpInput& input) {
  return {input.operands[0].reshaped(input.results[0].rows, input.results[0].cols)};
}

std::vector<Tensor> diagonal(const OpInput& input) {
  return {diagonal_of(input.operands[0], attribute<std::int64_t>(input.op))};
}

std::vector<Tensor> index(const OpInput& input) {
  const Values x = values_of(input.operands[0]);
  Values values;
  for (std::int64_t position : selected(input, input.operands[0]))
    values.push_back(x[static_cast<std::size_t>(position)]);
  return one(input.results[0], values);
}

// What is not specified is NaN here, so that nobody relies on it.
std::vector<Tensor> shift(const OpInput& input) {
  const Tensor& x = input.operands[0];
  const ResultType& type = input.results[0];
  const std::vector<Subscript>& axes = attribute<Subscripts>(input.op).axes;
  const std::int64_t down = input.size_of(axes[0].first), right = input.size_of(axes[1].first);
  const Values old = values_of(x);
  Values values(static_cast<std::size_t>(type.rows * type.cols), is_floating(type.element) ? std::nan("") : 0.0);
  for_each_place(type.rows, type.cols, [&](std::int64_t i, std::int64_t j) {
    const std::int64_t row = i + down, col = j + right;
    if (row >= 0 && row < x.rows() && col >= 0 && col < x.cols())
      values[static_cast<std::size_t>(j * type.rows + i)] = old[static_cast<std::size_t>(col * x.rows() + row)];
  });
  return one(type, values);
}

std::vector<Tensor> update(const OpInput& input) {
  const Tensor& base = input.operands.front();
  const Values value = values_of(input.operands.back());
  Values x = values_of(base);
  const auto targets = selected(input, base);
  require(value.size() == 1 || value.size() == targets.size(), "update with a value of another count");
  for (std::size_t p = 0; p < targets.size(); ++p)
    x[static_cast<std::size_t>(targets[p])] = value[value.size() == 1 ? 0 : p];
  return one(input.results[0], x);
}

std::vector<Tensor> resize(const OpInput& input) {
  const Tensor& x = input.operands[0];
  const ResultType& type = input.results[0];
  const Values old = values_of(x);
  if (!input.op.reuse.empty() && (type.rows < x.rows() || type.cols < x.cols())) {
    require(type.rows * type.cols <= x.rows() * x.cols(), "resize that makes room for more");
    return one(type, Values(old.begin(), old.begin() + type.rows * type.cols));
  }
  require(type.rows >= x.rows() && type.cols >= x.cols(), "resize that shrinks");
  Values values(static_cast<std::size_t>(type.rows * type.cols), 0.0);
  for_each_place(x.rows(), x.cols(), [&](std::int64_t i, std::int64_t j) {
    values[static_cast<std::size_t>(j * type.rows + i)] = old[static_cast<std::size_t>(j * x.rows() + i)];
  });
  return one(type, values);
}

std::vector<Tensor> concat(const OpInput& input) {
  const ResultType& type = input.results[0];
  const bool along_rows = attribute<Axis>(input.op) == Axis::rows;
  Values values(static_cast<std::size_t>(type.rows * type.cols));
  std::int64_t row = 0, col = 0;
  for (const Tensor& part : input.operands) {
    require(along_rows ? part.cols() == type.cols : part.rows() == type.rows, "concat of parts that do not fit");
    const Values old = values_of(part);
    for_each_place(part.rows(), part.cols(), [&](std::int64_t i, std::int64_t j) {
      values[static_cast<std::size_t>((col + j) * type.rows + row + i)] =
          old[static_cast<std::size_t>(j * part.rows() + i)];
    });
    (along_rows ? row : col) += along_rows ? part.rows() : part.cols();
  }
  require(along_rows ? row == type.rows : col == type.cols, "concat of parts that do not fill the result");
  return one(type, values);
}

std::vector<Tensor> reduce(const OpInput& input) {
  const Reduction& reduction = attribute<Reduction>(input.op);
  const ResultType& type = input.results[0];
  const Values x = values_of(input.operands[0]);
  Values values;
  for (const Lane& lane : lanes(input.operands[0], reduction.axis)) {
    double sum = identity(reduction.op);
    for (std::int64_t p = 0; p < lane.count; ++p)
      sum = round_to(type.element, combine(reduction.op, sum, element(x, lane, p)));
    values.push_back(sum);
  }
  return one(type, values);
}

std::vector<Tensor> arg_reduce(const OpInput& input) {
  const Reduction& reduction = attribute<Reduction>(input.op);
  const Values x = values_of(input.operands[0]);
  Values extremes, places;
  for (const Lane& lane : lanes(input.operands[0], reduction.axis)) {
    Extreme extreme(reduction.op);
    for (std::int64_t p = 0; p < lane.count; ++p) extreme.visit(element(x, lane, p), p + 1);
    extremes.push_back(extreme.value);
    places.push_back(static_cast<double>(extreme.position));
  }
  return {one(input.results[0], extremes)[0], one(input.results[1], places)[0]};
}

std::vector<Tensor> scan(const OpInput& input) {
  return {scan_tensor(attribute<Reduction>(input.op), input.operands[0], input.results[0].element)};
}

std::vector<Tensor> matmul(const OpInput& input) {
  const Transposes* flags = std::get_if<Transposes>(&input.op.attribute);
  const ResultType& type = input.results[0];
  const Tensor left = flags && flags->left ? runtime::transpose(input.operands[0]) : input.operands[0];
  const Tensor right = flags && flags->right ? runtime::transpose(input.operands[1]) : input.operands[1];
  require(left.cols() == right.rows(), "product of matrices that do not fit");
  if (left.rows() == 0 || right.cols() == 0) return one(type, {});
  const auto rows = entries_by_row(left);
  const Values b = values_of(right);
  Values values;
  for_each_place(left.rows(), right.cols(), [&](std::int64_t i, std::int64_t j) {
    double sum = 0;
    for (const Entry& a : rows[static_cast<std::size_t>(i)])
      sum = round_to(type.element, sum + a.value * b[static_cast<std::size_t>(j * right.rows() + a.col)]);
    values.push_back(sum);
  });
  return one(type, values);
}

std::vector<Tensor> copy(const OpInput& input) { return {input.operands[0]}; }

}  // namespace lac::runtime::interp
