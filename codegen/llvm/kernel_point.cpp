#include "codegen/llvm/kernel_point.h"

#include "codegen/llvm/kernel_body.h"

namespace lac::codegen {

void emit_point(KernelFunction& f) {
  Points point;
  point.i = point.j = f.integer(0);
  point.lanes = 1;
  const std::vector<TypedValue> values = BodyEmitter(f, f.kernel().body).evaluate(point);
  for (const Store& store : f.kernel().stores)
    emit_store(f, point, store.output, store.map, gathered_positions(store.map, values), values[store.value.index]);
}

}  // namespace lac::codegen
