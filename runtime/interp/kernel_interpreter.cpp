#include "runtime/interp/kernel_interpreter.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>

#include "ir/plan/slots.h"
#include "ir/support/result.h"
#include "ir/types/extent.h"
#include "runtime/interp/access.h"
#include "runtime/interp/values.h"

namespace lac::runtime::interp {
namespace {

/// A dense input as doubles, or a sparse one whose entries a contraction walks.
struct InputBuffer {
  explicit InputBuffer(const Tensor& tensor)
      : tensor(tensor),
        values(tensor.is_dense() ? values_of(tensor) : std::vector<double>()),
        touched(tensor.stored()) {}

  const Tensor& tensor;
  std::vector<double> values;
  Touched touched;  ///< by stored value
};

struct OutputBuffer {
  OutputBuffer(const KernelOutput& output, std::int64_t rows, std::int64_t cols)
      : element(output.type.element),
        rows(rows),
        cols(cols),
        values(static_cast<std::size_t>(element_count(rows, cols)), 0.0),
        written(rows * cols) {}

  void store(std::int64_t position, double value) {
    values[static_cast<std::size_t>(position)] = value;
    written.mark(position);
  }

  Element element;
  std::int64_t rows, cols;
  std::vector<double> values;
  Touched written;
};

/// One reduction's accumulators: one for each place of its output.
struct Accumulators {
  std::vector<double> sums;
  std::vector<Extreme> extremes;
};

/// A body with its sizes evaluated once for the launch.
struct BoundBody {
  BoundBody(const Body& body, std::span<const Tensor> inputs, const SizeOf& size_of) : body(body) {
    for (const Instr& instr : body) {
      const bool load = instr.kind == InstrKind::load;
      sizes.push_back(instr.kind == InstrKind::size ? static_cast<double>(size_of(instr.size)) : 0.0);
      maps.push_back(load ? std::optional<BoundMap>(BoundMap(instr.map, inputs[instr.argument].rows(),
                                                             inputs[instr.argument].cols(), size_of))
                          : std::nullopt);
    }
    values.resize(body.size());
  }

  const Body& body;
  std::vector<double> sizes;
  std::vector<std::optional<BoundMap>> maps;
  std::vector<double> values;  ///< of the point at hand
};

class Launch {
 public:
  Launch(const Kernel& kernel, std::span<const Tensor> inputs, const SizeOf& size_of);
  std::vector<Tensor> run();
  Traffic traffic() const;

 private:
  void evaluate(BoundBody& bound, const Point& point, double matrix_element, double contraction);
  double load(const Instr& instr, const BoundMap& map, const Point& point, const std::vector<double>& values);
  double contract(Point point);
  void add_term(double& sum, const Point& point, double matrix_element);
  void visit(const Point& point);
  void reduce(const Point& point);
  std::size_t place(const KernelReduction& reduction, const Point& point) const;
  std::int64_t position_along(const KernelReduction& reduction, const Point& point) const;
  void finish_reductions();

  const Kernel& kernel_;
  std::int64_t rows_, cols_, extent_ = 0;
  std::vector<InputBuffer> inputs_;
  std::vector<OutputBuffer> outputs_;
  std::vector<Accumulators> accumulators_;
  BoundBody body_;
  std::optional<BoundBody> prologue_;
  std::vector<BoundMap> stores_;
};

Launch::Launch(const Kernel& kernel, std::span<const Tensor> inputs, const SizeOf& size_of)
    : kernel_(kernel),
      rows_(size_of(kernel.rows)),
      cols_(size_of(kernel.cols)),
      inputs_(inputs.begin(), inputs.end()),
      body_(kernel.body, inputs, size_of) {
  if (inputs.size() != kernel.inputs.size()) throw InternalError("a launch with another number of inputs");
  element_count(rows_, cols_);
  for (const Size& size : slot_sizes(kernel))
    if (!is_extent(std::abs(size_of(size)))) throw std::bad_alloc();
  for (const KernelOutput& output : kernel.outputs) {
    outputs_.emplace_back(output, size_of(output.type.rows), size_of(output.type.cols));
    if (output.base >= 0) outputs_.back().values = values_of(inputs[static_cast<std::size_t>(output.base)]);
    if (static_cast<std::int64_t>(outputs_.back().values.size()) != outputs_.back().rows * outputs_.back().cols)
      throw InternalError("an output that starts from an input of another shape");
  }
  if (kernel.contraction) {
    prologue_.emplace(kernel.contraction->prologue, inputs, size_of);
    extent_ = size_of(kernel.contraction->extent);
  }
  for (const Store& store : kernel.stores)
    stores_.emplace_back(store.map, outputs_[store.output].rows, outputs_[store.output].cols, size_of);
  for (const KernelReduction& reduction : kernel.reductions) {
    const OutputBuffer& output = outputs_[reduction.output];
    const std::size_t count = output.values.size();
    accumulators_.push_back({std::vector<double>(count, identity(reduction.reduction.op)),
                             std::vector<Extreme>(count, Extreme(reduction.reduction.op))});
  }
}

double Launch::load(const Instr& instr, const BoundMap& map, const Point& point, const std::vector<double>& values) {
  InputBuffer& input = inputs_[instr.argument];
  const std::int64_t position = map.position(point, values);
  if (position == BoundMap::outside) return instr.map.fill;
  if (!input.tensor.is_dense()) return input.tensor.at(position % input.tensor.rows(), position / input.tensor.rows());
  input.touched.mark(position);
  return input.values[static_cast<std::size_t>(position)];
}

void Launch::evaluate(BoundBody& bound, const Point& point, double matrix_element, double contraction) {
  for (std::uint32_t n = 0; n < bound.body.size(); ++n) {
    const Instr& instr = bound.body[InstrId{n}];
    const auto operand = [&](int which) {
      const InstrId id = instr.operands[static_cast<std::size_t>(which)];
      return id ? bound.values[id.index] : 0.0;
    };
    double& value = bound.values[n];
    switch (instr.kind) {
      case InstrKind::constant: value = round_to(instr.element, instr.number); break;
      case InstrKind::size: value = bound.sizes[n]; break;
      case InstrKind::index:
        value = static_cast<double>(instr.axis == Axis::rows ? point.i : instr.axis == Axis::cols ? point.j : point.k);
        break;
      case InstrKind::load: value = load(instr, *bound.maps[n], point, bound.values); break;
      case InstrKind::matrix_element: value = matrix_element; break;
      case InstrKind::contraction: value = contraction; break;
      case InstrKind::convert: value = round_to(instr.element, operand(0)); break;
      case InstrKind::apply: value = evaluate_as(instr.element, instr.op, operand(0), operand(1), operand(2)); break;
    }
  }
}

void Launch::add_term(double& sum, const Point& point, double matrix_element) {
  evaluate(*prologue_, point, matrix_element, 0);
  sum = round_to(kernel_.contraction->element, sum + prologue_->values[kernel_.contraction->value.index]);
}

double Launch::contract(Point point) {
  const Contraction& contraction = *kernel_.contraction;
  double sum = 0;
  if (contraction.storage == Storage::dense) {
    for (point.k = 0; point.k < extent_; ++point.k) add_term(sum, point, 0);
    return sum;
  }
  InputBuffer& matrix = inputs_[contraction.matrix];
  const Tensor& a = matrix.tensor;
  if (a.storage() != contraction.storage) throw InternalError("a contraction over a matrix of another storage");
  const auto term = [&](std::int64_t stored, std::int64_t column) {
    matrix.touched.mark(stored);
    const double value = a.stored_value(stored);
    point.k = column;
    if (value != 0) add_term(sum, point, value);
  };
  if (a.storage() == Storage::csr) {
    for (std::int32_t e = a.row_pointers()[point.i]; e < a.row_pointers()[point.i + 1]; ++e)
      term(e, a.column_indices()[e]);
    return sum;
  }
  for (std::size_t d = 0; d < a.offsets().size(); ++d) {
    const std::int64_t column = point.i + a.offsets()[d];
    if (column >= 0 && column < a.cols()) term(static_cast<std::int64_t>(d) * a.rows() + point.i, column);
  }
  return sum;
}

std::size_t Launch::place(const KernelReduction& reduction, const Point& point) const {
  const Axis axis = reduction.reduction.axis;
  return static_cast<std::size_t>(axis == Axis::all ? 0 : axis == Axis::rows ? point.j : point.i);
}

std::int64_t Launch::position_along(const KernelReduction& reduction, const Point& point) const {
  const Axis axis = reduction.reduction.axis;
  return axis == Axis::all ? point.j * rows_ + point.i : axis == Axis::rows ? point.i : point.j;
}

void Launch::reduce(const Point& point) {
  for (std::size_t r = 0; r < kernel_.reductions.size(); ++r) {
    const KernelReduction& reduction = kernel_.reductions[r];
    const double value = body_.values[reduction.value.index];
    const std::size_t target = place(reduction, point);
    double& sum = accumulators_[r].sums[target];
    sum = round_to(outputs_[reduction.output].element, combine(reduction.reduction.op, sum, value));
    if (reduction.index_output >= 0)
      accumulators_[r].extremes[target].visit(value, position_along(reduction, point) + 1);
  }
}

void Launch::visit(const Point& point) {
  evaluate(body_, point, 0, kernel_.contraction ? contract(point) : 0);
  for (std::size_t s = 0; s < stores_.size(); ++s) {
    const std::int64_t position = stores_[s].position(point, body_.values);
    if (position != BoundMap::outside)
      outputs_[kernel_.stores[s].output].store(position, body_.values[kernel_.stores[s].value.index]);
  }
  reduce(point);
}

void Launch::finish_reductions() {
  for (std::size_t r = 0; r < kernel_.reductions.size(); ++r) {
    const KernelReduction& reduction = kernel_.reductions[r];
    for (std::size_t p = 0; p < accumulators_[r].sums.size(); ++p) {
      const auto position = static_cast<std::int64_t>(p);
      outputs_[reduction.output].store(position, accumulators_[r].sums[p]);
      if (reduction.index_output < 0) continue;
      const Extreme& extreme = accumulators_[r].extremes[p];
      outputs_[reduction.output].store(position, extreme.value);
      outputs_[static_cast<std::size_t>(reduction.index_output)].store(position, static_cast<double>(extreme.position));
    }
  }
}

std::vector<Tensor> Launch::run() {
  for (std::int64_t j = 0; j < cols_ && rows_ > 0; ++j)
    for (std::int64_t i = 0; i < rows_; ++i) visit({i, j, 0});
  finish_reductions();
  std::vector<Tensor> results;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const OutputBuffer& output = outputs_[o];
    if (kernel_.outputs[o].base < 0 && !output.written.all())
      throw InternalError("kernel " + kernel_.name + " leaves elements of output " + std::to_string(o) + " unwritten");
    results.push_back(Tensor::dense(output.element, output.rows, output.cols, output.values));
  }
  return results;
}

Traffic Launch::traffic() const {
  Traffic total;
  const auto add = [&](std::int64_t& side, std::int64_t bytes, bool matrix) {
    side += bytes;
    (matrix ? total.matrix_bytes : total.vector_bytes) += bytes;
  };
  for (const InputBuffer& input : inputs_) {
    const Tensor& tensor = input.tensor;
    std::int64_t bytes = input.touched.count() * byte_size(tensor.element());
    if (tensor.storage() == Storage::csr) bytes += 4 * (input.touched.count() + tensor.rows() + 1);
    add(total.bytes_read, bytes, !tensor.is_dense() || (tensor.rows() > 1 && tensor.cols() > 1));
  }
  for (const OutputBuffer& output : outputs_)
    add(total.bytes_written, output.written.count() * byte_size(output.element), output.rows > 1 && output.cols > 1);
  return total;
}

}  // namespace

std::vector<Tensor> interpret_kernel(const Kernel& kernel, std::span<const Tensor> inputs, const SizeOf& size_of,
                                     Traffic* traffic) {
  Launch launch(kernel, inputs, size_of);
  std::vector<Tensor> outputs = launch.run();
  if (traffic) *traffic = launch.traffic();
  return outputs;
}

}  // namespace lac::runtime::interp
