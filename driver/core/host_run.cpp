#include "driver/core/host_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "ir/graph/warning_ids.h"
#include "runtime/figures/draw.h"
#include "runtime/interp/interpreter.h"
#include "runtime/stop.h"
#include "runtime/thrown.h"

namespace lac::driver {

namespace {

/// Leaves the executor; why is kept in the HostRun.
struct SinkFailed : std::runtime_error {
  SinkFailed() : std::runtime_error("a sink of the host failed") {}
};

constexpr double longest_limit = 1e9;  // seconds: what the clock of deadlines holds

}  // namespace

HostRun::HostRun(const api::RunOptions& wanted, bool files) : wanted_(wanted) {
  options.out = guarded(wanted.out);
  options.err = guarded(wanted.err);
  options.interrupt = wanted.interrupt;
  options.files = files;
  options.seed = wanted.seed;
  options.threads = wanted.threads;
  options.statistics = wanted.statistics;
  options.check_nan = wanted.check_nan;
  if (wanted.trace) trace_ = std::make_unique<runtime::Trace>();
  options.trace = trace_.get();
  options.figures = &figures_;
  options.open_files = &open_files_;
  options.captured = &captured_;
  if (wanted.time_limit > 0 && wanted.time_limit < longest_limit)
    options.deadline = runtime::coarse_now() + static_cast<std::int64_t>(std::ceil(wanted.time_limit * 1e9));
  if (wanted.progress) {
    watch_ = std::make_unique<Watch>(wanted.progress);
    options.place = &watch_->place();
  }
  if (wanted.memory_limit > 0) budget_ = std::make_shared<runtime::MemoryBudget>(wanted.memory_limit);
}

template <class Call>
void HostRun::call(const Call& sink) {
  try {
    return sink();
  } catch (const std::exception& thrown) {
    sink_problem_ = std::string("a sink of RunOptions threw: ") + thrown.what();
  } catch (...) {
    sink_problem_ = "a sink of RunOptions threw something that is no std::exception";
  }
  throw SinkFailed();
}

std::size_t HostRun::print(std::size_t size) {
  std::int64_t fits = static_cast<std::int64_t>(size);
  if (wanted_.output_limit > 0) fits = std::min(fits, wanted_.output_limit - printed_);
  printed_ += fits;
  return static_cast<std::size_t>(fits);
}

void HostRun::end_output() {
  limit_ = api::Limit::output;
  throw SinkFailed();
}

std::function<void(std::string_view)> HostRun::guarded(const std::function<void(std::string_view)>& sink) {
  if (!sink) return {};
  return [this, &sink](std::string_view text) {
    const std::size_t fits = print(text.size());
    if (fits > 0) call([&] { sink(text.substr(0, fits)); });
    if (fits < text.size()) end_output();
  };
}

// A warning is text that the program prints, whoever takes it: without a sink the result keeps it.
void HostRun::warn(const runtime::RunWarning& warning, const Locations& locations, const SourceManager& sources) {
  api::Diagnostic diagnostic = to_api(warning, locations, sources);
  if (warning.id == domain_warning && !domain_warned_(diagnostic)) return;
  if (print(diagnostic.rendered.size()) < diagnostic.rendered.size()) end_output();
  if (wanted_.on_warning) call([&] { wanted_.on_warning(diagnostic); });
  if (kept_.take(diagnostic.rendered.size())) warnings_.push_back(std::move(diagnostic));
}

template <class Work>
runtime::RunResult HostRun::limited(const std::shared_ptr<runtime::MemoryBudget>& budget, const Work& work) {
  limit_ = api::Limit::none;
  interrupted_ = false;
  sink_problem_.clear();
  if (budget_) budget_->forget_refusals();
  runtime::RunResult result = runtime::begin_run(options);  // what stays where the executor leaves nothing
  try {
    const runtime::MemoryBudget::Scope memory(budget);
    work(result);
  } catch (const std::exception& problem) {
    result.status = runtime::status_of(problem);
  }
  settle(result.status);
  return result;
}

runtime::RunResult HostRun::execute(const Specialisation& code, const SourceManager& sources,
                                    const std::vector<runtime::Tensor>& tensors) {
  domain_warned_ = {};
  runtime::RunOptions running = options;
  running.warn = [&](const runtime::RunWarning& warning) { warn(warning, code.locations, sources); };
  const Watch::Run watched(watch_.get(), code.locations, sources);
  return limited(budget_, [&](runtime::RunResult& result) { result = code.run(tensors, running); });
}

runtime::RunStatus HostRun::prepare(const std::function<void()>& work, Memory memory) {
  const auto heard = [&](runtime::RunResult&) {
    const runtime::StopScope scope(options);
    work();
  };
  return limited(memory == Memory::counted ? budget_ : nullptr, heard).status;
}

runtime::RunResult HostRun::compute(const Graph& graph, Memory memory, bool files) {
  runtime::RunOptions silent;
  silent.interrupt = options.interrupt;
  silent.deadline = options.deadline;
  silent.files = files;
  return limited(memory == Memory::counted ? budget_ : nullptr,
                 [&](runtime::RunResult& result) { result = runtime::interpret(graph, {}, silent); });
}

std::vector<api::Figure> HostRun::figures() const {
  std::vector<api::Figure> drawn;
  for (const auto& [number, figure] : figures_.all)
    if (runtime::figures::shows_something(figure) && !figure.saved)
      drawn.push_back({number, runtime::figures::file_bytes(figure, "svg", 0)});
  return drawn;
}

void HostRun::settle(runtime::RunStatus& status) {
  const auto say = [&](std::string message) {
    status.code = runtime::RunCode::error;
    status.id.clear();
    status.message = "error: " + std::move(message);
  };
  if (status.ok()) return;
  interrupted_ = status.code == runtime::RunCode::interrupted;
  if (!sink_problem_.empty()) return say(sink_problem_);
  if (limit_ == api::Limit::output)
    return say(fmt::format("the output limit of {} bytes is reached", wanted_.output_limit));
  if (status.code == runtime::RunCode::time_limit) {
    limit_ = api::Limit::time;
    return say(fmt::format("the time limit of {} s is reached", wanted_.time_limit));
  }
  if (status.code == runtime::RunCode::out_of_memory && budget_ && budget_->refused()) {
    limit_ = api::Limit::memory;
    return say(fmt::format("the memory limit of {} bytes is reached", wanted_.memory_limit));
  }
}

std::vector<api::Diagnostic> HostRun::came_late() {
  const runtime::RunCode code = runtime::stop_requested(options);
  if (code == runtime::RunCode::ok) return {};
  std::vector<api::Diagnostic> late = {plain_warning(
      "lac:ended-first",
      code == runtime::RunCode::time_limit
          ? fmt::format("the run ended after its time limit of {} s: what it gave is complete", wanted_.time_limit)
          : "the interrupt came too late: the run had ended, and what it gave is complete")};
  try {
    if (wanted_.on_warning) call([&] { wanted_.on_warning(late.front()); });
  } catch (const SinkFailed&) {
    late.push_back(plain_warning("lac:sink-failed", sink_problem_ + "; the run had ended"));
  }
  return late;
}

}  // namespace lac::driver
