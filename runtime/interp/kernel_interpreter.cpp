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
  BoundBody(const Body& body, std::span<const Tensor> inputs, std::span<const OutputBuffer> outputs,
            const SizeOf& size_of)
      : body(body) {
    const auto bind_map = [&](const Instr& instr) -> std::optional<BoundMap> {
      if (instr.kind == InstrKind::load)
        return BoundMap(instr.map, inputs[instr.argument].rows(), inputs[instr.argument].cols(), size_of);
      if (instr.kind == InstrKind::reload)
        return BoundMap(instr.map, outputs[instr.argument].rows, outputs[instr.argument].cols, size_of);
      return std::nullopt;
    };
    for (const Instr& instr : body) {
      sizes.push_back(instr.kind == InstrKind::size ? static_cast<double>(size_of(instr.size)) : 0.0);
      maps.push_back(bind_map(instr));
    }
    values.resize(body.size());
  }

  const Body& body;
  std::vector<double> sizes;
  std::vector<std::optional<BoundMap>> maps;
  std::vector<double> values;  ///< of the point at hand
};

/// A nest with its sizes evaluated once for the launch.
struct BoundNest {
  BoundNest(const Nest& nest, std::span<const Tensor> inputs, std::span<const OutputBuffer> outputs,
            const SizeOf& size_of);

  const Nest& nest;
  std::int64_t rows, cols, extent = 0;
  BoundBody body;
  std::optional<BoundBody> prologue;
  std::vector<double> sums = {};  ///< of the contraction, at the point at hand
  std::vector<BoundMap> stores;
  std::vector<Accumulators> accumulators;  ///< of each reduction
};

BoundNest::BoundNest(const Nest& nest, std::span<const Tensor> inputs, std::span<const OutputBuffer> outputs,
                     const SizeOf& size_of)
    : nest(nest), rows(size_of(nest.rows)), cols(size_of(nest.cols)), body(nest.body, inputs, outputs, size_of) {
  element_count(rows, cols);
  if (nest.contraction) {
    prologue.emplace(nest.contraction->prologue, inputs, outputs, size_of);
    extent = size_of(nest.contraction->extent);
  }
  for (const Store& store : nest.stores)
    stores.emplace_back(store.map, outputs[store.output].rows, outputs[store.output].cols, size_of);
  for (const KernelReduction& reduction : nest.reductions) {
    const std::size_t count = outputs[reduction.output].values.size();
    accumulators.push_back({std::vector<double>(count, identity(reduction.reduction.op)),
                            std::vector<Extreme>(count, Extreme(reduction.reduction.op))});
  }
}

/// Of its output.
std::size_t place(const KernelReduction& reduction, const Point& point) {
  const Axis axis = reduction.reduction.axis;
  return static_cast<std::size_t>(axis == Axis::all ? 0 : axis == Axis::rows ? point.j : point.i);
}

std::int64_t position_along(const BoundNest& bound, const KernelReduction& reduction, const Point& point) {
  const Axis axis = reduction.reduction.axis;
  return axis == Axis::all ? point.j * bound.rows + point.i : axis == Axis::rows ? point.i : point.j;
}

class Launch {
 public:
  Launch(const Kernel& kernel, std::span<const Tensor> inputs, const SizeOf& size_of);
  std::vector<Tensor> run();
  Traffic traffic() const;

 private:
  void evaluate(BoundBody& bound, const Point& point, double matrix_element, const std::vector<double>& sums);
  double load(const Instr& instr, const BoundMap& map, const Point& point, const std::vector<double>& values);
  double reload(const Instr& instr, const BoundMap& map, const Point& point, const std::vector<double>& values) const;
  void contract(BoundNest& bound, Point point);
  void add_terms(BoundNest& bound, const Point& point, double matrix_element);
  void run(BoundNest& bound);
  void visit(BoundNest& bound, const Point& point);
  void reduce(BoundNest& bound, const Point& point);
  void finish_reductions(const BoundNest& bound);

  const Kernel& kernel_;
  std::vector<InputBuffer> inputs_;
  std::vector<OutputBuffer> outputs_;
  std::vector<BoundNest> nests_;
};

Launch::Launch(const Kernel& kernel, std::span<const Tensor> inputs, const SizeOf& size_of)
    : kernel_(kernel), inputs_(inputs.begin(), inputs.end()) {
  if (inputs.size() != kernel.inputs.size()) throw InternalError("a launch with another number of inputs");
  for (const Size& size : slot_sizes(kernel))
    if (!is_extent(std::abs(size_of(size)))) throw std::bad_alloc();
  for (const KernelOutput& output : kernel.outputs) {
    outputs_.emplace_back(output, size_of(output.type.rows), size_of(output.type.cols));
    if (output.base >= 0) outputs_.back().values = values_of(inputs[static_cast<std::size_t>(output.base)]);
    if (static_cast<std::int64_t>(outputs_.back().values.size()) != outputs_.back().rows * outputs_.back().cols)
      throw InternalError("an output that starts from an input of another shape");
  }
  for (const Nest* nest : nests(kernel)) nests_.emplace_back(*nest, inputs, outputs_, size_of);
}

double Launch::load(const Instr& instr, const BoundMap& map, const Point& point, const std::vector<double>& values) {
  InputBuffer& input = inputs_[instr.argument];
  const std::int64_t position = map.position(point, values);
  if (position == BoundMap::outside) return instr.map.fill;
  if (!input.tensor.is_dense()) return input.tensor.at(position % input.tensor.rows(), position / input.tensor.rows());
  input.touched.mark(position);
  return input.values[static_cast<std::size_t>(position)];
}

double Launch::reload(const Instr& instr, const BoundMap& map, const Point& point,
                      const std::vector<double>& values) const {
  const OutputBuffer& output = outputs_[instr.argument];
  const std::int64_t position = map.position(point, values);
  if (position == BoundMap::outside) return instr.map.fill;
  return output.values[static_cast<std::size_t>(position)];
}

void Launch::evaluate(BoundBody& bound, const Point& point, double matrix_element, const std::vector<double>& sums) {
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
      case InstrKind::reload: value = reload(instr, *bound.maps[n], point, bound.values); break;
      case InstrKind::matrix_element: value = matrix_element; break;
      case InstrKind::contraction: value = sums[instr.argument]; break;
      case InstrKind::convert: value = round_to(instr.element, operand(0)); break;
      case InstrKind::apply: value = evaluate_as(instr.element, instr.op, operand(0), operand(1), operand(2)); break;
    }
  }
}

void Launch::add_terms(BoundNest& bound, const Point& point, double matrix_element) {
  const Contraction& contraction = *bound.nest.contraction;
  evaluate(*bound.prologue, point, matrix_element, {});
  for (std::size_t n = 0; n < bound.sums.size(); ++n)
    bound.sums[n] = round_to(contraction.element, bound.sums[n] + bound.prologue->values[contraction.values[n].index]);
}

void Launch::contract(BoundNest& bound, Point point) {
  const Contraction& contraction = *bound.nest.contraction;
  bound.sums.assign(contraction.values.size(), 0);
  if (contraction.storage == Storage::dense) {
    for (point.k = 0; point.k < bound.extent; ++point.k) add_terms(bound, point, 0);
    return;
  }
  InputBuffer& matrix = inputs_[contraction.matrix];
  const Tensor& a = matrix.tensor;
  if (a.storage() != contraction.storage) throw InternalError("a contraction over a matrix of another storage");
  const auto term = [&](std::int64_t stored, std::int64_t column) {
    matrix.touched.mark(stored);
    const double value = a.stored_value(stored);
    point.k = column;
    if (value != 0) add_terms(bound, point, value);
  };
  if (a.storage() == Storage::csr) {
    for (std::int32_t e = a.row_pointers()[point.i]; e < a.row_pointers()[point.i + 1]; ++e)
      term(e, a.column_indices()[e]);
    return;
  }
  for (std::size_t d = 0; d < a.offsets().size(); ++d) {
    const std::int64_t column = point.i + a.offsets()[d];
    if (column >= 0 && column < a.cols()) term(static_cast<std::int64_t>(d) * a.rows() + point.i, column);
  }
}

void Launch::reduce(BoundNest& bound, const Point& point) {
  for (std::size_t r = 0; r < bound.nest.reductions.size(); ++r) {
    const KernelReduction& reduction = bound.nest.reductions[r];
    const double value = bound.body.values[reduction.value.index];
    const std::size_t target = place(reduction, point);
    double& sum = bound.accumulators[r].sums[target];
    sum = round_to(outputs_[reduction.output].element, combine(reduction.reduction.op, sum, value));
    if (reduction.index_output >= 0)
      bound.accumulators[r].extremes[target].visit(value, position_along(bound, reduction, point) + 1);
  }
}

void Launch::visit(BoundNest& bound, const Point& point) {
  if (bound.nest.contraction) contract(bound, point);
  evaluate(bound.body, point, 0, bound.sums);
  const std::vector<double>& values = bound.body.values;
  for (std::size_t s = 0; s < bound.stores.size(); ++s) {
    const std::int64_t position = bound.stores[s].position(point, values);
    const Store& store = bound.nest.stores[s];
    if (position != BoundMap::outside) outputs_[store.output].store(position, values[store.value.index]);
  }
  reduce(bound, point);
}

void Launch::finish_reductions(const BoundNest& bound) {
  for (std::size_t r = 0; r < bound.nest.reductions.size(); ++r) {
    const KernelReduction& reduction = bound.nest.reductions[r];
    const Accumulators& accumulators = bound.accumulators[r];
    for (std::size_t p = 0; p < accumulators.sums.size(); ++p) {
      const auto position = static_cast<std::int64_t>(p);
      outputs_[reduction.output].store(position, accumulators.sums[p]);
      if (reduction.index_output < 0) continue;
      const Extreme& extreme = accumulators.extremes[p];
      outputs_[reduction.output].store(position, extreme.value);
      outputs_[static_cast<std::size_t>(reduction.index_output)].store(position, static_cast<double>(extreme.position));
    }
  }
}

void Launch::run(BoundNest& bound) {
  for (std::int64_t j = 0; j < bound.cols && bound.rows > 0; ++j)
    for (std::int64_t i = 0; i < bound.rows; ++i) visit(bound, {i, j, 0});
  finish_reductions(bound);
}

std::vector<Tensor> Launch::run() {
  for (BoundNest& bound : nests_) run(bound);
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
    std::int64_t bytes = 0;
    for (const StorageArray& array : format(tensor.storage()).arrays)
      bytes += (array.index_bytes > 0 ? array.index_bytes : byte_size(tensor.element())) *
               extent_of(array, tensor.rows(), input.touched.count());
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
