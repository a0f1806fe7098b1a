#include "runtime/cpu/strip/nest.h"

#include <algorithm>

namespace lac::runtime {
namespace {

using Blocks = WalkPlan::Blocks;

/// A strip's registers should stay in the first cache.
constexpr std::int64_t cache_bytes = 24 << 10, longest_strip = 512;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t whole_vectors(std::int64_t count) { return ceil_divide(count, kernel_lanes) * kernel_lanes; }

}  // namespace

StripNest::StripNest(const Kernel& kernel, const Nest& nest, const SlotNumbers& numbers, VectorIsa isa)
    : plan(plan_walk(kernel, nest)),
      rows(numbers.of(nest.rows)),
      cols(numbers.of(nest.cols)),
      body(kernel, nest, nest.body, numbers, isa,
           kernel.schedule.traversal == Traversal::point ? StripMath::scalars : StripMath::vectors),
      lane_axis(plan.lanes_along_cols ? Axis::cols : Axis::rows),
      other_axis(plan.lanes_along_cols ? Axis::rows : Axis::cols),
      strips(nest.strips) {
  const std::size_t sums = nest.contraction ? nest.contraction->values.size() : 0;
  for (std::size_t n = 0; n < sums; ++n) products.emplace_back(kernel, nest, n, plan, numbers, isa);
  for (const Store& store : nest.stores) {
    const Type& type = kernel.outputs[store.output].type;
    const auto gather = [&](InstrId id) { return body.converted(id, Register::real); };
    stores.push_back({static_cast<std::int32_t>(numbers.layout().outputs[store.output]), type.element,
                      body.converted(store.value, register_of(type.element)),
                      StripMap(store.map, type, numbers, gather)});
  }
  for (const KernelReduction& each : nest.reductions) {
    reductions.emplace_back(kernel, nest, each, numbers);
    reductions.back().value = body.converted(each.value, register_of(reductions.back().element));
    if (each.reduction.axis == Axis::all) partials += reductions.back().has_position() ? 2 : 1;
  }
}

std::int64_t StripNest::lanes(const std::uint64_t* slots) const {
  if (plan.flat) return rows.in(slots)*cols.in(slots);
  return plan.lanes_along_cols ? cols.in(slots) : rows.in(slots);
}

std::int64_t StripNest::others(const std::uint64_t* slots) const {
  if (plan.flat) return 1;
  return plan.lanes_along_cols ? rows.in(slots) : cols.in(slots);
}

StripNest::Tile StripNest::tile(const std::uint64_t* slots) const {
  const std::int64_t all = std::max<std::int64_t>(lanes(slots), 1), rest = std::max<std::int64_t>(others(slots), 1);
  switch (plan.blocks) {
    case Blocks::one: return {all, rest};
    case Blocks::lanes: return {plan.block, rest};
    case Blocks::lines: return {all, std::max<std::int64_t>(plan.block / all, 1)};
    case Blocks::tiles:
    case Blocks::given: break;
  }
  return {std::min(all, plan.block), std::max<std::int64_t>(plan.block / all, 1)};
}

std::int64_t StripNest::blocks(const std::uint64_t* slots) const {
  const Tile each = tile(slots);
  std::int64_t all = lanes(slots), rest = others(slots);
  // A line without elements has a result all the same, and so has a lane.
  if (plan.line_reductions) all = std::max<std::int64_t>(all, 1);
  if (plan.lane_reductions) rest = std::max<std::int64_t>(rest, 1);
  return ceil_divide(all, each.lanes) * ceil_divide(rest, each.others);
}

StripNestWalk::StripNestWalk(const StripNest& nest, const std::uint64_t* slots, StripPartials partials,
                             Scratch& scratch)
    : nest_(nest),
      slots_(slots),
      partials_(std::move(partials)),
      scratch_(scratch),
      lanes_(nest.lanes(slots)),
      others_(nest.others(slots)),
      length_(strip_length()),
      body_(nest.body, slots, length_, scratch) {
  for (const StripProduct& product : nest.products) products_.emplace_back(product, slots, scratch);
  for (const StripReduction& reduction : nest.reductions)
    accumulators_.emplace_back(reduction, reduction.axis == nest.other_axis ? length_ : kernel_lanes, scratch);
}

void StripNestWalk::block(std::int64_t block) {
  begin_block(block);
  walk(range_of(block));
  end_block();
}

void StripNestWalk::begin_block(std::int64_t block) {
  block_ = block;
  each(Axis::all, [](StripAccumulator& accumulator) { accumulator.reset(); });
  for (std::size_t r = 0; r < accumulators_.size(); ++r)
    if (is_spread(accumulators_[r]))
      std::fill_n(spread(accumulators_[r]), partials_.elements[r], accumulators_[r].reduction().identity().value);
}

void StripNestWalk::strip(std::int64_t begin, std::int64_t end) {
  if (nest_.strips == nest_.lane_axis) walk({begin, end, 0, others_});
  else walk({0, lanes_, begin, end});
}

void StripNestWalk::end_block() {
  double* partials = partials_.values;
  each(Axis::all, [&](StripAccumulator& accumulator) {
    const Extreme result = accumulator.combined();
    partials[block_] = result.value;
    partials += partials_.blocks;
    if (!accumulator.reduction().has_position()) return;
    partials[block_] = result.position;
    partials += partials_.blocks;
  });
}

double* StripNestWalk::spread(const StripAccumulator& accumulator) const {
  const auto r = static_cast<std::size_t>(&accumulator - accumulators_.data());
  return partials_.spread[r] + block_ * partials_.elements[r];
}

// Reductions over all points that go strip by strip add vector by vector: no strip is longer than one then.
std::int64_t StripNestWalk::strip_length() const {
  if (nest_.plan.blocks == Blocks::one) return kernel_lanes;
  const bool by_vectors =
      nest_.plan.order == WalkPlan::Order::strips && others_ > 1 &&
      std::ranges::any_of(nest_.reductions, [](const StripReduction& each) { return each.axis == Axis::all; });
  if (by_vectors && (ahead() == 0 || nest_.plan.lane_reductions)) return kernel_lanes;
  const auto registers = static_cast<std::int64_t>(std::max<std::size_t>(nest_.body.registers(), 1));
  std::int64_t length = std::clamp<std::int64_t>(cache_bytes / (8 * registers), kernel_lanes,
                                                 nest_.products.empty() ? longest_strip : 128);
  length = std::min(length, whole_vectors(std::max<std::int64_t>(lanes_, 1)));
  return length / kernel_lanes * kernel_lanes;
}

StripNestWalk::Range StripNestWalk::range_of(std::int64_t block) const {
  if (nest_.plan.blocks == Blocks::one) return {0, lanes_, 0, others_};
  const StripNest::Tile tile = nest_.tile(slots_);
  std::int64_t lane_tile = block, other_tile = 0;
  if (nest_.plan.blocks == Blocks::lines) {
    lane_tile = 0;
    other_tile = block;
  } else if (nest_.plan.blocks == Blocks::tiles) {
    const std::int64_t per_line = std::max<std::int64_t>(ceil_divide(lanes_, tile.lanes), 1);
    lane_tile = block % per_line;
    other_tile = block / per_line;
  }
  return {lane_tile * tile.lanes, std::min((lane_tile + 1) * tile.lanes, lanes_), other_tile * tile.others,
          std::min((other_tile + 1) * tile.others, others_)};
}

void StripNestWalk::walk(const Range& range) {
  if (nest_.plan.order == WalkPlan::Order::lines) walk_lines(range);
  else if (ahead() > 0 && !nest_.plan.lane_reductions) walk_chunks(range);
  else walk_strips(range);
}

void StripNestWalk::fill(std::int64_t first, std::int64_t end, std::int64_t other) {
  for (StripProduct::State& product : products_) product.fill(first, end, other);
}

void StripNestWalk::walk_lines(const Range& range) {
  for (std::int64_t other = range.other_begin; other < range.other_end; ++other) {
    each(nest_.lane_axis, [](StripAccumulator& accumulator) { accumulator.reset(); });
    if (ahead() > 0) walk_chunks({range.lane_begin, range.lane_end, other, other + 1});
    else
      pieces(range.lane_begin, range.lane_end,
             [&](std::int64_t first, std::int64_t live) { point(first, live, other, 0); });
    each(nest_.lane_axis, [&](StripAccumulator& accumulator) {
      const StripReduction& reduction = accumulator.reduction();
      if (!is_spread(accumulator)) return reduction.store(accumulator.combined(), slots_, other);
      double& partial = spread(accumulator)[other];
      partial = reduction.combine({partial}, accumulator.combined()).value;
    });
  }
}

void StripNestWalk::walk_strips(const Range& range) {
  pieces(range.lane_begin, range.lane_end, [&](std::int64_t first, std::int64_t live) {
    each(nest_.other_axis, [](StripAccumulator& accumulator) { accumulator.reset(); });
    for (std::int64_t other = range.other_begin; other < range.other_end; ++other) {
      if (ahead() > 0) fill(first, first + live, other);
      point(first, live, other, 0);
    }
    each(nest_.other_axis, [&](StripAccumulator& accumulator) {
      for (std::int64_t l = 0; l < live; ++l) accumulator.reduction().store(accumulator.lane(l), slots_, first + l);
    });
  });
}

void StripNestWalk::walk_chunks(const Range& range) {
  for (std::int64_t first = range.lane_begin; first < range.lane_end; first += ahead()) {
    const std::int64_t end = std::min(first + ahead(), range.lane_end);
    for (std::int64_t other = range.other_begin; other < range.other_end; ++other) {
      fill(first, end, other);
      pieces(first, end, [&](std::int64_t lane, std::int64_t live) { point(lane, live, other, lane - first); });
    }
  }
}

void StripNestWalk::point(std::int64_t lane, std::int64_t live, std::int64_t other, std::int64_t buffer_offset) {
  const ScratchScope scope(scratch_);
  StripPoints points;
  points.i = nest_.plan.lanes_along_cols ? other : lane;
  points.j = nest_.plan.lanes_along_cols ? lane : other;
  (nest_.plan.lanes_along_cols ? points.step_j : points.step_i) = 1;
  points.flat = nest_.plan.flat;
  points.live = live;
  points.lanes = whole_vectors(live);
  for (std::size_t n = 0; n < products_.size(); ++n)
    points.sums[n] = ahead() > 0 ? products_[n].at(buffer_offset) : products_[n].compute(points);
  body_.evaluate(points);
  for (const StripStore& each : nest_.stores) {
    const StripPlace place = place_of(each.map, points, slots_, body_.registers(), scratch_);
    store(each.element, reinterpret_cast<void*>(slots_[each.slot]), place, points, body_.registers()[each.value]);
  }
  for (StripAccumulator& accumulator : accumulators_) {
    const void* values = body_.registers()[accumulator.reduction().value];
    const bool by_lanes = is_spread(accumulator) && nest_.strips == nest_.other_axis;
    if (by_lanes) accumulator.reduction().add_to_partials(spread(accumulator) + lane, values, live);
    else accumulator.add(points, slots_, values);
  }
}

}  // namespace lac::runtime
