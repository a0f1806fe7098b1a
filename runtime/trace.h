// When what of a run happened, for `--trace`. Kept by executors where RunOptions::trace says where; one thread writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph/attributes.h"

namespace lac::runtime {

enum class TraceKind : std::uint8_t { kernel, step, copy, loop, trip };
enum class TraceTrack : std::uint8_t { host, device };

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
  static constexpr std::size_t most_spans = 500'000;  ///< what viewers open; of later ones only loops are kept

  struct Name {
    std::string text;
    LocationId location;
  };

  std::int64_t now() const { return (Clock::now() - start_).count(); }
  void add(TraceKind kind, std::string_view name, LocationId location, std::int64_t begin, std::int64_t end,
           std::int64_t amount);

  /// Spans on a device's clock, in its nanoseconds. `seen` is the host's time by which what ended last was over: the
  /// clocks are taken to differ by the least that lets nothing end later than it was seen.
  void add_on_device(std::uint32_t label, std::int64_t begin, std::int64_t end);
  void seen_on_device(std::int64_t last_end, std::int64_t seen);
  /// What a label stands for, at the latest before `spans` is asked.
  void name_on_device(std::uint32_t label, std::string_view name, LocationId location);

  /// Device spans on the host's clock; those without a name are left out.
  std::vector<TraceSpan> spans() const;
  const std::vector<Name>& names() const { return names_; }
  std::int64_t left_out() const { return left_out_; }

 private:
  void add(const TraceSpan& span);
  std::uint32_t number_of(std::string_view name, LocationId location);

  Clock::time_point start_ = Clock::now();
  std::vector<TraceSpan> spans_;
  std::vector<Name> names_;
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> numbers_;
  std::int64_t left_out_ = 0;
  std::map<std::uint32_t, std::uint32_t> device_names_;  ///< by label
  std::int64_t device_shift_ = INT64_MAX;
};

/// Something that the host does, from where it is made. Nothing without a trace.
class HostSpan {
 public:
  explicit HostSpan(Trace* trace) : trace_(trace), begin_(trace != nullptr ? trace->now() : 0) {}

  void end(TraceKind kind, std::string_view name, LocationId location, std::int64_t amount) const {
    if (trace_ != nullptr) trace_->add(kind, name, location, begin_, trace_->now(), amount);
  }

 private:
  Trace* trace_;
  std::int64_t begin_;
};

/// A loop that runs, and the trip it is in.
class LoopSpan {
 public:
  explicit LoopSpan(Trace& trace) : trace_(&trace), loop_(&trace), trip_(&trace) {}

  /// Trip `number` begins; the one before is over.
  void trip(LocationId location, std::int64_t number);
  void end(LocationId location, std::int64_t trips);

 private:
  Trace* trace_;
  HostSpan loop_, trip_;
  std::int64_t number_ = 0;
};

}  // namespace lac::runtime
