#include "codegen/llvm/kernel_strips.h"

#include <list>

#include "codegen/llvm/kernel_walk.h"

namespace lac::codegen {
namespace {

// block_length and strip_length (ir/plan/walk.h).
Value* emit_block_length(KernelFunction& f, const StripPlan& plan) {
  if (!plan.block_in_elements) return f.integer(plan.block);
  Value* width = f.larger(f.size(plan.width), f.integer(1));
  return f.larger(f.builder().CreateUDiv(f.integer(plan.block), width), f.integer(1));
}

Value* emit_strip_length(KernelFunction& f, const StripPlan& plan) {
  auto& b = f.builder();
  Value* width = f.larger(f.size(plan.width), f.integer(1));
  Value* room = b.CreateUDiv(f.integer(plan.strip), width);
  if (plan.whole_vectors) room = b.CreateAnd(room, f.integer(-static_cast<std::int64_t>(kernel_lanes)));
  return f.smaller(f.larger(room, f.integer(plan.shortest)), emit_block_length(f, plan));
}

std::list<NestWalk> walks_of(KernelFunction& f, Value* blocks) {
  std::list<NestWalk> walks;
  PartialsAt partials{blocks};
  for (const Nest* nest : nests(f.kernel())) {
    f.enter(*nest);
    walks.emplace_back(f, partials);
    partials.first += partial_count(*nest);
  }
  return walks;
}

}  // namespace

Value* emit_strip_blocks(KernelFunction& f) {
  const StripPlan plan = plan_strips(f.kernel());
  return ceil_divide(f, f.size(plan.extent), emit_block_length(f, plan));
}

void emit_strips(KernelFunction& f, Value* first_block, Value* last_block) {
  auto& b = f.builder();
  const StripPlan plan = plan_strips(f.kernel());
  Value *block_length = emit_block_length(f, plan), *extent = f.size(plan.extent);
  Value* length = emit_strip_length(f, plan);
  std::list<NestWalk> walks = walks_of(f, emit_strip_blocks(f));
  const auto each = [&](auto&& emit) {
    for (NestWalk& walk : walks) {
      f.enter(walk.nest());
      emit(walk);
    }
  };
  f.loop(first_block, last_block, 1, [&](Value* block) {
    each([&](NestWalk& walk) { walk.begin_block(block); });
    Value* begin = b.CreateMul(block, block_length);
    Value* end = f.smaller(b.CreateAdd(begin, block_length), extent);
    f.loop(begin, end, length, [&](Value* first) {
      Value* behind = f.smaller(b.CreateAdd(first, length), end);
      each([&](NestWalk& walk) { walk.strip(first, behind, block); });
    });
    each([&](NestWalk& walk) { walk.write_partials(block); });
  });
}

}  // namespace lac::codegen
