#include "runtime/vulkan/fragment/machine.h"

#include <exception>
#include <mutex>
#include <new>

#include "ir/support/result.h"
#include "runtime/cpu/finite.h"
#include "runtime/interp/parameters.h"
#include "runtime/interp/values.h"
#include "runtime/steps/extents.h"
#include "runtime/steps/text/message.h"
#include "runtime/stop.h"
#include "runtime/thrown.h"
#include "runtime/vulkan/device/error.h"

namespace lac::runtime::vulkan {
FragmentMachine::FragmentMachine(const FragmentPlan& program, const std::vector<Tensor>& parameters,
                                 const RunOptions& options, const FragmentRunOptions& fragment, Device& device)
    : plan_(*program.plan),
      passes_(*program.passes),
      parameters_(parameters),
      options_(options),
      fragment_(fragment),
      device_(device),
      stream_(device),
      textures_(device, stream_),
      values_(plan_.values.size()),
      steps_{options_, result_},
      launches_(plan_.kernels.size()) {}

RunResult FragmentMachine::run() {
  const auto start = std::chrono::steady_clock::now();
  const StopScope scope(options_);
  try {
    if (const auto mismatch = interp::find_mismatch(plan_, parameters_)) stop(RunCode::error, "error: " + *mismatch);
    run_block(plan_.body);
    stream_.finish();
  } catch (Stop& stopped) {
    result_.status = std::move(stopped.status);
  } catch (const DeviceError& error) {
    const bool memory = error.kind == DeviceErrorKind::out_of_memory;
    result_.status = {
        memory ? RunCode::out_of_memory : RunCode::error, std::string("error: ") + error.what(), {}, location_, trips_};
  } catch (const std::exception& error) {
    result_.status = status_of(error);
    result_.status.location = location_;
    result_.status.trips = trips_;
  }
  finish_statistics(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  return std::move(result_);
}

void FragmentMachine::finish_statistics(double ms) {
  Statistics& statistics = result_.statistics;
  statistics.run_ms = ms;
  for (std::uint32_t k = 0; k < launches_.size(); ++k) {
    if (launches_[k] == 0) continue;
    KernelStatistics kernel;
    kernel.id = kernel_id(k);
    kernel.name = passes_.kernels[KernelId{k}].name;
    kernel.launches = launches_[k];
    kernel.locations = plan_.kernels[KernelId{k}].locations;
    statistics.kernels.push_back(std::move(kernel));
  }
  statistics.transfers = textures_.transfers();
  statistics.transfers.polls = polls_;
  statistics.transfers.waits = stream_.counters().waits;
  statistics.transfers.submits = stream_.counters().submits;
  statistics.transfers.render_passes = stream_.counters().render_passes;
  statistics.memory = textures_.memory();
}

void FragmentMachine::run_block(BlockId block) {
  for (OpId id : plan_.blocks[block].ops) {
    const Op& op = plan_.ops[id];
    location_ = op.location;
    if (op.kind == OpKind::launch) poll_stop();
    run_op(op, id);
    location_ = op.location;
    if (options_.check_nan) check_nan(op);
  }
}

void FragmentMachine::run_op(const Op& op, OpId id) {
  switch (op.kind) {
    case OpKind::parameter: {
      const Tensor& tensor = parameters_[attribute<ParameterIndex>(op).index];
      if (plan_.type(op.results[0]).is_scalar()) return define(op.results[0], {.number = tensor.as_scalar()});
      return define(op.results[0], {{}, std::make_shared<Tensor>(tensor), {}, tensor.rows(), tensor.cols()});
    }
    case OpKind::constant:
    case OpKind::size:
    case OpKind::convert:
    case OpKind::map: return scalar_op(op);
    case OpKind::index: return index(op);
    case OpKind::reshape: return reshape(op);
    case OpKind::copy: return define(op.results[0], Value(value(op.operands[0])));
    case OpKind::release:
      for (ValueId operand : op.operands) define(operand, {});
      return;
    case OpKind::table:
    case OpKind::text:
    case OpKind::library:
    case OpKind::scan:
    case OpKind::random:
    case OpKind::print:
    case OpKind::format:
    case OpKind::output: return host_step(op);
    case OpKind::check:
    case OpKind::warn:
      if (!is_true(op.operands[0])) host_step(op);
      return;
    case OpKind::loop: return loop(op, id);
    case OpKind::branch: return branch(op);
    case OpKind::launch: return launch(op);
    default: throw InternalError("op '" + std::string(info(op.kind).name) + "' has no place in a plan");
  }
}

void FragmentMachine::stop(RunCode code, std::string message, std::string id) {
  throw Stop{{code, std::move(message), std::move(id), location_, trips_}};
}

// -- ops --------------------------------------------------------------------------------------------------------------

void FragmentMachine::scalar_op(const Op& op) {
  const Element element = plan_.type(op.results[0]).element;
  double operands[3] = {};
  for (std::size_t i = 0; i < op.operands.size(); ++i) operands[i] = number(op.operands[i]);
  double result = operands[0];
  if (op.kind == OpKind::constant) result = attribute<double>(op);
  if (op.kind == OpKind::size) result = static_cast<double>(size_of(attribute<Size>(op)));
  define(op.results[0], {.number = op.kind == OpKind::map ? evaluate_as(element, attribute<ScalarOp>(op), operands[0],
                                                                        operands[1], operands[2])
                                                          : round_to(element, result)});
}

/// One element of a dense matrix.
void FragmentMachine::index(const Op& op) {
  if (!plan_.type(op.results[0]).is_scalar() || !plan_.type(op.operands[0]).is_dense())
    throw InternalError("an index in a plan takes one element of a dense matrix");
  std::size_t next_vector = 1;
  std::int64_t position = 0, stride = 1;
  for (const Subscript& axis : attribute<Subscripts>(op).axes) {
    std::int64_t first = 0;
    if (axis.kind == SubscriptKind::range) first = size_of(axis.first);
    if (axis.kind == SubscriptKind::vector) first = static_cast<std::int64_t>(number(op.operands[next_vector++])) - 1;
    position += stride * first;
    stride = value(op.operands[0]).rows;
  }
  define(op.results[0], {.number = tensor(op.operands[0]).stored_value(position)});
}

/// Packed numbers keep their places.
void FragmentMachine::reshape(const Op& op) {
  const ResultType type = type_of(op.results[0]);
  Value shown = value(op.operands[0]);
  if (shown.tensor) shown.tensor = std::make_shared<Tensor>(shown.tensor->reshaped(type.rows, type.cols));
  shown.rows = type.rows;
  shown.cols = type.cols;
  define(op.results[0], std::move(shown));
}

void FragmentMachine::host_step(const Op& op) {
  std::vector<Tensor> operands;
  for (ValueId id : op.operands) operands.push_back(tensor(id));
  if (op.kind == OpKind::output && operands[0].is_dense() && operands[0].borrowed())
    static_cast<void>(operands[0].mutable_data());  // what the program gives out is its own
  std::vector<ResultType> types;
  for (ValueId id : op.results) types.push_back(type_of(id));
  StepOutcome outcome = run_host_step({op.kind, op.attribute, location_, operands, types}, steps_);
  if (const auto* failure = std::get_if<StepFailure>(&outcome)) stop(RunCode::error, failure->message, failure->id);
  const auto& tensors = std::get<std::vector<Tensor>>(outcome);
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const Tensor& made = tensors[r];
    if (plan_.type(op.results[r]).is_scalar()) define(op.results[r], {.number = made.as_scalar()});
    else define(op.results[r], {{}, std::make_shared<Tensor>(made), {}, made.rows(), made.cols()});
  }
  if (op.kind == OpKind::output && !op.reuse.empty()) define(op.operands[0], {});
}

void FragmentMachine::branch(const Op& op) {
  const BlockId taken = op.blocks[is_true(op.operands[0]) ? 0 : 1];
  run_block(taken);
  define_all(op.results, 0, values_of(plan_.blocks[taken].yields, 0));
}

// -- values -----------------------------------------------------------------------------------------------------------

const FragmentMachine::Value& FragmentMachine::value(ValueId id) const {
  const Value& value = values_[id.index];
  if (!value) throw InternalError("use before definition, or after release, of %" + std::to_string(id.index));
  return value;
}

void FragmentMachine::define(ValueId id, Value value) { values_[id.index] = std::move(value); }

double FragmentMachine::number(ValueId id) {
  static_cast<void>(value(id));
  Value& found = values_[id.index];
  if (!found.number) found.number = found.tensor ? found.tensor->as_scalar() : textures_.scalar(found.packed);
  return *found.number;
}

bool FragmentMachine::is_true(ValueId id) {
  return plan_.type(id).is_scalar() ? number(id) != 0 : runtime::is_true(tensor(id));
}

Tensor FragmentMachine::tensor(ValueId id) {
  if (plan_.type(id).is_scalar()) return Tensor::scalar(number(id), plan_.type(id).element);
  static_cast<void>(value(id));
  Value& found = values_[id.index];
  const ResultType type = type_of(id);
  if (!found.tensor && found.number)
    found.tensor = std::make_shared<Tensor>(Tensor::scalar(*found.number, type.element));
  if (!found.tensor) {
    Tensor made = type.storage == Storage::diagonal
                      ? Tensor::diagonal(type.element, found.rows, found.cols, type.offsets)
                      : Tensor::dense(type.element, found.rows, found.cols);
    textures_.download(found.packed, made);
    found.tensor = std::make_shared<Tensor>(std::move(made));
  }
  return *found.tensor;
}

const Packed& FragmentMachine::packed(ValueId id) {
  static_cast<void>(value(id));
  Value& found = values_[id.index];
  if (!found.packed.values) {
    if (!found.tensor) found.tensor = std::make_shared<Tensor>(Tensor::scalar(*found.number, plan_.type(id).element));
    found.packed = textures_.upload(*found.tensor, plan_.type(id).element);
  }
  return found.packed;
}

FragmentMachine::Values FragmentMachine::values_of(const std::vector<ValueId>& ids, std::size_t first) const {
  Values values;
  for (std::size_t i = first; i < ids.size(); ++i) values.push_back(value(ids[i]));
  return values;
}

void FragmentMachine::define_all(const std::vector<ValueId>& ids, std::size_t first, const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) define(ids[first + i], values[i]);
}

ResultType FragmentMachine::type_of(ValueId id) {
  const Type& type = plan_.type(id);
  ResultType result{type.element, type.storage, size_of(type.rows), size_of(type.cols), {}};
  for (const Size& offset : type.offsets) result.offsets.push_back(size_of(offset));
  check_extents(result);
  return result;
}

std::int64_t FragmentMachine::size_of(const Size& size) {
  return size.evaluate([this](SymbolId id) { return symbol_value(id); });
}

std::int64_t FragmentMachine::symbol_value(SymbolId id) {
  return interp::size_of_symbol(plan_.symbols[id], parameters_, [this](ValueId value) { return number(value); });
}

void FragmentMachine::check_nan(const Op& op) {
  if (op.kind == OpKind::constant || op.kind == OpKind::parameter) return;
  for (ValueId id : op.results)
    if (is_floating(plan_.type(id).element) && values_[id.index])
      if (std::string problem = not_finite(tensor(id), plan_.values[id].name); !problem.empty())
        stop(RunCode::error, std::move(problem));
}

RunResult run_fragment(const FragmentPlan& program, const std::vector<Tensor>& parameters, const RunOptions& options,
                       const FragmentRunOptions& fragment, const std::shared_ptr<Device>& device) {
  try {
    const std::lock_guard lock(device->run_mutex());
    return FragmentMachine(program, parameters, options, fragment, *device).run();
  } catch (const DeviceError& error) {  // before the first op
    RunResult failed;
    failed.status = {RunCode::error, std::string("error: ") + error.what()};
    return failed;
  }
}

}  // namespace lac::runtime::vulkan
