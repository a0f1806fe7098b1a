#include "codegen/llvm/kernel_point.h"

#include "codegen/llvm/kernel_body.h"

namespace lac::codegen {
namespace {

Value* is_finite(KernelFunction& f, Value* value) {
  auto& b = f.builder();
  return b.CreateFCmpOLT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value),
                         llvm::ConstantFP::getInfinity(value->getType()));
}

}  // namespace

Value* emit_point(KernelFunction& f) {
  auto& b = f.builder();
  Points point;
  point.i = point.j = f.integer(0);
  point.lanes = 1;
  const std::vector<TypedValue> values = BodyEmitter(f, f.kernel().body).evaluate(point);
  Value* finite = nullptr;
  for (const Store& store : f.kernel().stores) {
    const TypedValue value = values[store.value.index];
    emit_store(f, point, store.output, store.map, gathered_positions(store.map, values), value);
    const Element element = f.kernel().outputs[store.output].type.element;
    if (!is_floating(element)) continue;
    Value* here = is_finite(f, emit_convert(b, value, element));
    finite = finite ? b.CreateAnd(finite, here) : here;
  }
  return finite;
}

}  // namespace lac::codegen
