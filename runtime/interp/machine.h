// The interpreter's state and the handlers of ops. Internal to runtime/interp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph/graph.h"
#include "runtime/interp/evaluate_op.h"
#include "runtime/interp/ownership.h"
#include "runtime/run.h"

namespace lac::runtime::interp {

class Machine {
 public:
  /// `plan` is the graph's, or null.
  Machine(const Graph& graph, const Plan* plan, const std::vector<Tensor>& parameters, const RunOptions& options);
  RunResult run();

 private:
  using Handler = void (Machine::*)(const Op&);
  static const Handler handlers[];

  void run_body();
  void run_block(BlockId block);
  bool makes_matrix(const Op& op) const;
  /// Ends the run where something from outside wants that.
  void poll();
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
    for (const ResultType& type : types) require_room(type);
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

  /// Ops build their results as vectors of doubles, which no budget counts: std::bad_alloc before one that has no room.
  static void require_room(const ResultType& type);
  void add_warning(RunWarning warning);
  void emit(Stream stream, std::string_view text);
  LoopStatistics& loop_statistics(LocationId location);
  KernelStatistics& kernel_statistics(KernelId id);

  const Graph& graph_;
  const std::vector<Tensor>& parameters_;
  const RunOptions& options_;
  SizeOf size_of_;
  std::vector<std::optional<Tensor>> values_;
  Ownership ownership_;
  LocationId location_;                     ///< of the op at hand
  std::vector<std::int64_t> trips_;         ///< of the loops being run, from 1
  std::vector<LocationId> loops_;           ///< those loops
  std::vector<std::int64_t> kernel_slots_;  ///< by kernel: its place in the statistics, or -1
  RunResult result_ = begin_run(options_);
};

}  // namespace lac::runtime::interp
