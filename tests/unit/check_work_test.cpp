// Checking a script takes work in proportion to its length: what is counted is memory that is asked for, in blocks and
// in bytes, which is the same on every machine.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include "driver/include/lac/lac.hpp"
#include "driver/include/lac/language_server.hpp"

namespace {

struct Work {
  std::size_t blocks = 0, bytes = 0;
} work;

}  // namespace

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++work.blocks;
  work.bytes += bytes;
  return std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  void* block = operator new(bytes, std::nothrow);
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
  bool nests = false;  ///< each part stands inside the one before: the lines of a graph's text begin with their depth
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
    {"elseif", "s = rand();\nif s > 2\n  y = 0;\n", [](int i) { return numbered("elseif s > #\n  y = #;\n", i); },
     "else\n  y = 1;\nend\nz = y;\n"},
    {"data", "x = [", [](int i) { return numbered("1.5 -# 0.25 #\n", i); }, "];\n"},
    {"data of run-time values", "s = rand();\nx = [", [](int i) { return numbered("s # 0.25 s\n", i); }, "];\n"},
    {"ragged data", "x = [", [](int i) { return numbered("[1 2] #; 3, [4 -#]\n", i); }, "];\n"},
    {"handles", "f0 = @(x) x + 1;\n",
     [](int i) { return numbered("f# = @(x) f0(x) + #;\ny# = f#(rand());\n", i + 1); }},
    {"parameters", "param n = 10\nparam b(n) = ones(n, 1)\nx = b;\n",
     [](int i) { return numbered("r# = x(1:n - 1);\nx = b + x / norm(r#);\n", i); }},
};

/// What the passes work on too: kernels of several shapes, scalars, constants.
const Script passed[] = {
    {"scalars", "x0 = rand();\n",
     [](int i) { return numbered("x# = # * x0 + 1 / (x0 + #);\nprintf('%g\\n', x#);\n", i); }},
    {"a chain of vectors", "x = rand(50, 1);\n", [](int i) { return numbered("x = x * # + 1 ./ (x + #);\n", i); },
     "printf('%g\\n', x);\n"},
    {"vectors side by side", "x = rand(50, 1);\n",
     [](int i) { return numbered("y# = x * # + 1 ./ (x + #);\nprintf('%g\\n', sum(y#));\n", i); }},
    {"stores", "A = rand(50);\n", [](int i) { return numbered("A(3, :) = A(2, :) + #;\n", i); },
     "printf('%g\\n', A);\n"},
    {"elseif", "s = rand();\nif s > 2\n  y = 0;\n", [](int i) { return numbered("elseif s > #\n  y = #;\n", i); },
     "else\n  y = 1;\nend\nprintf('%g\\n', y);\n", true},
    {"data", "x = [", [](int i) { return numbered("1.5 -# 0.25 #\n", i); }, "];\nprintf('%g\\n', x);\n"},
    // A question that is asked of both operands of each product would double with every line.
    {"products of products", "A = rand(9);\nfor k = 1:2\n  B = A * A;\n",
     [](int) { return std::string("  B = B * B;\n"); }, "end\nprintf('%g\\n', B);\n"},
};

template <class Action>
Work work_of(const Script& script, int parts, Action&& action) {
  std::string text = script.opening;
  for (int i = 0; i < parts; ++i) text += script.part(i);
  text += script.closing;
  work = {};
  lac::api::Program program = lac::api::Program::from_text(text, "script.la", {});
  const auto result = action(program);
  const Work done = work;
  INFO(result.message());
  REQUIRE(result.ok());
  return done;
}

template <class Scripts, class Action>
void check_growth(const Scripts& scripts, int parts, Action&& action) {
  for (const Script& script : scripts) {
    work_of(script, 10, action);  // what is done once a process
    const Work once = work_of(script, parts, action), twice = work_of(script, 2 * parts, action);
    INFO(script.name << ": " << once.blocks << " blocks, " << once.bytes << " bytes, then " << twice.blocks << " and "
                     << twice.bytes);
    CHECK(static_cast<double>(twice.blocks) <= 2.3 * static_cast<double>(once.blocks));
    if (script.nests) continue;
    CHECK(static_cast<double>(twice.bytes) <= 2.3 * static_cast<double>(once.bytes));
  }
}

}  // namespace

/// As people paste it: vectors that are made of some before, sums now and then.
std::string straight_line(int statements) {
  std::string text = "v0 = linspace(0, 1, 50)'; s0 = 1;\n";
  const auto variable = [](char name, int k) { return name + std::to_string(k); };
  for (int k = 1; k < statements; ++k) {
    const std::string before = variable('v', k - 1), earlier = variable('v', std::max(0, k - 1 - k * 7 % 20));
    const std::string sum = variable('s', (k - 1) / 10);
    text += variable('v', k) + " = " + before + " .* 0." + std::to_string(k % 9 + 1) + " + " + earlier + " - " + sum +
            "/" + std::to_string(k % 7 + 2) + ";\n";
    if (k % 10 == 0) text += variable('s', k / 10) + " = sum(" + before + ") + " + variable('s', k / 10 - 1) + ";\n";
  }
  return text + "printf('%g\\n', norm(" + variable('v', statements - 1) + "));\n";
}

/// Of the passes alone, with writing their plan out.
Work work_of_passes(const std::string& text) {
  lac::api::Options options;
  Work lowered, planned;
  options.dump = {"graph", "plan"};
  options.dump_sink = [&](const std::string& item, const std::string&) {
    (item == "graph" ? lowered : planned) = work;
  };
  lac::api::Program program = lac::api::Program::from_text(text, "script.la", options);
  work = {};
  const auto result = program.emit("plan");
  INFO(result.message());
  REQUIRE(result.ok());
  return {planned.blocks - lowered.blocks, planned.bytes - lowered.bytes};
}

TEST_CASE("the passes grow no faster than 1.2 times linear from 1,000 statements to 10,000") {
  work_of_passes(straight_line(10));
  const Work once = work_of_passes(straight_line(1'000)), tenfold = work_of_passes(straight_line(10'000));
  INFO(once.blocks << " blocks, " << once.bytes << " bytes, then " << tenfold.blocks << " and " << tenfold.bytes);
  CHECK(static_cast<double>(tenfold.blocks) <= 1.2 * 10 * static_cast<double>(once.blocks));
  CHECK(static_cast<double>(tenfold.bytes) <= 1.2 * 10 * static_cast<double>(once.bytes));
}

TEST_CASE("checking twice as many lines is at most about twice the work") {
  check_growth(scripts, 200, [](lac::api::Program& program) { return program.check({}); });
}

TEST_CASE("the passes over twice as many lines are at most about twice the work") {
  check_growth(passed, 200, [](lac::api::Program& program) { return program.emit("plan"); });
}

namespace {

std::string message(const std::string& content) {
  return "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
}

/// Of one completion in a text of so many lines, at its end.
Work completion_work(int lines) {
  lac::api::LanguageServer server;
  std::string text;
  for (int i = 0; i < lines; ++i) text += numbered("variable_# = rand() + #;\\n", i);
  const std::string document = R"("textDocument": {"uri": "file:///a.la")";
  server.receive(message(R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})"));
  server.receive(message(R"({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {)" + document +
                         R"(, "text": ")" + text + R"(x = va"}}})"));
  work = {};
  const std::string answer = server.receive(
      message(R"({"jsonrpc": "2.0", "id": 2, "method": "textDocument/completion", "params": {)" + document +
              R"(}, "position": {"line": )" + std::to_string(lines) + R"(, "character": 6}}})"));
  const Work done = work;
  REQUIRE(answer.find("variable_7") != std::string::npos);
  return done;
}

}  // namespace

TEST_CASE("a completion in twice as many lines is at most about twice the work") {
  completion_work(10);
  const Work once = completion_work(400), twice = completion_work(800);
  INFO(once.blocks << " blocks, then " << twice.blocks);
  CHECK(static_cast<double>(twice.blocks) <= 2.3 * static_cast<double>(once.blocks));
  CHECK(static_cast<double>(twice.bytes) <= 2.3 * static_cast<double>(once.bytes));
}
