// From a program to what `lac build` writes, and what that shares with the JIT.
#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/options.h"
#include "driver/core/backend.h"
#include "ir/plan/manifest.h"

namespace lac::driver {

codegen::CodegenOptions codegen_options(const api::Options& options);

/// Those from file `first` on, by FileId.
std::vector<SourceText> texts_of(const SourceManager& sources, std::uint32_t first = 0);

/// The manifest with the texts that lines in statistics and messages refer to.
Manifest manifest_of(const Graph& plan, const SourceManager& sources);

/// An object file for the data of the request (codegen/llvm/machine/object.h).
Result<std::string> build_object(const std::string& path, const Module& module, const CompileRequest& request,
                                 Diagnostics& diagnostics);

/// An executable with code for the data of the request and for up to Options::variants - 1 other kinds (variants.h),
/// each for the machines of Options::cpu. A remark lists them.
Result<std::string> build_program(const std::string& path, const Module& module, const CompileRequest& request,
                                  Diagnostics& diagnostics);

}  // namespace lac::driver
