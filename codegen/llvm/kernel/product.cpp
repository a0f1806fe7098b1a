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

Sums Terms::add(const Points& points, const Sums& accumulators) {
  const std::vector<TypedValue> values = prologue_.evaluate(points);
  Sums result;
  for (std::size_t n = 0; n < sums(); ++n) result.push_back(add(values, n, accumulators[n]));
  return result;
}

Value* Terms::add(const std::vector<TypedValue>& values, std::size_t sum, Value* accumulator) {
  auto& b = f_.builder();
  const InstrId value = contraction_.values[sum];
  const Instr& term = contraction_.prologue[value];
  if (!is_product_term(contraction_, sum)) {
    Value* added = emit_convert(b, values[value.index], contraction_.element);
    return accumulator ? b.CreateFAdd(accumulator, added) : added;
  }
  Value* left = emit_convert(b, values[term.operands[0].index], term.element);
  Value* right = emit_convert(b, values[term.operands[1].index], term.element);
  if (!accumulator) return b.CreateFMul(left, right);
  if (!f_.target().has_fma()) return b.CreateFAdd(accumulator, b.CreateFMul(left, right));
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {left->getType()}, {left, right, accumulator});
}

Terms::Slots Terms::make_slots(unsigned lanes, llvm::StringRef name) {
  Slots slots;
  for (std::size_t n = 0; n < sums(); ++n) slots.push_back(f_.local(sum_type(lanes), name));
  store(zeros(lanes), slots);
  return slots;
}

Sums Terms::load(const Slots& slots, unsigned lanes) {
  Sums result;
  for (llvm::AllocaInst* slot : slots) result.push_back(f_.builder().CreateLoad(sum_type(lanes), slot));
  return result;
}

void Terms::store(const Sums& sums, const Slots& slots) {
  for (std::size_t n = 0; n < sums.size(); ++n) f_.builder().CreateStore(sums[n], slots[n]);
}

Product::Product(KernelFunction& f, const WalkPlan& plan)
    : f_(f), plan_(plan), contraction_(*f.nest().contraction), terms_(f, contraction_) {}

Sums Product::add_terms(const Points& points, const Sums& accumulators, Value* contributes) {
  Sums sums = terms_.add(points, accumulators);
  if (contributes)
    for (std::size_t n = 0; n < sums.size(); ++n)
      sums[n] = f_.builder().CreateSelect(contributes, sums[n], accumulators[n]);
  return sums;
}

void Product::make_buffer(std::int64_t points) {
  buffer_length_ = buffer_length(points);
  const auto size = static_cast<std::uint64_t>(buffer_length_) * terms_.sums();
  buffer_ = f_.local(llvm::ArrayType::get(sum_type(1), size), "contraction");
}

Value* Product::in_buffer(std::size_t sum, Value* offset) {
  const std::int64_t first = static_cast<std::int64_t>(sum) * buffer_length_;
  return f_.element(sum_type(1), buffer_, f_.builder().CreateAdd(offset, f_.integer(first)));
}

void Product::check_buffer(Value* offset, unsigned elements) {
  if (!f_.target().check_bounds) return;
  Value* last = f_.builder().CreateAdd(offset, f_.integer(static_cast<std::int64_t>(elements) - 1));
  for (Value* position : {offset, last})
    check_positions(f_, "the buffer of a contraction", position, nullptr, f_.integer(buffer_length_));
}

void Product::store_to_buffer(std::size_t sum, Value* value, Value* offset) {
  check_buffer(offset, lane_count(value));
  f_.builder().CreateStore(value, in_buffer(sum, offset));
}

Sums Product::buffered(Value* offset, unsigned lanes) {
  check_buffer(offset, lanes);
  Sums sums;
  for (std::size_t n = 0; n < terms_.sums(); ++n)
    sums.push_back(load_contiguous(f_, contraction_.element, in_buffer(n, offset), lanes, nullptr));
  return sums;
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
