// What compiled units have in common, however they are compiled: their key on disk, and how their code is found.
#pragma once

#include <cstddef>
#include <string>

#include "codegen/llvm/options.h"
#include "ir/plan/abi.h"
#include "ir/support/result.h"
#include "runtime/cpu/loaded_code.h"

namespace lac::driver {

/// All that the code of any unit depends on besides its text (ir/plan/units.h).
Result<std::string> key_of_options(const codegen::CodegenOptions& options);

/// The functions of the kernel that is object number `object`.
abi::KernelCode kernel_code(const runtime::LoadedCode& code, std::size_t object);

}  // namespace lac::driver
