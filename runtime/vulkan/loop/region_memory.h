// What a loop on the device leaves for its next run in the same program run: an inner loop is entered again and again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/vulkan/loop/region_chunk.h"

namespace lac::runtime::vulkan {

struct LoopMemory {
  std::int64_t trips = 0;       ///< of the last run that made any
  double seconds_per_trip = 0;  ///< then; 0: not measured
  std::shared_ptr<Buffer> state;
  std::vector<std::unique_ptr<ChunkBuffers>> free;
};

}  // namespace lac::runtime::vulkan
