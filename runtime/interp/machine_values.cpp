// The interpreter's values: reading, writing, moving and checking them.
#include <cmath>
#include <utility>

#include "ir/support/result.h"
#include "runtime/interp/machine.h"
#include "runtime/interp/parameters.h"
#include "runtime/interp/values.h"
#include "runtime/steps/extents.h"

namespace lac::runtime::interp {

const Tensor& Machine::read(ValueId value) {
  ownership_.check_read(value);
  const std::optional<Tensor>& tensor = values_[value.index];
  if (!tensor) throw InternalError("use before definition of %" + std::to_string(value.index));
  return *tensor;
}

std::vector<Tensor> Machine::operands(const Op& op, std::size_t first) {
  std::vector<Tensor> tensors;
  for (std::size_t i = first; i < op.operands.size(); ++i) tensors.push_back(read(op.operands[i]));
  return tensors;
}

void Machine::write(ValueId value, Tensor tensor) {
  ownership_.define(value, static_cast<std::int64_t>(tensor.value_bytes()));
  values_[value.index] = std::move(tensor);
}

void Machine::write_results(const Op& op, std::vector<Tensor> tensors) {
  if (tensors.size() != op.results.size()) throw InternalError("an op with another number of results");
  for (std::int32_t operand : op.reuse)
    if (operand >= 0) ownership_.take_over(op.operands[static_cast<std::size_t>(operand)]);
  for (std::size_t r = 0; r < tensors.size(); ++r) write(op.results[r], std::move(tensors[r]));
  for (ValueId value : op.results) check_type(value);
}

/// All at once, as a loop's back edge does: every source is read before any target is written. Buffers change hands,
/// so in phase plan each source is consumed, and consuming one twice is noticed.
void Machine::move_values(const std::vector<ValueId>& from, const std::vector<ValueId>& to, std::size_t from_first,
                          std::size_t to_first) {
  std::vector<Tensor> moved;
  for (std::size_t i = from_first; i < from.size(); ++i) moved.push_back(read(from[i]));
  for (std::size_t i = from_first; i < from.size(); ++i) ownership_.take_over(from[i]);
  for (std::size_t i = 0; i < moved.size(); ++i) write(to[to_first + i], std::move(moved[i]));
  for (std::size_t i = 0; i < moved.size(); ++i) check_type(to[to_first + i]);
}

std::int64_t Machine::symbol_value(SymbolId id) {
  return size_of_symbol(graph_.symbols[id], parameters_, [this](ValueId value) { return read(value).as_scalar(); });
}

ResultType Machine::type_of(ValueId value) {
  const Type& type = graph_.type(value);
  ResultType result{type.element, type.storage, size_of_(type.rows), size_of_(type.cols), {}};
  for (const Size& offset : type.offsets) result.offsets.push_back(size_of_(offset));
  check_extents(result);
  return result;
}

std::vector<ResultType> Machine::result_types(const Op& op) {
  std::vector<ResultType> types;
  for (ValueId value : op.results) types.push_back(type_of(value));
  return types;
}

void Machine::check_type(ValueId value) {
  const ResultType type = type_of(value);
  const Tensor& tensor = *values_[value.index];
  if (tensor.element() != type.element || tensor.storage() != type.storage || tensor.rows() != type.rows ||
      tensor.cols() != type.cols)
    throw InternalError("%" + std::to_string(value.index) + " is " + std::string(name(tensor.element())) + " " +
                        std::to_string(tensor.rows()) + "x" + std::to_string(tensor.cols()) + " " +
                        std::string(name(tensor.storage())) + ", stated is " + graph_.text(graph_.type(value)) + " (" +
                        std::to_string(type.rows) + "x" + std::to_string(type.cols) + ")");
}

void Machine::check_nan(const Op& op) {
  if (op.kind == OpKind::constant || op.kind == OpKind::parameter) return;
  for (ValueId value : op.results) {
    const Tensor& tensor = *values_[value.index];
    if (!is_floating(tensor.element())) continue;
    for (std::int64_t k = 0; k < tensor.stored(); ++k) {
      const double element = tensor.stored_value(k);
      if (std::isfinite(element)) continue;
      const std::string& name = graph_.values[value].name;
      stop(RunCode::error, std::string("error: ") + (std::isnan(element) ? "NaN" : "Inf") + " in " +
                               (name.empty() ? "a computed value" : name));
    }
  }
}

}  // namespace lac::runtime::interp
