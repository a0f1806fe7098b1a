#include "driver/core/watch.h"

#include <chrono>
#include <cmath>
#include <system_error>

#include "driver/core/module.h"

namespace lac::driver {
namespace {

constexpr std::chrono::milliseconds patience{1500}, interval{500};

}  // namespace

Watch::Watch(const std::function<void(const api::Progress&)>& sink) : sink_(sink), began_(now_ms()) {
  try {
    thread_ = std::thread([this] { look(); });
  } catch (const std::system_error&) {
  }
}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  over_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watch::begins(const Locations& locations, const SourceManager& sources) {
  const std::lock_guard lock(mutex_);
  locations_ = &locations;
  sources_ = &sources;
  ended_ = false;
  place_.begin();
  seen_loop_ = LocationId::none;
}

void Watch::ends() {
  const std::lock_guard lock(mutex_);
  locations_ = nullptr;
  sources_ = nullptr;
  ended_ = true;
}

void Watch::look() {
  std::unique_lock lock(mutex_);
  auto wait = patience;
  while (!over_.wait_for(lock, wait, [&] { return stopped_; })) {
    wait = interval;
    if (ended_) continue;
    try {
      sink_(now());
    } catch (...) {  // what tells of a run does not end it
      return;
    }
  }
}

void Watch::tell(LocationId location, std::string& file, std::uint32_t& line) const {
  if (!locations_->contains(location) || !(*locations_)[location].span.valid()) return;
  const Span span = (*locations_)[location].span;
  file = sources_->file(span.file).name;
  line = sources_->begin(span).line;
}

api::Progress Watch::now() {
  api::Progress progress;
  const double time = now_ms();
  progress.seconds = (time - began_) / 1000;
  progress.compiling = locations_ == nullptr;
  if (progress.compiling) return progress;
  LocationId at{place_.location.load(std::memory_order_relaxed)};
  while (locations_->contains(at) && locations_->contains((*locations_)[at].caller)) at = (*locations_)[at].caller;
  tell(at, progress.file, progress.line);
  const std::uint32_t loop = place_.loop.load(std::memory_order_relaxed);
  tell(LocationId{loop}, progress.loop_file, progress.loop_line);
  if (progress.loop_line == 0) return progress;
  progress.trip = place_.trip.load(std::memory_order_relaxed);
  if (loop == seen_loop_ && progress.trip > seen_trip_ && time > seen_ms_)
    progress.trips_per_second = static_cast<double>(progress.trip - seen_trip_) * 1000 / (time - seen_ms_);
  seen_loop_ = loop;
  seen_trip_ = progress.trip;
  seen_ms_ = time;
  progress.compared = !std::isnan(place_.left.load(std::memory_order_relaxed));
  if (progress.compared) {
    progress.left = place_.left.load(std::memory_order_relaxed);
    progress.right = place_.right.load(std::memory_order_relaxed);
  }
  return progress;
}

}  // namespace lac::driver
