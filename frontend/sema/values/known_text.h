// Strings that are made of what is known while the program is compiled: names of fields, keys of maps, labels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// sprintf of the template at `args[at]` where each conversion has one argument that is known: %d a whole number, %s a
/// string, %f, %e and %g a finite number. Nothing elsewhere, and where the string would be empty.
std::optional<std::string> known_format(const Emitter& e, const std::vector<Binding>& args, std::size_t at);
/// The digits of a value that is a whole number.
std::optional<std::string> known_digits(const Emitter& e, const Binding& value);

}  // namespace lac::frontend
