// The handlers of scalars, views and memory, and of host steps.
#include <chrono>
#include <utility>

#include "ir/support/result.h"
#include "ir/types/extent.h"
#include "runtime/steps/step_work.h"
#include "runtime/trace.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

// -- scalars and views ------------------------------------------------------------------------------------------------

void Machine::parameter(OpId, const Op& op) {
  const Tensor& tensor = parameters_[attribute<ParameterIndex>(op).index];
  if (plan_.type(op.results[0]).is_scalar()) return define(op.results[0], {tensor.as_scalar()});
  define(op.results[0],
         {{}, {}, matrices_.hold(tensor, form_of(plan_.values[op.results[0]])), tensor.rows(), tensor.cols()});
}

void Machine::constant(OpId, const Op& op) {
  define(op.results[0], {round_to(plan_.type(op.results[0]).element, attribute<double>(op))});
}

void Machine::size(OpId, const Op& op) {
  const double number =
      evaluate_sum(attribute<Size>(op), [this](SymbolId symbol) { return symbol_value(symbol); }).number();
  define(op.results[0], {round_to(plan_.type(op.results[0]).element, number)});
}

void Machine::convert(OpId, const Op& op) {
  define(op.results[0], {round_to(plan_.type(op.results[0]).element, number(op.operands[0]))});
}

void Machine::map(OpId, const Op& op) {
  double operands[3] = {};
  for (std::size_t i = 0; i < op.operands.size(); ++i) operands[i] = number(op.operands[i]);
  define(op.results[0], {evaluate_as(plan_.type(op.results[0]).element, attribute<ScalarOp>(op), operands[0],
                                     operands[1], operands[2])});
}

/// The column-major position of the one element that the subscripts select.
std::int64_t Machine::position(const Op& op) {
  const Subscripts& subscripts = attribute<Subscripts>(op);
  std::size_t next_vector = 1;
  std::int64_t position = 0, stride = 1;
  for (const Subscript& axis : subscripts.axes) {
    std::int64_t first = 0;
    if (axis.kind == SubscriptKind::range) first = size_of_(axis.first);
    if (axis.kind == SubscriptKind::vector)
      first = static_cast<std::int64_t>(element(value(op.operands[next_vector++]), 0)) - 1;
    position += stride * first;
    stride = value(op.operands[0]).rows;
  }
  return position;
}

void Machine::index(OpId, const Op& op) {
  if (!plan_.type(op.results[0]).is_scalar() || !plan_.type(op.operands[0]).is_dense())
    throw InternalError("an index in a plan takes one element of a dense matrix");
  const Value& from = value(op.operands[0]);
  if (!from.matrix) return define(op.results[0], Value(from));
  const std::int64_t at = position(op);
  if (const std::int64_t count = from.rows * from.cols; at < 0 || at >= count)
    throw InternalError("unchecked subscript " + std::to_string(at + 1) + " outside 1.." + std::to_string(count));
  define(op.results[0], {matrices_.element(*from.matrix, at)});
}

/// Order is kept, so a reshaped matrix is the same buffer; without a takeover it is a name of a buffer that the operand
/// goes on owning.
void Machine::reshape(OpId, const Op& op) {
  const ValueId source = op.operands[0], result = op.results[0];
  const ResultType type = type_of(result);
  const bool takes_over = taken_over(op, 0) >= 0;
  Value shown = in_form_of(result, takes_over ? take(source) : Value(value(source)));
  if (shown.matrix && !takes_over && value(source).matrix) views_.insert(result);
  shown.rows = type.rows;
  shown.cols = type.cols;
  define(result, std::move(shown));
}

// -- memory -----------------------------------------------------------------------------------------------------------

void Machine::copy(OpId, const Op& op) {
  Value copy = value(op.operands[0]);
  if (copy.matrix) copy.matrix = copied(copy.matrix);
  define(op.results[0], std::move(copy));
}

void Machine::release(OpId, const Op& op) {
  for (ValueId id : op.operands)
    if (values_[id.index].matrix) drop(id);
}

// -- host steps -------------------------------------------------------------------------------------------------------

void Machine::step(OpId id, const Op& op) {
  const auto shaders = shaders_.steps.find(id);
  if (shaders == shaders_.steps.end()) return host_step(id, op);
  const KernelShaders* fitting = fitting_shaders(id, shaders->second, false);
  if (!fitting) return host_step(id, op);
  launch_shaders(id, *fitting, nullptr, statistics_.launched(*fitting, {}, {op.location}));
}

bool Machine::fits_device(OpId id) {
  const auto shaders = shaders_.steps.find(id);
  if (shaders == shaders_.steps.end()) return true;
  const Op& op = plan_.ops[id];
  bool known = true;
  for (ValueId operand : op.operands)
    for_each_value_in(plan_, plan_.type(operand), [&](ValueId size) { known = known && has(size); });
  return !known || fitting_shaders(id, shaders->second, false) != nullptr;
}

void Machine::host_step(OpId, const Op& op) {
  if (vulkan_.pack) refuse_host_step_in_pack(op);
  std::vector<Tensor> operands;
  for (ValueId id : op.operands) operands.push_back(tensor(id));
  // What the program gives out must not borrow the memory of its parameters.
  if (op.kind == OpKind::output && operands[0].is_dense() && operands[0].borrowed())
    static_cast<void>(operands[0].mutable_data());
  run_step(op, operands);
  drop_taken_over(op);
}

/// What a message shows is looked at only where it is shown.
void Machine::condition(OpId, const Op& op) {
  if (is_true(op.operands[0])) return;
  std::vector<Tensor> operands;
  for (ValueId id : op.operands) operands.push_back(tensor(id));
  run_step(op, operands);
}

void Machine::run_step(const Op& op, const std::vector<Tensor>& operands) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const HostSpan span(options_.trace);
  std::vector<ResultType> types;
  for (ValueId id : op.results) types.push_back(type_of(id));
  StepOutcome outcome = run_host_step({op.kind, op.attribute, location_, operands, types}, steps_);
  if (const auto* failure = std::get_if<StepFailure>(&outcome)) stop(RunCode::error, failure->message, failure->id);
  span.end(
      TraceKind::step,
      [&] {
        return TraceName{{}, step_name(op.kind, op.attribute), op.location};
      },
      0);
  if (!op.results.empty())
    statistics_.add_step(op, operands, types, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  std::vector<Tensor>& tensors = std::get<std::vector<Tensor>>(outcome);
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    if (plan_.type(op.results[r]).is_scalar()) define(op.results[r], {tensors[r].as_scalar()});
    else
      define(op.results[r], {{},
                             {},
                             matrices_.hold(tensors[r], form_of(plan_.values[op.results[r]])),
                             tensors[r].rows(),
                             tensors[r].cols()});
  }
}

}  // namespace lac::runtime::vulkan
