#include "codegen/llvm/kernel/product.h"

#include "codegen/llvm/kernel/bounds.h"
#include "ir/kernel/factors.h"
#include "ir/support/result.h"

namespace lac::codegen {

Points domain_points(const WalkPlan& plan, Value* lane, Value* other, unsigned lanes, Value* mask) {
  Points points;
  points.i = plan.lanes_along_cols ? other : lane;
  points.j = plan.lanes_along_cols ? lane : other;
  points.step_i = !plan.lanes_along_cols;
  points.step_j = plan.lanes_along_cols;
  points.flat = plan.flat;
  points.lanes = lanes;
  points.mask = mask;
  return points;
}

Terms::Terms(KernelFunction& f, const Contraction& contraction)
    : f_(f), contraction_(contraction), prologue_(f, contraction.prologue) {
  if (contraction.element == Element::logical)
    throw InternalError("kernel '" + f.kernel().name + "': a contraction of truth values");
}

llvm::Type* Terms::sum_type(unsigned lanes) const {
  return with_lanes(register_type(f_.builder().getContext(), contraction_.element), lanes);
}

Value* Terms::add(const Points& points, Value* accumulator) {
  auto& b = f_.builder();
  const std::vector<TypedValue> values = prologue_.evaluate(points);
  const Instr& term = contraction_.prologue[contraction_.value];
  if (!is_product_term(contraction_)) {
    Value* added = emit_convert(b, values[contraction_.value.index], contraction_.element);
    return accumulator ? b.CreateFAdd(accumulator, added) : added;
  }
  Value* left = emit_convert(b, values[term.operands[0].index], term.element);
  Value* right = emit_convert(b, values[term.operands[1].index], term.element);
  if (!accumulator) return b.CreateFMul(left, right);
  if (!f_.target().has_fma()) return b.CreateFAdd(accumulator, b.CreateFMul(left, right));
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {left->getType()}, {left, right, accumulator});
}

Product::Product(KernelFunction& f, const WalkPlan& plan)
    : f_(f), plan_(plan), contraction_(*f.nest().contraction), terms_(f, contraction_) {}

Value* Product::add_term(const Points& points, Value* accumulator, Value* contributes) {
  Value* sum = terms_.add(points, accumulator);
  return contributes ? f_.builder().CreateSelect(contributes, sum, accumulator) : sum;
}

void Product::make_buffer() {
  const auto size = static_cast<std::uint64_t>(chunk() + overshoot);
  buffer_ = f_.local(llvm::ArrayType::get(sum_type(1), size), "contraction");
}

void Product::check_buffer(Value* offset, unsigned elements) {
  if (!f_.target().check_bounds) return;
  Value* last = f_.builder().CreateAdd(offset, f_.integer(static_cast<std::int64_t>(elements) - 1));
  for (Value* position : {offset, last})
    check_positions(f_, "the buffer of a contraction", position, nullptr, f_.integer(chunk() + overshoot));
}

Value* Product::store_to_buffer(Value* sum, Value* offset) {
  check_buffer(offset, lane_count(sum));
  return f_.builder().CreateStore(sum, f_.element(sum_type(1), buffer_, offset));
}

Value* Product::buffered(Value* offset) {
  check_buffer(offset, kernel_lanes);
  return load_contiguous(f_, contraction_.element, f_.element(sum_type(1), buffer_, offset), kernel_lanes, nullptr);
}

std::unique_ptr<Product> make_product(KernelFunction& f, const WalkPlan& plan) {
  switch (f.nest().contraction->storage) {
    case Storage::diagonal: return make_diagonal_product(f, plan);
    case Storage::csr: return make_csr_product(f, plan);
    case Storage::dense: break;
  }
  return make_dense_product(f, plan);
}

}  // namespace lac::codegen
