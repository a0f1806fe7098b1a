// Host steps: the values of the call become tensors, the step runs, its results become values again.
#include <chrono>
#include <cstring>
#include <utility>
#include <variant>

#include "ir/support/result.h"
#include "runtime/cpu/abi_functions.h"
#include "runtime/cpu/bounds.h"
#include "runtime/cpu/context.h"
#include "runtime/cpu/finite.h"
#include "runtime/cpu/guard.h"
#include "runtime/steps/dense/small_inverse.h"
#include "runtime/steps/dense/small_solve.h"
#include "runtime/steps/extents.h"
#include "runtime/steps/host_step.h"
#include "runtime/steps/step_work.h"

namespace lac::runtime {
namespace {

using abi::Context;
using abi::StepValue;

// The arguments of one step call, read from the front.
class StepArguments {
 public:
  StepArguments(Context* run, std::int32_t number, StepValue* values, const std::int64_t* sizes)
      : run(*run),
        step(run->manifest.steps[static_cast<std::size_t>(number)]),
        first_(values),
        values_(values),
        sizes_(sizes) {
    for (const StepOperand& operand : step.operands) operands.push_back(tensor(operand, *values_++));
    for (const StepOperand& result : step.results) results.push_back(type(result));
    count(number);
  }

  /// Hands the results over; the status of the step.
  std::int32_t store(std::vector<Tensor> tensors) {
    for (const Tensor& tensor : tensors)
      if (run.options.check_nan)
        if (std::string problem = not_finite(tensor, {}); !problem.empty())
          return run.fail(RunCode::error, std::move(problem), step.location);
    for (std::size_t i = 0; i < step.results.size(); ++i) {
      if (step.results[i].scalar) values_[i].scalar = tensors[i].as_scalar();
      else if (results_in_frame) copy_to_frame(tensors[i], *values_[i].buffer);
      else values_[i].buffer = run.pool.adopt(std::move(tensors[i]));
    }
    return abi::ok;
  }

  /// An operand that nobody else needs, with its memory.
  Tensor taken_over(std::size_t operand) {
    Tensor seen = operands[operand];
    abi::Buffer* buffer = first_[operand].buffer;
    if (buffer->in_frame > 0) static_cast<void>(seen.mutable_data());
    else if (seen.is_dense())
      return run.pool.hand_out(static_cast<PoolBuffer*>(buffer), seen.element(), seen.rows(), seen.cols());
    else run.pool.release(static_cast<PoolBuffer*>(buffer));
    return seen;
  }

  bool results_in_frame = false;  ///< the buffers are there and wait for the elements

  Context& run;
  const Step& step;
  std::vector<Tensor> operands;
  std::vector<ResultType> results;

 private:
  static void copy_to_frame(const Tensor& tensor, abi::Buffer& buffer) {
    if (tensor.rows() * tensor.cols() != buffer.in_frame) throw InternalError("a step made a matrix of another size");
    std::memcpy(buffer.values, tensor.data(), tensor.value_bytes());
  }

  ResultType type(const StepOperand& operand) {
    ResultType type{operand.element, operand.storage, sizes_[0], sizes_[1], {}};
    sizes_ += 2;
    check_extents(type);
    for (std::uint32_t d = 0; d < operand.offsets; ++d) type.offsets.push_back(*sizes_++);
    return type;
  }

  // Dense operands are looked at where they lie.
  Tensor tensor(const StepOperand& operand, const StepValue& value) {
    const ResultType shape = type(operand);
    if (operand.scalar) return Tensor::scalar(value.scalar, operand.element);
    if (value.buffer->in_frame > 0)
      return Tensor::borrow_dense(operand.element, shape.rows, shape.cols, value.buffer->values);
    const auto* buffer = static_cast<const PoolBuffer*>(value.buffer);
    if (operand.storage != Storage::dense) return buffer->tensor.value();
    if (run.checks_bounds && held_elements(*buffer, byte_size(operand.element)) < shape.rows * shape.cols)
      throw InternalError("a step reads a buffer as larger than it is");
    return Tensor::borrow_dense(operand.element, shape.rows, shape.cols, buffer->values);
  }

  void count(std::int32_t number) {
    Counters& counters = run.steps[static_cast<std::size_t>(number)];
    ++counters.launches;
    add_step_work(counters.work, operands, results);
  }

  StepValue* first_;
  StepValue* values_;
  const std::int64_t* sizes_;
};

template <class F>
std::int32_t run_step(Context* run, std::int32_t number, StepValue* values, const std::int64_t* sizes, F&& body) {
  const Step& step = run->manifest.steps[static_cast<std::size_t>(number)];
  const LocationId location = step.location;
  if (const std::int32_t stopped = run->poll(location); stopped != abi::ok) return stopped;
  return guarded(run, location, [&]() -> std::int32_t {
    using Clock = std::chrono::steady_clock;
    const bool timed = run->options.statistics;
    const Clock::time_point start = timed ? Clock::now() : Clock::time_point();
    StepArguments arguments(run, number, values, sizes);
    const HostSpan span(run->options.trace);
    const std::int32_t status = body(arguments);
    span.end(
        TraceKind::step,
        [&] {
          return TraceName{{}, step_name(step.kind, step.attribute), location};
        },
        0);
    if (timed)
      run->steps[static_cast<std::size_t>(number)].ms +=
          std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return status;
  });
}

std::int32_t host_step(StepArguments& a) {
  StepOutcome outcome =
      run_host_step({a.step.kind, a.step.attribute, a.step.location, a.operands, a.results}, a.run.steps_run);
  if (const auto* failure = std::get_if<StepFailure>(&outcome))
    return a.run.fail(RunCode::error, failure->message, a.step.location, failure->id);
  return a.store(std::move(std::get<std::vector<Tensor>>(outcome)));
}

std::int32_t step_in_frame(StepArguments& a) {
  a.results_in_frame = true;
  return host_step(a);
}

// The pool's memory ends with the run: it is copied, or leaves the pool.
std::int32_t output(StepArguments& a) {
  Tensor& value = a.operands[0];
  if (a.step.takes_over) value = a.taken_over(0);
  else if (value.is_dense()) static_cast<void>(value.mutable_data());
  return host_step(a);
}

}  // namespace
}  // namespace lac::runtime

#define LAC_STEP(name, body)                                                                \
  std::int32_t name(lac::abi::Context* run, std::int32_t step, lac::abi::StepValue* values, \
                    const std::int64_t* sizes) {                                            \
    return lac::runtime::run_step(run, step, values, sizes, lac::runtime::body);            \
  }
LAC_STEP(lac_library, host_step)
LAC_STEP(lac_library_in_frame, step_in_frame)
LAC_STEP(lac_scan, host_step)
LAC_STEP(lac_random, host_step)
LAC_STEP(lac_print, host_step)
LAC_STEP(lac_format, host_step)
LAC_STEP(lac_warn, host_step)
LAC_STEP(lac_fail, host_step)
LAC_STEP(lac_output, output)
#undef LAC_STEP

// -- steps of few rows in memory of the frame: 0 where they are to be called

namespace {

/// `step` of the numbers of a single or of a double.
template <class Step>
bool of_element(std::int64_t element_bytes, const Step& step) {
  return element_bytes == 4 ? step(float{}) : step(double{});
}

lac::runtime::Counters& counted(lac::abi::Context* run, std::int32_t step) {
  lac::runtime::Counters& counters = run->steps[static_cast<std::size_t>(step)];
  ++counters.launches;
  return counters;
}

}  // namespace

std::int32_t lac_solve_in_frame(lac::abi::Context* run, std::int32_t step, const lac::abi::Buffer* a,
                                const lac::abi::Buffer* b, lac::abi::Buffer* x, std::int64_t unknowns,
                                std::int64_t sides, std::int64_t element_bytes) {
  const bool done = of_element(element_bytes, [&]<class T>(T) {
    return lac::runtime::solve_small(static_cast<const T*>(a->values), static_cast<const T*>(b->values),
                                     static_cast<T*>(x->values), unknowns, sides);
  });
  if (!done) return 0;
  lac::runtime::Counters& counters = counted(run, step);
  counters.work.matrix_read += unknowns * unknowns * element_bytes;
  (sides > 1 ? counters.work.matrix_read : counters.work.vector_read) += unknowns * sides * element_bytes;
  (sides > 1 ? counters.work.matrix_written : counters.work.vector_written) += unknowns * sides * element_bytes;
  return 1;
}

std::int32_t lac_inverse_in_frame(lac::abi::Context* run, std::int32_t step, const lac::abi::Buffer* a,
                                  lac::abi::Buffer* x, std::int64_t rows, std::int64_t element_bytes) {
  const bool done = of_element(element_bytes, [&]<class T>(T) {
    return lac::runtime::invert_few(static_cast<const T*>(a->values), static_cast<T*>(x->values), rows);
  });
  if (!done) return 0;
  lac::runtime::Counters& counters = counted(run, step);
  counters.work.matrix_read += rows * rows * element_bytes;
  counters.work.matrix_written += rows * rows * element_bytes;
  return 1;
}

std::int32_t lac_det_in_frame(lac::abi::Context* run, std::int32_t step, const lac::abi::Buffer* a, double* value,
                              std::int64_t rows, std::int64_t element_bytes) {
  const bool done = of_element(element_bytes, [&]<class T>(T) {
    return lac::runtime::determinant_of_few(static_cast<const T*>(a->values), *value, rows);
  });
  if (!done) return 0;
  counted(run, step).work.matrix_read += rows * rows * element_bytes;
  return 1;
}
