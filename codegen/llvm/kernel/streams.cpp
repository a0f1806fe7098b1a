#include "codegen/llvm/kernel/streams.h"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Metadata.h>

#include "ir/plan/walk.h"

namespace lac::codegen {
namespace {

constexpr std::uint64_t line = 64;

Value* is_large(KernelFunction& f, const Type& type) {
  auto& b = f.builder();
  const std::int64_t elements = streamed_bytes / byte_size(type.element);
  return b.CreateICmpUGE(b.CreateMul(f.size(f.nest().rows), f.size(f.nest().cols)), f.integer(elements));
}

Value* is_own_memory(KernelFunction& f, std::uint32_t output) {
  auto& b = f.builder();
  Value* own = b.getTrue();
  for (std::uint32_t n = 0; n < f.kernel().inputs.size(); ++n)
    if (!f.kernel().inputs[n].type.is_scalar())
      own = b.CreateAnd(own, b.CreateICmpNE(f.output_pointer(output), f.input_pointer(n)));
  return own;
}

}  // namespace

void emit_stream_test(KernelFunction& f) {
  const std::optional<std::uint32_t> output = streamed_output(f.kernel());
  if (!output) return;
  Value* large = is_large(f, f.kernel().outputs[*output].type);
  f.set_stream(*output, f.builder().CreateAnd(large, is_own_memory(f, *output), "streams"));
}

void store_streaming(KernelFunction& f, Value* streams, Value* pointer, Value* stored, llvm::Align element) {
  auto& b = f.builder();
  Value* offset = b.CreateAnd(b.CreatePtrToInt(pointer, b.getInt64Ty()), b.getInt64(line - 1));
  Value* aligned = b.CreateICmpEQ(offset, f.integer(0));
  f.when(
      b.CreateAnd(streams, aligned),
      [&] {
        llvm::Metadata* one = llvm::ConstantAsMetadata::get(b.getInt32(1));
        b.CreateAlignedStore(stored, pointer, llvm::Align(line))
            ->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(b.getContext(), one));
      },
      [&] { b.CreateAlignedStore(stored, pointer, element); });
}

void emit_stream_fence(KernelFunction& f) {
  const std::optional<std::uint32_t> output = streamed_output(f.kernel());
  if (output) f.when(f.streams(*output), [&] { f.builder().CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {}); });
}

}  // namespace lac::codegen
