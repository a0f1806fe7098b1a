#include "codegen/llvm/kernel/strips.h"

#include <list>

#include "codegen/llvm/kernel/walk.h"

namespace lac::codegen {
namespace {

// StripLengths (ir/plan/walk.h).
struct Lengths {
  Value *reach, *block, *strip, *is_far;
};

Value* emit_reach(KernelFunction& f, const StripPlan& plan) {
  auto& b = f.builder();
  Value* reach = f.size(plan.reach);
  if (!plan.whole_vectors) return reach;
  const std::int64_t lanes = kernel_lanes;
  return b.CreateAnd(b.CreateAdd(reach, f.integer(lanes - 1)), f.integer(-lanes));
}

Value* emit_is_far(KernelFunction& f, const StripPlan& plan, Value* reach, Value* block, Value* long_enough) {
  auto& b = f.builder();
  Value* far = b.CreateICmpSGT(reach, f.integer(farthest_reach));
  Value* is_long = b.CreateICmpSGT(long_enough, block);
  Value* enough = b.CreateMul(long_enough, f.integer(plan.fewest_blocks));
  return b.CreateOr(far, b.CreateAnd(is_long, b.CreateICmpSLT(f.size(plan.extent), enough)));
}

// As strip_lengths has them.
Lengths emit_lengths(KernelFunction& f, const StripPlan& plan) {
  auto& b = f.builder();
  Value* at_once = f.larger(f.size(plan.width), f.integer(1));
  Lengths lengths{emit_reach(f, plan), f.integer(plan.block), nullptr, nullptr};
  if (plan.block_in_elements) lengths.block = f.larger(b.CreateUDiv(lengths.block, at_once), f.integer(1));
  Value* room = b.CreateUDiv(f.integer(plan.strip), at_once);
  if (plan.whole_vectors) room = b.CreateAnd(room, f.integer(-static_cast<std::int64_t>(kernel_lanes)));
  room = f.larger(room, f.integer(plan.shortest));
  Value* long_enough = b.CreateMul(lengths.reach, f.integer(reaches_of_a_block));
  if (plan.has_seams()) long_enough = f.larger(long_enough, room);
  lengths.is_far = emit_is_far(f, plan, lengths.reach, lengths.block, long_enough);
  lengths.block = b.CreateSelect(lengths.is_far, lengths.block, f.larger(lengths.block, long_enough));
  lengths.strip = f.smaller(room, lengths.block);
  return lengths;
}

std::list<NestWalk> walks_of(KernelFunction& f, Value* parts) {
  std::list<NestWalk> walks;
  PartialsAt partials{parts};
  for (const Nest* nest : nests(f.kernel())) {
    f.enter(*nest);
    walks.emplace_back(f, partials);
    partials.first += partial_count(*nest);
  }
  return walks;
}

Value* emit_blocks(KernelFunction& f, const StripPlan& plan) {
  return ceil_divide(f, f.size(plan.extent), emit_lengths(f, plan).block);
}

/// [begin, end) of the shared axis.
struct Indices {
  Value *begin, *end;
};

class Strips {
 public:
  explicit Strips(KernelFunction& f)
      : f_(f),
        plan_(plan_strips(f.kernel())),
        lengths_(emit_lengths(f, plan_)),
        extent_(f.size(plan_.extent)),
        blocks_(plan_.has_seams() ? emit_blocks(f, plan_) : nullptr),
        walks_(walks_of(f, emit_strip_parts(f))) {}

  void emit(Value* first_part, Value* last_part) {
    f_.loop(first_part, last_part, 1, [&](Value* number) {
      if (plan_.has_seams()) part(number, first_part);
      else block(number);
    });
  }

 private:
  void each(llvm::function_ref<void(NestWalk&)> emit) {
    for (NestWalk& walk : walks_) with(walk, emit);
  }
  void each_ahead(llvm::function_ref<void(NestWalk&)> emit) {
    for (NestWalk& walk : walks_)
      if (&walk != &walks_.back()) with(walk, emit);
  }
  void with(NestWalk& walk, llvm::function_ref<void(NestWalk&)> emit) {
    f_.enter(walk.nest());
    emit(walk);
  }

  void block(Value* number) {
    auto& b = f_.builder();
    each([&](NestWalk& walk) { walk.begin_block(number); });
    const Indices block = of_block(number);
    f_.loop(block.begin, block.end, lengths_.strip, [&](Value* first) {
      Value* end = f_.smaller(b.CreateAdd(first, lengths_.strip), block.end);
      each([&](NestWalk& walk) { walk.strip(first, end, number); });
    });
    each([&](NestWalk& walk) { walk.write_partials(number); });
  }

  // As StripRanges (ir/plan/strip_ranges.h) has it, with the code of each nest once: the last one does no, one or two
  // ranges behind each strip, a seam's and the block's own. A part that is a seam is a strip of nothing.
  void part(Value* number, Value* first_part) {
    auto& b = f_.builder();
    Value* is_seam = b.CreateICmpSGE(number, blocks_);
    Value* is_inside = b.CreateAnd(b.CreateICmpSGT(number, first_part), b.CreateNot(lengths_.is_far));
    Value* has_seam = b.CreateOr(is_seam, is_inside);
    Value* seam = b.CreateSelect(is_seam, number, b.CreateAdd(blocks_, b.CreateSub(number, f_.integer(1))));
    begin_part(number, seam, has_seam);
    const Indices block = of_block(number), ahead = {block.begin, b.CreateSelect(is_seam, block.begin, block.end)},
                  last = behind(block), between = of_seam(seam);
    Value* read = f_.smaller(
        b.CreateAdd(block.begin, f_.larger(b.CreateShl(lengths_.reach, f_.integer(1)), f_.integer(1))), block.end);
    Value* once = b.CreateAdd(ahead.begin, f_.integer(1));
    f_.loop(ahead.begin, f_.larger(ahead.end, once), lengths_.strip, [&](Value* first) {
      Value* end = f_.smaller(b.CreateAdd(first, lengths_.strip), ahead.end);
      each_ahead([&](NestWalk& walk) { walk.strip(first, end, number); });
      Value* is_there = b.CreateAnd(b.CreateICmpSLT(first, read), b.CreateICmpSGE(end, read));
      Value* ends_seam = b.CreateOr(is_seam, b.CreateAnd(has_seam, is_there));
      const Indices own = of_strip({first, end}, ahead, last);
      with(walks_.back(), [&](NestWalk& walk) {
        Value *from = b.CreateSelect(ends_seam, f_.integer(0), f_.integer(1)),
              *to = b.CreateSelect(is_seam, f_.integer(1), f_.integer(2));
        f_.loop(from, to, 1, [&](Value* turn) {
          Value* is_between = b.CreateICmpEQ(turn, f_.integer(0));
          walk.strip(b.CreateSelect(is_between, between.begin, own.begin),
                     b.CreateSelect(is_between, between.end, own.end), b.CreateSelect(is_between, seam, number));
          f_.when(is_between, [&] {
            walk.write_partials(seam);
            walk.begin_block(number);
          });
        });
      });
    });
    f_.when(b.CreateNot(is_seam), [&] { each([&](NestWalk& walk) { walk.write_partials(number); }); });
  }

  /// The last nest is in the seam first, where there is one; those ahead have nothing of it.
  void begin_part(Value* number, Value* seam, Value* has_seam) {
    f_.when(has_seam, [&] {
      each_ahead([&](NestWalk& walk) {
        walk.begin_block(seam);
        walk.write_partials(seam);
      });
    });
    each([&](NestWalk& walk) { walk.begin_block(number); });
  }

  Indices of_block(Value* number) {
    auto& b = f_.builder();
    Value* begin = b.CreateMul(number, lengths_.block);
    return {begin, f_.smaller(b.CreateAdd(begin, lengths_.block), extent_)};
  }

  /// What the last nest has of a block.
  Indices behind(const Indices& block) {
    auto& b = f_.builder();
    Value* first = b.CreateICmpEQ(block.begin, f_.integer(0));
    Value* begin = b.CreateSelect(first, block.begin, b.CreateAdd(block.begin, lengths_.reach));
    Value* end = b.CreateSelect(b.CreateICmpEQ(block.end, extent_), block.end, b.CreateSub(block.end, lengths_.reach));
    return {b.CreateSelect(lengths_.is_far, block.end, begin), b.CreateSelect(lengths_.is_far, block.end, end)};
  }

  Indices of_seam(Value* part) {
    auto& b = f_.builder();
    Value* number = b.CreateSub(part, blocks_);
    const Indices block = of_block(number);
    Value* border = b.CreateAdd(block.begin, lengths_.block);
    Value* end = f_.smaller(b.CreateAdd(border, lengths_.reach), extent_);
    return {b.CreateSelect(lengths_.is_far, block.begin, b.CreateSub(border, lengths_.reach)),
            b.CreateSelect(lengths_.is_far, block.end, end)};
  }

  /// What the last nest has behind a strip.
  Indices of_strip(const Indices& strip, const Indices& block, const Indices& last) {
    auto& b = f_.builder();
    Value* begin = f_.larger(last.begin, b.CreateSub(strip.begin, lengths_.reach));
    Value* is_last = b.CreateICmpEQ(strip.end, block.end);
    Value* end = b.CreateSelect(is_last, last.end, b.CreateSub(strip.end, lengths_.reach));
    return {begin, f_.larger(begin, end)};
  }

  KernelFunction& f_;
  StripPlan plan_;
  Lengths lengths_;
  Value* extent_;
  Value* blocks_;  ///< where there are seams
  std::list<NestWalk> walks_;
};

}  // namespace

// As PartCount (ir/plan/walk.h) says.
Value* emit_strip_parts(KernelFunction& f) {
  const StripPlan plan = plan_strips(f.kernel());
  Value* blocks = emit_blocks(f, plan);
  if (!plan.has_seams()) return blocks;
  auto& b = f.builder();
  Value* twice = b.CreateShl(blocks, f.integer(1));
  Value* near = f.larger(b.CreateSub(twice, f.integer(1)), f.integer(0));
  return b.CreateSelect(emit_lengths(f, plan).is_far, twice, near);
}

void emit_strips(KernelFunction& f, Value* first_part, Value* last_part) { Strips(f).emit(first_part, last_part); }

}  // namespace lac::codegen
