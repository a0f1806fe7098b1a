// One run as a host asked for it: its limits, and its sinks, which may throw whatever they like.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/core/backend.h"
#include "driver/include/lac/lac.hpp"
#include "runtime/run.h"
#include "runtime/tensor/memory.h"

namespace lac::driver {

/// Made when the host calls: from then on the time counts. Serves any number of executions one after the other, which
/// share the limits.
class HostRun {
 public:
  /// `wanted` outlives it. `files`: the program may reach them.
  HostRun(const api::RunOptions& wanted, bool files);
  HostRun(const HostRun&) = delete;
  HostRun& operator=(const HostRun&) = delete;

  /// What executors get. Callers may set what is not the host's: seeds and switches of a session.
  runtime::RunOptions options;

  /// Each warning as it arises goes to `sink`, which may throw as those of the host do.
  void on_warning(std::function<void(const runtime::RunWarning&)> sink);

  /// Runs on the calling thread. What ended the run from outside, and what sinks threw, is in the status, with the
  /// place where it ended.
  runtime::RunResult execute(const Specialisation& code, const std::vector<runtime::Tensor>& tensors);

  /// The limit that ended the last execution.
  api::Limit limit() const { return limit_; }
  /// A warning that the run was to end and had ended before it heard of it: its results are complete.
  std::optional<api::Diagnostic> came_late() const;

 private:
  std::function<void(std::string_view)> guarded(const std::function<void(std::string_view)>& sink);
  template <class Call>
  void call(const Call& sink);
  void settle(runtime::RunStatus& status);

  const api::RunOptions& wanted_;
  std::shared_ptr<runtime::MemoryBudget> budget_;
  std::int64_t printed_ = 0;
  api::Limit limit_ = api::Limit::none;
  std::string sink_problem_;  ///< empty: none threw
};

}  // namespace lac::driver
