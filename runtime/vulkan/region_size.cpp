#include "runtime/vulkan/region_size.h"

#include <algorithm>
#include <iterator>

#include "ir/plan/control.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::int64_t first_lengths[] = {8, 64, 512, 1024};
constexpr std::int64_t most_beyond = 8;  ///< times as many trips as are known to have run
constexpr double longest_seconds = 1;
constexpr std::int64_t most_trips = 1 << 20;

std::int32_t count(std::size_t items) { return static_cast<std::int32_t>(items); }

class Bound {
 public:
  Bound(const Graph& plan, const ShaderProgram& shaders, const IdVector<ValueId, Place>& places)
      : plan_(plan), shaders_(shaders), places_(places) {}

  TripSize of(const Op& loop) {
    const Block& body = plan_.blocks[loop.blocks[0]];
    size_.device_decides = on_device(loop.operands[1]) || on_device(body.yields[0]);
    size_.sites = 1 + count(body.yields.size());  // the end of the trip, and values that change their form
    for_each_op(plan_, loop.blocks[0], [&](OpId id) { add(id); });
    return size_;
  }

 private:
  void add(OpId id) {
    const Op& op = plan_.ops[id];
    if (op.kind == OpKind::launch) launch(attribute<KernelId>(op));
    if (op.kind == OpKind::copy || op.kind == OpKind::reshape) ++size_.sites;
    if (const auto step = shaders_.steps.find(id); step != shaders_.steps.end()) stages(step->second);
    if (op.kind == OpKind::check) {
      ++size_.sites;
      size_.device_decides |= on_device(op.operands[0]);
    }
    if (op.kind == OpKind::branch) branch(op);
    if (op.kind == OpKind::warn || op.kind == OpKind::format || op.kind == OpKind::print) text(op);
  }

  void launch(KernelId id) {
    stages(shaders_.kernels[id]);
    for (const KernelOutput& output : plan_.kernels[id].outputs) size_.sites += output.base >= 0;  // its copy
  }

  void stages(const KernelShaders& kernel) {
    size_.sites += count(kernel.stages.size()) + (kernel.splits ? split_stages : 0);
  }

  void branch(const Op& op) {
    size_.device_decides |= on_device(op.operands[0]);
    ++size_.branches;
    size_.sites += 1 + 4 * count(op.results.size());
  }

  void text(const Op& op) {
    const std::int32_t pieces = 1 + count(op.operands.size()) / control::log_capacity;
    size_.sites += pieces;
    size_.log_slots += pieces + count(op.operands.size());
  }

  bool on_device(ValueId value) const { return places_[value] == Place::device; }

  const Graph& plan_;
  const ShaderProgram& shaders_;
  const IdVector<ValueId, Place>& places_;
  TripSize size_;
};

}  // namespace

TripSize trip_size(const Graph& plan, const Op& loop, const ShaderProgram& shaders,
                   const IdVector<ValueId, Place>& places) {
  return Bound(plan, shaders, places).of(loop);
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
  if (!certain_) wanted = std::min(wanted, std::max(first_lengths[0], most_beyond * known_));
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

void ChunkLengths::ran(std::int64_t trips, double seconds) {
  if (trips <= 0) return;
  known_ += trips;
  ++measured_;
  seconds_per_trip_ = std::max(1e-9, seconds / static_cast<double>(trips));
}

}  // namespace lac::runtime::vulkan
