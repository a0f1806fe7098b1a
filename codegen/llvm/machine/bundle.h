// The objects of a built program (plan/bundle.h).
#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/options.h"
#include "ir/plan/manifest.h"
#include "ir/plan/plan.h"
#include "ir/support/result.h"

namespace lac::codegen {

/// The bytes of an object file with two C symbols: `entry`, the program's abi::ProgramFunction, and the table of its
/// kernels, `entry`_kernels.
Result<std::string> emit_entry(const Plan& plan, const std::string& entry, const CodegenOptions& options);

/// Everything that code for this machine may use of it, in LLVM's words: "avx2,bmi2,...".
Result<std::string> machine_features(const CodegenOptions& options);

struct BundleEntry {
  std::string cpu;
  std::string features;  ///< machine_features
  std::string entry;     ///< the symbol of emit_entry
};

/// One specialisation, as abi::BundledSpecialisation has it.
struct BundlePart {
  std::string signature;
  const Manifest* manifest = nullptr;
  std::vector<BundleEntry> code;
};

/// The bytes of an object file with the table of all of them, abi::bundle_name and abi::bundle_size_name, and with the
/// texts, abi::texts_name and abi::texts_size_name; neither is empty.
Result<std::string> emit_bundle(const std::vector<BundlePart>& parts, const std::vector<SourceText>& texts);

}  // namespace lac::codegen
