#include "driver/core/host_run.h"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <new>
#include <stdexcept>

#include "runtime/stop.h"

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
  if (wanted.time_limit > 0 && wanted.time_limit < longest_limit)
    options.deadline = runtime::coarse_now() + static_cast<std::int64_t>(std::ceil(wanted.time_limit * 1e9));
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

std::function<void(std::string_view)> HostRun::guarded(const std::function<void(std::string_view)>& sink) {
  if (!sink) return {};
  return [this, &sink](std::string_view text) {
    const std::int64_t room = wanted_.output_limit - printed_;
    const bool too_much = wanted_.output_limit > 0 && static_cast<std::int64_t>(text.size()) > room;
    if (too_much) text = text.substr(0, static_cast<std::size_t>(room));
    printed_ += static_cast<std::int64_t>(text.size());
    if (!text.empty()) call([&] { sink(text); });
    if (!too_much) return;
    limit_ = api::Limit::output;
    throw SinkFailed();
  };
}

void HostRun::on_warning(std::function<void(const runtime::RunWarning&)> sink) {
  options.warn = [this, sink = std::move(sink)](const runtime::RunWarning& warning) { call([&] { sink(warning); }); };
}

runtime::RunResult HostRun::execute(const Specialisation& code, const std::vector<runtime::Tensor>& tensors) {
  limit_ = api::Limit::none;
  sink_problem_.clear();
  runtime::RunResult result;
  try {
    const runtime::MemoryBudget::Scope scope(budget_);
    result = code.run(tensors, options);
  } catch (const std::bad_alloc&) {
    result.status = {runtime::RunCode::out_of_memory, runtime::out_of_memory_text};
  } catch (const std::exception& problem) {
    result.status = {runtime::RunCode::internal_error, problem.what()};
  }
  settle(result.status);
  return result;
}

void HostRun::settle(runtime::RunStatus& status) {
  const auto say = [&](std::string message) {
    status.code = runtime::RunCode::error;
    status.id.clear();
    status.message = "error: " + std::move(message);
  };
  if (status.ok()) return;
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

std::optional<api::Diagnostic> HostRun::came_late() const {
  const runtime::RunCode code = runtime::stop_requested(options);
  if (code == runtime::RunCode::ok) return std::nullopt;
  api::Diagnostic diagnostic;
  diagnostic.severity = api::Severity::warning;
  diagnostic.id = "lac:ended-first";
  diagnostic.message =
      code == runtime::RunCode::time_limit
          ? fmt::format("the run ended after its time limit of {} s: what it gave is complete", wanted_.time_limit)
          : "the interrupt came too late: the run had ended, and what it gave is complete";
  diagnostic.rendered = "warning: " + diagnostic.message + "\n";
  return diagnostic;
}

}  // namespace lac::driver
