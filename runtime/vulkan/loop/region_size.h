// How much room the trips of a loop need, and how many of them go into a chunk. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "ir/plan/plan.h"
#include "ir/plan/shader.h"

namespace lac::runtime::vulkan {

/// Dispatches of a chunk, where one trip has not more by itself.
inline constexpr std::int32_t most_sites = 16384;

/// What one trip records at most: what the plan says, and the dispatches of its kernels and steps. Not what the loops
/// inside record: theirs is needed for each of their trips.
TripNeeds trip_needs(const Plan& plan, OpId loop, const ShaderProgram& shaders);

/// Lengths of chunks, in trips, of one run of a loop. Where the loop ran before, it is taken to make about as many
/// trips again: the first chunks hold those and nothing is recorded beyond them before they were seen to run. Else
/// chunks begin short, as a loop may end soon, and grow, as every chunk costs the host a look. What is not known to run
/// is at most twice what did: a chunk, and the one behind it that was recorded before that was looked at. A chunk takes
/// no more than about a second, so that interrupts are seen.
class ChunkLengths {
 public:
  /// What is known of a loop before it runs.
  struct Expectation {
    std::int64_t trips = 0;       ///< 0: nothing
    double seconds_per_trip = 0;  ///< 0: nothing
    bool certain = false;         ///< every recorded trip runs
  };
  ChunkLengths(std::int64_t most, const Expectation& expected);
  /// Of the next chunk.
  std::int64_t next();
  /// The chunk has room for no more than these.
  void shorten(std::int64_t trips);
  /// Whether the next chunk is worth recording before the one at hand was looked at.
  bool goes_ahead() const { return certain_ || likely_ == 0 || made_trips_ < likely_ || known_ >= likely_; }
  /// How long these trips took, as far as the host saw.
  void ran(std::int64_t trips, double seconds);
  /// As last measured; 0: never, but for a first chunk, which took the time to prepare its kernels too.
  double seconds_per_trip() const { return measured_ == 1 && !expected_ ? 0 : seconds_per_trip_; }

 private:
  std::int64_t most_;
  std::int64_t likely_ = 0;  ///< trips; 0: not known
  bool certain_ = false;
  bool expected_ = false;        ///< how long a trip takes was known before
  std::int64_t made_ = 0;        ///< chunks
  std::int64_t made_trips_ = 0;  ///< in them
  std::int64_t known_ = 0;       ///< trips that ran
  std::int64_t measured_ = 0;    ///< chunks
  std::int64_t length_ = 0;      ///< of the last
  double seconds_per_trip_ = 0;
};

}  // namespace lac::runtime::vulkan
