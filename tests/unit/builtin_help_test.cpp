#include "frontend/builtin_help.h"

#include <catch2/catch.hpp>

namespace lac::frontend {

TEST_CASE("every built-in function has its help") {
  for (const std::string& name : names_of_builtins()) {
    INFO(name << ": a line is missing in frontend/sema/builtins/help.def");
    const BuiltinHelp* help = help_of_builtin(name);
    REQUIRE(help);
    CHECK(help->forms.find(name) != std::string_view::npos);
    CHECK(!help->what.empty());
  }
  CHECK(help_of_builtin("no such function") == nullptr);
}

}  // namespace lac::frontend
