// The values that a loop carries, in a shader pack (pack/pack.h). Nobody counts trips there: whatever number of them
// runs, each value has to be in one place behind the loop, and one list of commands has to do for every trip.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "runtime/vulkan/loop/region_cells.h"
#include "runtime/vulkan/loop/region_chunk.h"
#include "runtime/vulkan/loop/region_trip.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// Sites of a trip for the ways home of what the body carries, at most.
std::int32_t sites_of_ways_home(const Block& body);

/// Of one loop, which was entered. Values are those of its body's arguments but the first.
class Homes {
 public:
  Homes(Machine& machine, const Op& loop, TripRecorder& trip_recorder, ChunkRecorder& recorder);

  /// Copies what a trip leaves to where the loop found it, before the trip is closed.
  void bring();
  /// Behind a trip: what the next one does not find it cannot take the place of, so that all take the same slots and
  /// matrices.
  void forget(const std::unordered_set<ValueId>& inside, Cells& cells);
  /// What the host knows behind a trip.
  void note(const std::vector<Value>& carried);
  /// Behind the loop: values that the host knew in every trip go with their number, or nobody may use them.
  void count(const BufferRange& state) const;

 private:
  using Numbers = std::vector<std::optional<double>>;

  Machine& machine_;
  const Op& loop_;
  const Block& body_;
  TripRecorder& trip_recorder_;
  ChunkRecorder& recorder_;
  std::vector<Value> homes_;
  std::vector<Numbers> numbers_;  ///< at entry, and behind each trip that was recorded
};

}  // namespace lac::runtime::vulkan
