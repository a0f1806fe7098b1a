#include "codegen/llvm/kernel/reduce.h"

#include <algorithm>
#include <limits>

#include "codegen/llvm/kernel/bounds.h"
#include "ir/kernel/shared_axis.h"
#include "ir/plan/walk.h"

namespace lac::codegen {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What partial results are combined in.
Element partial_element(ReduceOp op) {
  return op == ReduceOp::any || op == ReduceOp::all ? Element::logical : Element::real;
}

llvm::Constant* identity_of(llvm::Type* type, ReduceOp op) {
  llvm::Type* scalar = type->getScalarType();
  llvm::Constant* number = scalar->isIntegerTy() ? llvm::ConstantInt::get(scalar, identity(op) != 0 ? 1 : 0)
                                                 : llvm::ConstantFP::get(scalar, identity(op));
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? llvm::ConstantVector::getSplat(vector->getElementCount(), number) : number;
}

// Of two extremes the better one; of equal ones the one at the smaller position. NaN is worse than anything.
Extreme better(llvm::IRBuilder<>& b, ReduceOp op, const Extreme& a, const Extreme& other) {
  Value* beats = op == ReduceOp::min ? b.CreateFCmpOLT(other.value, a.value) : b.CreateFCmpOGT(other.value, a.value);
  Value* a_is_nan = b.CreateFCmpUNO(a.value, a.value);
  Value* other_is_number = b.CreateFCmpORD(other.value, other.value);
  Value* earlier = b.CreateFCmpOLT(other.position, a.position);
  Value* tie = b.CreateAnd(b.CreateFCmpOEQ(other.value, a.value), earlier);
  Value* take = b.CreateOr(b.CreateOr(beats, b.CreateAnd(a_is_nan, other_is_number)), tie);
  return {b.CreateSelect(take, other.value, a.value), b.CreateSelect(take, other.position, a.position)};
}

Extreme combine_step(llvm::IRBuilder<>& b, ReduceOp op, const Extreme& a, const Extreme& other) {
  if (a.position) return better(b, op, a, other);
  return {emit_combine(b, op, a.value, other.value), nullptr};
}

// Positions for messages and results: 1-based, the first one where nothing but NaN was seen.
Value* one_based(llvm::IRBuilder<>& b, Value* position) {
  llvm::Type* type = position->getType();
  Value* none = b.CreateFCmpOEQ(position, llvm::ConstantFP::get(type, infinity));
  return b.CreateSelect(none, llvm::ConstantFP::get(type, 1), b.CreateFAdd(position, llvm::ConstantFP::get(type, 1)));
}

// The position of every point along the reduced axis.
Value* positions(KernelFunction& f, const Points& points, Axis axis) {
  auto& b = f.builder();
  if (axis == Axis::rows) return coordinates(f, points.i, points.step_i, points.lanes);
  if (axis == Axis::cols) return coordinates(f, points.j, points.step_j, points.lanes);
  Value* first = b.CreateAdd(points.i, b.CreateMul(points.j, f.size(f.nest().rows)));
  Value* start = f.splat(first, points.lanes);
  Value* step = points.step_i ? f.integer(1) : f.size(f.nest().rows);
  Value* offsets = b.CreateMul(f.splat(step, points.lanes), f.iota(points.lanes));
  return b.CreateSIToFP(b.CreateAdd(start, offsets), llvm::FixedVectorType::get(b.getDoubleTy(), points.lanes));
}

void store_result(KernelFunction& f, std::uint32_t output, TypedValue value, Value* index, Value* mask) {
  const Element element = f.kernel().outputs[output].type.element;
  llvm::Type* type = memory_type(f.builder().getContext(), element);
  Value* converted = emit_convert(f.builder(), value, element);
  if (f.target().check_bounds) {
    const unsigned lanes = lane_count(converted);
    Value* positions = lanes == 1 ? index : f.builder().CreateAdd(f.splat(index, lanes), f.iota(lanes));
    check_positions(f, store_to(f, output), positions, mask, f.output_count(output));
  }
  store_contiguous(f, element, f.element(type, f.output_pointer(output), index), converted, mask);
}

void store_extreme(KernelFunction& f, const KernelReduction& reduction, Element element, const Extreme& result,
                   Value* index, Value* mask) {
  store_result(f, reduction.output, {result.value, element}, index, mask);
  if (!result.position) return;
  const TypedValue position{one_based(f.builder(), result.position), Element::integer};
  store_result(f, static_cast<std::uint32_t>(reduction.index_output), position, index, mask);
}

Value* partial_pointer(KernelFunction& f, Value* index, Value* mask = nullptr, unsigned lanes = 1) {
  if (f.target().check_bounds) {
    Value* positions = lanes == 1 ? index : f.builder().CreateAdd(f.splat(index, lanes), f.iota(lanes));
    check_positions(f, "the partial results of reductions", positions, mask, f.partial_elements());
  }
  return f.element(f.builder().getDoubleTy(), f.partials(), index);
}

Value* partial_pointer(KernelFunction& f, std::int64_t partial, Value* block, Value* blocks) {
  return partial_pointer(f, f.builder().CreateAdd(f.builder().CreateMul(f.integer(partial), blocks), block));
}

/// Partials of neighbouring elements as registers of `element`.
Value* load_partials(KernelFunction& f, Element element, Value* index, unsigned lanes, Value* mask) {
  auto& b = f.builder();
  Value* pointer = partial_pointer(f, index, mask, lanes);
  Value* stored = lanes == 1 ? static_cast<Value*>(b.CreateLoad(b.getDoubleTy(), pointer))
                             : load_contiguous(f, Element::real, pointer, lanes, mask);
  return emit_convert(b, {stored, Element::real}, element);
}

void store_partials(KernelFunction& f, TypedValue value, Value* index, Value* mask) {
  auto& b = f.builder();
  const unsigned lanes = lane_count(value.value);
  Value* wide = emit_convert(b, value, Element::real);
  Value* pointer = partial_pointer(f, index, mask, lanes);
  if (lanes == 1) b.CreateStore(wide, pointer);
  else store_contiguous(f, Element::real, pointer, wide, mask);
}

/// visit(first, mask) for vectors of [0, count).
void for_vectors(KernelFunction& f, Value* count, llvm::function_ref<void(Value*, Value*)> visit) {
  f.loop(f.integer(0), count, kernel_lanes, [&](Value* first) {
    Value* rest = f.smaller(f.builder().CreateSub(count, first), f.integer(kernel_lanes));
    visit(first, first_lanes(f, rest, kernel_lanes));
  });
}

/// Every element's partials of all blocks, in their order.
void finish_spread(KernelFunction& f, const KernelReduction& reduction, Value* blocks) {
  auto& b = f.builder();
  const ReduceOp op = reduction.reduction.op;
  const Element element = partial_element(op);
  llvm::Type* type = with_lanes(register_type(b.getContext(), element), kernel_lanes);
  llvm::AllocaInst* state = f.local(type, "value");
  Value* begin = spread_begin(f, reduction.output, blocks);
  Value* elements = spread_elements(f, reduction.output);
  for_vectors(f, elements, [&](Value* first, Value* mask) {
    b.CreateStore(identity_of(type, op), state);
    f.loop(f.integer(0), blocks, 1, [&](Value* block) {
      Value* index = b.CreateAdd(b.CreateAdd(begin, b.CreateMul(block, elements)), first);
      Value* partial = load_partials(f, element, index, kernel_lanes, mask);
      b.CreateStore(combine_step(b, op, {b.CreateLoad(type, state)}, {partial}).value, state);
    });
    store_result(f, reduction.output, {b.CreateLoad(type, state), element}, first, mask);
  });
}

// Combines partial `first` (and the positions after it) of all blocks.
Extreme combine_partials(KernelFunction& f, const KernelReduction& reduction, Element element, std::int64_t first,
                         Value* blocks) {
  auto& b = f.builder();
  const ReduceOp op = reduction.reduction.op;
  llvm::Type* type = register_type(b.getContext(), element);
  llvm::AllocaInst* value = f.local(type, "value");
  b.CreateStore(identity_of(type, op), value);
  llvm::AllocaInst* position = nullptr;
  if (reduction.index_output >= 0) {
    position = f.local(b.getDoubleTy(), "position");
    b.CreateStore(llvm::ConstantFP::get(b.getDoubleTy(), infinity), position);
  }
  auto state = [&] {
    return Extreme{b.CreateLoad(type, value), position ? b.CreateLoad(b.getDoubleTy(), position) : nullptr};
  };
  f.loop(f.integer(0), blocks, 1, [&](Value* block) {
    Value* stored = b.CreateLoad(b.getDoubleTy(), partial_pointer(f, first, block, blocks));
    Extreme partial{emit_convert(b, {stored, Element::real}, element)};
    if (position) partial.position = b.CreateLoad(b.getDoubleTy(), partial_pointer(f, first + 1, block, blocks));
    const Extreme next = combine_step(b, op, state(), partial);
    b.CreateStore(next.value, value);
    if (position) b.CreateStore(next.position, position);
  });
  return state();
}

}  // namespace

Accumulator::Accumulator(KernelFunction& f, const KernelReduction& reduction)
    : f_(f), reduction_(reduction), element_(accumulator_element(reduction, f.kernel())) {
  llvm::LLVMContext& context = f.builder().getContext();
  value_ = f.local(llvm::FixedVectorType::get(register_type(context, element_), kernel_lanes), "accumulator");
  if (reduction.index_output >= 0)
    position_ = f.local(llvm::FixedVectorType::get(llvm::Type::getDoubleTy(context), kernel_lanes), "position");
}

void Accumulator::reset() {
  auto& b = f_.builder();
  b.CreateStore(identity_of(value_->getAllocatedType(), reduction_.reduction.op), value_);
  if (position_) b.CreateStore(llvm::ConstantFP::get(position_->getAllocatedType(), infinity), position_);
}

Extreme Accumulator::lanes() const {
  auto& b = f_.builder();
  return {b.CreateLoad(value_->getAllocatedType(), value_),
          position_ ? b.CreateLoad(position_->getAllocatedType(), position_) : nullptr};
}

void Accumulator::add(const Points& points, TypedValue value) {
  auto& b = f_.builder();
  const Extreme before = lanes();
  Extreme point{emit_convert(b, value, element_)};
  if (position_) point.position = positions(f_, points, reduction_.reduction.axis);
  Extreme after = combine_step(b, reduction_.reduction.op, before, point);
  if (points.mask) {
    after.value = b.CreateSelect(points.mask, after.value, before.value);
    if (position_) after.position = b.CreateSelect(points.mask, after.position, before.position);
  }
  b.CreateStore(after.value, value_);
  if (position_) b.CreateStore(after.position, position_);
}

// Lanes behind the elements of a small nest hold the identity, which changes nothing: they are left out of the tree.
unsigned Accumulator::lanes_in_use() const {
  const Nest& nest = f_.nest();
  const Axis axis = reduction_.reduction.axis;
  const Size count = axis == Axis::rows ? nest.rows : axis == Axis::cols ? nest.cols : nest.rows * nest.cols;
  if (!count.is_constant() || count.constant() < 1 || count.constant() >= kernel_lanes) return kernel_lanes;
  return static_cast<unsigned>(count.constant());
}

// By halves: lane k with lane k + 8, then k + 4, ... Few lanes are scalars, which LLVM has at hand where they were
// made.
Extreme Accumulator::combined() const {
  auto& b = f_.builder();
  constexpr unsigned few = 4;
  auto part = [&](Value* vector, unsigned first, unsigned count) -> Value* {
    if (vector == nullptr) return nullptr;
    if (count == 1) return b.CreateExtractElement(vector, std::uint64_t{first});
    llvm::SmallVector<int, 16> mask;
    for (unsigned lane = first; lane < first + count; ++lane) mask.push_back(static_cast<int>(lane));
    return b.CreateShuffleVector(vector, mask);
  };
  const auto parts = [&](const Extreme& of, unsigned first, unsigned count) {
    return Extreme{part(of.value, first, count), part(of.position, first, count)};
  };
  const auto both = [&](const Extreme& low, const Extreme& high) {
    return combine_step(b, reduction_.reduction.op, low, high);
  };
  const unsigned in_use = lanes_in_use();
  Extreme state = lanes();
  unsigned width = kernel_lanes;
  for (; width > few; width /= 2)
    state = in_use <= width / 2 ? parts(state, 0, width / 2)
                                : both(parts(state, 0, width / 2), parts(state, width / 2, width / 2));
  llvm::SmallVector<Extreme, few> scalars;
  for (unsigned lane = 0; lane < std::min(in_use, few); ++lane) scalars.push_back(parts(state, lane, 1));
  for (unsigned half = few / 2; half >= 1; half /= 2)
    for (unsigned lane = 0; lane < half && lane + half < scalars.size(); ++lane)
      scalars[lane] = both(scalars[lane], scalars[lane + half]);
  return scalars.front();
}

void Accumulator::store(const Extreme& result, Value* index, Value* mask) const {
  store_extreme(f_, reduction_, element_, result, index, mask);
}

void Accumulator::store_partial(const Extreme& result, std::int64_t first, Value* block, Value* blocks) const {
  auto& b = f_.builder();
  Value* wide = emit_convert(b, {result.value, element_}, Element::real);
  b.CreateStore(wide, partial_pointer(f_, first, block, blocks));
  if (result.position) b.CreateStore(result.position, partial_pointer(f_, first + 1, block, blocks));
}

void Accumulator::add_to_partials(TypedValue value, Value* index, Value* mask) const {
  auto& b = f_.builder();
  const ReduceOp op = reduction_.reduction.op;
  const Element element = partial_element(op);
  const Extreme before{load_partials(f_, element, index, lane_count(value.value), mask)};
  store_partials(f_, {combine_step(b, op, before, {emit_convert(b, value, element)}).value, element}, index, mask);
}

void Accumulator::reset_partials(Value* begin, Value* count) const {
  auto& b = f_.builder();
  const ReduceOp op = reduction_.reduction.op;
  const Element element = partial_element(op);
  llvm::Type* type = with_lanes(register_type(b.getContext(), element), kernel_lanes);
  for_vectors(f_, count, [&](Value* first, Value* mask) {
    store_partials(f_, {identity_of(type, op), element}, b.CreateAdd(begin, first), mask);
  });
}

Value* spread_elements(KernelFunction& f, std::uint32_t output) {
  const Type& type = f.kernel().outputs[output].type;
  return f.builder().CreateMul(f.size(type.rows), f.size(type.cols));
}

Value* spread_begin(KernelFunction& f, std::uint32_t output, Value* blocks) {
  auto& b = f.builder();
  Value* each_block = f.integer(partial_count(f.kernel()));
  for (const std::uint32_t before : spread_outputs(f.kernel())) {
    if (before == output) break;
    each_block = b.CreateAdd(each_block, spread_elements(f, before));
  }
  return b.CreateMul(each_block, blocks);
}

void emit_finish(KernelFunction& f, Value* blocks) {
  std::int64_t first = 0;
  for (const Nest* nest : nests(f.kernel())) {
    for (const KernelReduction& reduction : nest->reductions) {
      if (is_spread(*nest, reduction)) finish_spread(f, reduction, blocks);
      if (reduction.reduction.axis != Axis::all) continue;
      const Element element = partial_element(reduction.reduction.op);
      const Extreme result = combine_partials(f, reduction, element, first, blocks);
      store_extreme(f, reduction, element, result, f.integer(0), nullptr);
      first += reduction.index_output >= 0 ? 2 : 1;
    }
  }
}

}  // namespace lac::codegen
