#include "runtime/vulkan/loop/region_size.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace lac::runtime::vulkan {
namespace {

constexpr std::int64_t first_lengths[] = {8, 64, 512, 1024};
constexpr double longest_seconds = 1;
constexpr std::int64_t most_trips = 1 << 20;

std::int32_t stages_of(const KernelShaders& kernel) {
  return static_cast<std::int32_t>(kernel.stages.size()) + (kernel.splits ? split_stages : 0);
}

}  // namespace

TripNeeds trip_needs(const Plan& plan, OpId loop, const ShaderProgram& shaders) {
  TripNeeds needs = plan.loop(loop).needs;
  const std::function<void(BlockId)> add = [&](BlockId block) {
    for (OpId id : plan.blocks[block].ops) {
      const Op& op = plan.ops[id];
      if (op.kind == OpKind::launch) needs.sites += stages_of(shaders.kernels[attribute<KernelId>(op)]);
      if (plan.device_steps.contains(id)) needs.sites += stages_of(shaders.steps.at(id));
      if (op.kind != OpKind::loop) std::ranges::for_each(op.blocks, add);
    }
  };
  add(plan.ops[loop].blocks[0]);
  return needs;
}

// An eighth more, as such counts change a little from run to run.
ChunkLengths::ChunkLengths(std::int64_t most, const Expectation& expected)
    : most_(most),
      likely_(expected.trips > 0 ? expected.trips + expected.trips / 8 + 1 : 0),
      certain_(expected.certain),
      expected_(expected.seconds_per_trip > 0),
      seconds_per_trip_(expected.seconds_per_trip) {}

std::int64_t ChunkLengths::next() {
  const auto last = static_cast<std::int64_t>(std::size(first_lengths)) - 1;
  std::int64_t wanted = first_lengths[std::min(made_++, last)];
  if (!certain_) wanted = std::min(wanted, std::max(first_lengths[0], known_));
  if (made_trips_ < likely_) wanted = likely_ - made_trips_;
  wanted = std::min(most_, wanted);
  if (seconds_per_trip_ > 0) {
    const double in_time = std::clamp(longest_seconds / seconds_per_trip_, 1.0, static_cast<double>(most_trips));
    // The first trips took the time to prepare their kernels too: no reason to look more often than so far.
    const std::int64_t least = measured_ == 1 && !expected_ ? length_ : 1;
    wanted = std::min(wanted, std::max(least, static_cast<std::int64_t>(in_time)));
  }
  made_trips_ += wanted;
  return length_ = wanted;
}

void ChunkLengths::shorten(std::int64_t trips) {
  made_trips_ -= length_ - trips;
  length_ = trips;
}

void ChunkLengths::ran(std::int64_t trips, double seconds) {
  if (trips <= 0) return;
  known_ += trips;
  ++measured_;
  seconds_per_trip_ = std::max(1e-9, seconds / static_cast<double>(trips));
}

}  // namespace lac::runtime::vulkan
