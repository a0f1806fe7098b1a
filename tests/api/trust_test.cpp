// What a host may rely on when the program, its data or its own callbacks are not to be trusted.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "driver/include/lac/session.hpp"
#include "tests/api/helpers.h"

using namespace lac::api;
using lac::test::program;
namespace fs = std::filesystem;

namespace {

const std::vector<Target> targets = {Target::interp, Target::cpu};

/// A folder of its own, which is the working directory for as long as it lives.
class Inside {
 public:
  Inside() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "lac-api-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder = name;
    fs::current_path(folder);
  }
  ~Inside() {
    fs::current_path(before_);
    fs::remove_all(folder);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

  fs::path folder;

 private:
  fs::path before_;
};

Options options_for(Target target, bool files = false) {
  Options options;
  options.target = target;
  options.files = files;
  return options;
}

bool mentions(const Result& result, const std::string& text) {
  return result.message().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("null pointers are a run's diagnostic") {
  const std::int32_t pointers[] = {0, 1, 1}, columns[] = {0};
  const double values[] = {1};
  for (const Target target : targets) {
    Program p = program("param A(m, n)\noutput s\ns = sum(A(:));", target);
    const double* no_doubles = nullptr;
    const float* no_floats = nullptr;
    for (const Result& result :
         {p.run(Arguments().matrix("A", no_doubles, 2, 2)), p.run(Arguments().matrix("A", no_floats, 2, 2))}) {
      CHECK(result.outcome() == Outcome::failed);
      CHECK(mentions(result, "A: values is null"));
    }
    CHECK(p.run(Arguments().matrix("A", no_doubles, 0, 3)).ok());
    CHECK(mentions(p.run(Arguments().csr("A", 2, 2, 1, nullptr, columns, values)), "A: row_pointers is null"));
    CHECK(mentions(p.run(Arguments().csr("A", 2, 2, 1, pointers, nullptr, values)), "A: column_indices is null"));
    CHECK(mentions(p.run(Arguments().csr("A", 2, 2, 1, pointers, columns, no_doubles)), "A: values is null"));
    CHECK(mentions(p.run(Arguments().csr("A", 2, 2, 1, pointers, columns, no_floats)), "A: values is null"));
    const std::int32_t empty[] = {0, 0, 0};
    CHECK(p.run(Arguments().csr("A", 2, 2, 0, empty, nullptr, no_doubles)).ok());
  }
}

TEST_CASE("a sink may throw whatever it likes") {
  for (const Target target : targets) {
    Program p = program("x = 1;\nprintf(\"%d\\n\", x);\ny = [1 2; 2 4] \\ [1; 2];\nfprintf(stderr, \"e\");\n", target);
    RunOptions wanted;
    wanted.out = [](std::string_view) { throw 3; };
    const Result number = p.run({}, wanted);
    CHECK(number.outcome() == Outcome::failed);
    CHECK(mentions(number, "a sink of RunOptions threw something that is no std::exception"));
    CHECK(number.diagnostics().back().line == 2);
    wanted.out = [](std::string_view) { throw std::runtime_error("no more paper"); };
    CHECK(mentions(p.run({}, wanted), "a sink of RunOptions threw: no more paper"));
    wanted.out = {};
    wanted.on_warning = [](const Diagnostic&) { throw "text"; };
    const Result warned = p.run({}, wanted);
    CHECK(mentions(warned, "no std::exception"));
    CHECK(warned.diagnostics().back().line == 3);
    wanted.on_warning = {};
    wanted.err = [](std::string_view) { throw 'c'; };
    CHECK(p.run({}, wanted).outcome() == Outcome::failed);
    CHECK(p.run({}).ok());
  }
}

TEST_CASE("a sink for dumps may throw as well") {
  Options options = options_for(Target::cpu);
  options.dump = {"graph"};
  options.dump_sink = [](const std::string&, const std::string&) { throw 1; };
  Program p = Program::from_text("x = 1\n", "t.la", options);
  CHECK(p.run({}).outcome() == Outcome::failed);
  CHECK(p.prepare({}).outcome == Outcome::failed);
}

TEST_CASE("a program reaches no file that it was not given") {
  const Inside inside;
  inside.write("a.csv", "1,2\n3,4\n");
  const std::vector<std::string> texts = {
      "x = 1;\nread(\"a.csv\")\n", "x = [1 2];\nwrite(\"b.csv\", x);\n", "x = eye(2);\nimwrite(x, \"c.png\");\n",
      "x = 1;\nname = [\"a\" \".csv\"]; A = read(name);\n", "x = 1;\nf = @(n) read(n); A = f(\"a.csv\");\n"};
  for (const Target target : targets) {
    for (const std::string& text : texts) {
      Program closed = Program::from_text(text, "t.la", options_for(target));
      const Result refused = closed.run({});
      CHECK(refused.outcome() == Outcome::failed);
      CHECK(mentions(refused, "this program may not reach files"));
      CHECK(mentions(refused, "Options::files"));
      CHECK(refused.diagnostics().back().line == 2);
      CHECK(!fs::exists("b.csv"));
      CHECK(!fs::exists("c.png"));
    }
    Program by_default = Program::from_text("param A(m, n) = read(\"a.csv\")\noutput s\ns = sum(A(:));", "t.la");
    CHECK(mentions(by_default.run({}), "this program may not reach files"));
    CHECK(by_default.check({}).ok());
    const double one[] = {1};
    CHECK(by_default.run(Arguments().matrix("A", one, 1, 1)).ok());
    for (const std::string& text : texts)
      CHECK(Program::from_text(text, "t.la", options_for(target, true)).run({}).ok());
    CHECK(fs::remove("b.csv"));
    CHECK(fs::remove("c.png"));
  }
}

TEST_CASE("what the host names is read whatever the program may do") {
  const Inside inside;
  inside.write("a.csv", "1,2\n3,4\n");
  Program p = program("param A(m, n)\noutput s\ns = sum(A(:));", Target::cpu);
  CHECK(p.run(Arguments().file("A", "a.csv")).output("s")->at(0, 0) == 10);
  CHECK(p.run(Arguments().text("A", "a.csv")).output("s")->at(0, 0) == 10);
  CHECK(mentions(p.run(Arguments().text("A", "read(\"a.csv\")")), "this program may not reach files"));
}

TEST_CASE("functions come from the folders that are listed, and from lac") {
  const Inside inside;
  const std::string strange = "function m = median(x)\n  m = 42;\nend\n";
  inside.write("median.la", strange);
  fs::create_directory("listed");
  inside.write("listed/median.la", strange);
  inside.write("p.la", "output m\nm = median([1 2 3]);\n");
  const std::string text = "output m\nm = median([1 2 3]);\n";
  for (const bool files : {false, true}) {
    Options options = options_for(Target::cpu, files);
    const auto median = [](Program p) { return p.run({}).output("m")->at(0, 0); };
    CHECK(median(Program::from_text(text, "t.la", options)) == 2);
    CHECK(median(Program::from_file("p.la", options)) == (files ? 42 : 2));
    options.include_directories = {"listed"};
    CHECK(median(Program::from_text(text, "t.la", options)) == 42);
  }
}

TEST_CASE("compiling opens no pipe that a text names") {
  const Inside inside;
  REQUIRE(::mkfifo("pipe.mtx", 0600) == 0);  // whoever opens it waits for a writer
  inside.write("s.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n");
  const auto storage = [](const std::string& file, bool files) {
    Program p = Program::from_text("A = read(\"" + file + "\");\noutput A\n", "t.la", options_for(Target::cpu, files));
    const Checked checked = p.check();
    REQUIRE(checked.ok());
    REQUIRE(checked.variables.size() == 1);
    CHECK(p.emit("plan").ok());
    CHECK(p.prepare({}).ok());
    return checked.variables[0].storage;
  };
  CHECK(storage("pipe.mtx", false) == "dense");
  CHECK(storage("pipe.mtx", true) == "dense");
  CHECK(storage("s.mtx", false) == "dense");
  CHECK(storage("s.mtx", true) == "csr");
  Program claimed =
      Program::from_text("A = sparse(read(\"pipe.mtx\"));\nB = read(\"pipe.mtx\");\nC = sparse(B);\n", "t.la");
  const Checked checked = claimed.check();
  REQUIRE(checked.variables.size() == 3);
  CHECK(checked.variables[0].storage == "csr");
  CHECK(checked.variables[1].storage == "dense");
  CHECK(checked.variables[2].storage == "csr");
}

TEST_CASE("a time limit ends an endless run, with its place") {
  for (const Target target : targets) {
    Program p = program("k = 0;\nwhile k < 1e15\n  k++;\nend\noutput k\n", target);
    RunOptions wanted;
    wanted.time_limit = 0.1;
    const Result result = p.run({}, wanted);
    CHECK(result.outcome() == Outcome::failed);
    CHECK(result.limit() == Limit::time);
    CHECK(mentions(result, "the time limit of 0.1 s is reached"));
    CHECK(mentions(result, "in trip"));
    CHECK(result.diagnostics().back().line == 2);
    wanted.time_limit = 1e300;
    CHECK(program("x = 1;", target).run({}, wanted).limit() == Limit::none);
  }
}

TEST_CASE("a memory limit is about what a run holds at a time") {
  for (const Target target : targets) {
    Program p = program("param n = 10\nx = rand(n, n);\ny = sort(x, 2);\noutput s\ns = sum(y(:)) > 0;", target);
    RunOptions wanted;
    wanted.memory_limit = 1 << 20;
    const Result large = p.run(Arguments().scalar("n", 1000), wanted);
    CHECK(large.outcome() == Outcome::failed);
    CHECK(large.limit() == Limit::memory);
    CHECK(mentions(large, "the memory limit of 1048576 bytes is reached"));
    CHECK(large.diagnostics().back().line >= 2);
    CHECK(p.run(Arguments().scalar("n", 10), wanted).ok());
    CHECK(p.run(Arguments().scalar("n", 1000)).ok());
    Program loop = program("for k = 1:100\n  x = rand(200, 200);\n  s = sum(sort(x(:)));\nend\noutput s\n", target);
    wanted.memory_limit = 4 << 20;  // 100 trips take 64 MB, one after the other
    CHECK(loop.run({}, wanted).message() == "");
  }
}

TEST_CASE("the memory of a session counts while it is held") {
  std::string input = "s = 0;\n";
  for (int k = 0; k < 100; ++k) input += "x = ones(300, 300) * 2;\ns = s + x(1, 1);\n";  // 720 kB each
  for (const Target target : targets) {
    Session session(options_for(target));
    RunOptions wanted;
    wanted.memory_limit = 20 << 20;
    const SessionResult result = session.run(input, wanted);
    CHECK(result.ok());
    CHECK(result.limit == Limit::none);
  }
}

namespace {

/// A default that never ends; the function is in the working directory.
Program endless_default(const Inside& inside, Target target) {
  inside.write("endless.la", "function x = endless()\n  x = 0;\n  while x < 1e15\n    x++;\n  end\nend\n");
  Options options = options_for(target);
  options.include_directories = {"."};
  return Program::from_text("param x = endless()\noutput x\n", "t.la", options);
}

}  // namespace

TEST_CASE("what a default computes is held to the limits of the run") {
  const Inside inside;
  const std::string large = "param A(m, n) = ones(3000, 1000)\noutput s\ns = sum(A(:));\n";
  for (const Target target : targets) {
    RunOptions wanted;
    wanted.memory_limit = 1 << 20;
    const Result refused = program(large, target).run({}, wanted);
    CHECK(refused.outcome() == Outcome::failed);
    CHECK(refused.limit() == Limit::memory);
    CHECK(mentions(refused, "the memory limit of 1048576 bytes is reached"));
    REQUIRE(refused.diagnostics().size() == 1);
    CHECK(refused.diagnostics()[0].line == 1);
    const std::string huge = "param A(m, n) = ones(1e6, 1e7)\ns = sum(A(:));\n";  // more than any machine has
    CHECK(program(huge, target).run({}, wanted).limit() == Limit::memory);
    const double one[] = {1};
    CHECK(program(large, target).run(Arguments().matrix("A", one, 1, 1), wanted).ok());
    CHECK(program(large, target).run({}).output("s")->at(0, 0) == 3e6);
    wanted.memory_limit = 0;
    wanted.time_limit = 0.1;
    const Result late = endless_default(inside, target).run({}, wanted);
    CHECK(late.limit() == Limit::time);
    CHECK(mentions(late, "the time limit of 0.1 s is reached"));
    wanted.time_limit = 60;
    const Result argument =
        program("param x\nparam y = 1\noutput x\n", target).run(Arguments().text("x", "sum(ones(1, 10)(:))"), wanted);
    CHECK(argument.ok());
    const std::atomic<bool> stop = true;
    wanted.interrupt = &stop;
    wanted.time_limit = 0;
    CHECK(program(large, target).run({}, wanted).outcome() == Outcome::interrupted);
    CHECK(program(large, target).run(Arguments().text("A", "ones(3, 3)"), wanted).outcome() == Outcome::interrupted);
  }
}

TEST_CASE("what takes too long to compute is not computed where nobody runs it") {
  const Inside inside;
  const std::string large = "param A(m, n) = ones(20000, 10000)\noutput s\ns = sum(A(:));\n";
  for (Program p : {endless_default(inside, Target::cpu), program(large, Target::cpu)}) {
    CHECK(p.check().ok());
    CHECK(p.emit("plan").ok());
    CHECK(p.prepare({}).ok());
  }
  const Checked small = program("param A(m, n) = ones(2, 3)\noutput s\ns = sum(A(:));\n", Target::cpu).check();
  CHECK(small.ok());
}

TEST_CASE("a default that reads what has no end is ended") {
  const Inside inside;
  fs::create_symlink("/dev/zero", "zero.csv");
  const std::string texts[] = {"param A(m, n) = read(\"zero.csv\")\noutput s\ns = sum(A(:));\n",
                               "A = read(\"zero.csv\");\noutput s\ns = sum(A(:));\n"};
  for (const Target target : targets)
    for (const std::string& text : texts) {
      RunOptions wanted;
      wanted.memory_limit = 1 << 20;
      const Result result = Program::from_text(text, "t.la", options_for(target, true)).run({}, wanted);
      CHECK(result.limit() == Limit::memory);
      CHECK(mentions(result, "the memory limit"));
    }
  Program p = program("param A(m, n)\noutput s\ns = sum(A(:));", Target::cpu);
  RunOptions wanted;
  wanted.time_limit = 0.05;
  REQUIRE(::mkfifo("pipe.csv", 0600) == 0);  // nobody writes to it
  const Result result = p.run(Arguments().file("A", "pipe.csv"), wanted);
  CHECK(result.limit() == Limit::time);
  CHECK(mentions(result, "A: the time limit of 0.05 s is reached"));
}

TEST_CASE("warnings count as output, and the first ones are kept") {
  const std::string text = "for k = 1:3000\n  warning(\"my:id\", \"%d\", k);\nend\noutput k\n";
  for (const Target target : targets) {
    Program p = program(text, target);
    RunOptions wanted;
    const Result all = p.run({}, wanted);
    CHECK(all.ok());
    CHECK(all.diagnostics().size() == 1000);
    CHECK(all.diagnostics().back().message.find("1000") != std::string::npos);
    CHECK(all.warnings_left_out() == 2000);
    std::size_t shown = 0, bytes = 0;
    const auto count = [&](const Diagnostic& warning) {
      ++shown;
      bytes += warning.rendered.size();
    };
    wanted.on_warning = count;
    CHECK(p.run({}, wanted).warnings_left_out() == 2000);
    CHECK(shown == 3000);
    wanted.output_limit = 100;
    for (const bool sink : {true, false}) {
      shown = bytes = 0;
      wanted.on_warning = nullptr;
      if (sink) wanted.on_warning = count;
      const Result ended = p.run({}, wanted);
      CHECK(ended.outcome() == Outcome::failed);
      CHECK(ended.limit() == Limit::output);
      CHECK(ended.diagnostics().back().line == 2);
      CHECK(ended.diagnostics().size() < 12);
      CHECK((shown > 0) == sink);
      CHECK(bytes <= 100);
    }
    Session session(options_for(target));
    const SessionResult typed = session.run(text.substr(0, text.find("output")), {});
    CHECK(typed.ok());
    CHECK(typed.diagnostics.size() == 1000);
    CHECK(typed.warnings_left_out == 2000);
  }
}

TEST_CASE("what a sink throws when the run has ended loses nothing") {
  for (const Target target : targets) {
    std::atomic<bool> stop = false;
    RunOptions wanted;
    wanted.interrupt = &stop;
    wanted.out = [&](std::string_view) { stop = true; };
    wanted.on_warning = [](const Diagnostic&) { throw std::runtime_error("no more paper"); };
    const Result late = program("param x = 1\nprintf(\"%d\\n\", x);\n", target).run({}, wanted);
    CHECK(late.outcome() == Outcome::ok);
    REQUIRE(late.input("x") != nullptr);
    CHECK(late.input("x")->at(0, 0) == 1);
    CHECK(mentions(late, "came too late"));
    CHECK(mentions(late, "a sink of RunOptions threw: no more paper"));
  }
}

TEST_CASE("preparing loads what steps on sparse matrices call") {
  Program p = program("param A(n, n) sparse\noutput x\nx = A \\ ones(rows(A), 1);\n", Target::cpu);
  const std::int32_t pointers[] = {0, 2, 4}, columns[] = {0, 1, 0, 1};
  const double values[] = {4, 1, 1, 3};
  REQUIRE(p.prepare(Arguments().csr("A", 2, 2, 4, pointers, columns, values)).ok());
  CHECK(::dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD) != nullptr);
}

TEST_CASE("an output limit delivers what fits") {
  for (const Target target : targets) {
    Program p = program("for k = 1:1000\n  printf(\"%04d\\n\", k);\nend\noutput k\n", target);
    std::string printed;
    RunOptions wanted;
    wanted.out = [&](std::string_view text) { printed += text; };
    wanted.output_limit = 12;
    const Result result = p.run({}, wanted);
    CHECK(result.outcome() == Outcome::failed);
    CHECK(result.limit() == Limit::output);
    CHECK(mentions(result, "the output limit of 12 bytes is reached"));
    CHECK(result.diagnostics().back().line == 2);
    CHECK(printed == "0001\n0002\n00");
    wanted.output_limit = 5000;
    CHECK(p.run({}, wanted).ok());
  }
}

TEST_CASE("an interrupt is heard without a loop, and one that came too late is told") {
  for (const Target target : targets) {
    std::atomic<bool> stop = false;
    RunOptions wanted;
    wanted.interrupt = &stop;
    wanted.out = [&](std::string_view) { stop = true; };
    std::vector<std::string> warnings;
    wanted.on_warning = [&](const Diagnostic& warning) { warnings.push_back(warning.id); };
    const Result heard =
        program("printf(\"go\\n\");\nx = sort(rand(100, 1));\ny = x + 1;\noutput y\n", target).run({}, wanted);
    CHECK(heard.outcome() == Outcome::interrupted);
    CHECK(warnings.empty());
    stop = false;
    const Result late = program("x = 1;\nprintf(\"%d\\n\", x);\n", target).run({}, wanted);
    CHECK(late.outcome() == Outcome::ok);
    CHECK(warnings == std::vector<std::string>{"lac:ended-first"});
    CHECK(mentions(late, "came too late"));
  }
}
