// Checking a script takes work in proportion to its length: what is counted is memory that is asked for, in blocks and
// in bytes, which is the same on every machine.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include "driver/include/lac/lac.hpp"

namespace {

struct Work {
  std::size_t blocks = 0, bytes = 0;
} work;

}  // namespace

void* operator new(std::size_t bytes) {
  ++work.blocks;
  work.bytes += bytes;
  void* block = std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace {

struct Script {
  const char* name;
  const char* opening;
  std::function<std::string(int)> part;  ///< some lines, with a number of their own
  const char* closing = "";
};

std::string numbered(std::string text, int i) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at))
    text.replace(at, 1, std::to_string(i));
  return text;
}

const Script scripts[] = {
    {"arithmetic", "x0 = rand();\n", [](int i) { return numbered("x# = # * x0 + 1 / (x0 + #);\n", i); }},
    {"one variable", "x = rand();\n", [](int i) { return numbered("x = x * # + sqrt(x);\n", i); }},
    {"indexing", "A = rand(9);\n",
     [](int i) { return numbered("A(3, :) = A(2, :) + #;\nw# = A(2:5, 1)' * A(2:5, 3);\n", i); }},
    {"strings", "x = rand();\n", [](int i) { return numbered("t# = sprintf('%d', #);\nprintf('%g #\\n', x);\n", i); }},
    {"if", "s = rand(); t = 1;\n",
     [](int i) { return numbered("if s > #\n  t = t + 1;\n  q# = t;\nelse\n  q# = s;\nend\n", i); }},
    {"for", "s = rand();\n", [](int i) { return numbered("for k = 1:5\n  s = s + k;\nend\ny# = s;\n", i); }},
    {"while", "s = rand();\n",
     [](int i) { return numbered("while s < #\n  s = 2 * s;\n  if s > 3\n    break\n  end\nend\ny# = s;\n", i); }},
    {"growth", "s = 0;\n", [](int i) { return numbered("v# = [];\nfor k = 1:4\n  v#(end + 1) = k;\nend\n", i); }},
    {"long loop", "s = rand();\nfor k = 1:3\n", [](int i) { return numbered("  s = s * # + k;\n", i); }, "end\n"},
    {"calls", "function y = f(x)\n  y = x + 1;\n  if y > 3\n    y = 0;\n  end\nend\ns = rand();\n",
     [](int i) { return numbered("q# = f(s + #);\n", i); }},
    {"functions", "s = rand();\n",
     [](int i) { return numbered("function y = f#(x)\n  z = x + #;\n  y = z * z;\nend\nq# = f#(s);\n", i); }},
    {"parameters", "param n = 10\nparam b(n) = ones(n, 1)\nx = b;\n",
     [](int i) { return numbered("r# = x(1:n - 1);\nx = b + x / norm(r#);\n", i); }},
};

Work work_of(const Script& script, int parts) {
  std::string text = script.opening;
  for (int i = 0; i < parts; ++i) text += script.part(i);
  text += script.closing;
  work = {};
  lac::api::Program program = lac::api::Program::from_text(text, "script.la", {});
  const lac::api::Checked checked = program.check({});
  const Work done = work;
  INFO(program.message());
  REQUIRE(checked.ok());
  return done;
}

}  // namespace

TEST_CASE("checking twice as many lines is at most about twice the work") {
  for (const Script& script : scripts) {
    work_of(script, 10);  // what is done once a process
    const Work once = work_of(script, 200), twice = work_of(script, 400);
    INFO(script.name << ": " << once.blocks << " blocks, " << once.bytes << " bytes, then " << twice.blocks << " and "
                     << twice.bytes);
    CHECK(static_cast<double>(twice.blocks) <= 2.3 * static_cast<double>(once.blocks));
    CHECK(static_cast<double>(twice.bytes) <= 2.3 * static_cast<double>(once.bytes));
  }
}
