// What the driver chooses about native code.
#pragma once

#include <string>

namespace lac::codegen {

/// How long the steps of one compilation took, in milliseconds.
struct UnitTimes {
  double emission = 0;      ///< LLVM IR is made
  double optimisation = 0;  ///< LLVM's passes over it
  double generation = 0;    ///< machine code is made
};

struct CodegenOptions {
  /// "native" or a level: x86-64, x86-64-v2, x86-64-v3, x86-64-v4. Anything else that LLVM knows as a CPU works too.
  std::string cpu = "native";
  /// Run LLVM's verifier on the emitted module; a violation is an InternalError with its text.
  bool verify = false;
  /// Every access to memory is asserted against the elements of what it touches (kernel/bounds.h); slow, for
  /// developers.
  bool check_bounds = false;
  /// Instructions of the program carry the places they stand at, for a listing (source_lines.h).
  bool places = false;
  /// Kernels that stand in the code of loops alone have functions too, as if they were launched (ir/plan/units.h).
  bool every_kernel = false;
  UnitTimes* times = nullptr;  ///< where to note them; of a compilation of its own
};

}  // namespace lac::codegen
