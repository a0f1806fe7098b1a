// One run as a host asked for it: its limits, and its sinks, which may throw whatever they like.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/core/backend.h"
#include "driver/core/watch.h"
#include "driver/include/lac/lac.hpp"
#include "runtime/captured_text.h"
#include "runtime/figures/figure.h"
#include "runtime/files/open_files.h"
#include "runtime/run.h"
#include "runtime/tensor/memory.h"
#include "runtime/trace.h"

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

  /// Runs on the calling thread. What ended the run from outside, and what sinks threw, is in the status, with the
  /// place where it ended. `sources`: what the code's locations refer to.
  runtime::RunResult execute(const Specialisation& code, const SourceManager& sources,
                             const std::vector<runtime::Tensor>& tensors);

  /// Whether what a run takes counts in the limit on memory; arguments do not.
  enum class Memory : bool { free, counted };
  /// Work that the run waits for, before it begins: whatever it throws, a limit and an interrupt among that, is the
  /// status.
  runtime::RunStatus prepare(const std::function<void()>& work, Memory memory);
  /// The value of a constant, which prints and warns to nobody. `files`: it may read them.
  runtime::RunResult compute(const Graph& graph, Memory memory, bool files);

  /// Of what was executed, where the host wants it; else null.
  const runtime::Trace* trace() const { return trace_.get(); }

  /// What the executions have drawn, as far as the program has not written it itself.
  std::vector<api::Figure> figures() const;

  /// The limit that ended the last of these.
  api::Limit limit() const { return limit_; }
  /// Whether an interrupt did.
  bool interrupted() const { return interrupted_; }
  /// Whether either did.
  bool was_ended() const { return interrupted_ || limit_ != api::Limit::none; }

  /// The warnings of the executions since the last call, as far as KeptWarnings allows.
  std::vector<api::Diagnostic> take_warnings() { return std::exchange(warnings_, {}); }
  std::int64_t warnings_left_out() const { return kept_.left_out; }
  /// Where the run was to end and had ended before it heard of it: a warning that its results are complete, which the
  /// host has got. If its sink threw then, a second one tells: there is nothing left that could fail.
  std::vector<api::Diagnostic> came_late();

 private:
  template <class Work>
  runtime::RunResult limited(const std::shared_ptr<runtime::MemoryBudget>& budget, const Work& work);
  std::function<void(std::string_view)> guarded(const std::function<void(std::string_view)>& sink);
  void warn(const runtime::RunWarning& warning, const Locations& locations, const SourceManager& sources);
  /// How much of a text fits the output limit, which is then used up by it.
  std::size_t print(std::size_t size);
  template <class Call>
  void call(const Call& sink);
  [[noreturn]] void end_output();
  void settle(runtime::RunStatus& status);

  const api::RunOptions& wanted_;
  std::shared_ptr<runtime::MemoryBudget> budget_;
  std::int64_t printed_ = 0;
  std::vector<api::Diagnostic> warnings_;
  runtime::KeptWarnings kept_;
  FirstOfPlace domain_warned_;
  api::Limit limit_ = api::Limit::none;
  bool interrupted_ = false;
  std::unique_ptr<Watch> watch_;  ///< where the host wants to know of progress
  std::unique_ptr<runtime::Trace> trace_;
  runtime::figures::Figures figures_;
  runtime::OpenFiles open_files_;
  runtime::CapturedText captured_;
  std::string sink_problem_;  ///< empty: none threw
};

}  // namespace lac::driver
