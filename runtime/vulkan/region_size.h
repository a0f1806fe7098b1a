// How much room the trips of a loop need, and how many of them go into a chunk. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "ir/graph/graph.h"
#include "ir/plan/places.h"
#include "ir/plan/shader.h"

namespace lac::runtime::vulkan {

/// An upper bound of what one trip records.
struct TripSize {
  std::int32_t sites = 0;  ///< dispatches
  std::int32_t log_slots = 0;
  std::int32_t branches = 0;
  bool device_decides = false;  ///< a condition, a branch or a check that depends on what kernels compute
};
TripSize trip_size(const Graph& plan, const Op& loop, const ShaderProgram& shaders,
                   const IdVector<ValueId, Place>& places);

/// Lengths of chunks, in trips. They begin short, as a loop may end soon, and grow, as every chunk costs the host a
/// look; a chunk takes no more than about a second, so that interrupts are seen.
class ChunkLengths {
 public:
  explicit ChunkLengths(std::int64_t most) : most_(most) {}
  std::int64_t next();
  /// How long these trips took, as far as the host saw.
  void ran(std::int64_t trips, double seconds);

 private:
  std::int64_t most_;
  std::int64_t made_ = 0;      ///< chunks
  std::int64_t measured_ = 0;  ///< chunks
  std::int64_t length_ = 0;    ///< of the last
  double seconds_per_trip_ = 0;
};

}  // namespace lac::runtime::vulkan
