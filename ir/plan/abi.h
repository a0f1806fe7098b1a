// Where generated CPU code and the runtime library meet: plain data and the call convention of kernels.
// Generated code, JIT-compiled or linked into a program, calls the C functions of runtime/cpu/abi_functions.def only.
#pragma once

#include <cstdint>

namespace lac::abi {

/// A kernel becomes three functions. `NAME_blocks(slots)` says how many blocks its schedule cuts the domain into (it
/// depends on sizes only). `NAME(slots, first, last)` runs blocks [first, last), from any thread. `NAME_finish(slots,
/// blocks)`, present when the kernel has reductions that cross blocks, combines the partials in block order and writes
/// the reduced outputs. Slots, 8 bytes each, are laid out by `slot_layout` (plan/slots.h):
///   1. inputs:  a scalar (1x1 dense): its value, in the low bytes of the slot, as its element is stored;
///               dense matrix: pointer to the elements; diagonal: pointer to the values;
///               csr: three slots, pointers to row_pointers (int32, rows + 1), columns (int32) and values
///   2. outputs: pointer to the elements (a scalar output: pointer to one element)
///   3. sizes:   int64, one for each Size of `slot_sizes(kernel)`, in that order
///   4. partials: pointer to scratch of 8 * partial_count(kernel) bytes per block
using BlocksFunction = std::int64_t (*)(const std::uint64_t* slots);
using KernelFunction = void (*)(const std::uint64_t* slots, std::int64_t first_block, std::int64_t last_block);
using FinishFunction = void (*)(const std::uint64_t* slots, std::int64_t blocks);

/// The entry point of a program: 0, or a status code of runtime/status.
struct Context;
using ProgramFunction = std::int32_t (*)(Context* context);

}  // namespace lac::abi
