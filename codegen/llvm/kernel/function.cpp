#include "codegen/llvm/kernel/function.h"

#include <llvm/IR/Module.h>

#include <algorithm>

#include "ir/support/result.h"

namespace lac::codegen {

KernelFunction::KernelFunction(llvm::Function* function, const Kernel& kernel, const TargetOptions& target)
    : function_(function),
      kernel_(kernel),
      nest_(&kernel),
      target_(target),
      builder_(llvm::BasicBlock::Create(function->getContext(), "entry", function)),
      size_list_(slot_sizes(kernel)) {}

KernelFunction::KernelFunction(const llvm::IRBuilder<>& at, const Kernel& kernel, const TargetOptions& target,
                               const KernelArguments& arguments)
    : function_(at.GetInsertBlock()->getParent()),
      kernel_(kernel),
      nest_(&kernel),
      target_(target),
      builder_(at.GetInsertBlock()),
      size_list_(slot_sizes(kernel)),
      sizes_(arguments.sizes),
      outputs_(arguments.outputs),
      partials_(arguments.partials) {
  for (Value* input : arguments.inputs) inputs_.push_back({input});
  for (Value* count : arguments.input_counts) check_.inputs.push_back({count});
  check_.outputs = arguments.output_counts;
  check_.context = arguments.context;
  check_.partials = arguments.partial_count;
  check_.location = static_cast<std::int32_t>(arguments.location.index);
  check_.leave = arguments.leave;
}

void KernelFunction::outside(const std::string& access, Value* position, Value* count) {
  llvm::Module& module = *function_->getParent();
  llvm::FunctionCallee callee =
      module.getOrInsertFunction("lac_outside", builder_.getInt32Ty(), builder_.getPtrTy(), builder_.getInt32Ty(),
                                 builder_.getPtrTy(), builder_.getInt64Ty(), builder_.getInt64Ty());
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  Value* status =
      builder_.CreateCall(callee, {context(), builder_.getInt32(static_cast<std::uint32_t>(check_.location)),
                                   builder_.CreateGlobalStringPtr(access), position, count});
  if (check_.leave) check_.leave(builder_, status);
  else builder_.CreateRetVoid();
}

void KernelFunction::load_slots() {
  const SlotLayout layout = slot_layout(kernel_);
  auto pointer = [&](std::uint32_t index) { return load_slot(builder_.getPtrTy(), index); };

  for (std::size_t n = 0; n < kernel_.inputs.size(); ++n) {
    const Type& type = kernel_.inputs[n].type;
    const std::uint32_t first = layout.inputs[n];
    if (type.is_scalar()) {
      Value* stored = load_slot(memory_type(builder_.getContext(), type.element), first);
      inputs_.push_back({type.element == Element::logical ? builder_.CreateIsNotNull(stored) : stored});
    } else {
      std::vector<Value*>& arrays = inputs_.emplace_back();
      for (std::uint32_t n = 0; n < format(type.storage).arrays.size(); ++n) arrays.push_back(pointer(first + n));
    }
  }
  for (std::uint32_t output : layout.outputs) outputs_.push_back(pointer(output));
  for (std::uint32_t n = 0; n < size_list_.size(); ++n)
    sizes_.push_back(load_slot(builder_.getInt64Ty(), layout.first_size + n));
  partials_ = pointer(layout.partials);
  if (target_.takes_slices())
    for (const std::uint32_t slot : layout.slices) slices_.push_back(slot != 0 ? pointer(slot) : nullptr);
  if (target_.check_bounds) load_check_slots();
}

Value* KernelFunction::load_slot(llvm::Type* type, std::uint32_t index) {
  return builder_.CreateLoad(type, element(builder_.getInt64Ty(), argument(0), integer(index)));
}

void KernelFunction::load_check_slots() {
  const CheckSlots slots = check_slots(kernel_);
  auto number = [&](std::uint32_t index) { return load_slot(builder_.getInt64Ty(), index); };
  check_.context = load_slot(builder_.getPtrTy(), slots.context);
  check_.partials = number(slots.partials);
  for (std::size_t n = 0; n < kernel_.inputs.size(); ++n) {
    std::vector<Value*>& counts = check_.inputs.emplace_back();
    const std::size_t arrays = format(kernel_.inputs[n].type.storage).arrays.size();
    for (std::uint32_t array = 0; array < arrays; ++array) counts.push_back(number(slots.inputs[n] + array));
  }
  for (std::uint32_t output : slots.outputs) check_.outputs.push_back(number(output));
}

Value* KernelFunction::input_count(std::uint32_t input, ArrayRole role) const {
  return check_.context ? check_.inputs[input][array_position(input, role)] : nullptr;
}

std::size_t KernelFunction::array_position(std::uint32_t input, ArrayRole role) const {
  return position_of(role, kernel_.inputs[input].type.storage);
}

Value* KernelFunction::output_count(std::uint32_t output) const {
  return check_.context ? check_.outputs[output] : nullptr;
}

Value* KernelFunction::size(const Size& size) const {
  if (size.is_constant())
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(function_->getContext()), size.constant(), true);
  const auto found = std::find(size_list_.begin(), size_list_.end(), size);
  if (found == size_list_.end()) throw InternalError("kernel '" + kernel_.name + "' has no slot for a size");
  return sizes_[static_cast<std::size_t>(found - size_list_.begin())];
}

Value* KernelFunction::input_pointer(std::uint32_t input) const { return inputs_[input].back(); }

Value* KernelFunction::iota(unsigned lanes) {
  if (lanes == 1) return builder_.getInt64(0);
  llvm::SmallVector<std::uint64_t, 16> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane) numbers.push_back(lane);
  return llvm::ConstantDataVector::get(builder_.getContext(), numbers);
}

Value* KernelFunction::lanes_of_columns(unsigned lanes, unsigned column, Axis axis) {
  llvm::SmallVector<std::uint64_t, 16> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane) numbers.push_back(axis == Axis::rows ? lane % column : lane / column);
  return llvm::ConstantDataVector::get(builder_.getContext(), numbers);
}

llvm::AllocaInst* KernelFunction::local(llvm::Type* type, llvm::StringRef name) {
  llvm::BasicBlock& entry = function_->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::AllocaInst* slot = at_entry.CreateAlloca(type, nullptr, name);
  slot->setAlignment(llvm::Align(64));
  return slot;
}

namespace {

const llvm::ConstantInt* constant(Value* value) { return llvm::dyn_cast<llvm::ConstantInt>(value); }

}  // namespace

// The builder folds no intrinsics.
Value* KernelFunction::smaller(Value* a, Value* b) {
  if (constant(a) && constant(b)) return constant(a)->getSExtValue() < constant(b)->getSExtValue() ? a : b;
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
}

Value* KernelFunction::larger(Value* a, Value* b) {
  if (constant(a) && constant(b)) return constant(a)->getSExtValue() > constant(b)->getSExtValue() ? a : b;
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
}

// Emitted with the test at the bottom, so that what the body does not change can move above the loop.
void KernelFunction::loop(Value* begin, Value* end, Value* step, llvm::function_ref<void(Value*)> body) {
  if (unrolls_ && constant(begin) && constant(end) && constant(step)) {
    for (std::int64_t at = constant(begin)->getSExtValue(); at < constant(end)->getSExtValue();
         at += constant(step)->getSExtValue())
      body(integer(at));
    return;
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  auto* inside = llvm::BasicBlock::Create(builder_.getContext(), "loop", function_);
  auto* after = llvm::BasicBlock::Create(builder_.getContext(), "after", function_);
  builder_.CreateCondBr(builder_.CreateICmpSLT(begin, end), inside, after);

  builder_.SetInsertPoint(inside);
  llvm::PHINode* index = builder_.CreatePHI(builder_.getInt64Ty(), 2, "index");
  index->addIncoming(begin, before);
  body(index);
  Value* next = builder_.CreateNSWAdd(index, step);
  index->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpSLT(next, end), inside, after);
  builder_.SetInsertPoint(after);
}

void KernelFunction::loop(Value* begin, Value* end, std::int64_t step, llvm::function_ref<void(Value*)> body) {
  loop(begin, end, integer(step), body);
}

void KernelFunction::when(Value* condition, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise) {
  if (unrolls_ && constant(condition)) {
    if (constant(condition)->isOne()) then();
    else if (otherwise) otherwise();
    return;
  }
  auto* yes = llvm::BasicBlock::Create(builder_.getContext(), "then", function_);
  auto* after = llvm::BasicBlock::Create(builder_.getContext(), "after", function_);
  auto* no = otherwise ? llvm::BasicBlock::Create(builder_.getContext(), "else", function_) : after;
  builder_.CreateCondBr(condition, yes, no);
  builder_.SetInsertPoint(yes);
  then();
  builder_.CreateBr(after);
  if (otherwise) {
    builder_.SetInsertPoint(no);
    otherwise();
    builder_.CreateBr(after);
  }
  builder_.SetInsertPoint(after);
}

}  // namespace lac::codegen
