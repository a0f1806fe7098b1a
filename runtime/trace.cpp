#include "runtime/trace.h"

#include <algorithm>

namespace lac::runtime {

void Trace::add(TraceKind kind, TraceName name, std::int64_t begin, std::int64_t end, std::int64_t amount) {
  if (spans_.size() < most_spans) add_outermost(kind, std::move(name), begin, end, amount);
  else ++left_out_;
}

void Trace::add_outermost(TraceKind kind, TraceName name, std::int64_t begin, std::int64_t end, std::int64_t amount) {
  spans_.push_back({kind, TraceTrack::host, number_of(std::move(name)), begin, end, amount});
}

void Trace::add_on_device(std::uint32_t label, std::int64_t begin, std::int64_t end) {
  if (spans_.size() < most_spans) spans_.push_back({TraceKind::kernel, TraceTrack::device, label, begin, end, 0});
  else ++left_out_;
}

void Trace::seen_on_device(std::int64_t last_end, std::int64_t seen) {
  device_shift_ = std::min(device_shift_, seen - last_end);
}

void Trace::name_on_device(std::uint32_t label, TraceName name) { device_names_[label] = number_of(std::move(name)); }

std::vector<TraceSpan> Trace::spans() const {
  std::vector<TraceSpan> all;
  for (TraceSpan span : spans_) {
    if (span.track == TraceTrack::device) {
      const auto named = device_names_.find(span.name);
      if (named == device_names_.end()) continue;
      span.name = named->second;
      span.begin += device_shift_;
      span.end += device_shift_;
    }
    all.push_back(span);
  }
  return all;
}

std::uint32_t Trace::number_of(TraceName name) {
  const auto next = static_cast<std::uint32_t>(names_.size());
  const auto [entry, added] = numbers_.try_emplace({name.kernel, name.text, name.location.index}, next);
  if (added) names_.push_back(std::move(name));
  return entry->second;
}

LoopSpan::LoopSpan(LoopSpan&& other) noexcept
    : trace_(std::exchange(other.trace_, nullptr)),
      location_(other.location_),
      outermost_(other.outermost_),
      loop_(other.loop_),
      trip_(other.trip_),
      number_(other.number_),
      trips_(other.trips_) {}

void LoopSpan::trip(std::int64_t number) {
  end_trip();
  trip_ = HostSpan(trace_);
  number_ = number;
}

void LoopSpan::end_trip() {
  if (number_ > 0)
    trip_.end(
        TraceKind::trip,
        [&] {
          return TraceName{{}, "trip", location_};
        },
        number_);
}

void LoopSpan::end() {
  if (trace_ == nullptr) return;
  end_trip();
  TraceName name{{}, "loop", location_};
  const std::int64_t trips = std::max(number_, trips_);
  if (outermost_) trace_->add_outermost(TraceKind::loop, std::move(name), loop_.begin(), trace_->now(), trips);
  else trace_->add(TraceKind::loop, std::move(name), loop_.begin(), trace_->now(), trips);
  trace_ = nullptr;
}

}  // namespace lac::runtime
