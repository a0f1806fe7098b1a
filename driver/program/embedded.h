// What a built program carries.
#pragma once

#include <vector>

#include "driver/core/backend.h"
#include "ir/plan/manifest.h"

namespace lac::driver {

struct EmbeddedProgram {
  Manifest manifest;
  std::vector<frontend::ParameterSignature> signature;  ///< what the code was compiled for
};

/// Throws InternalError when the bytes are damaged.
const EmbeddedProgram& embedded_program();

}  // namespace lac::driver
