// Loops inside a loop that a device runs: their trips are recorded with the trip around them, and what they record is
// known before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/vulkan/loop/region_chunk.h"
#include "runtime/vulkan/loop/region_size.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// Those of one body.
struct InnerLoops {
  struct Loop {
    OpId id;
    TripNeeds needs;                             ///< of each of its trips
    std::vector<std::pair<ValueId, bool>> when;  ///< conditions of the branches around it, and which arm it stands in
  };
  std::vector<Loop> all;
  std::vector<OpId> leading;         ///< ops that their limits and conditions hang on, in order: arithmetic of the host
  std::vector<std::size_t> carried;  ///< arguments of the body that these read, other than the trip's number
  bool are_foreseen = true;          ///< what a later trip finds in `carried` is arithmetic of the host too
};

/// Nothing where the limit of one, or whether it is come to, is not known as soon as a trip begins.
std::optional<InnerLoops> inner_loops(const Plan& plan, OpId loop, const ShaderProgram& shaders);

/// Whether they are short enough in the first trip to be recorded, `needs` with them: one that has a shader of its own
/// may be a single dispatch where the host drives the loop around it. Defines the body's arguments that `inner` reads.
bool are_short(Machine& machine, const Op& loop, const TripNeeds& needs, const InnerLoops& inner);

/// What the trip at hand (Foresight) records at most: `needs`, and the loops inside. Nothing where it is more than a
/// chunk has room for.
std::optional<ChunkCapacity> room_for_trip(Machine& machine, const TripNeeds& needs, const InnerLoops& inner);

/// While it lives, the numbers that the limits of loops inside hang on are those of trips to come.
class Foresight {
 public:
  Foresight(Machine& machine, const Block& body, const InnerLoops& inner);
  ~Foresight();
  Foresight(const Foresight&) = delete;
  Foresight& operator=(const Foresight&) = delete;

  void look_at(std::int64_t trip);
  void go_on();

 private:
  Machine& machine_;
  const Block& body_;
  const InnerLoops& inner_;
  std::vector<Value> before_;
};

}  // namespace lac::runtime::vulkan
