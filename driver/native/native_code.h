// A Plan as code in this process: what earlier processes left on disk, else compiled.
#pragma once

#include <memory>
#include <vector>

#include "codegen/llvm/options.h"
#include "driver/core/content_store.h"
#include "ir/plan/manifest.h"
#include "ir/plan/plan.h"
#include "ir/support/result.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/loaded_code.h"

namespace lac::driver {

struct UnitObjects;

/// What making code took, in milliseconds; units are compiled side by side.
struct CodeTimes {
  struct Unit {
    std::string name;  ///< of the kernel; of the rest, "program"
    codegen::UnitTimes times;
  };
  std::vector<Unit> units;
  double linking = 0;
};

/// Immutable; may be run by several threads at once.
class NativeCode {
 public:
  /// Kernels and the program (ir/plan/units.h) that `store` has need no code generator; the others are compiled side by
  /// side and kept. Without a store all are compiled.
  static Result<NativeCode> make(const Plan& plan, const codegen::CodegenOptions& options, ContentStore* store,
                                 CodeTimes* times = nullptr);

  /// To run with the manifest of the same plan; both outlive the result.
  runtime::CpuProgram program(const Manifest& manifest) const { return {entry_, kernels_.data(), &manifest, nullptr}; }

 private:
  NativeCode(const Plan& plan, const UnitObjects& objects, runtime::LoadedCode code);

  runtime::LoadedCode code_;
  abi::ProgramFunction entry_ = nullptr;
  std::vector<abi::KernelCode> kernels_;  ///< by KernelId
};

}  // namespace lac::driver
