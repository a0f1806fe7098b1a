// When what of a run happened, for `--trace`. Kept by executors where RunOptions::trace says where; one thread writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/graph/attributes.h"

namespace lac::runtime {

enum class TraceKind : std::uint8_t { kernel, step, copy, loop, trip };
enum class TraceTrack : std::uint8_t { host, device };

/// What spans are of: one kernel or step at one place.
struct TraceName {
  std::string kernel;  ///< its id, of kernels: see kernel_id
  std::string text;
  LocationId location;
};

/// Nanoseconds on the host's clock, from when the trace was made.
struct TraceSpan {
  TraceKind kind = TraceKind::kernel;
  TraceTrack track = TraceTrack::host;
  std::uint32_t name = 0;  ///< in Trace::names
  std::int64_t begin = 0, end = 0;
  std::int64_t amount =
      0;  ///< bytes that a kernel, step or copy moves, trips of a loop, the number of a trip; 0: not known
};

class Trace {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t most_spans =
      500'000;  ///< what viewers open; of what ends later outermost loops are kept

  std::int64_t now() const { return (Clock::now() - start_).count(); }
  void add(TraceKind kind, TraceName name, std::int64_t begin, std::int64_t end, std::int64_t amount);
  /// The same of a loop around which no other one runs, or of its like: always kept.
  void add_outermost(TraceKind kind, TraceName name, std::int64_t begin, std::int64_t end, std::int64_t amount);

  /// Spans on a device's clock, in its nanoseconds. `seen` is the host's time by which what ended last was over: the
  /// clocks are taken to differ by the least that lets nothing end later than it was seen.
  void add_on_device(std::uint32_t label, std::int64_t begin, std::int64_t end);
  void seen_on_device(std::int64_t last_end, std::int64_t seen);
  /// What a label stands for, at the latest before `spans` is asked.
  void name_on_device(std::uint32_t label, TraceName name);

  /// Device spans on the host's clock; those without a name are left out.
  std::vector<TraceSpan> spans() const;
  const std::vector<TraceName>& names() const { return names_; }
  std::int64_t left_out() const { return left_out_; }

 private:
  std::uint32_t number_of(TraceName name);

  Clock::time_point start_ = Clock::now();
  std::vector<TraceSpan> spans_;
  std::vector<TraceName> names_;
  std::map<std::tuple<std::string, std::string, std::uint32_t>, std::uint32_t> numbers_;
  std::int64_t left_out_ = 0;
  std::map<std::uint32_t, std::uint32_t> device_names_;  ///< by label
  std::int64_t device_shift_ = INT64_MAX;
};

/// Something that the host does, from where it is made. Nothing without a trace.
class HostSpan {
 public:
  explicit HostSpan(Trace* trace) : trace_(trace), begin_(trace != nullptr ? trace->now() : 0) {}

  std::int64_t begin() const { return begin_; }
  /// `name` makes the TraceName, where it is wanted.
  template <class Name>
  void end(TraceKind kind, const Name& name, std::int64_t amount) const {
    if (trace_ != nullptr) trace_->add(kind, name(), begin_, trace_->now(), amount);
  }

 private:
  Trace* trace_;
  std::int64_t begin_;
};

/// A loop that runs and the trip it is in; over when it goes, however the run leaves it.
class LoopSpan {
 public:
  LoopSpan(Trace& trace, LocationId location, bool outermost)
      : trace_(&trace), location_(location), outermost_(outermost), loop_(&trace), trip_(&trace) {}
  LoopSpan(LoopSpan&& other) noexcept;
  LoopSpan& operator=(LoopSpan&&) = delete;
  ~LoopSpan() { end(); }

  /// Trip `number` begins; the one before is over.
  void trip(std::int64_t number);
  /// So many trips there were, if nobody has said when each began.
  void ran(std::int64_t trips) { trips_ = trips; }
  void end();

 private:
  void end_trip();

  Trace* trace_;  ///< null: it is over
  LocationId location_;
  bool outermost_;
  HostSpan loop_, trip_;
  std::int64_t number_ = 0, trips_ = 0;
};

}  // namespace lac::runtime
