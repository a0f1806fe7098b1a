// The code generator, found and opened when it is needed first.
#pragma once

#include <string>

#include "codegen/llvm/generator.h"
#include "ir/support/result.h"

namespace lac::driver {

/// Stays open. A Failure says where it was looked for. Thread-safe.
Result<const codegen::Generator*> code_generator();

/// What tells builds of the generator apart: code of one is not that of another. Needs the file, and does not open it.
Result<std::string> generator_version();

}  // namespace lac::driver
