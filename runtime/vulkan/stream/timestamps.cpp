#include "runtime/vulkan/stream/timestamps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/vulkan/device/device_state.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::uint32_t pairs_per_pool = 256;

}  // namespace

Timestamps::~Timestamps() {
  for (const VkQueryPool pool : all_) device_.vk().vkDestroyQueryPool(device_.device(), pool, nullptr);
}

VkQueryPool Timestamps::take_pool() {
  if (!free_.empty()) {
    const VkQueryPool pool = free_.back();
    free_.pop_back();
    return pool;
  }
  auto create = vulkan_struct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  create.queryType = VK_QUERY_TYPE_TIMESTAMP;
  create.queryCount = 2 * pairs_per_pool;
  VkQueryPool pool = VK_NULL_HANDLE;
  device_.check(device_.vk().vkCreateQueryPool(device_.device(), &create, nullptr, &pool), "vkCreateQueryPool");
  all_.push_back(pool);
  return pool;
}

void Timestamps::begin(VkCommandBuffer commands, TimestampSet& set, std::uint32_t label) {
  const std::uint32_t pair = set.labels.size() % pairs_per_pool;
  if (pair == 0) {
    set.pools.push_back(take_pool());
    device_.vk().vkCmdResetQueryPool(commands, set.pools.back(), 0, 2 * pairs_per_pool);
  }
  set.labels.push_back(label);
  // The bottom: a barrier holds up the command behind it, not what is written at the top of the pipe.
  device_.vk().vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, set.pools.back(), 2 * pair);
}

void Timestamps::end(VkCommandBuffer commands, TimestampSet& set) {
  const std::uint32_t pair = (set.labels.size() - 1) % pairs_per_pool;
  device_.vk().vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, set.pools.back(), 2 * pair + 1);
}

void Timestamps::collect(TimestampSet& set) {
  std::array<std::uint64_t, 2 * pairs_per_pool> ticks;
  const std::int64_t seen = trace_ != nullptr ? trace_->now() : 0;
  for (std::size_t first = 0; first < set.labels.size(); first += pairs_per_pool) {
    const auto pairs = static_cast<std::uint32_t>(std::min<std::size_t>(pairs_per_pool, set.labels.size() - first));
    device_.check(device_.vk().vkGetQueryPoolResults(device_.device(), set.pools[first / pairs_per_pool], 0, 2 * pairs,
                                                     sizeof ticks, ticks.data(), sizeof(std::uint64_t),
                                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                  "vkGetQueryPoolResults");
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
      const std::uint64_t elapsed = (ticks[2 * pair + 1] - ticks[2 * pair]) & device_.timestamp_mask;
      LabelTime& time = times_[set.labels[first + pair]];
      ++time.count;
      time.ms += static_cast<double>(elapsed) * device_.timestamp_ns * 1e-6;
      if (trace_ == nullptr) continue;
      const auto nanoseconds = [&](std::uint64_t count) {
        return std::llround(static_cast<double>(count) * device_.timestamp_ns);
      };
      if (!first_tick_) first_tick_ = ticks[2 * pair];
      const std::int64_t begin = nanoseconds((ticks[2 * pair] - *first_tick_) & device_.timestamp_mask);
      const std::int64_t end = begin + nanoseconds(elapsed);
      trace_->add_on_device(set.labels[first + pair], begin, end);
      trace_->seen_on_device(end, seen);
    }
  }
  drop(set);
}

void Timestamps::drop(TimestampSet& set) {
  free_.insert(free_.end(), set.pools.begin(), set.pools.end());
  set.pools.clear();
  set.labels.clear();
}

std::vector<LabelTime> Timestamps::take() {
  std::vector<LabelTime> times;
  for (auto& [label, time] : times_) {
    times.push_back(time);
    times.back().label = label;
  }
  times_.clear();
  return times;
}

}  // namespace lac::runtime::vulkan
