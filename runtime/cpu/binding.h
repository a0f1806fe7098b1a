// From the tensors of a run to the arguments of generated code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/plan/abi.h"
#include "ir/plan/manifest.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// Why these tensors cannot be the program's parameters: their number, element, storage, extents or diagonals.
std::optional<std::string> binding_problem(const Manifest& manifest, const std::vector<Tensor>& parameters);

/// Makes them the arguments of the run. They are read where they lie and never written.
void bind(abi::Context& run, const std::vector<Tensor>& parameters);

}  // namespace lac::runtime
