// What a `param` line claims of a matrix, checked on the data where that costs no more than looking at each entry once.
#pragma once

#include <optional>
#include <string>

#include "frontend/lower.h"
#include "runtime/tensor/tensor.h"

namespace lac::driver {

/// Why the value is not what its `param` line claims (symmetric, spd, lower, upper), naming the first entry that shows
/// it, with indices from 1; nothing when no claim is disproved. `spd` is checked as symmetric with a positive diagonal.
std::optional<std::string> disproved_claim(const frontend::ParameterInfo& parameter, const runtime::Tensor& value);

}  // namespace lac::driver
