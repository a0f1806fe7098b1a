// What the built-in functions are, in a line or two each: for editors and for people at a prompt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lac::frontend {

struct BuiltinHelp {
  std::string_view name;
  std::string_view forms;  ///< the call forms: "s = sum(x), s = sum(x, dim)"
  std::string_view what;   ///< "the sum of each column, or along dimension dim"
};

/// Null when there is no built-in of that name.
const BuiltinHelp* help_of_builtin(std::string_view name);
/// The names of all built-in functions, in order; every one has its help.
std::vector<std::string> names_of_builtins();

}  // namespace lac::frontend
