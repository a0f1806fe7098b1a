// What a person who waits sees of a run.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "driver/cli/command_line.h"

namespace lac::cli {

/// Whether somebody looks: standard error is a terminal.
bool can_show_progress();
/// For api::RunOptions::progress.
void tell_progress(const api::Progress& progress);

/// While it lives: says, on a terminal, every half second how long a compilation has taken that takes longer than 1.5
/// s.
class CompilationProgress {
 public:
  CompilationProgress();
  ~CompilationProgress();
  CompilationProgress(const CompilationProgress&) = delete;
  CompilationProgress& operator=(const CompilationProgress&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool stopped_ = false;  ///< under `mutex_`
  std::thread thread_;
};

}  // namespace lac::cli
