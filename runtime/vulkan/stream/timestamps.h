// How long dispatches took, summed by label.
#pragma once

#include <volk.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "runtime/trace.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

/// The queries of one command buffer.
struct TimestampSet {
  std::vector<VkQueryPool> pools;     ///< the last one is being filled
  std::vector<std::uint32_t> labels;  ///< of the pairs of queries, in order
};

class Timestamps {
 public:
  /// `trace`: where each dispatch is noted too; may be null.
  Timestamps(DeviceState& device, Trace* trace) : device_(device), trace_(trace) {}
  ~Timestamps();
  Timestamps(const Timestamps&) = delete;
  Timestamps& operator=(const Timestamps&) = delete;

  void begin(VkCommandBuffer commands, TimestampSet& set, std::uint32_t label);
  void end(VkCommandBuffer commands, TimestampSet& set);
  /// The commands are done: adds their times up and empties the set.
  void collect(TimestampSet& set);
  /// The commands were dropped.
  void drop(TimestampSet& set);
  std::vector<LabelTime> take();

 private:
  DeviceState& device_;
  Trace* trace_;
  std::vector<VkQueryPool> all_;
  std::vector<VkQueryPool> free_;
  std::map<std::uint32_t, LabelTime> times_;
  std::optional<std::uint64_t> first_tick_;  ///< of what is traced: spans count from it

  VkQueryPool take_pool();
};

}  // namespace lac::runtime::vulkan
