// The kernels of a Plan in the modules that it is compiled as.
#pragma once

#include <vector>

#include "codegen/llvm/kernel_emitter.h"
#include "codegen/llvm/program.h"

namespace lac::codegen {

/// Which functions the kernels of a plan become: kernels that differ only in names and in the symbols of their extents
/// share theirs.
class KernelCode {
 public:
  /// Code that checks its accesses names them: then kernels share functions only where names are equal too.
  explicit KernelCode(const Graph& plan, bool check_bounds = false);

  std::size_t distinct() const { return distinct_.size(); }
  /// Emits the functions that belong to `part`.
  void emit(llvm::Module& module, Part part, const TargetOptions& target) const;
  /// The functions of a kernel in `module`: as emitted there, else declared.
  EmittedKernel find(llvm::Module& module, KernelId id) const;

 private:
  const Graph& plan_;
  std::vector<KernelId> distinct_;
  IdVector<KernelId, KernelId> shared_;  ///< the kernel whose functions each one uses
};

}  // namespace lac::codegen
