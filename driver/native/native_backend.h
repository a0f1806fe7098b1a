// The cpu target in one process: passes, LLVM, the JIT.
#pragma once

#include <memory>

#include "driver/core/backend.h"

namespace lac::driver {

std::unique_ptr<Backend> make_native_backend();

}  // namespace lac::driver
