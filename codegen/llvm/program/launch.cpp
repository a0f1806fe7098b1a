#include <algorithm>
#include <cstddef>

#include "codegen/llvm/kernel/point.h"
#include "codegen/llvm/program/host_scalar.h"
#include "codegen/llvm/program/ops.h"
#include "ir/plan/slots.h"
#include "ir/support/result.h"

namespace lac::codegen {
namespace {

// A scalar in the low bytes of a slot, as its element is stored.
llvm::Value* slot_bits(llvm::IRBuilderBase& b, llvm::Value* scalar) {
  llvm::Type* type = scalar->getType();
  if (type->isIntegerTy()) return b.CreateZExt(scalar, b.getInt64Ty());
  if (type->isFloatTy()) return b.CreateZExt(b.CreateBitCast(scalar, b.getInt32Ty()), b.getInt64Ty());
  return b.CreateBitCast(scalar, b.getInt64Ty());
}

void fill_input(ProgramBuilder& p, const Type& type, llvm::Value* value, std::uint32_t slot) {
  llvm::IRBuilder<>& b = p.builder;
  const auto store = [&](std::uint32_t offset, llvm::Value* stored) {
    b.CreateStore(stored, p.slots.element(b, slot + offset));
  };
  if (type.is_scalar()) return store(0, slot_bits(b, value));
  std::uint32_t offset = 0;
  for (const StorageArray& array : format(type.storage).arrays) store(offset++, p.array(value, array.role));
}

// The matrices of which the runtime may have slices.
void fill_slices(ProgramBuilder& p, const Op& op, const std::vector<std::uint32_t>& slots) {
  llvm::IRBuilder<>& b = p.builder;
  llvm::Value* none = llvm::ConstantPointerNull::get(b.getPtrTy());
  for (std::size_t input = 0; input < slots.size(); ++input)
    if (slots[input] != 0)
      b.CreateStore(p.target.takes_slices() ? p.value(op.operands[input]) : none, p.slots.element(b, slots[input]));
}

// What a kernel that checks its accesses has in the slots behind those of everybody.
void fill_check_slots(ProgramBuilder& p, const Op& op, const Kernel& kernel, const std::vector<llvm::Value*>& outputs) {
  llvm::IRBuilder<>& b = p.builder;
  const CheckSlots slots = check_slots(kernel);
  const auto store = [&](std::uint32_t slot, llvm::Value* value) { b.CreateStore(value, p.slots.element(b, slot)); };
  const auto store_counts = [&](std::uint32_t slot, const Type& type, llvm::Value* value) {
    if (type.is_scalar()) return store(slot, p.int64(1));
    for (const StorageArray& array : format(type.storage).arrays)
      store(slot++, p.element_count(value, array.role, type));
  };
  store(slots.context, p.run);
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
    store_counts(slots.inputs[i], kernel.inputs[i].type, p.value(op.operands[i]));
  for (std::size_t i = 0; i < outputs.size(); ++i) store_counts(slots.outputs[i], kernel.outputs[i].type, outputs[i]);
  p.slots.with_room(slots.count);
}

// The buffer that result `index` is written to: one that it takes over, or a fresh one.
llvm::Value* output_buffer(ProgramBuilder& p, const Op& op, std::size_t index) {
  const std::int32_t from = taken_over(op, index);
  if (from >= 0) return p.value(op.operands[static_cast<std::size_t>(from)]);
  return p.acquire(p.plan.type(op.results[index]), op.location);
}

llvm::Value* load_scalar_output(ProgramBuilder& p, Element element, llvm::Value* place) {
  if (element == Element::logical)
    return p.builder.CreateICmpNE(p.builder.CreateLoad(p.builder.getInt8Ty(), place), p.builder.getInt8(0));
  return p.builder.CreateLoad(scalar_type(p.module.getContext(), element), place);
}

// A scalar output that starts from a scalar input (an update of a 1x1 variable) is preset with it.
void preset_scalar_output(ProgramBuilder& p, const Op& op, const KernelOutput& output, llvm::Value* place) {
  if (output.base < 0) return;
  llvm::Value* bits = slot_bits(p.builder, p.value(op.operands[static_cast<std::size_t>(output.base)]));
  p.builder.CreateStore(bits, place);
}

// A scalar result of a point: the place that its stores go to, preset where it starts from an operand.
llvm::Value* scalar_place(ProgramBuilder& p, const Op& op, const KernelOutput& output) {
  llvm::Type* type = memory_type(p.module.getContext(), output.type.element);
  llvm::Value* place = p.setup.CreateAlloca(type);
  if (output.base < 0) return place;
  llvm::Value* held = p.value(op.operands[static_cast<std::size_t>(output.base)]);
  p.builder.CreateStore(held->getType() == type ? held : p.builder.CreateZExt(held, type), place);
  return place;
}

// Where a launch in straight code puts its results: what it takes over, else the frame.
std::vector<llvm::Value*> straight_outputs(ProgramBuilder& p, const Op& op, const Kernel& kernel) {
  std::vector<llvm::Value*> outputs;
  for (std::size_t n = 0; n < kernel.outputs.size(); ++n) {
    const KernelOutput& output = kernel.outputs[n];
    const std::int32_t from = taken_over(op, n);
    if (output.type.is_scalar()) outputs.push_back(scalar_place(p, op, output));
    else if (from >= 0) outputs.push_back(p.value(op.operands[static_cast<std::size_t>(from)]));
    else outputs.push_back(p.frame_buffer(output.type));
  }
  return outputs;
}

std::int64_t partials_of_block(const Kernel& kernel) {
  std::int64_t count = partial_count(kernel);
  for (const std::uint32_t output : spread_outputs(kernel)) count += kernel.outputs[output].type.count().constant();
  return count;
}

KernelArguments straight_arguments(ProgramBuilder& p, const Op& op, const Kernel& kernel,
                                   const std::vector<llvm::Value*>& outputs) {
  KernelArguments arguments;
  const auto count = [&](const Type& type, llvm::Value* value) {
    return type.is_scalar() ? p.int64(1) : p.element_count(value, ArrayRole::values, type);
  };
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    const Type& type = kernel.inputs[i].type;
    llvm::Value* value = p.value(op.operands[i]);
    arguments.inputs.push_back(type.is_scalar() ? value : p.elements(value));
    if (p.check_bounds) arguments.input_counts.push_back(count(type, value));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Type& type = kernel.outputs[i].type;
    arguments.outputs.push_back(type.is_scalar() ? outputs[i] : p.elements(outputs[i]));
    if (p.check_bounds) arguments.output_counts.push_back(count(type, outputs[i]));
  }
  for (const Size& size : slot_sizes(kernel)) arguments.sizes.push_back(p.size(size));
  if (const std::int64_t count = partials_of_block(kernel); count > 0) {
    arguments.partials = p.setup.CreateAlloca(p.setup.getDoubleTy(), p.int64(count));
    arguments.partial_count = p.int64(count);
  }
  if (!p.check_bounds) return arguments;
  arguments.context = p.run;
  arguments.location = op.location;
  arguments.leave = [&p](llvm::IRBuilder<>& at, llvm::Value* status) {
    p.builder.SetInsertPoint(at.GetInsertBlock());
    p.stop(status);
  };
  return arguments;
}

// The code of a kernel in place of its launch.
void emit_straight(ProgramBuilder& p, const Op& op, const Kernel& kernel) {
  p.stop_beyond_extents(unproven_sizes(kernel), op.location, 1);
  const std::vector<llvm::Value*> outputs = straight_outputs(p, op, kernel);
  KernelFunction code(p.builder, kernel, p.target, straight_arguments(p, op, kernel, outputs));
  if (kernel.schedule.traversal == Traversal::point) emit_point(code);
  else {
    if (p.quiet.may_write_out(vectors_of_block(kernel)) && !p.check_bounds) code.unroll();
    emit_block(code);
  }
  p.builder.SetInsertPoint(code.builder().GetInsertBlock());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Type& type = kernel.outputs[i].type;
    p.define(op.results[i], type.is_scalar() ? load_scalar_output(p, type.element, outputs[i]) : outputs[i]);
  }
  p.quiet.count(attribute<KernelId>(op));
}

}  // namespace

void emit_launch(ProgramBuilder& p, OpId id) {
  const Op& op = p.plan.ops[id];
  if (p.quiet.inside()) return emit_straight(p, op, p.plan.kernels[attribute<KernelId>(op)]);
  const KernelId kernel_id = attribute<KernelId>(op);
  const Kernel& kernel = p.plan.kernels[kernel_id];
  const SlotLayout layout = slot_layout(kernel);
  llvm::IRBuilder<>& b = p.builder;

  p.stop_beyond_extents(unproven_sizes(kernel), op.location, kernel.rows * kernel.cols);
  std::vector<llvm::Value*> outputs;
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
    const bool scalar = kernel.outputs[i].type.is_scalar();
    outputs.push_back(scalar ? p.scalar_outputs.element(b, static_cast<std::uint32_t>(i)) : output_buffer(p, op, i));
    if (scalar) preset_scalar_output(p, op, kernel.outputs[i], outputs[i]);
  }
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
    fill_input(p, kernel.inputs[i].type, p.value(op.operands[i]), layout.inputs[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    llvm::Value* place = kernel.outputs[i].type.is_scalar() ? outputs[i] : p.elements(outputs[i]);
    b.CreateStore(place, p.slots.element(b, layout.outputs[i]));
  }
  std::uint32_t slot = layout.first_size;
  for (const Size& size : slot_sizes(kernel)) b.CreateStore(p.size(size), p.slots.element(b, slot++));
  fill_slices(p, op, layout.slices);
  if (p.check_bounds) fill_check_slots(p, op, kernel, outputs);

  llvm::Value* slots = p.slots.with_room(layout.count);
  emit_work(p, kernel, op.operands);
  p.stop_unless_ok(b.CreateCall(p.runtime.lac_launch, {p.run, p.int32(kernel_id.index), slots, p.work}));

  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Type& type = kernel.outputs[i].type;
    p.define(op.results[i], type.is_scalar() ? load_scalar_output(p, type.element, outputs[i]) : outputs[i]);
  }
}

}  // namespace lac::codegen
