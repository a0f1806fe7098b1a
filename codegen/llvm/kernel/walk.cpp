#include "codegen/llvm/kernel/walk.h"

#include <llvm/Analysis/VectorUtils.h>

#include <optional>

#include "codegen/llvm/kernel/pressure.h"
#include "ir/kernel/shared_axis.h"

namespace lac::codegen {
namespace {

using Blocks = WalkPlan::Blocks;

Value* lane_extent(KernelFunction& f, const WalkPlan& plan) {
  if (!plan.flat) return f.size(plan.lane_extent);
  return f.builder().CreateMul(f.size(f.nest().rows), f.size(f.nest().cols));
}

struct Tile {
  Value *lanes, *others;
};

// The extents of a block: of at least one element, so that they can be divided by.
Tile tile_of(KernelFunction& f, const WalkPlan& plan) {
  auto& b = f.builder();
  Value *one = f.integer(1), *block = f.integer(plan.block);
  Value* lanes = f.larger(lane_extent(f, plan), one);
  Value* others = f.larger(f.size(plan.other_extent), one);
  switch (plan.blocks) {
    case Blocks::one: return {lanes, others};
    case Blocks::lanes: return {block, others};
    case Blocks::lines: return {lanes, f.larger(b.CreateUDiv(block, lanes), one)};
    case Blocks::tiles:
    case Blocks::given: break;
  }
  return {f.smaller(lanes, block), f.larger(b.CreateUDiv(block, lanes), one)};
}

bool across_blocks(const WalkPlan&, Axis axis) { return axis == Axis::all; }
bool along_line(const WalkPlan& plan, Axis axis) { return axis == (plan.lanes_along_cols ? Axis::cols : Axis::rows); }
bool along_other(const WalkPlan& plan, Axis axis) { return axis == (plan.lanes_along_cols ? Axis::rows : Axis::cols); }

}  // namespace

Value* ceil_divide(KernelFunction& f, Value* a, Value* b) {
  auto& builder = f.builder();
  return builder.CreateUDiv(builder.CreateAdd(a, builder.CreateSub(b, f.integer(1))), b);
}

Value* emit_block_count(KernelFunction& f, const WalkPlan& plan) {
  auto& b = f.builder();
  const Tile tile = tile_of(f, plan);
  Value *lanes = lane_extent(f, plan), *others = f.size(plan.other_extent);
  // A line without elements has a result all the same, and so has a lane.
  if (plan.line_reductions) lanes = f.larger(lanes, f.integer(1));
  if (plan.lane_reductions) others = f.larger(others, f.integer(1));
  return b.CreateMul(ceil_divide(f, lanes, tile.lanes), ceil_divide(f, others, tile.others));
}

NestWalk::NestWalk(KernelFunction& f, const PartialsAt& partials)
    : f_(f),
      nest_(f.nest()),
      plan_(plan_walk(f.kernel(), nest_)),
      partials_(partials),
      interior_(nest_.contraction || plan_.order != WalkPlan::Order::lines ? std::nullopt
                                                                           : interior_of(f.kernel(), nest_)),
      body_(f, nest_.body, interior_ ? &*interior_ : nullptr),
      lanes_together_(nest_.contraction ? kernel_lanes : lanes_together(f, nest_)),
      masked_together_(nest_.contraction ? kernel_lanes : masked_lanes_together(f, nest_)) {
  if (nest_.contraction) product_ = make_product(f, plan_);
  for (const KernelReduction& reduction : nest_.reductions) accumulators_.emplace_back(f, reduction);
}

std::vector<Accumulator*> NestWalk::accumulators(bool (*wanted)(const WalkPlan&, Axis)) {
  std::vector<Accumulator*> result;
  for (Accumulator& accumulator : accumulators_)
    if (wanted(plan_, accumulator.reduction().reduction.axis)) result.push_back(&accumulator);
  return result;
}

void NestWalk::emit(Value* first_block, Value* last_block) {
  if (computes_blocks_ahead()) return emit_blocks_ahead(first_block, last_block);
  f_.loop(first_block, last_block, 1, [&](Value* block) {
    begin_block(block);
    walk(range_of(block));
    write_partials(block);
  });
}

bool NestWalk::computes_blocks_ahead() const {
  return product_ && plan_.blocks == Blocks::lanes && plan_.order == WalkPlan::Order::strips &&
         plan_.other_extent.is(1) && !plan_.lane_reductions && product_->chunk_of_blocks() >= 2 * plan_.block;
}

void NestWalk::emit_blocks_ahead(Value* first_block, Value* last_block) {
  auto& b = f_.builder();
  const std::int64_t at_once = product_->chunk_of_blocks() / plan_.block;
  f_.loop(first_block, last_block, at_once, [&](Value* first) {
    Value* last = f_.smaller(b.CreateAdd(first, f_.integer(at_once)), last_block);
    Value* begin = range_of(first).lane_begin;
    const Range behind = range_of(b.CreateSub(last, f_.integer(1)));
    product_->fill(begin, behind.lane_end, behind.other_begin);
    f_.loop(first, last, 1, [&](Value* block) {
      begin_block(block);
      const Range range = range_of(block);
      vectors(range.lane_begin, range.lane_end,
              [&](Value* lane, Value* mask) { point(lane, mask, range.other_begin, b.CreateSub(lane, begin)); });
      write_partials(block);
    });
  });
}

void NestWalk::begin_block(Value* block) {
  for (Accumulator* accumulator : accumulators(across_blocks)) accumulator->reset();
  for (const Accumulator& accumulator : accumulators_)
    if (is_spread(accumulator))
      accumulator.reset_partials(spread_partials(accumulator, block),
                                 spread_elements(f_, accumulator.reduction().output));
}

void NestWalk::strip(Value* begin, Value* end, Value* block) {
  block_ = block;
  const bool along_lanes = (nest_.strips == Axis::cols) == plan_.lanes_along_cols;
  Value *none = f_.integer(0), *lanes = lane_extent(f_, plan_), *others = f_.size(plan_.other_extent);
  walk(along_lanes ? Range{begin, end, none, others} : Range{none, lanes, begin, end});
}

void NestWalk::walk(const Range& range) {
  if (plan_.order == WalkPlan::Order::lines) walk_lines(range);
  else if (product_ && product_->chunk() > 0 && !plan_.lane_reductions) walk_chunks(range);
  else walk_strips(range);
}

bool NestWalk::is_spread(const Accumulator& accumulator) const {
  return lac::is_spread(nest_, accumulator.reduction());
}

Value* NestWalk::spread_partials(const Accumulator& accumulator, Value* block) {
  auto& b = f_.builder();
  const std::uint32_t output = accumulator.reduction().output;
  Value* before = b.CreateMul(block, spread_elements(f_, output));
  return b.CreateAdd(spread_begin(f_, output, partials_.blocks), before);
}

NestWalk::Range NestWalk::range_of(Value* block) {
  auto& b = f_.builder();
  const Tile tile = tile_of(f_, plan_);
  Value *lanes = lane_extent(f_, plan_), *others = f_.size(plan_.other_extent);
  if (plan_.blocks == Blocks::one) return {f_.integer(0), lanes, f_.integer(0), others};
  Value *lane_tile = block, *other_tile = f_.integer(0);
  if (plan_.blocks == Blocks::lines) {
    lane_tile = f_.integer(0);
    other_tile = block;
  } else if (plan_.blocks == Blocks::tiles) {
    Value* per_line = f_.larger(ceil_divide(f_, lanes, tile.lanes), f_.integer(1));
    lane_tile = b.CreateURem(block, per_line);
    other_tile = b.CreateUDiv(block, per_line);
  }
  auto range = [&](Value* index, Value* length, Value* extent) {
    Value* begin = b.CreateMul(index, length);
    return std::pair{begin, f_.smaller(b.CreateAdd(begin, length), extent)};
  };
  const auto [lane_begin, lane_end] = range(lane_tile, tile.lanes, lanes);
  const auto [other_begin, other_end] = range(other_tile, tile.others, others);
  return {lane_begin, lane_end, other_begin, other_end};
}

void NestWalk::walk_lines(const Range& range) {
  f_.loop(range.other_begin, range.other_end, 1, [&](Value* other) {
    for (Accumulator* accumulator : accumulators(along_line)) accumulator->reset();
    line(range.lane_begin, range.lane_end, other);
    for (Accumulator* accumulator : accumulators(along_line)) {
      const Extreme result = accumulator->combined();
      if (!is_spread(*accumulator)) accumulator->store(result, other);
      else
        accumulator->add_to_partials({result.value, accumulator->element()},
                                     f_.builder().CreateAdd(spread_partials(*accumulator, block_), other));
    }
  });
}

void NestWalk::walk_strips(const Range& range) {
  const bool ahead = product_ && product_->chunk() > 0;
  vectors(range.lane_begin, range.lane_end, [&](Value* first, Value* mask) {
    for (Accumulator* accumulator : accumulators(along_other)) accumulator->reset();
    f_.loop(range.other_begin, range.other_end, 1, [&](Value* other) {
      if (ahead) {
        Value* end = f_.builder().CreateAdd(first, f_.integer(kernel_lanes));
        product_->fill(first, f_.smaller(end, range.lane_end), other);
      }
      point(first, mask, other, f_.integer(0));
    });
    for (Accumulator* accumulator : accumulators(along_other)) accumulator->store(accumulator->lanes(), first, mask);
  });
}

void NestWalk::walk_chunks(const Range& range) {
  f_.loop(range.lane_begin, range.lane_end, product_->chunk(), [&](Value* first) {
    Value* end = f_.smaller(f_.builder().CreateAdd(first, f_.integer(product_->chunk())), range.lane_end);
    f_.loop(range.other_begin, range.other_end, 1, [&](Value* other) {
      product_->fill(first, end, other);
      vectors(first, end,
              [&](Value* lane, Value* mask) { point(lane, mask, other, f_.builder().CreateSub(lane, first)); });
    });
  });
}

void NestWalk::line(Value* begin, Value* end, Value* other) {
  if (interior_) return line_with_edges(begin, end, other);
  if (!product_ || product_->chunk() == 0) {
    vectors(begin, end, [&](Value* lane, Value* mask) { point(lane, mask, other, nullptr); });
    return;
  }
  const Range range{begin, end, other, f_.builder().CreateAdd(other, f_.integer(1))};
  walk_chunks(range);
}

void NestWalk::vectors(Value* begin, Value* end, llvm::function_ref<void(Value*, Value*)> visit) {
  if (product_ && product_->chunk() == 0) return vectors_with_edges(begin, end, visit);
  auto& b = f_.builder();
  Value* count = b.CreateSub(end, begin);
  const bool never_full = plan_.lane_extent.is_constant() && plan_.lane_extent.constant() < kernel_lanes;
  Value* full = begin;
  if (!never_full) {
    full = b.CreateAdd(begin, b.CreateAnd(count, f_.integer(-static_cast<std::int64_t>(kernel_lanes))));
    f_.loop(begin, full, kernel_lanes, [&](Value* lane) { visit(lane, nullptr); });
  }
  f_.when(b.CreateICmpSLT(full, end), [&] { visit(full, first_lanes(f_, b.CreateSub(end, full), kernel_lanes)); });
}

void NestWalk::vectors_with_edges(Value* begin, Value* end, llvm::function_ref<void(Value*, Value*)> visit) {
  auto& b = f_.builder();
  f_.loop(begin, end, kernel_lanes, [&](Value* lane) {
    Value* rest = b.CreateSub(end, lane);
    Value* full = b.CreateICmpSGE(rest, f_.integer(kernel_lanes));
    f_.when(
        b.CreateAnd(full, product_->interior(lane)), [&] { visit(lane, nullptr); },
        [&] { visit(lane, first_lanes(f_, f_.smaller(rest, f_.integer(kernel_lanes)), kernel_lanes)); });
  });
}

std::pair<Value*, Value*> NestWalk::interior(Value* begin, Value* end, Value* other) {
  auto& b = f_.builder();
  const auto difference = [&](const SizeDifference& bound) {
    return b.CreateSub(f_.size(bound.first), f_.size(bound.second));
  };
  const CoordinateBounds& along = plan_.lanes_along_cols ? interior_->j : interior_->i;
  const CoordinateBounds& across = plan_.lanes_along_cols ? interior_->i : interior_->j;
  Value *first = begin, *behind = end;
  for (const SizeDifference& bound : along.low) first = f_.larger(first, difference(bound));
  for (const SizeDifference& bound : along.high) behind = f_.smaller(behind, difference(bound));
  Value* here = b.getTrue();
  for (const SizeDifference& bound : across.low) here = b.CreateAnd(here, b.CreateICmpSGE(other, difference(bound)));
  for (const SizeDifference& bound : across.high) here = b.CreateAnd(here, b.CreateICmpSLT(other, difference(bound)));
  return {first, b.CreateSelect(here, behind, begin)};
}

void NestWalk::line_with_edges(Value* begin, Value* end, Value* other) {
  auto& b = f_.builder();
  const auto [first, behind] = edges_.emplace(interior(begin, end, other));
  Value* width = f_.integer(kernel_lanes);
  // Vectors of the interior, whole ones: [from, to).
  Value* from = b.CreateAdd(begin, b.CreateMul(ceil_divide(f_, b.CreateSub(first, begin), width), width));
  from = f_.smaller(from, end);
  Value* count = f_.larger(b.CreateSub(behind, from), f_.integer(0));
  Value* to = b.CreateAdd(from, b.CreateAnd(count, f_.integer(-static_cast<std::int64_t>(kernel_lanes))));
  f_.loop(f_.integer(0), f_.integer(2), 1, [&](Value* side) {
    Value* before = b.CreateICmpEQ(side, f_.integer(0));
    f_.loop(b.CreateSelect(before, begin, to), b.CreateSelect(before, from, end), kernel_lanes, [&](Value* lane) {
      point(lane, first_lanes(f_, f_.smaller(b.CreateSub(end, lane), width), kernel_lanes), other, nullptr);
    });
    f_.loop(b.CreateSelect(before, from, to), to, kernel_lanes,
            [&](Value* lane) { point(lane, nullptr, other, nullptr, true); });
  });
}

void NestWalk::point(Value* lane, Value* mask, Value* other, Value* buffer_offset, bool interior) {
  Points points = domain_points(plan_, lane, other, kernel_lanes, mask);
  points.interior = interior;
  if (product_) points.sums = product_->chunk() > 0 ? product_->buffered(buffer_offset) : product_->compute(points);
  const unsigned together = mask ? masked_together_ : lanes_together_;
  const std::vector<Value*> reduced =
      together == kernel_lanes ? compute(points) : compute_in_parts(points, lane, other, together);
  for (std::size_t n = 0; n < accumulators_.size(); ++n) {
    Accumulator& accumulator = accumulators_[n];
    const TypedValue value{reduced[n], reduced_element(n)};
    const bool by_lanes = is_spread(accumulator) && along_other(plan_, accumulator.reduction().reduction.axis);
    if (!by_lanes) accumulator.add(points, value);
    else accumulator.add_to_partials(value, f_.builder().CreateAdd(spread_partials(accumulator, block_), lane), mask);
  }
}

Element NestWalk::reduced_element(std::size_t reduction) const {
  return nest_.body[nest_.reductions[reduction].value].element;
}

std::vector<Value*> NestWalk::compute(const Points& points) {
  const std::vector<TypedValue> values = body_.evaluate(points);
  for (const Store& store : nest_.stores)
    emit_store(f_, points, store.output, store.map, gathered_positions(store.map, values), values[store.value.index]);
  std::vector<Value*> reduced;
  for (const KernelReduction& reduction : nest_.reductions) reduced.push_back(values[reduction.value.index].value);
  return reduced;
}

std::vector<Value*> NestWalk::compute_in_parts(const Points& points, Value* lane, Value* other, unsigned together) {
  auto& b = f_.builder();
  std::vector<llvm::SmallVector<Value*, 4>> pieces(nest_.reductions.size());
  for (unsigned first = 0; first < kernel_lanes; first += together) {
    Value* start = b.CreateAdd(lane, f_.integer(first));
    Value* mask = points.mask ? lanes_of(points.mask, first, together) : nullptr;
    Points part = domain_points(plan_, start, other, together, mask);
    part.interior = points.interior;
    part.before = first;
    const std::vector<Value*> reduced = mask ? compute_if_any(part, start) : compute(part);
    for (std::size_t r = 0; r < reduced.size(); ++r) pieces[r].push_back(reduced[r]);
  }
  std::vector<Value*> whole;
  for (const auto& parts : pieces) whole.push_back(llvm::concatenateVectors(b, parts));
  return whole;
}

Value* NestWalk::lanes_of(Value* vector, unsigned first, unsigned count) {
  llvm::SmallVector<int, 16> lanes;
  for (unsigned lane = first; lane < first + count; ++lane) lanes.push_back(static_cast<int>(lane));
  return f_.builder().CreateShuffleVector(vector, lanes);
}

// Parts of an edge's vector that are in the interior are most of them.
std::vector<Value*> NestWalk::compute_if_any(const Points& part, Value* start) {
  auto& b = f_.builder();
  std::vector<llvm::AllocaInst*> slots;
  for (std::size_t r = 0; r < nest_.reductions.size(); ++r) {
    llvm::Type* type = with_lanes(register_type(b.getContext(), reduced_element(r)), part.lanes);
    slots.push_back(f_.local(type, "part"));
    b.CreateStore(llvm::Constant::getNullValue(type), slots[r]);
  }
  const auto store = [&](const Points& points) {
    const std::vector<Value*> reduced = compute(points);
    for (std::size_t r = 0; r < slots.size(); ++r) b.CreateStore(reduced[r], slots[r]);
  };
  f_.when(b.CreateExtractElement(part.mask, std::uint64_t{0}), [&] {
    if (!edges_) return store(part);
    Points inside = part;
    inside.mask = nullptr;
    inside.interior = true;
    Value* begins = b.CreateICmpSGE(start, edges_->first);
    Value* ends = b.CreateICmpSLE(b.CreateAdd(start, f_.integer(part.lanes)), edges_->second);
    f_.when(
        b.CreateAnd(begins, ends), [&] { store(inside); }, [&] { store(part); });
  });
  std::vector<Value*> loaded;
  for (llvm::AllocaInst* slot : slots) loaded.push_back(b.CreateLoad(slot->getAllocatedType(), slot));
  return loaded;
}

void NestWalk::write_partials(Value* block) {
  std::int64_t first = partials_.first;
  for (Accumulator* accumulator : accumulators(across_blocks)) {
    accumulator->store_partial(accumulator->combined(), first, block, partials_.blocks);
    first += accumulator->reduction().index_output >= 0 ? 2 : 1;
  }
}

}  // namespace lac::codegen
