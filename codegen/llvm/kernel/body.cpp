#include "codegen/llvm/kernel/body.h"

#include "ir/kernel/body.h"
#include "ir/plan/walk.h"
#include "ir/support/result.h"

namespace lac::codegen {
namespace {

llvm::Constant* constant(llvm::LLVMContext& context, Element element, double value) {
  llvm::Type* type = register_type(context, element);
  if (element == Element::logical) return llvm::ConstantInt::get(type, value != 0 ? 1 : 0);
  return llvm::ConstantFP::get(type, value);
}

TypedValue combine_operands(KernelFunction& f, const Body& body, const Instr& instr,
                            llvm::ArrayRef<TypedValue> operands) {
  const auto exponent =
      instr.kind == InstrKind::apply && instr.op == ScalarOp::pow ? constant_of(body, instr.operands[1]) : std::nullopt;
  Value* value = instr.kind == InstrKind::convert
                     ? emit_convert(f.builder(), operands[0], instr.element)
                     : emit_apply(f.builder(), f.target(), instr.op, instr.element, operands, exponent);
  return {value, instr.element};
}

}  // namespace

BodyEmitter::BodyEmitter(KernelFunction& f, const Body& body, const Interior* interior)
    : f_(f), body_(body), interior_(interior) {
  const std::vector<bool> uniform = uniform_values(f.kernel(), body);
  uniform_.reserve(body.size());
  for (std::uint32_t n = 0; n < body.size(); ++n) {
    uniform_.push_back(uniform[n] ? uniform_value(body[InstrId{n}]) : TypedValue{});
  }
}

TypedValue BodyEmitter::uniform_value(const Instr& instr) {
  auto& b = f_.builder();
  switch (instr.kind) {
    case InstrKind::constant: return {constant(b.getContext(), instr.element, instr.number), instr.element};
    case InstrKind::size: {
      Value* real = b.CreateSIToFP(f_.size(instr.size), b.getDoubleTy());
      return {emit_convert(b, {real, Element::integer}, instr.element), instr.element};
    }
    case InstrKind::load: return {f_.scalar_input(instr.argument), f_.kernel().inputs[instr.argument].type.element};
    default: break;
  }
  llvm::SmallVector<TypedValue, 3> operands;
  for (InstrId id : operands_of(instr)) operands.push_back(uniform_[id.index]);
  return combine_operands(f_, body_, instr, operands);
}

std::vector<TypedValue> BodyEmitter::evaluate(const Points& points) {
  std::vector<TypedValue> values;
  values.reserve(body_.size());
  for (std::size_t n = 0; n < body_.size(); ++n) {
    const TypedValue& uniform = uniform_[n];
    if (!uniform.value) values.push_back(value_at(InstrId{static_cast<std::uint32_t>(n)}, points, values));
    else values.push_back({f_.splat(uniform.value, points.lanes), uniform.element});
  }
  return values;
}

TypedValue BodyEmitter::value_at(InstrId id, const Points& points, const std::vector<TypedValue>& values) {
  const Instr& instr = body_[id];
  if (points.interior) {
    const auto answer = interior_->answers.find(id);
    if (answer != interior_->answers.end()) {
      llvm::Value* known = constant(f_.builder().getContext(), Element::logical, answer->second ? 1 : 0);
      return {f_.splat(known, points.lanes), Element::logical};
    }
  }
  switch (instr.kind) {
    case InstrKind::index: {
      const TypedValue index{index_at(instr, points), Element::integer};
      return {emit_convert(f_.builder(), index, instr.element), instr.element};
    }
    case InstrKind::load:
    case InstrKind::reload: {
      AccessMap map = instr.map;
      if (points.interior && interior_->in_range.contains(id)) map.out_of_range = OutOfRange::impossible;
      Points here = points;
      here.leads = points.interior && interior_->leading.contains(id);
      const auto emit = instr.kind == InstrKind::load ? emit_load : emit_reload;
      const TypedValue loaded{emit(f_, here, instr.argument, map, gathered_positions(map, values)),
                              loaded_type(f_.kernel(), instr).element};
      return {emit_convert(f_.builder(), loaded, instr.element), instr.element};
    }
    case InstrKind::matrix_element: {
      const Type& type = f_.kernel().inputs[f_.nest().contraction->matrix].type;
      return {emit_convert(f_.builder(), {points.matrix_element, type.element}, instr.element), instr.element};
    }
    case InstrKind::contraction: {
      const TypedValue sum{points.sums[instr.argument], f_.nest().contraction->element};
      return {emit_convert(f_.builder(), sum, instr.element), instr.element};
    }
    default: break;
  }
  llvm::SmallVector<TypedValue, 3> operands;
  for (InstrId operand : operands_of(instr)) operands.push_back(values[operand.index]);
  return combine_operands(f_, body_, instr, operands);
}

Value* BodyEmitter::index_at(const Instr& instr, const Points& points) {
  if (instr.axis == Axis::all) return coordinates(f_, points.k, points.step_k, points.lanes);
  if (points.column > 0) {
    auto& b = f_.builder();
    Value* lanes = f_.lanes_of_columns(points.lanes, points.column, instr.axis);
    Value* first = instr.axis == Axis::rows ? points.i : points.j;
    return b.CreateSIToFP(b.CreateAdd(f_.splat(first, points.lanes), lanes), with_lanes(b.getDoubleTy(), points.lanes));
  }
  if (!points.flat)
    return instr.axis == Axis::rows ? coordinates(f_, points.i, points.step_i, points.lanes)
                                    : coordinates(f_, points.j, points.step_j, points.lanes);
  auto& b = f_.builder();
  Value* position = b.CreateAdd(f_.splat(points.i, points.lanes), f_.iota(points.lanes));
  Value* rows = f_.splat(f_.size(f_.nest().rows), points.lanes);
  Value* column = floor_divide(f_, position, rows);
  Value* index = instr.axis == Axis::cols ? column : b.CreateSub(position, b.CreateMul(column, rows));
  return b.CreateSIToFP(index, with_lanes(b.getDoubleTy(), points.lanes));
}

GatheredPositions gathered_positions(const AccessMap& map, const std::vector<TypedValue>& values) {
  GatheredPositions positions;
  if (map.row_gather) positions.row = values[map.row_gather.index];
  if (map.col_gather) positions.col = values[map.col_gather.index];
  return positions;
}

}  // namespace lac::codegen
