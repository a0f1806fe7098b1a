#include "runtime/trace.h"

#include <algorithm>

namespace lac::runtime {

void Trace::add(TraceKind kind, std::string_view name, LocationId location, std::int64_t begin, std::int64_t end,
                std::int64_t amount) {
  add({kind, TraceTrack::host, number_of(name, location), begin, end, amount});
}

void Trace::add_on_device(std::uint32_t label, std::int64_t begin, std::int64_t end) {
  add({TraceKind::kernel, TraceTrack::device, label, begin, end, 0});
}

void Trace::seen_on_device(std::int64_t last_end, std::int64_t seen) {
  device_shift_ = std::min(device_shift_, seen - last_end);
}

void Trace::name_on_device(std::uint32_t label, std::string_view name, LocationId location) {
  device_names_[label] = number_of(name, location);
}

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

void Trace::add(const TraceSpan& span) {
  const std::size_t most = span.kind == TraceKind::loop ? 2 * most_spans : most_spans;  // what holds others ends last
  if (spans_.size() < most) spans_.push_back(span);
  else ++left_out_;
}

std::uint32_t Trace::number_of(std::string_view name, LocationId location) {
  const auto next = static_cast<std::uint32_t>(names_.size());
  const auto [entry, added] = numbers_.try_emplace({std::string(name), location.index}, next);
  if (added) names_.push_back({std::string(name), location});
  return entry->second;
}

void LoopSpan::trip(LocationId location, std::int64_t number) {
  if (number_ > 0) trip_.end(TraceKind::trip, "trip", location, number_);
  trip_ = HostSpan(trace_);
  number_ = number;
}

void LoopSpan::end(LocationId location, std::int64_t trips) {
  if (number_ > 0) trip_.end(TraceKind::trip, "trip", location, number_);
  loop_.end(TraceKind::loop, "loop", location, trips);
}

}  // namespace lac::runtime
