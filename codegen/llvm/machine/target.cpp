#include "codegen/llvm/machine/target.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

namespace lac::codegen {
namespace {

void initialise_llvm() {
  static const bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();  // of what stands as text in our own code
    return true;
  }();
  static_cast<void>(done);
}

std::string host_features() {
  llvm::SubtargetFeatures features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) features.AddFeature(feature.getKey(), feature.getValue());
  return features.getString();
}

// The vector extensions by which kernels differ: code that uses one the machine lacks would die in the middle of a run.
Result<bool> runs_here(const llvm::TargetMachine& machine, const std::string& cpu) {
  const auto host = llvm::sys::getHostCPUFeatures();
  for (const char* feature : {"sse4.2", "avx", "avx2", "fma", "avx512f", "avx512vl", "avx512dq", "avx512bw"}) {
    if (!machine.getMCSubtargetInfo()->checkFeatures(std::string("+") + feature)) continue;
    if (!host.lookup(feature)) return Failure{"--cpu=" + cpu + ": this machine has no " + feature};
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(const CodegenOptions& options, CodeUse use) {
  initialise_llvm();
  const std::string triple = llvm::sys::getProcessTriple();
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (target == nullptr) return Failure{"no code generator for this machine: " + problem};

  const bool native = options.cpu == "native";
  const std::string cpu = native ? llvm::sys::getHostCPUName().str() : options.cpu;
  const std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
  if (!native && !known->isCPUStringValid(cpu))
    return Failure{"unknown --cpu '" + cpu + "' (native, portable, x86-64-v2, x86-64-v3, x86-64-v4)"};

  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, native ? host_features() : "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  if (machine == nullptr) return Failure{"no code generator for cpu '" + cpu + "'"};
  if (use == CodeUse::process && !native)
    if (Result<bool> fits = runs_here(*machine, cpu); !fits) return fits.failure();
  return machine;
}

TargetOptions kernel_target(const llvm::TargetMachine& machine) {
  // A named CPU implies its features: spell out those that kernels look at.
  std::string features;
  for (const char* feature :
       {"sse4.1", "sse4.2", "avx", "avx2", "fma", "avx512f", "avx512vl", "avx512dq", "avx512bw"}) {
    const bool has = machine.getMCSubtargetInfo()->checkFeatures(std::string("+") + feature);
    features += std::string(features.empty() ? "" : ",") + (has ? "+" : "-") + feature;
  }
  return TargetOptions::from_features(features);
}

std::string features_of(const llvm::TargetMachine& machine) {
  std::string text;
  for (const llvm::SubtargetFeatureKV& feature : machine.getMCSubtargetInfo()->getEnabledProcessorFeatures())
    text += (text.empty() ? "" : ",") + std::string(feature.Key);
  return text;
}

void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
  }
}

}  // namespace lac::codegen
