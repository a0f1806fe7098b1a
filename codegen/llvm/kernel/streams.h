// An output that no cache holds is written past the caches. A plain store first reads the line that it writes to, so
// that y = a.*x moves three words for each element where two would do.
#pragma once

#include "codegen/llvm/kernel/function.h"

namespace lac::codegen {

/// Tests, where the kernel begins, whether its streamed_output (ir/plan/walk.h) has `streamed_bytes` or more and takes
/// over the memory of no input, which the kernel reads into the caches itself.
void emit_stream_test(KernelFunction& f);

/// All kernel_lanes of a vector, which are whole lines: past the caches where `streams` holds and a line begins there.
void store_streaming(KernelFunction& f, Value* streams, Value* pointer, Value* stored, llvm::Align element);

/// Where the kernel ends: such stores are not ordered with what tells other threads of them.
void emit_stream_fence(KernelFunction& f);

}  // namespace lac::codegen
