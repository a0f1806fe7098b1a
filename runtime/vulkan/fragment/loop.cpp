// Launches and loops of vulkan-fragment. A loop whose body is kernels and host arithmetic is recorded trip by trip,
// each pass an indirect draw of its own; after each trip a control shader looks at the condition and, where it is
// false, takes the instances from the draws of the trips that follow. The host looks once per chunk of trips.
#include <algorithm>
#include <array>
#include <cstring>

#include "ir/support/result.h"
#include "runtime/stop.h"
#include "runtime/vulkan/fragment/machine.h"
#include "runtime/vulkan/memory/elements.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::uint32_t most_draws = 2048;  ///< of a chunk
constexpr std::int64_t first_trips = 4, most_trips = 32;
constexpr std::int64_t most_new_bytes = std::int64_t{1} << 29;  ///< of textures that one chunk adds

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

struct FragmentMachine::Chunk {
  std::shared_ptr<Buffer> counts;  ///< most_draws DrawCounts
  std::shared_ptr<Buffer> state;   ///< FragmentLoopState
  std::uint32_t draws = 0;
  bool over = false;                                ///< the host knows that no trip follows
  std::vector<Values> after;                        ///< what the body's arguments are after each recorded trip
  std::vector<std::vector<std::int64_t>> launches;  ///< and how often kernels have run if it ran

  BufferRange next_counts() {
    if (draws == most_draws) throw InternalError("a trip of more draws than a chunk has");
    return {counts, sizeof(DrawCounts) * draws++, sizeof(DrawCounts)};
  }
};

void FragmentMachine::launch(const Op& op) {
  const KernelId id = attribute<KernelId>(op);
  ++launches_[id.index];
  const PassInputs inputs = {[this](const Size& size) { return size_of(size); },
                             [&](std::uint32_t input) { return packed(op.operands[input]); },
                             [&](std::uint32_t input) { return number(op.operands[input]); },
                             [&](std::uint32_t input) { return longest_row(tensor(op.operands[input])); }};
  const DrawSink draw = [this](const Draw& draw) {
    if (!chunk_) return stream_.draw(draw);
    const BufferRange counts = chunk_->next_counts();
    if (draw.vertices != DrawCounts{}.vertices)  // points; whether they are drawn is another word
      stream_.fill({counts.buffer, counts.offset, sizeof(DrawCounts::vertices)}, draw.vertices);
    stream_.draw_indirect(draw, counts);
  };
  const std::vector<Packed> results = draw_kernel(passes_, passes_.kernels[id], inputs, device_, textures_, draw);
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const ResultType type = type_of(op.results[r]);
    define(op.results[r], {{}, {}, results[r], type.rows, type.cols});
  }
}

void FragmentMachine::loop(const Op& op, OpId id) {
  const Block& body = plan_.blocks[op.blocks[0]];
  const double limit = number(op.operands[0]);
  const bool entered = limit > 0 && is_true(op.operands[1]);
  define_all(body.arguments, 1, values_of(op.operands, 2));
  trips_.push_back(0);
  const bool on_device = fragment_.device_loops && !options_.check_nan && plan_.loop(id).on_device();
  const std::int64_t trips = !entered ? 0 : on_device ? device_loop(op, limit) : host_loop(op, limit);
  trips_.pop_back();
  count_trips(op.location, trips);
  define_all(op.results, 1, values_of(body.arguments, 1));
  define(op.results[0], {.number = static_cast<double>(trips)});
}

/// One entry for all entries of a loop.
void FragmentMachine::count_trips(LocationId loop, std::int64_t trips) {
  std::vector<LoopStatistics>& loops = result_.statistics.loops;
  const auto known = std::ranges::find(loops, loop, &LoopStatistics::location);
  if (known != loops.end()) known->trips += trips;
  else loops.push_back({loop, trips});
}

/// From the second trip's condition on; the entry has been tested.
std::int64_t FragmentMachine::host_loop(const Op& op, double limit) {
  const Block& body = plan_.blocks[op.blocks[0]];
  std::int64_t trip = 0;
  for (bool holds = true; holds && static_cast<double>(trip) < limit; ++trip) {
    trips_.back() = trip + 1;
    location_ = op.location;
    poll_stop();
    define(body.arguments[0], {.number = static_cast<double>(trip)});
    run_block(op.blocks[0]);
    holds = is_true(body.yields[0]);
    define_all(body.arguments, 1, values_of(body.yields, 1));
  }
  return trip;
}

std::int64_t FragmentMachine::device_loop(const Op& op, double limit) {
  const Block& body = plan_.blocks[op.blocks[0]];
  const std::vector<DrawCounts> all_draws(most_draws);
  const FragmentLoopState start;
  std::int64_t done = 0, length = first_trips;
  while (true) {
    location_ = op.location;
    poll_stop();
    Chunk chunk{
        device_.make_buffer(sizeof(DrawCounts) * most_draws), device_.make_buffer(sizeof(start)), 0, false, {}, {}};
    stream_.upload(std::as_bytes(std::span(all_draws)), {chunk.counts});
    stream_.upload(bytes_of(start), {chunk.state});
    const std::int64_t bytes = textures_.bytes();
    std::uint32_t draws_of_trip = 0;
    for (std::int64_t m = 0; m < length && !chunk.over && static_cast<double>(done + m) < limit; ++m) {
      if (chunk.draws + draws_of_trip > most_draws || textures_.bytes() - bytes > most_new_bytes) break;
      const std::uint32_t before = chunk.draws;
      record_trip(op, done + m, chunk);
      draws_of_trip = std::max(draws_of_trip, chunk.draws - before);
    }
    FragmentLoopState state;
    stream_.read({chunk.state}, std::as_writable_bytes(std::span(&state, 1)));
    ++polls_;
    done += state.trips;
    trips_.back() = done;
    define_all(body.arguments, 1, chunk.after[state.trips - 1]);
    launches_ = chunk.launches[state.trips - 1];
    const bool all_ran = state.trips == chunk.after.size();
    if (state.active == 0 || (chunk.over && all_ran) || static_cast<double>(done) >= limit) return done;
    length = std::min(2 * length, most_trips);
  }
}

void FragmentMachine::record_trip(const Op& op, std::int64_t trip, Chunk& chunk) {
  const Block& body = plan_.blocks[op.blocks[0]];
  trips_.back() = trip + 1;
  define(body.arguments[0], {.number = static_cast<double>(trip)});
  chunk_ = &chunk;
  try {
    run_block(op.blocks[0]);
  } catch (...) {
    chunk_ = nullptr;
    throw;
  }
  chunk_ = nullptr;
  close_trip(op, chunk);
  define_all(body.arguments, 1, values_of(body.yields, 1));
  chunk.after.push_back(values_of(body.arguments, 1));
  chunk.launches.push_back(launches_);
}

void FragmentMachine::close_trip(const Op& op, Chunk& chunk) {
  const ValueId condition = plan_.blocks[op.blocks[0]].yields[0];
  if (const auto& known = value(condition).number) chunk.over = *known == 0;
  const std::array<BoundResource, 3> resources = {BoundResource{{}, packed(condition).values},
                                                  BoundResource{{chunk.counts}}, BoundResource{{chunk.state}}};
  const std::array<std::int32_t, 2> range = {static_cast<std::int32_t>(chunk.draws), most_draws};
  stream_.dispatch({device_.pipeline(passes_.close_trip), resources, std::as_bytes(std::span(range))}, {});
}

}  // namespace lac::runtime::vulkan
