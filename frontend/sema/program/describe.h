// What `lac check` shows: the variables of a scope with their types, in words.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// The types of a variable; without a type where there is nothing to tell.
VariableInfo description(const Emitter& e, const Binding& binding);
/// A function and what it is specialised to: "f(n x 1, scalar)".
std::string specialisation(const Emitter& e, const std::string& function, const std::vector<Binding>& args);

}  // namespace lac::frontend
