// Functions that call themselves as a loop with stacks: what waits for a call, and what has no such form.
#include <catch2/catch.hpp>

#include "frontend/parser.h"
#include "frontend/sema/recursion/cycle.h"
#include "frontend/sema/recursion/stack_machine.h"

using namespace lac;
using namespace lac::frontend;

namespace {

/// The first function of the text and those of its cycle as one; NoFlow goes on.
StackMachine machine_of(const std::string& text, const std::set<std::string>& shared_by_all = {}) {
  SourceManager sources;
  Diagnostics diagnostics;
  const auto program = parse(sources.add("test.la", text), sources, diagnostics);
  REQUIRE(program);
  CallGraph calls([&](const std::string& name, const ast::Function&) -> const ast::Function* {
    for (const ast::Function& function : program->functions)
      if (function.name.text == name) return &function;
    return nullptr;
  });
  return as_stack_machine(cycle_of(program->functions.front(), calls, shared_by_all), {});
}

/// The variables that wait in stacks, in a row.
std::string waiting(const std::string& text, const std::set<std::string>& shared_by_all = {}) {
  std::string names;
  for (const auto& [name, stack] : machine_of(text, shared_by_all).stacks) names += (names.empty() ? "" : " ") + name;
  return names;
}

std::string refused(const std::string& text) {
  try {
    machine_of(text);
  } catch (const NoFlow& none) {
    return none.why;
  }
  return "";
}

}  // namespace

TEST_CASE("what is read behind a call waits, nothing else") {
  CHECK(waiting("function r = f(n)\n m = 2 * n;\n r = f(n - 1) + n;\nend") == "n");
  CHECK(waiting("function r = f(n)\n if n > 0, r = f(n - 1); else r = 0; end\nend") == "");
  CHECK(waiting("function r = f(n)\n m = n;\n n = f(n - 1);\n r = m + n;\nend") == "m");
}

TEST_CASE("what every call passes on is one variable of all levels") {
  const std::string both =
      "function r = f(A, n, g)\n r = h(n, A, g) + A(n);\nend\nfunction r = h(k, B, g)\n r = f(B, k - 1, g) + B(k) + "
      "k;\nend";
  CHECK(waiting(both) == "k n");
  CHECK(waiting("function r = f(s, n)\n s(n) = f(s, n - 1);\n r = s(n);\nend") == "n s");
  CHECK(waiting("function r = f(s, n)\n s(n) = f(s, n - 1);\n r = s(n);\nend", {"s"}) == "n");
  CHECK(waiting("function r = f(s, n)\n while s++ < 3, r = f(s, n - 1) + n; end\n r = s;\nend") == "n s");
}

TEST_CASE("names are those of nobody else") {
  const StackMachine machine = machine_of(
      "function r = f(n)\n state = n;\n r = g(state) + state;\nend\nfunction r = g(n)\n m = f(n - 1);\n r = m * "
      "n;\nend");
  CHECK(machine.written.at("n_of_g") == "n");
  CHECK(machine.written.count("m") == 0);
  CHECK(machine.stacks.count("state") == 1);
  const StackMachine calls_state =
      machine_of("function r = f(n)\n r = f(state(n)) + n;\nend\nfunction s = state(n)\n s = n;\nend");
  const auto& first = std::get<ast::Assign>(calls_state.function.body.front().node);
  CHECK(first.targets.front().name.text == "state_");
}

TEST_CASE("what has no form as a loop says why") {
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {"function r = f(n)\n try, r = f(n - 1); catch, r = 0; end\nend", "a call or a return in a try"},
      {"function r = f(n)\n g = @(x) f(x - 1);\n r = g(n);\nend", "a call through a handle"},
      {"function r = f(n)\n r = feval(@f, n - 1);\nend", "a call through a handle"},
      {"function r = f(c)\n r = f(c{:});\nend", "a list of arguments"},
      {"function r = f(x)\n r = x(f(end));\nend", "'end' in an argument"},
      {"function r = f(n)\n if n > 0 | f(n - 1), r = 1; end\nend", "a call behind | or & in a condition"},
      {"function r = f(n)\n r = n++ + f(n - 1);\nend", "a call beside ++ or --"},
      {"function r = f(n)\n x(f(n - 1)) = n;\n r = x;\nend", "a call in a subscript of what is assigned"},
      {"function r = f(n)\n r = q = f(n - 1);\nend", "a call in an assignment to several variables"},
      {"function r = f(n)\n global t\n t += f(n - 1);\n r = t;\nend", "a call in an update of a global variable"},
      {"function r = f(n)\n switch n, case f(n - 1), r = 1; end\nend", "a call in the label of a case"},
      {"function r = f(s)\n for [v, k] = s, r = f(v); end\nend", "a call in a loop over the fields of a struct"},
      {"function r = f(n)\n persistent m = f(3);\n r = f(n - 1) + m;\nend",
       "a call in the first value of a persistent variable"},
      {"function r = f(n)\n global t\n r = g(n) + t;\nend\nfunction r = g(n)\n r = f(n);\nend",
       "a global or persistent variable of functions that call each other"},
      {"function r = f(varargin)\n r = f(varargin{1});\nend", "'varargin'"},
      {"function r = f(n)\n if nargout > 0, r = f(n - 1); end\nend", "'nargout'"},
      {"function r = f(n = 3)\n r = f(n - 1);\nend", "the default of a parameter"},
      {"function r = f(n)\n r = f(n, 1);\nend", "a call with too many arguments"},
      {"function r = f(n)\n [r, s] = f(n - 1);\nend", "a call with too many results"},
  }));
  INFO(text);
  CHECK(refused(text) == why);
}
