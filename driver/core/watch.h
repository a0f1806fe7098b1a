// Tells a host, while it waits, where its run is or how long a compilation takes.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "driver/core/module.h"
#include "driver/core/report.h"
#include "driver/include/lac/lac.hpp"
#include "runtime/run.h"

namespace lac::driver {

/// A thread that looks at a RunPlace every half second and calls the sink. Where none can be started, nothing is told.
class Watch {
 public:
  explicit Watch(const std::function<void(const api::Progress&)>& sink);  ///< the sink outlives it
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  runtime::RunPlace& place() { return place_; }

  /// While it lives a run is at `place`, in terms of these; without a watch, nothing.
  class Run {
   public:
    Run(Watch* watch, const Locations& locations, const SourceManager& sources) : watch_(watch) {
      if (watch_ != nullptr) watch_->begins(locations, sources);
    }
    ~Run() {
      if (watch_ != nullptr) watch_->ends();
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

   private:
    Watch* watch_;
  };

 private:
  void begins(const Locations& locations, const SourceManager& sources);
  void ends();
  void look();
  api::Progress now();
  void tell(LocationId location, std::string& file, std::uint32_t& line) const;

  const std::function<void(const api::Progress&)>& sink_;
  runtime::RunPlace place_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool stopped_ = false;                  ///< under `mutex_`, as all below
  const Locations* locations_ = nullptr;  ///< null: what is to run is being compiled
  bool ended_ = false;                    ///< a run has; nothing is told until the next
  const SourceManager* sources_ = nullptr;
  double began_ = 0;
  double seen_ms_ = 0;  ///< when the loop was last looked at
  std::int64_t seen_trip_ = 0;
  std::uint32_t seen_loop_ = LocationId::none;
  std::thread thread_;
};

}  // namespace lac::driver
