#include <algorithm>
#include <iterator>

#include "frontend/builtin_help.h"
#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

const BuiltinHelp* help_of_builtin(std::string_view name) {
  static constexpr BuiltinHelp entries[] = {
#define HELP(name, forms, what) {name, forms, what},
#include "frontend/sema/builtins/help.def"
  };
  const auto* found = std::ranges::find(entries, name, &BuiltinHelp::name);
  return found == std::end(entries) ? nullptr : found;
}

std::vector<std::string> names_of_builtins() { return builtin_names(); }

}  // namespace lac::frontend
