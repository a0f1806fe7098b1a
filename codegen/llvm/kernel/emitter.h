// From one Kernel to the native functions of ir/plan/abi.h, as LLVM IR.
//
// The code is explicit vector code over `kernel_lanes` lanes whatever the machine's width: LLVM cuts the vectors to
// what the machine has, so results are bit-equal for any vector width. Nothing is contracted and no fast-math flag is
// set, except that the multiply-add of a contraction is one fma where the target has it.
#pragma once

#include <string_view>

#include "ir/graph/graph.h"
#include "ir/kernel/kernel.h"
#include "ir/plan/vector_isa.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lac::codegen {

struct TargetOptions {
  VectorIsa isa = VectorIsa::avx512f;
  bool check_bounds = false;  ///< see CodegenOptions
  bool places = false;        ///< likewise

  bool has_fma() const { return lac::has_fma(isa); }
  /// Whether kernels take rows in slices (abi::Slices).
  bool takes_slices() const { return has_gathers(isa) && !check_bounds; }
  /// From LLVM's feature string of the code generated for, "+avx2,+fma,-avx512f,...".
  static TargetOptions from_features(std::string_view features);
};

struct EmittedKernel {
  llvm::Function* blocks = nullptr;  ///< NAME_blocks
  llvm::Function* main = nullptr;    ///< NAME
  llvm::Function* finish = nullptr;  ///< NAME_finish; null when no reduction crosses blocks
};

/// Adds the functions of `kernel` to `module`; their names start with `kernel.name`, which the module must not have
/// yet. They are external and call: functions of libm by their C names, and SLEEF's vector functions
/// (Sleef_expf16_u10avx512f and the like). Accumulators are allocas: the pipeline that follows must run SROA.
/// Throws InternalError on a kernel whose schedule is not decided or that breaks the verifier's rules.
EmittedKernel emit_kernel(llvm::Module& module, const Graph& graph, const Kernel& kernel, const TargetOptions& target);

}  // namespace lac::codegen
