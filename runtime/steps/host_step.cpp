#include "runtime/steps/host_step.h"

#include <utility>

#include "ir/support/result.h"
#include "runtime/steps/arrays/random.h"
#include "runtime/steps/arrays/scan.h"
#include "runtime/steps/text/message.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/warnings.h"

namespace lac::runtime {
namespace {

using Tensors = std::vector<Tensor>;

template <class T>
const T& attribute_of(const HostStep& step) {
  return std::get<T>(step.attribute);
}

StepOutcome library(const HostStep& step, StepRun& run) {
  std::vector<LibraryWarning> warnings;
  Result<Tensors> tensors =
      run_library(attribute_of<LibraryFn>(step), step.operands, step.results, warnings, run.options);
  for (LibraryWarning& warning : warnings)
    add_warning({std::move(warning.message), std::move(warning.id), step.location}, run);
  if (!tensors) return StepFailure{tensors.failure().message};
  return tensors.take();
}

StepOutcome numbers(const HostStep& step, StepRun&) {
  const ResultType& type = step.results[0];
  return Tensors{Tensor::dense(type.element, type.rows, type.cols, *attribute_of<Numbers>(step).values)};
}

StepOutcome text(const HostStep& step, StepRun&) {
  return Tensors{text_tensor(attribute_of<std::string>(step), step.results[0])};
}

StepOutcome scan(const HostStep& step, StepRun&) {
  return Tensors{scan_tensor(attribute_of<Reduction>(step), step.operands[0], step.results[0].element)};
}

StepOutcome random(const HostStep& step, StepRun& run) {
  const ResultType& type = step.results[0];
  RandomState& state = run.result.random;
  if (attribute_of<Distribution>(step) == Distribution::seed) {
    state = {seed_of(step.operands[0]), 0};
    return Tensors{Tensor::scalar(0, type.element)};
  }
  const std::uint64_t first = state.draws;
  state.draws += static_cast<std::uint64_t>(type.rows * type.cols);
  return Tensors{
      random_tensor(attribute_of<Distribution>(step), type.element, type.rows, type.cols, state.seed, first)};
}

StepOutcome check(const HostStep& step, StepRun&) {
  if (is_true(step.operands[0])) return Tensors{};
  const Message& message = attribute_of<Message>(step);
  return StepFailure{error_text(message, step.operands.subspan(1)), message.id};
}

StepOutcome warn(const HostStep& step, StepRun& run) {
  if (is_true(step.operands[0])) return Tensors{};
  const Message& message = attribute_of<Message>(step);
  add_warning({warning_text(message, step.operands.subspan(1)), message.id, step.location}, run);
  return Tensors{};
}

StepOutcome print(const HostStep& step, StepRun& run) {
  show_text(run.options, Stream::out, display_text(attribute_of<Display>(step), step.operands, run.result.digits));
  return Tensors{};
}

StepOutcome format(const HostStep& step, StepRun& run) {
  const Message& message = attribute_of<Message>(step);
  const Result<std::string> text = format_message(message, step.operands);
  if (!text) return StepFailure{"error: " + text.failure().message};
  show_text(run.options, message.stream, text.value());
  return Tensors{};
}

StepOutcome output(const HostStep& step, StepRun& run) {
  run.result.outputs.emplace_back(attribute_of<std::string>(step), step.operands[0]);
  return Tensors{};
}

struct Entry {
  OpKind kind;
  StepOutcome (*run)(const HostStep&, StepRun&);
};

constexpr Entry table[] = {
    {OpKind::table, numbers}, {OpKind::text, text},     {OpKind::library, library}, {OpKind::scan, scan},
    {OpKind::random, random}, {OpKind::check, check},   {OpKind::warn, warn},       {OpKind::print, print},
    {OpKind::format, format}, {OpKind::output, output},
};

}  // namespace

StepOutcome run_host_step(const HostStep& step, StepRun& run) {
  for (const Entry& entry : table)
    if (entry.kind == step.kind) return entry.run(step, run);
  throw InternalError("op '" + std::string(info(step.kind).name) + "' is no host step");
}

void add_warning(RunWarning warning, StepRun& run) { deliver_warning(std::move(warning), run.options, run.result); }

}  // namespace lac::runtime
