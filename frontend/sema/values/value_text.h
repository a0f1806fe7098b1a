// What computes a value, as a text: values with the same text are the same.
#pragma once

#include <string>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// Elementwise, from which values. Empty: too long a text.
std::string text_of_value(const Emitter& e, ValueId value);

}  // namespace lac::frontend
