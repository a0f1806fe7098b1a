#include "driver/native/unit_key.h"

#include "codegen/llvm/machine/unit.h"
#include "driver/native/code_generator.h"
#include "driver/native/machine.h"

namespace lac::driver {

Result<std::string> key_of_options(const codegen::CodegenOptions& options) {
  const Result<std::string> version = generator_version();
  if (!version) return version.failure();
  return version.value() + "\n" + (options.cpu == "native" ? machine_identity() : options.cpu) + "\n" +
         (options.check_bounds ? "bounds\n" : "\n");
}

abi::KernelCode kernel_code(const runtime::LoadedCode& code, std::size_t object) {
  const std::string name = codegen::kernel_symbol;
  return {reinterpret_cast<abi::BlocksFunction>(code.find(object, name + "_blocks")),
          reinterpret_cast<abi::KernelFunction>(code.find(object, name)),
          reinterpret_cast<abi::FinishFunction>(code.find(object, name + "_finish"))};
}

}  // namespace lac::driver
