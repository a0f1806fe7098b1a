// The machine's values: reading, defining, moving and reshaping them.
#include <cmath>
#include <cstring>
#include <utility>

#include "ir/support/result.h"
#include "runtime/cpu/finite.h"
#include "runtime/interp/parameters.h"
#include "runtime/interp/values.h"
#include "runtime/steps/extents.h"
#include "runtime/steps/text/message.h"
#include "runtime/vulkan/machine/machine.h"
#include "runtime/vulkan/memory/elements.h"
#include "runtime/vulkan/pack/pack.h"

namespace lac::runtime::vulkan {
namespace {

/// Of a dense matrix that was made with room to grow.
Tensor leading_part(const Tensor& tensor, std::int64_t rows, std::int64_t cols) {
  Tensor part = Tensor::dense(tensor.element(), rows, cols);
  const auto bytes = static_cast<std::size_t>(part.stored() * byte_size(part.element()));
  if (bytes > 0) std::memcpy(part.mutable_data(), tensor.data(), bytes);
  return part;
}

}  // namespace

const Value& Machine::value(ValueId id) const {
  const Value& value = values_[id.index];
  if (!value) throw InternalError("use before definition, or after release, of %" + std::to_string(id.index));
  return value;
}

void Machine::define(ValueId id, Value value) {
  if (value.scalar) value.scalar->publish();
  values_[id.index] = std::move(value);
}

/// The value for someone who consumes it: no name keeps its buffer.
Value Machine::take(ValueId id) {
  Value taken = value(id);
  if (taken.matrix) drop(id);
  return taken;
}

void Machine::drop(ValueId id) {
  const MatrixRef matrix = std::move(values_[id.index].matrix);
  values_[id.index] = {};
  for (ValueId view : views_)
    if (values_[view.index].matrix == matrix) values_[view.index] = {};
}

void Machine::drop_taken_over(const Op& op) {
  for (const std::int32_t operand : op.reuse)
    if (operand >= 0) drop(op.operands[static_cast<std::size_t>(operand)]);
}

double Machine::number(ValueId id) {
  const Value& found = value(id);
  if (found.number) return *found.number;
  if (found.scalar) return scalars_.value(*found.scalar);
  if (found.open) refuse_in_pack(looked_at_by_host);
  if (found.rows * found.cols == 1) return matrices_.element(*found.matrix, 0);
  throw InternalError("%" + std::to_string(id.index) + " is no scalar");
}

std::optional<double> Machine::known(ValueId id) const {
  const Value& found = value(id);
  return found.number ? found.number : found.scalar ? found.scalar->known() : std::nullopt;
}

std::optional<double> Machine::known_or_refuse(const Value& value) {
  if (value.open) refuse_in_pack(looked_at_by_host);
  return value.number ? value.number : value.scalar->known();
}

ScalarRef Machine::scalar(ValueId id) {
  static_cast<void>(value(id));
  Value& found = values_[id.index];
  if (found.matrix) throw InternalError("%" + std::to_string(id.index) + " is no scalar");
  if (found.open) refuse_in_pack(looked_at_by_host);
  if (!found.scalar) {
    found.scalar = scalars_.hold(*found.number, plan_.type(id).element);
    found.number.reset();
  }
  scalars_.slot(*found.scalar);
  return found.scalar;
}

std::int64_t Machine::symbol_value(SymbolId id) {
  return interp::size_of_symbol(plan_.symbols[id], parameters_, [this](ValueId value) {
    if (counted_.contains(value)) refuse_in_pack("a size follows from the number of trips of a loop");
    return number(value);
  });
}

ResultType Machine::type_of(ValueId id) const {
  const Type& type = plan_.type(id);
  ResultType result{type.element, type.storage, size_of_(type.rows), size_of_(type.cols), {}};
  for (const Size& offset : type.offsets) result.offsets.push_back(size_of_(offset));
  check_extents(result);
  return result;
}

bool Machine::is_true(ValueId id) {
  if (!value(id).matrix) return number(id) != 0;
  return runtime::is_true(tensor(id));
}

Tensor Machine::tensor(ValueId id) {
  const Value& found = value(id);
  if (!found.matrix) return Tensor::scalar(number(id), plan_.type(id).element);
  if (pack_inputs_.contains(found.matrix.get())) refuse_in_pack("a sparse input is needed by the host here");
  const Tensor& tensor = matrices_.on_host(*found.matrix);
  if (tensor.rows() == found.rows && tensor.cols() == found.cols) return tensor;
  if (tensor.stored() == found.rows * found.cols) return tensor.reshaped(found.rows, found.cols);
  return leading_part(tensor, found.rows, found.cols);
}

double Machine::element(const Value& value, std::int64_t position) {
  if (value.number) return *value.number;
  return value.scalar ? scalars_.value(*value.scalar) : matrices_.element(*value.matrix, position);
}

// -- moving -----------------------------------------------------------------------------------------------------------

void Machine::move_values(const std::vector<ValueId>& from, const std::vector<ValueId>& to, std::size_t from_first,
                          std::size_t to_first) {
  std::vector<Value> moved;
  for (std::size_t i = from_first; i < from.size(); ++i) {
    if (counted_.contains(from[i])) refuse_in_pack("the number of trips of a loop is handed on by the host here");
    moved.push_back(take(from[i]));
  }
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const ValueId target = to[to_first + i];
    define(target, in_form_of(target, std::move(moved[i])));
  }
}

Value Machine::in_form_of(ValueId target, Value value) {
  const bool scalar = plan_.type(target).is_scalar();
  if (scalar && value.matrix) return scalar_from_matrix(target, value);
  if (!scalar && !value.matrix) return matrix_from_scalar(target, value);
  return value;
}

Value Machine::matrix_from_scalar(ValueId target, const Value& value) {
  const Element element = plan_.type(target).element;
  if (const auto number = known_or_refuse(value)) return {{}, {}, matrices_.hold(Tensor::scalar(*number, element))};
  Value made{{}, {}, matrices_.make({element, Storage::dense, 1, 1, {}})};
  const std::vector<MatrixUse> uses = {{made.matrix, residency::Access::write}};
  matrices_.prepare(uses);
  const BufferRange to = matrices_.resources(*made.matrix).values().buffer;
  BufferRange from = scalars_.range(*value.scalar);
  from.size = to.size;  // a slot begins with the element as memory holds it
  copy_bytes(from, to);
  matrices_.finish(uses);
  return made;
}

Value Machine::scalar_from_matrix(ValueId target, const Value& value) {
  if (plan_.places[target] == Place::host || matrices_.is_on_host(*value.matrix))
    return {matrices_.element(*value.matrix, 0)};
  Value made{{}, scalars_.make(plan_.type(target).element)};
  const std::vector<MatrixUse> uses = {{value.matrix, residency::Access::read}};
  matrices_.prepare(uses);
  BufferRange from = matrices_.resources(*value.matrix).values().buffer;
  BufferRange to = scalars_.range(*made.scalar);
  from.size = to.size = static_cast<std::uint64_t>(device_bytes(plan_.type(target).element));
  copy_bytes(from, to);
  matrices_.finish(uses);
  return made;
}

MatrixRef Machine::copied(const MatrixRef& matrix) {
  if (matrix->type().storage != Storage::dense) return matrix;  // never written to
  if (!matrices_.is_on_device(*matrix)) return matrices_.hold(matrices_.on_host(*matrix), matrix->form());
  MatrixRef copy = matrices_.make(matrix->type(), matrix->form());
  const std::vector<MatrixUse> uses = {{matrix, residency::Access::read}, {copy, residency::Access::write}};
  matrices_.prepare(uses);
  if (!recorder_) matrices_.copy(*matrix, *copy);
  else if (matrix->stored() > 0)
    copy_bytes(matrices_.resources(*matrix).values().buffer, matrices_.resources(*copy).values().buffer);
  matrices_.finish(uses);
  return copy;
}

// -- checks -----------------------------------------------------------------------------------------------------------

void Machine::check_nan(const Op& op) {
  const bool computes =
      op.kind == OpKind::launch || op.kind == OpKind::library || op.kind == OpKind::table || op.kind == OpKind::scan;
  if (!computes) return;
  for (ValueId id : op.results)
    if (is_floating(plan_.type(id).element) && values_[id.index])
      if (std::string problem = not_finite(tensor(id), plan_.values[id].name); !problem.empty())
        stop(RunCode::error, std::move(problem));
}

}  // namespace lac::runtime::vulkan
