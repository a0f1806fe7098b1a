#include "runtime/interp/interpreter.h"

#include <chrono>
#include <exception>
#include <iterator>
#include <new>
#include <stdexcept>

#include "runtime/interp/machine.h"
#include "runtime/interp/parameters.h"
#include "runtime/stop.h"
#include "runtime/thrown.h"

namespace lac::runtime {
namespace interp {

const Machine::Handler Machine::handlers[] = {
    &Machine::parameter,      &Machine::pure<constant>, &Machine::pure<size>,      &Machine::pure<table>,
    &Machine::pure<text>,     &Machine::pure<fill>,     &Machine::pure<iota>,      &Machine::random,
    &Machine::pure<convert>,  &Machine::pure<map>,      &Machine::pure<transpose>, &Machine::reshape,
    &Machine::pure<diagonal>, &Machine::pure<index>,    &Machine::pure<shift>,     &Machine::pure<update>,
    &Machine::pure<resize>,   &Machine::pure<concat>,   &Machine::pure<reduce>,    &Machine::pure<arg_reduce>,
    &Machine::pure<scan>,     &Machine::pure<matmul>,   &Machine::library,         &Machine::check,
    &Machine::warn,           &Machine::print,          &Machine::format,          &Machine::output,
    &Machine::loop,           &Machine::branch,         &Machine::launch,          &Machine::pure<copy>,
    &Machine::release,
};

constexpr int op_kind_count = 0
#define LAC_OP(kind, fewest, most, results, traits) +1
#include "ir/graph/ops.def"
#undef LAC_OP
    ;

Machine::Machine(const Graph& graph, const Plan* plan, const std::vector<Tensor>& parameters, const RunOptions& options)
    : graph_(graph),
      parameters_(parameters),
      options_(options),
      values_(graph.values.size()),
      ownership_(graph, plan),
      kernel_slots_(graph.kernels.size(), -1) {
  static_assert(std::size(handlers) == op_kind_count);
  size_of_ = [this](const Size& size) { return size.evaluate([this](SymbolId id) { return symbol_value(id); }); };
}

// -- running ----------------------------------------------------------------------------------------------------------

RunResult Machine::run() {
  const auto start = std::chrono::steady_clock::now();
  const StopScope scope(options_);
  try {
    run_body();
  } catch (Stop& stopped) {
    result_.status = std::move(stopped.status);
  } catch (const std::exception& error) {
    result_.status = status_of(error);
    result_.status.location = location_;
    result_.status.trips = trips_;
  }
  result_.statistics.memory.peak_bytes = ownership_.peak_bytes();
  result_.statistics.memory.resources_created = ownership_.buffers_made();
  result_.statistics.run_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::move(result_);
}

void Machine::run_body() {
  if (const auto mismatch = find_mismatch(graph_, parameters_)) stop(RunCode::error, "error: " + *mismatch);
  run_block(graph_.body);
  ownership_.check_end();
}

void Machine::run_block(BlockId block) {
  for (OpId id : graph_.blocks[block].ops) {
    const Op& op = graph_.ops[id];
    location_ = op.location;
    if (makes_matrix(op)) poll();  // the rest is over at once
    (this->*handlers[static_cast<int>(op.kind)])(op);
    location_ = op.location;  // a region op has moved it
    if (options_.check_nan) check_nan(op);
  }
}

bool Machine::makes_matrix(const Op& op) const {
  return !op.results.empty() && !graph_.type(op.results[0]).is_scalar();
}

void Machine::poll() {
  if (options_.place != nullptr) options_.place->location.store(location_.index, std::memory_order_relaxed);
  if (const RunCode code = stop_requested(options_); code != RunCode::ok) stop(code, stop_text(code));
}

void Machine::stop(RunCode code, std::string message, std::string id) {
  throw Stop{{code, std::move(message), std::move(id), location_, trips_}};
}

}  // namespace interp

RunResult interpret(const Graph& graph, const std::vector<Tensor>& parameters, const RunOptions& options) {
  return interp::Machine(graph, nullptr, parameters, options).run();
}

RunResult interpret(const Plan& plan, const std::vector<Tensor>& parameters, const RunOptions& options) {
  return interp::Machine(plan, &plan, parameters, options).run();
}

}  // namespace lac::runtime
