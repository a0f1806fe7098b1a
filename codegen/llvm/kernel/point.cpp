#include "codegen/llvm/kernel/point.h"

#include "codegen/llvm/kernel/body.h"
#include "codegen/llvm/kernel/columns.h"
#include "codegen/llvm/kernel/walk.h"

namespace lac::codegen {

void emit_point(KernelFunction& f) {
  Points point;
  point.i = point.j = f.integer(0);
  point.lanes = 1;
  const std::vector<TypedValue> values = BodyEmitter(f, f.kernel().body).evaluate(point);
  for (const Store& store : f.kernel().stores)
    emit_store(f, point, store.output, store.map, gathered_positions(store.map, values), values[store.value.index]);
}

std::int64_t vectors_of_block(const Kernel& kernel) {
  const WalkPlan plan = plan_walk(kernel, kernel);
  const std::int64_t lines = plan.flat ? 1 : plan.other_extent.constant();
  return lines * (kernel.contraction ? kernel.contraction->extent.constant() : 1);
}

void emit_block(KernelFunction& f) {
  if (goes_by_columns(f)) return emit_columns(f);
  const bool partials = has_partials(f.kernel());
  NestWalk(f, {partials ? f.integer(1) : nullptr}).emit(f.integer(0), f.integer(1));
  if (partials) emit_finish(f, f.integer(1));
}

}  // namespace lac::codegen
