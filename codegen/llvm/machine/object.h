// A Plan as an object file, and as text for people.
#pragma once

#include <string>

#include "codegen/llvm/options.h"
#include "ir/plan/manifest.h"
#include "ir/plan/plan.h"
#include "ir/support/result.h"
#include "ir/support/source.h"

namespace lac::codegen {

/// The bytes of an object file (position independent) with the C symbols
///   lac_program        the entry point, abi::ProgramFunction
///   lac_kernels        its kernels, an array of abi::KernelCode
///   lac_manifest       the manifest's bytes (manifest_from_bytes reads them)
///   lac_manifest_size  their count, a uint64
/// It needs the runtime library (plan/abi_functions.def), libm and, where kernels call it, libsleef.
Result<std::string> emit_object(const Plan& plan, const Manifest& manifest, const CodegenOptions& options);

/// LLVM IR after optimisation, with the lines of the program as comments; and the assembly of the same module.
Result<std::string> emit_llvm_text(const Plan& plan, const SourceManager& sources, const CodegenOptions& options);
Result<std::string> emit_asm(const Plan& plan, const CodegenOptions& options);

}  // namespace lac::codegen
