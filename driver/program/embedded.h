// What a built program carries.
#pragma once

#include <vector>

#include "driver/core/backend.h"
#include "ir/plan/bundle.h"
#include "ir/plan/manifest.h"

namespace lac::driver {

/// One kind of data that there is code for.
struct EmbeddedSpecialisation {
  std::vector<frontend::ParameterSignature> signature;
  const abi::BundledSpecialisation* bytes = nullptr;
};

struct EmbeddedProgram {
  Element precision = Element::real;
  std::vector<SourceText> texts;  ///< what places refer to, the program's own first
  std::vector<EmbeddedSpecialisation> specialisations;
};

/// Throws InternalError when the bytes are damaged.
const EmbeddedProgram& embedded_program();

}  // namespace lac::driver
