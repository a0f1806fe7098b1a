#include "runtime/cpu/loop_run.h"

#include <utility>

#include "runtime/cpu/binding.h"
#include "runtime/cpu/run_statistics.h"
#include "runtime/cpu/tiers.h"
#include "runtime/cpu/words.h"

namespace lac::runtime {
namespace {

/// Whoever runs the loop traces it.
RunOptions without_trace(RunOptions options) {
  options.trace = nullptr;
  return options;
}

}  // namespace

LoopRun::LoopRun(const CpuProgram& program, const std::vector<Tensor>& parameters, std::vector<std::int64_t> trips,
                 const RunOptions& options)
    : program_(program),
      options_(without_trace(options)),
      run_(program, options_),
      words_(program.tiers->plan().plan().values.size()) {
  bind(run_, parameters);
  run_.trips = std::move(trips);
}

const Type& LoopRun::type(ValueId value) const { return program_.tiers->plan().plan().type(value); }

void LoopRun::give(ValueId value, Tensor tensor, bool own) {
  std::uint64_t& word = words_[value.index];
  if (type(value).is_scalar()) {
    word = word_of(type(value).element, tensor.as_scalar());
    return;
  }
  word =
      reinterpret_cast<std::uint64_t>(own ? run_.pool.adopt(std::move(tensor)) : run_.pool.borrow(std::move(tensor)));
}

RunStatus LoopRun::run(OpId loop) {
  const auto compiled = [this](std::uint32_t number) { return program_.tiers->trip(number); };
  const std::int32_t status = run_loop(run_, program_.tiers->plan(), loop, words_, compiled);
  if (status != abi::ok && run_.result.status.ok())
    run_.fail(static_cast<RunCode>(status), "the program stopped without a reason", {});
  return run_.result.status;
}

double LoopRun::scalar(ValueId result) const { return number_of(type(result).element, &words_[result.index]); }

Tensor LoopRun::matrix(ValueId result, std::int64_t rows, std::int64_t cols) {
  auto* buffer = reinterpret_cast<PoolBuffer*>(words_[result.index]);
  if (buffer->tensor) return std::exchange(buffer->tensor, std::nullopt)->reshaped(rows, cols);
  Tensor tensor = Tensor::borrow_dense(type(result).element, rows, cols, buffer->values);
  static_cast<void>(tensor.mutable_data());  // the memory of the pool ends with this
  return tensor;
}

Statistics LoopRun::statistics() const { return statistics_of(run_); }

}  // namespace lac::runtime
