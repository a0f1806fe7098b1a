// A signature as bytes, carried by built programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/lower.h"
#include "ir/support/result.h"

namespace lac::driver {

std::string signature_to_text(const std::vector<frontend::ParameterSignature>& signature);
Result<std::vector<frontend::ParameterSignature>> signature_from_text(std::string_view text);

}  // namespace lac::driver
