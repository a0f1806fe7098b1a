// Variables that calls share: global and persistent ones.
//
// Each lies in the environment of whatever function is being lowered, under a name of its own (`@@g`, `@f@n`), and goes
// with every call: into the environment of the function that is called, and back when it returns. So branches and loops
// treat it as the variable that it is. What the text calls it is a copy, made where it is declared; copies are given
// back before a call, and made again behind it. What a containers.Map holds is such a variable too (`@map@n`), but has
// no copies: variables name it.
#pragma once

#include <string>
#include <string_view>

#include "frontend/sema/values/binding.h"

namespace lac::frontend {

inline bool is_shared(std::string_view name) { return name.starts_with("@"); }
inline bool is_map_contents(std::string_view name) { return name.starts_with("@map@"); }
inline std::string map_contents_name(std::size_t number) { return "@map@" + std::to_string(number); }
inline std::string shared_name(bool is_global, const std::string& function, const std::string& name) {
  return is_global ? "@@" + name : "@" + function + "@" + name;
}

/// Sets the shared variables of `to` to those of `from`.
void copy_shared(const Environment& from, Environment& to);

}  // namespace lac::frontend
