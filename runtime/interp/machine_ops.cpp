// The handlers of everything that is not a pure op: parameters, effects, control, kernels and memory.
#include <new>
#include <utility>

#include "ir/support/result.h"
#include "runtime/interp/kernel_interpreter.h"
#include "runtime/interp/machine.h"
#include "runtime/steps/arrays/random.h"
#include "runtime/steps/text/message.h"
#include "runtime/tensor/memory.h"
#include "runtime/warnings.h"

namespace lac::runtime::interp {

// -- values from outside ----------------------------------------------------------------------------------------------

void Machine::parameter(const Op& op) {
  const Tensor& tensor = parameters_[attribute<ParameterIndex>(op).index];
  values_[op.results[0].index] = tensor;
  ownership_.define(op.results[0], 0, true);
  check_type(op.results[0]);
}

void Machine::random(const Op& op) {
  const ResultType type = result_types(op)[0];
  RandomState& state = result_.random;
  if (attribute<Distribution>(op) == Distribution::seed) {
    state = {seed_of(read(op.operands[0])), 0};
    return write_results(op, {Tensor::scalar(0, type.element)});
  }
  const std::uint64_t first = state.draws;
  state.draws += static_cast<std::uint64_t>(type.rows * type.cols);
  write_results(op,
                {random_tensor(attribute<Distribution>(op), type.element, type.rows, type.cols, state.seed, first)});
}

/// Without a takeover it is a view: one buffer with two names.
void Machine::reshape(const Op& op) {
  if (taken_over(op, 0) >= 0) return pure<interp::reshape>(op);
  const ValueId view = op.results[0];
  const ResultType type = type_of(view);
  values_[view.index] = read(op.operands[0]).reshaped(type.rows, type.cols);
  ownership_.define_view(view, op.operands[0]);
  check_type(view);
}

void Machine::library(const Op& op) {
  const auto inputs = operands(op);
  const auto types = result_types(op);
  std::vector<LibraryWarning> warnings;
  auto results = run_library(attribute<LibraryFn>(op), inputs, types, warnings, options_);
  for (LibraryWarning& warning : warnings) add_warning({std::move(warning.message), std::move(warning.id), location_});
  if (!results) stop(RunCode::error, results.failure().message);
  write_results(op, results.take());
}

// -- effects ----------------------------------------------------------------------------------------------------------

void Machine::check(const Op& op) {
  if (is_true(read(op.operands[0]))) return;
  const Message& message = attribute<Message>(op);
  stop(RunCode::error, error_text(message, operands(op, 1)), message.id);
}

void Machine::warn(const Op& op) {
  if (is_true(read(op.operands[0]))) return;
  const Message& message = attribute<Message>(op);
  add_warning({warning_text(message, operands(op, 1)), message.id, location_});
}

void Machine::print(const Op& op) {
  emit(Stream::out, display_text(attribute<Display>(op), operands(op), result_.digits));
}

void Machine::format(const Op& op) {
  const Message& message = attribute<Message>(op);
  const Result<std::string> text = format_message(message, operands(op));
  if (!text) stop(RunCode::error, "error: " + text.failure().message);
  emit(message.stream, text.value());
}

void Machine::output(const Op& op) {
  result_.outputs.emplace_back(attribute<std::string>(op), read(op.operands[0]));
  write_results(op, {});
}

void Machine::require_room(const ResultType& type) {
  if (type.storage != Storage::dense) return;
  MemoryBudget::Share share;
  const auto count = static_cast<std::size_t>(element_count(type.rows, type.cols));
  if (!share.take(count * static_cast<std::size_t>(byte_size(type.element)))) throw std::bad_alloc();
}

void Machine::add_warning(RunWarning warning) { deliver_warning(std::move(warning), options_, result_); }

void Machine::emit(Stream stream, std::string_view text) { show_text(options_, stream, text); }

// -- control ----------------------------------------------------------------------------------------------------------

void Machine::loop(const Op& op) {
  const Block& body = graph_.blocks[op.blocks[0]];
  const double limit = read(op.operands[0]).as_scalar();
  bool condition = is_true(read(op.operands[1]));
  move_values(op.operands, body.arguments, 2, 1);
  std::int64_t trip = 0;
  trips_.push_back(0);
  loops_.push_back(op.location);
  for (; static_cast<double>(trip) < limit && condition; ++trip) {
    trips_.back() = trip + 1;
    location_ = op.location;
    poll();
    write(body.arguments[0], Tensor::scalar(static_cast<double>(trip), Element::integer));
    run_block(op.blocks[0]);
    condition = is_true(read(body.yields[0]));
    move_values(body.yields, body.arguments, 1, 1);
  }
  trips_.pop_back();
  loops_.pop_back();
  loop_statistics(op.location).trips += trip;
  write(op.results[0], Tensor::scalar(static_cast<double>(trip), Element::integer));
  move_values(body.arguments, op.results, 1, 1);
}

void Machine::branch(const Op& op) {
  const BlockId taken = op.blocks[is_true(read(op.operands[0])) ? 0 : 1];
  run_block(taken);
  move_values(graph_.blocks[taken].yields, op.results, 0, 0);
}

// -- kernels and memory -----------------------------------------------------------------------------------------------

void Machine::launch(const Op& op) {
  const KernelId id = attribute<KernelId>(op);
  const auto inputs = operands(op);
  Traffic traffic;
  write_results(op, interpret_kernel(graph_.kernels[id], inputs, size_of_, &traffic));
  KernelStatistics& statistics = kernel_statistics(id);
  ++statistics.launches;
  statistics.bytes_read += traffic.bytes_read;
  statistics.bytes_written += traffic.bytes_written;
  statistics.matrix_bytes += traffic.matrix_bytes;
  statistics.vector_bytes += traffic.vector_bytes;
}

void Machine::release(const Op& op) {
  for (ValueId value : op.operands) ownership_.release(value);
}

LoopStatistics& Machine::loop_statistics(LocationId location) {
  for (LoopStatistics& loop : result_.statistics.loops)
    if (loop.location == location) return loop;
  return result_.statistics.loops.emplace_back(LoopStatistics{location, 0});
}

KernelStatistics& Machine::kernel_statistics(KernelId id) {
  auto& kernels = result_.statistics.kernels;
  std::int64_t& slot = kernel_slots_[id.index];
  if (slot < 0) {
    slot = static_cast<std::int64_t>(kernels.size());
    KernelStatistics& statistics = kernels.emplace_back();
    statistics.id = kernel_id(id.index);
    statistics.name = graph_.kernels[id].name;
    statistics.locations = graph_.kernels[id].locations;
    if (!loops_.empty()) statistics.loop = loops_.back();
  }
  return kernels[static_cast<std::size_t>(slot)];
}

}  // namespace lac::runtime::interp
