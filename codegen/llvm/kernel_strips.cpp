#include "codegen/llvm/kernel_strips.h"

#include <list>

#include "codegen/llvm/kernel_walk.h"

namespace lac::codegen {
namespace {

// block_length and strip_length (ir/plan/walk.h).
Value* emit_block_length(KernelFunction& f, const StripPlan& plan) {
  if (!plan.block_in_elements) return f.integer(plan.block);
  Value* width = f.larger(f.size(plan.width), f.integer(1));
  return f.larger(f.builder().CreateUDiv(f.integer(plan.block), width), f.integer(plan.shortest_block));
}

Value* emit_strip_length(KernelFunction& f, const StripPlan& plan) {
  auto& b = f.builder();
  Value* width = f.larger(f.size(plan.width), f.integer(1));
  Value* room = b.CreateUDiv(f.integer(plan.strip), width);
  if (plan.whole_vectors) room = b.CreateAnd(room, f.integer(-static_cast<std::int64_t>(kernel_lanes)));
  return f.smaller(f.larger(room, f.integer(plan.shortest)), emit_block_length(f, plan));
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
  return ceil_divide(f, f.size(plan.extent), emit_block_length(f, plan));
}

/// [begin, end) of the shared axis.
struct Indices {
  Value *begin, *end;
};

/// A part of a launch as StripPlan says: what nests ahead have of it, and the last one.
struct Part {
  Indices ahead, last;
};

class Strips {
 public:
  explicit Strips(KernelFunction& f)
      : f_(f),
        plan_(plan_strips(f.kernel())),
        block_(emit_block_length(f, plan_)),
        extent_(f.size(plan_.extent)),
        length_(emit_strip_length(f, plan_)),
        blocks_(plan_.reach > 0 ? emit_blocks(f, plan_) : nullptr),
        walks_(walks_of(f, emit_strip_parts(f))) {}

  void emit(Value* first_part, Value* last_part) {
    f_.loop(first_part, last_part, 1, [&](Value* number) {
      each([&](NestWalk& walk) { walk.begin_block(number); });
      if (plan_.reach > 0) with_seams(number);
      else block(number);
      each([&](NestWalk& walk) { walk.write_partials(number); });
    });
  }

 private:
  void each(llvm::function_ref<void(NestWalk&)> emit) {
    for (NestWalk& walk : walks_) {
      f_.enter(walk.nest());
      emit(walk);
    }
  }

  void block(Value* number) {
    auto& b = f_.builder();
    Value* begin = b.CreateMul(number, block_);
    Value* end = f_.smaller(b.CreateAdd(begin, block_), extent_);
    f_.loop(begin, end, length_, [&](Value* first) {
      Value* behind = f_.smaller(b.CreateAdd(first, length_), end);
      each([&](NestWalk& walk) { walk.strip(first, behind, number); });
    });
  }

  Part part(Value* number) {
    auto& b = f_.builder();
    Value* reach = f_.integer(plan_.reach);
    Value* is_seam = b.CreateICmpSGE(number, blocks_);
    Value* border = b.CreateAdd(b.CreateSub(number, blocks_), f_.integer(1));
    Value* begin = b.CreateMul(b.CreateSelect(is_seam, border, number), block_);
    Value* end = b.CreateSelect(is_seam, begin, f_.smaller(b.CreateAdd(begin, block_), extent_));
    Value* before = b.CreateSub(begin, reach);
    Value* first = b.CreateSelect(b.CreateICmpEQ(begin, f_.integer(0)), begin, b.CreateAdd(begin, reach));
    Value* behind = f_.smaller(b.CreateAdd(begin, reach), extent_);
    Value* last = b.CreateSelect(b.CreateICmpEQ(end, extent_), end, b.CreateSub(end, reach));
    return {{begin, end}, {b.CreateSelect(is_seam, before, first), b.CreateSelect(is_seam, behind, last)}};
  }

  void with_seams(Value* number) {
    auto& b = f_.builder();
    const auto [ahead, last] = part(number);
    Value *reach = f_.integer(plan_.reach), *once = b.CreateAdd(ahead.begin, f_.integer(1));
    f_.loop(ahead.begin, f_.larger(ahead.end, once), length_, [&](Value* first) {
      Value* behind = f_.smaller(b.CreateAdd(first, length_), ahead.end);
      Value* begin = f_.larger(last.begin, b.CreateSub(first, reach));
      Value* is_last = b.CreateICmpEQ(behind, ahead.end);
      Value* end = b.CreateSelect(is_last, last.end, b.CreateSub(behind, reach));
      each([&](NestWalk& walk) {
        if (&walk == &walks_.back()) walk.strip(begin, end, number);
        else walk.strip(first, behind, number);
      });
    });
  }

  KernelFunction& f_;
  StripPlan plan_;
  Value *block_, *extent_, *length_;
  Value* blocks_;  ///< where there are seams
  std::list<NestWalk> walks_;
};

}  // namespace

// As part_count (ir/plan/walk.h) says.
Value* emit_strip_parts(KernelFunction& f) {
  const StripPlan plan = plan_strips(f.kernel());
  Value* blocks = emit_blocks(f, plan);
  if (plan.reach == 0) return blocks;
  auto& b = f.builder();
  return f.larger(b.CreateSub(b.CreateShl(blocks, f.integer(1)), f.integer(1)), f.integer(0));
}

void emit_strips(KernelFunction& f, Value* first_part, Value* last_part) { Strips(f).emit(first_part, last_part); }

}  // namespace lac::codegen
