#include "runtime/interp/interpreter.h"

#include <chrono>
#include <cmath>
#include <iterator>
#include <new>
#include <optional>

#include "ir/support/result.h"
#include "runtime/interp/evaluate_op.h"
#include "runtime/interp/kernel_interpreter.h"
#include "runtime/interp/ownership.h"
#include "runtime/interp/parameters.h"
#include "runtime/library/message.h"
#include "runtime/library/random.h"

namespace lac::runtime {
namespace {

using interp::OpInput;
using interp::PureOp;

/// Thrown to leave the op at hand and everything around it.
struct Stop {
  RunStatus status;
};

class Machine {
 public:
  Machine(const Graph& graph, const std::vector<Tensor>& parameters, const RunOptions& options);
  RunResult run();

 private:
  using Handler = void (Machine::*)(const Op&);
  static const Handler handlers[];

  void run_body();
  void run_block(BlockId block);
  [[noreturn]] void stop(RunCode code, std::string message, std::string id = {});

  // Values.
  const Tensor& read(ValueId value);
  std::vector<Tensor> operands(const Op& op, std::size_t first = 0);
  void write(ValueId value, Tensor tensor);
  void write_results(const Op& op, std::vector<Tensor> tensors);
  void move_values(const std::vector<ValueId>& from, const std::vector<ValueId>& to, std::size_t from_first,
                   std::size_t to_first);
  std::int64_t symbol_value(SymbolId id);
  ResultType type_of(ValueId value);
  std::vector<ResultType> result_types(const Op& op);
  void check_type(ValueId value);
  void check_nan(const Op& op);

  // One handler for each kind of op.
  template <PureOp evaluate>
  void pure(const Op& op) {
    const auto inputs = operands(op);
    const auto types = result_types(op);
    write_results(op, evaluate(OpInput{op, inputs, types, size_of_}));
  }
  void parameter(const Op& op);
  void random(const Op& op);
  void reshape(const Op& op);
  void library(const Op& op);
  void check(const Op& op);
  void warn(const Op& op);
  void print(const Op& op);
  void format(const Op& op);
  void output(const Op& op);
  void loop(const Op& op);
  void branch(const Op& op);
  void launch(const Op& op);
  void release(const Op& op);

  void add_warning(RunWarning warning);
  void emit(Stream stream, std::string_view text);
  LoopStatistics& loop_statistics(LocationId location);
  KernelStatistics& kernel_statistics(KernelId id);

  const Graph& graph_;
  const std::vector<Tensor>& parameters_;
  const RunOptions& options_;
  interp::SizeOf size_of_;
  std::vector<std::optional<Tensor>> values_;
  interp::Ownership ownership_;
  LocationId location_;              ///< of the op at hand
  std::vector<std::int64_t> trips_;  ///< of the loops being run, from 1
  std::uint64_t random_counter_ = 0;
  std::vector<std::int64_t> kernel_slots_;  ///< by kernel: its place in the statistics, or -1
  RunResult result_;
};

const Machine::Handler Machine::handlers[] = {
    &Machine::parameter,
    &Machine::pure<interp::constant>,
    &Machine::pure<interp::size>,
    &Machine::pure<interp::fill>,
    &Machine::pure<interp::iota>,
    &Machine::random,
    &Machine::pure<interp::convert>,
    &Machine::pure<interp::map>,
    &Machine::pure<interp::transpose>,
    &Machine::reshape,
    &Machine::pure<interp::diagonal>,
    &Machine::pure<interp::index>,
    &Machine::pure<interp::update>,
    &Machine::pure<interp::resize>,
    &Machine::pure<interp::concat>,
    &Machine::pure<interp::reduce>,
    &Machine::pure<interp::arg_reduce>,
    &Machine::pure<interp::scan>,
    &Machine::pure<interp::matmul>,
    &Machine::library,
    &Machine::check,
    &Machine::warn,
    &Machine::print,
    &Machine::format,
    &Machine::output,
    &Machine::loop,
    &Machine::branch,
    &Machine::launch,
    &Machine::pure<interp::copy>,
    &Machine::release,
};

constexpr int op_kind_count = 0
#define LAC_OP(kind, fewest, most, results, traits) +1
#include "ir/graph/ops.def"
#undef LAC_OP
    ;

Machine::Machine(const Graph& graph, const std::vector<Tensor>& parameters, const RunOptions& options)
    : graph_(graph),
      parameters_(parameters),
      options_(options),
      values_(graph.values.size()),
      ownership_(graph),
      kernel_slots_(graph.kernels.size(), -1) {
  static_assert(std::size(handlers) == op_kind_count);
  size_of_ = [this](const Size& size) { return size.evaluate([this](SymbolId id) { return symbol_value(id); }); };
}

// -- running ----------------------------------------------------------------------------------------------------------

RunResult Machine::run() {
  const auto start = std::chrono::steady_clock::now();
  try {
    run_body();
  } catch (Stop& stopped) {
    result_.status = std::move(stopped.status);
  } catch (const InternalError& error) {
    result_.status = {RunCode::internal_error, error.what(), {}, location_, trips_};
  } catch (const std::bad_alloc&) {
    result_.status = {RunCode::out_of_memory, "error: out of memory or dimension too large", {}, location_, trips_};
  }
  result_.statistics.memory.peak_bytes = ownership_.peak_bytes();
  result_.statistics.memory.resources_created = ownership_.buffers_made();
  result_.statistics.run_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::move(result_);
}

void Machine::run_body() {
  if (const auto mismatch = interp::find_mismatch(graph_, parameters_)) stop(RunCode::error, "error: " + *mismatch);
  run_block(graph_.body);
}

void Machine::run_block(BlockId block) {
  for (OpId id : graph_.blocks[block].ops) {
    const Op& op = graph_.ops[id];
    location_ = op.location;
    (this->*handlers[static_cast<int>(op.kind)])(op);
    location_ = op.location;  // a region op has moved it
    if (options_.check_nan) check_nan(op);
  }
}

void Machine::stop(RunCode code, std::string message, std::string id) {
  throw Stop{{code, std::move(message), std::move(id), location_, trips_}};
}

// -- values -----------------------------------------------------------------------------------------------------------

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
  const SizeSymbol& symbol = graph_.symbols[id];
  switch (symbol.origin) {
    case SymbolOrigin::parameter_rows: return parameters_[symbol.parameter].rows();
    case SymbolOrigin::parameter_cols: return parameters_[symbol.parameter].cols();
    case SymbolOrigin::parameter_value: return static_cast<std::int64_t>(parameters_[symbol.parameter].as_scalar());
    case SymbolOrigin::value: return static_cast<std::int64_t>(read(symbol.value).as_scalar());
  }
  throw InternalError("a size symbol of unknown origin");
}

ResultType Machine::type_of(ValueId value) {
  const Type& type = graph_.type(value);
  ResultType result{type.element, type.storage, size_of_(type.rows), size_of_(type.cols), {}};
  for (const Size& offset : type.offsets) result.offsets.push_back(size_of_(offset));
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

// -- values from outside ----------------------------------------------------------------------------------------------

void Machine::parameter(const Op& op) {
  const Tensor& tensor = parameters_[attribute<ParameterIndex>(op).index];
  values_[op.results[0].index] = tensor;
  ownership_.define(op.results[0], 0, true);
  check_type(op.results[0]);
}

void Machine::random(const Op& op) {
  const ResultType type = result_types(op)[0];
  const std::uint64_t first = random_counter_;
  random_counter_ += static_cast<std::uint64_t>(type.rows * type.cols);
  write_results(op,
                {random_tensor(attribute<Distribution>(op), type.element, type.rows, type.cols, options_.seed, first)});
}

/// Without a takeover it is a view: one buffer with two names.
void Machine::reshape(const Op& op) {
  if (!op.reuse.empty() && op.reuse[0] >= 0) return pure<interp::reshape>(op);
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
  auto results = run_library(attribute<LibraryFn>(op), op.attribute, inputs, types, warnings);
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

void Machine::print(const Op& op) { emit(Stream::out, display_text(attribute<Display>(op), read(op.operands[0]))); }

void Machine::format(const Op& op) {
  const Message& message = attribute<Message>(op);
  const Result<std::string> text = format_message(message, operands(op));
  if (!text) stop(RunCode::error, "error: " + text.failure().message);
  emit(message.stream, text.value());
}

void Machine::output(const Op& op) { result_.outputs.emplace_back(attribute<std::string>(op), read(op.operands[0])); }

void Machine::add_warning(RunWarning warning) {
  result_.warnings.push_back(std::move(warning));
  if (options_.warn) options_.warn(result_.warnings.back());
}

void Machine::emit(Stream stream, std::string_view text) {
  const auto& sink = stream == Stream::out ? options_.out : options_.err;
  if (sink) sink(text);
}

// -- control ----------------------------------------------------------------------------------------------------------

void Machine::loop(const Op& op) {
  const Block& body = graph_.blocks[op.blocks[0]];
  const double limit = read(op.operands[0]).as_scalar();
  bool condition = is_true(read(op.operands[1]));
  move_values(op.operands, body.arguments, 2, 1);
  std::int64_t trip = 0;
  trips_.push_back(0);
  for (; static_cast<double>(trip) < limit && condition; ++trip) {
    trips_.back() = trip + 1;
    location_ = op.location;
    if (options_.interrupt && options_.interrupt->load()) stop(RunCode::interrupted, "interrupted");
    write(body.arguments[0], Tensor::scalar(static_cast<double>(trip), Element::integer));
    run_block(op.blocks[0]);
    condition = is_true(read(body.yields[0]));
    move_values(body.yields, body.arguments, 1, 1);
  }
  trips_.pop_back();
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
  interp::Traffic traffic;
  write_results(op, interp::interpret_kernel(graph_.kernels[id], inputs, size_of_, &traffic));
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
  return result_.statistics.loops.emplace_back(LoopStatistics{0, 0, location});
}

KernelStatistics& Machine::kernel_statistics(KernelId id) {
  auto& kernels = result_.statistics.kernels;
  std::int64_t& slot = kernel_slots_[id.index];
  if (slot < 0) {
    slot = static_cast<std::int64_t>(kernels.size());
    KernelStatistics& statistics = kernels.emplace_back();
    statistics.name = graph_.kernels[id].name;
    statistics.locations = graph_.kernels[id].locations;
  }
  return kernels[static_cast<std::size_t>(slot)];
}

}  // namespace

RunResult interpret(const Graph& graph, const std::vector<Tensor>& parameters, const RunOptions& options) {
  return Machine(graph, parameters, options).run();
}

}  // namespace lac::runtime
