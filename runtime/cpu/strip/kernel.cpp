#include "runtime/cpu/strip/kernel.h"

#include <algorithm>
#include <functional>

#include "ir/plan/walk.h"
#include "runtime/cpu/strip/product.h"
#include "runtime/cpu/strip/reduction.h"

namespace lac::runtime {
namespace {

using Blocks = WalkPlan::Blocks;

/// A strip's registers should stay in the first cache.
constexpr std::int64_t cache_bytes = 24 << 10, longest_strip = 512;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t whole_vectors(std::int64_t count) { return ceil_divide(count, kernel_lanes) * kernel_lanes; }

struct StripStore {
  std::int32_t slot;
  Element element;
  std::int32_t value;
  StripMap map;
};

}  // namespace

struct StripKernel::Parts {
  Parts(const Kernel& kernel, VectorIsa isa)
      : plan(plan_walk(kernel)),
        numbers(kernel),
        rows(numbers.of(kernel.rows)),
        cols(numbers.of(kernel.cols)),
        body(kernel, kernel.body, numbers, isa, StripMath::vectors),
        partials(static_cast<std::int32_t>(numbers.layout().partials)) {
    if (kernel.contraction) product.emplace(kernel, plan, numbers, isa);
    for (const Store& store : kernel.stores) {
      const Type& type = kernel.outputs[store.output].type;
      const auto gather = [&](InstrId id) { return body.converted(id, Register::real); };
      stores.push_back({static_cast<std::int32_t>(numbers.layout().outputs[store.output]), type.element,
                        body.converted(store.value, register_of(type.element)),
                        StripMap(store.map, type, numbers, gather)});
    }
    for (const KernelReduction& each : kernel.reductions) {
      reductions.emplace_back(kernel, each, numbers);
      reductions.back().value = body.converted(each.value, register_of(reductions.back().element));
    }
    lane_axis = plan.lanes_along_cols ? Axis::cols : Axis::rows;
    other_axis = plan.lanes_along_cols ? Axis::rows : Axis::cols;
  }

  std::int64_t lanes(const std::uint64_t* slots) const {
    if (plan.flat) return rows.in(slots)*cols.in(slots);
    return plan.lanes_along_cols ? cols.in(slots) : rows.in(slots);
  }
  std::int64_t others(const std::uint64_t* slots) const {
    if (plan.flat) return 1;
    return plan.lanes_along_cols ? rows.in(slots) : cols.in(slots);
  }

  struct Tile {
    std::int64_t lanes, others;
  };
  Tile tile(const std::uint64_t* slots) const {
    const std::int64_t all = std::max<std::int64_t>(lanes(slots), 1), rest = std::max<std::int64_t>(others(slots), 1);
    switch (plan.blocks) {
      case Blocks::one: return {all, rest};
      case Blocks::lanes: return {plan.block, rest};
      case Blocks::lines: return {all, std::max<std::int64_t>(plan.block / all, 1)};
      case Blocks::tiles: break;
    }
    return {std::min(all, plan.block), std::max<std::int64_t>(plan.block / all, 1)};
  }

  WalkPlan plan;
  SlotNumbers numbers;
  SlotNumber rows, cols;
  StripBody body;
  std::optional<StripProduct> product;
  std::vector<StripStore> stores;
  std::vector<StripReduction> reductions;
  std::int32_t partials;
  Axis lane_axis, other_axis;
};

/// The blocks of one call.
class StripKernel::Walk {
 public:
  Walk(const Parts& parts, const std::uint64_t* slots, Scratch& scratch)
      : parts_(parts),
        slots_(slots),
        scratch_(scratch),
        lanes_(parts.lanes(slots)),
        others_(parts.others(slots)),
        strip_(strip_length()),
        body_(parts.body, slots, strip_, scratch) {
    if (parts.product) product_.emplace(*parts.product, slots, scratch);
    for (const StripReduction& reduction : parts.reductions)
      accumulators_.emplace_back(reduction, reduction.axis == parts.other_axis ? strip_ : kernel_lanes, scratch);
  }

  void block(std::int64_t block, std::int64_t blocks) {
    each(Axis::all, [](StripAccumulator& accumulator) { accumulator.reset(); });
    const Range range = range_of(block);
    if (parts_.plan.order == WalkPlan::Order::lines) walk_lines(range);
    else if (ahead() > 0 && !parts_.plan.lane_reductions) walk_chunks(range);
    else walk_strips(range);
    write_partials(block, blocks);
  }

 private:
  struct Range {
    std::int64_t lane_begin, lane_end, other_begin, other_end;
  };

  std::int64_t ahead() const { return parts_.product ? parts_.product->ahead() : 0; }

  // Reductions over all points that go strip by strip add vector by vector: no strip is longer than one then.
  std::int64_t strip_length() const {
    if (parts_.plan.blocks == Blocks::one) return kernel_lanes;
    const bool by_vectors = parts_.plan.order == WalkPlan::Order::strips && others_ > 1 &&
                            std::ranges::any_of(parts_.reductions, [](const StripReduction& reduction) {
                              return reduction.axis == Axis::all;
                            });
    if (by_vectors && (ahead() == 0 || parts_.plan.lane_reductions)) return kernel_lanes;
    const auto registers = static_cast<std::int64_t>(std::max<std::size_t>(parts_.body.registers(), 1));
    std::int64_t length =
        std::clamp<std::int64_t>(cache_bytes / (8 * registers), kernel_lanes, parts_.product ? 128 : longest_strip);
    length = std::min(length, whole_vectors(std::max<std::int64_t>(lanes_, 1)));
    return length / kernel_lanes * kernel_lanes;
  }

  Range range_of(std::int64_t block) const {
    if (parts_.plan.blocks == Blocks::one) return {0, lanes_, 0, others_};
    const Parts::Tile tile = parts_.tile(slots_);
    std::int64_t lane_tile = block, other_tile = 0;
    if (parts_.plan.blocks == Blocks::lines) {
      lane_tile = 0;
      other_tile = block;
    } else if (parts_.plan.blocks == Blocks::tiles) {
      const std::int64_t per_line = std::max<std::int64_t>(ceil_divide(lanes_, tile.lanes), 1);
      lane_tile = block % per_line;
      other_tile = block / per_line;
    }
    return {lane_tile * tile.lanes, std::min((lane_tile + 1) * tile.lanes, lanes_), other_tile * tile.others,
            std::min((other_tile + 1) * tile.others, others_)};
  }

  template <class F>
  void each(Axis axis, const F& visit) {
    for (StripAccumulator& accumulator : accumulators_)
      if (accumulator.reduction().axis == axis) visit(accumulator);
  }

  void walk_lines(const Range& range) {
    for (std::int64_t other = range.other_begin; other < range.other_end; ++other) {
      each(parts_.lane_axis, [](StripAccumulator& accumulator) { accumulator.reset(); });
      if (ahead() > 0) walk_chunks({range.lane_begin, range.lane_end, other, other + 1});
      else
        strips(range.lane_begin, range.lane_end,
               [&](std::int64_t first, std::int64_t live) { point(first, live, other, 0); });
      each(parts_.lane_axis, [&](StripAccumulator& accumulator) {
        accumulator.reduction().store(accumulator.combined(), slots_, other);
      });
    }
  }

  void walk_strips(const Range& range) {
    strips(range.lane_begin, range.lane_end, [&](std::int64_t first, std::int64_t live) {
      each(parts_.other_axis, [](StripAccumulator& accumulator) { accumulator.reset(); });
      for (std::int64_t other = range.other_begin; other < range.other_end; ++other) {
        if (ahead() > 0) product_->fill(first, first + live, other);
        point(first, live, other, 0);
      }
      each(parts_.other_axis, [&](StripAccumulator& accumulator) {
        for (std::int64_t l = 0; l < live; ++l) accumulator.reduction().store(accumulator.lane(l), slots_, first + l);
      });
    });
  }

  void walk_chunks(const Range& range) {
    for (std::int64_t first = range.lane_begin; first < range.lane_end; first += ahead()) {
      const std::int64_t end = std::min(first + ahead(), range.lane_end);
      for (std::int64_t other = range.other_begin; other < range.other_end; ++other) {
        product_->fill(first, end, other);
        strips(first, end, [&](std::int64_t lane, std::int64_t live) { point(lane, live, other, lane - first); });
      }
    }
  }

  template <class F>
  void strips(std::int64_t begin, std::int64_t end, const F& visit) {
    for (std::int64_t first = begin; first < end; first += strip_) visit(first, std::min(strip_, end - first));
  }

  void point(std::int64_t lane, std::int64_t live, std::int64_t other, std::int64_t buffer_offset) {
    const ScratchScope scope(scratch_);
    StripPoints points;
    points.i = parts_.plan.lanes_along_cols ? other : lane;
    points.j = parts_.plan.lanes_along_cols ? lane : other;
    (parts_.plan.lanes_along_cols ? points.step_j : points.step_i) = 1;
    points.flat = parts_.plan.flat;
    points.live = live;
    points.lanes = whole_vectors(live);
    if (product_) points.contraction = ahead() > 0 ? product_->at(buffer_offset) : product_->compute(points);
    body_.evaluate(points);
    for (const StripStore& each : parts_.stores) {
      const StripPlace place = place_of(each.map, points, slots_, body_.registers(), scratch_);
      store(each.element, reinterpret_cast<void*>(slots_[each.slot]), place, points, body_.registers()[each.value]);
    }
    for (StripAccumulator& accumulator : accumulators_)
      accumulator.add(points, slots_, body_.registers()[accumulator.reduction().value]);
  }

  void write_partials(std::int64_t block, std::int64_t blocks) {
    auto* partials = reinterpret_cast<double*>(slots_[parts_.partials]);
    each(Axis::all, [&](StripAccumulator& accumulator) {
      const Extreme result = accumulator.combined();
      partials[block] = result.value;
      partials += blocks;
      if (!accumulator.reduction().has_position()) return;
      partials[block] = result.position;
      partials += blocks;
    });
  }

  const Parts& parts_;
  const std::uint64_t* slots_;
  Scratch& scratch_;
  std::int64_t lanes_, others_, strip_;
  StripBody::State body_;
  std::optional<StripProduct::State> product_;
  std::vector<StripAccumulator> accumulators_;
};

StripKernel::StripKernel(const Kernel& kernel, VectorIsa isa) : parts_(std::make_unique<const Parts>(kernel, isa)) {}
StripKernel::StripKernel(StripKernel&&) noexcept = default;
StripKernel::~StripKernel() = default;

std::int64_t StripKernel::blocks(const std::uint64_t* slots) const {
  const Parts::Tile tile = parts_->tile(slots);
  std::int64_t lanes = parts_->lanes(slots), others = parts_->others(slots);
  // A line without elements has a result all the same, and so has a lane.
  if (parts_->plan.line_reductions) lanes = std::max<std::int64_t>(lanes, 1);
  if (parts_->plan.lane_reductions) others = std::max<std::int64_t>(others, 1);
  return ceil_divide(lanes, tile.lanes) * ceil_divide(others, tile.others);
}

void StripKernel::run(const std::uint64_t* slots, std::int64_t first_block, std::int64_t last_block) const {
  Scratch& scratch = Scratch::of_this_thread();
  const ScratchScope scope(scratch);
  Walk walk(*parts_, slots, scratch);
  const std::int64_t count = blocks(slots);
  for (std::int64_t block = first_block; block < last_block; ++block) walk.block(block, count);
}

void StripKernel::finish(const std::uint64_t* slots, std::int64_t blocks) const {
  const auto* partials = reinterpret_cast<const double*>(slots[parts_->partials]);
  for (const StripReduction& reduction : parts_->reductions) {
    if (reduction.axis != Axis::all) continue;
    Extreme state = reduction.identity();
    const double* positions = reduction.has_position() ? partials + blocks : nullptr;
    for (std::int64_t block = 0; block < blocks; ++block)
      state = reduction.combine(state, {partials[block], positions != nullptr ? positions[block] : 0});
    reduction.store(state, slots, 0);
    partials += blocks * (positions != nullptr ? 2 : 1);
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
