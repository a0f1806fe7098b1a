// Where generated CPU code and the runtime library meet: plain data and the call convention of kernels.
// Generated code, JIT-compiled or linked into a program, calls the C functions of runtime/cpu/abi_functions.def only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lac::abi {

/// A kernel becomes three functions. `NAME_blocks(slots)` says how many blocks its schedule cuts the domain into (it
/// depends on sizes only). `NAME(slots, first, last)` runs blocks [first, last), from any thread. Where a kernel has
/// seams (KernelEntry::has_seams) they count as blocks behind the others (PartCount, plan/walk.h); a call runs those
/// between its own blocks, and one for each where two calls meet is due when all blocks are through.
/// `NAME_finish(slots, blocks)`, present when the kernel has reductions that cross blocks, combines the partials in
/// block order and writes the reduced outputs. Slots, 8 bytes each, are laid out by `slot_layout` (plan/slots.h):
///   1. inputs:  a scalar (1x1 dense): its value, in the low bytes of the slot, as its element is stored;
///               a matrix: a pointer to each array of its storage, in the order of StorageFormat::arrays
///   2. outputs: pointer to the elements (a scalar output: pointer to one element)
///   3. sizes:   int64, one for each Size of `slot_sizes(kernel)`, in that order
///   4. slices:  for each input that is taken in slices (takes_slices): the Buffer* of the matrix, which lac_launch
///               replaces by a Slices*, or null; null from code that has no use for them
///   5. partials: pointer to scratch of 8 bytes for each partial result (partial_count, spread_outputs)
/// Code that asserts its accesses has more behind them (CheckSlots).
using BlocksFunction = std::int64_t (*)(const std::uint64_t* slots);
using KernelFunction = void (*)(const std::uint64_t* slots, std::int64_t first_block, std::int64_t last_block);
using FinishFunction = void (*)(const std::uint64_t* slots, std::int64_t blocks);

struct KernelCode {
  BlocksFunction blocks = nullptr;
  KernelFunction main = nullptr;
  FinishFunction finish = nullptr;  ///< null where no reduction crosses blocks
};

/// One run of a program; only the runtime looks inside.
struct Context;
/// The entry point of a program, `lac_program`: a Status.
using ProgramFunction = std::int32_t (*)(Context* context);

/// What calls that can fail return; anything but `ok` makes the program return it at once. The runtime keeps the
/// message, the location and the trips. The numbers are those of runtime::RunCode.
enum Status : std::int32_t { ok = 0, error = 1, interrupted = 2, out_of_memory = 3, internal_error = 4 };

/// A matrix in generated code: a pointer to this. Extents are not here: generated code knows them from types.
struct Buffer {
  void* values = nullptr;
  const std::int32_t* row_pointers = nullptr;  ///< these where the storage has them (ir/types/storage.h)
  const std::int32_t* columns = nullptr;
  std::int64_t in_frame = 0;  ///< elements, where the memory is in the frame of the program; 0: it is the pool's
  std::size_t capacity = 0;   ///< bytes of the pool's own memory at `values`; 0: it is somebody else's
  std::size_t bytes = 0;      ///< of the values as asked for
};

/// The rows of a csr matrix once more, in slices of `kernel_lanes` rows whose entries lie side by side: entry e of row
/// l of slice s is at starts[s] + e*kernel_lanes + l. Rows are as long as the matrix says; behind their ends lies
/// anything.
struct Slices {
  const std::int64_t* starts = nullptr;  ///< of slices, and where the last one ends
  const std::int32_t* columns = nullptr;
  const void* values = nullptr;
};

/// A parameter as bound: a scalar has its value in `scalar`, a matrix its elements in `buffer`.
struct Argument {
  Buffer* buffer = nullptr;
  double scalar = 0;
  std::int64_t rows = 1;
  std::int64_t cols = 1;
};

/// What one launch does, for the statistics and for the choice of threads. Bytes count each element once per launch.
struct Work {
  std::int64_t matrix_read = 0;
  std::int64_t vector_read = 0;
  std::int64_t matrix_written = 0;
  std::int64_t vector_written = 0;
  std::int64_t flops = 0;
};

/// How operands and results of a host step travel: a scalar as its value in a double, a matrix as a Buffer*.
union StepValue {
  double scalar;
  Buffer* buffer;
};

/// The location that lac_outside gets from a kernel.
inline constexpr std::int32_t in_kernel = -2;

// The functions of the runtime, as function types: `lac_acquire_function` is the type of `lac_acquire`.
#define LAC_ABI(name, ...) using name##_function = __VA_ARGS__;
#include "ir/plan/abi_functions.def"
#undef LAC_ABI

}  // namespace lac::abi
