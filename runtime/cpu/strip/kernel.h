// A kernel that is run without compiling it: its body's functions one after the other, each over a strip of
// neighbouring points. Bit for bit what its compiled code computes on a machine of the same instruction set (the
// schedule and the order of summation are the Kernel's own), at a third to a twentieth of the speed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ir/kernel/kernel.h"
#include "ir/plan/vector_isa.h"

namespace lac::runtime {

/// The instruction set that code for `cpu` (native, x86-64-v3, ...) uses for vectors; nothing where only the compiler
/// knows.
std::optional<VectorIsa> vector_isa_of(const std::string& cpu);

/// Immutable; may run on several threads at once. The arguments are those of abi::KernelCode.
class StripKernel {
 public:
  /// `kernel` outlives the result. Throws InternalError on kernels that the verifier should not have let pass.
  StripKernel(const Kernel& kernel, VectorIsa isa);
  StripKernel(StripKernel&&) noexcept;
  ~StripKernel();

  std::int64_t blocks(const std::uint64_t* slots) const;
  void run(const std::uint64_t* slots, std::int64_t first_block, std::int64_t last_block) const;
  /// To be called where the kernel has partial results.
  void finish(const std::uint64_t* slots, std::int64_t blocks) const;

 private:
  struct Parts;
  class Walk;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace lac::runtime
