#include "runtime/cpu/strip/kernel.h"

#include <algorithm>
#include <list>

#include "ir/kernel/shared_axis.h"
#include "ir/plan/strip_ranges.h"
#include "runtime/cpu/strip/nest.h"

namespace lac::runtime {

struct StripKernel::Parts {
  Parts(const Kernel& kernel, VectorIsa isa)
      : numbers(kernel), partials(static_cast<std::int32_t>(numbers.layout().partials)) {
    for (const Nest* nest : lac::nests(kernel)) nests.emplace_back(kernel, *nest, numbers, isa);
    for (const KernelOutput& output : kernel.outputs)
      shapes.emplace_back(numbers.of(output.type.rows), numbers.of(output.type.cols));
    for (const Nest* nest : lac::nests(kernel))
      for (const KernelReduction& reduction : nest->reductions) outputs.push_back(reduction.output);
    if (kernel.ahead.empty()) return;
    strips = plan_strips(kernel);
    extent = numbers.of(strips->extent);
    width = numbers.of(strips->width);
    reach = numbers.of(strips->reach);
  }

  StripRanges ranges(const std::uint64_t* slots) const {
    return {*strips, width.in(slots), extent.in(slots), reach.in(slots)};
  }

  std::int64_t elements(std::uint32_t output, const std::uint64_t* slots) const {
    return shapes[output].first.in(slots)*shapes[output].second.in(slots);
  }

  /// Of every nest, laid out as slots.h says.
  std::vector<StripPartials> partials_of(const std::uint64_t* slots, std::int64_t blocks) const {
    std::vector<StripPartials> all;
    auto* next = reinterpret_cast<double*>(slots[partials]);
    for (const StripNest& nest : nests) {
      all.push_back({next, {}, {}, blocks});
      next += nest.partials * blocks;
    }
    std::size_t place = 0, number = 0;
    for (const StripNest& nest : nests) {
      for (const StripReduction& reduction : nest.reductions) {
        const bool spread = strips && reduction.axis == nest.strips;
        const std::int64_t count = spread ? elements(outputs[number], slots) : 0;
        all[place].spread.push_back(next);
        all[place].elements.push_back(count);
        next += count * blocks;
        ++number;
      }
      ++place;
    }
    return all;
  }

  SlotNumbers numbers;
  std::int32_t partials;  ///< slot
  std::list<StripNest> nests;
  std::vector<std::pair<SlotNumber, SlotNumber>> shapes;  ///< of outputs
  std::vector<std::uint32_t> outputs;                     ///< of all reductions of all nests
  std::optional<StripPlan> strips;                        ///< of several nests
  SlotNumber extent, width, reach;
};

namespace {

using Walks = std::list<StripNestWalk>;

void begin(Walks& walks, std::int64_t part) {
  for (StripNestWalk& walk : walks) walk.begin_block(part);
}

void end(Walks& walks) {
  for (StripNestWalk& walk : walks) walk.end_block();
}

void run_seam(Walks& walks, const StripRanges& ranges, std::int64_t part) {
  begin(walks, part);
  const IndexRange range = ranges.of_seam(part);
  walks.back().strip(range.begin, range.end);
  end(walks);
}

/// With the seam before it where that is given.
void run_block(Walks& walks, const StripRanges& ranges, std::int64_t block, std::optional<std::int64_t> seam) {
  StripNestWalk& follower = walks.back();
  if (seam) {
    begin(walks, *seam);
    for (StripNestWalk& walk : walks)
      if (&walk != &follower) walk.end_block();
  }
  for (StripNestWalk& walk : walks)
    if (&walk != &follower || !seam) walk.begin_block(block);
  ranges.of_block(block, [&](const IndexRange& ahead, const IndexRange& last) {
    for (StripNestWalk& walk : walks)
      if (&walk != &follower) walk.strip(ahead.begin, ahead.end);
    if (seam && ranges.ends_seam(block, ahead)) {
      const IndexRange range = ranges.of_seam(*seam);
      follower.strip(range.begin, range.end);
      follower.end_block();
      follower.begin_block(block);
    }
    follower.strip(last.begin, last.end);
  });
  end(walks);
}

}  // namespace

StripKernel::StripKernel(const Kernel& kernel, VectorIsa isa) : parts_(std::make_unique<const Parts>(kernel, isa)) {}
StripKernel::StripKernel(StripKernel&&) noexcept = default;
StripKernel::~StripKernel() = default;

std::int64_t StripKernel::blocks(const std::uint64_t* slots) const {
  if (!parts_->strips) return parts_->nests.front().blocks(slots);
  return parts_->ranges(slots).parts();
}

void StripKernel::run(const std::uint64_t* slots, std::int64_t first_block, std::int64_t last_block) const {
  Scratch& scratch = Scratch::of_this_thread();
  const ScratchScope scope(scratch);
  std::list<StripNestWalk> walks;
  std::vector<StripPartials> partials = parts_->partials_of(slots, blocks(slots));
  auto next = partials.begin();
  for (const StripNest& nest : parts_->nests) walks.emplace_back(nest, slots, std::move(*next++), scratch);
  if (!parts_->strips) {
    for (std::int64_t block = first_block; block < last_block; ++block) walks.front().block(block);
    return;
  }
  const StripRanges ranges = parts_->ranges(slots);
  for (std::int64_t part = first_block; part < last_block; ++part)
    if (ranges.is_seam(part)) run_seam(walks, ranges, part);
    else run_block(walks, ranges, part, ranges.seam_of(part, first_block));
}

void StripKernel::finish(const std::uint64_t* slots, std::int64_t blocks) const {
  const std::vector<StripPartials> all = parts_->partials_of(slots, blocks);
  auto at = all.begin();
  for (const StripNest& nest : parts_->nests) {
    const double* partials = at->values;
    for (std::size_t r = 0; r < nest.reductions.size(); ++r) {
      const StripReduction& reduction = nest.reductions[r];
      for (std::int64_t e = 0; e < at->elements[r]; ++e) {
        Extreme state = reduction.identity();
        for (std::int64_t block = 0; block < blocks; ++block)
          state = reduction.combine(state, {at->spread[r][block * at->elements[r] + e]});
        reduction.store(state, slots, e);
      }
      if (reduction.axis != Axis::all) continue;
      Extreme state = reduction.identity();
      const double* positions = reduction.has_position() ? partials + blocks : nullptr;
      for (std::int64_t block = 0; block < blocks; ++block)
        state = reduction.combine(state, {partials[block], positions != nullptr ? positions[block] : 0});
      reduction.store(state, slots, 0);
      partials += blocks * (positions != nullptr ? 2 : 1);
    }
    ++at;
  }
}

std::optional<VectorIsa> vector_isa_of(const std::string& cpu) {
  if (cpu == "x86-64-v4") return VectorIsa::avx512f;
  if (cpu == "x86-64-v3") return VectorIsa::avx2;
  if (cpu == "x86-64-v2") return VectorIsa::sse4;
  if (cpu == "x86-64") return VectorIsa::sse2;
  if (cpu != "native") return std::nullopt;
  const bool fma = __builtin_cpu_supports("fma");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      fma)
    return VectorIsa::avx512f;
  if (__builtin_cpu_supports("avx2") && fma) return VectorIsa::avx2;
  return __builtin_cpu_supports("sse4.1") || __builtin_cpu_supports("sse4.2") ? VectorIsa::sse4 : VectorIsa::sse2;
}

}  // namespace lac::runtime
