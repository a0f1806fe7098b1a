#include "codegen/llvm/kernel/bounds.h"

namespace lac::codegen {
namespace {

// The first lane that is outside, of at least one.
Value* first_outside(KernelFunction& f, Value* positions, Value* outside) {
  const unsigned lanes = lane_count(positions);
  if (lanes == 1) return positions;
  auto& b = f.builder();
  Value* bits = b.CreateBitCast(outside, b.getIntNTy(lanes));
  Value* lane = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, b.getTrue());
  return b.CreateExtractElement(positions, lane);
}

}  // namespace

void check_positions(KernelFunction& f, const std::string& access, Value* positions, Value* mask, Value* count) {
  if (!f.target().check_bounds) return;
  auto& b = f.builder();
  const unsigned lanes = lane_count(positions);
  positions = b.CreateFreeze(positions);  // a position made of NaN is poison until it is looked at
  Value* outside = b.CreateICmpUGE(positions, f.splat(count, lanes));
  if (mask != nullptr) outside = b.CreateAnd(mask, outside);
  Value* any = lanes == 1 ? outside : b.CreateOrReduce(outside);
  auto* failed = llvm::BasicBlock::Create(b.getContext(), "outside", f.function());
  auto* passed = llvm::BasicBlock::Create(b.getContext(), "inside", f.function());
  b.CreateCondBr(any, failed, passed);
  b.SetInsertPoint(failed);
  f.outside(access, first_outside(f, positions, outside), count);
  b.SetInsertPoint(passed);
}

std::string load_of(const KernelFunction& f, std::uint32_t input) {
  return "load of input " + std::to_string(input + 1) + " '" + f.kernel().inputs[input].name + "'";
}

std::string reload_of(const KernelFunction& f, std::uint32_t output) {
  return "reload of output " + std::to_string(output + 1) + " '" + f.kernel().outputs[output].name + "'";
}

std::string store_to(const KernelFunction& f, std::uint32_t output) {
  return "store to output " + std::to_string(output + 1) + " '" + f.kernel().outputs[output].name + "'";
}

void check_array_position(KernelFunction& f, std::uint32_t input, ArrayRole role, Value* position) {
  check_positions(f, load_of(f, input) + ", its " + std::string(name(role)), position, nullptr,
                  f.input_count(input, role));
}

}  // namespace lac::codegen
