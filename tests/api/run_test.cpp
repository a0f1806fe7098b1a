#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/api/helpers.h"

using namespace lac::api;
using lac::test::program;
using lac::test::run;

namespace {

const std::vector<Target> targets = {Target::interp, Target::cpu};

}  // namespace

TEST_CASE("host arrays are read in place and results without a copy") {
  for (const Target target : targets) {
    const std::vector<double> a = {1, 2, 3, 4, 5, 6};
    Program p = program("param A(m, n)\noutput B s\nB = 2 * A;\ns = sum(A(:));", target);
    const Result result = p.run(Arguments().matrix("A", a.data(), 2, 3));
    REQUIRE(result.message() == "");
    CHECK(result.input("A")->data() == a.data());
    const Matrix* b = result.output("B");
    REQUIRE(b);
    CHECK(b->rows() == 2);
    CHECK(b->cols() == 3);
    REQUIRE(b->values<double>());
    CHECK(b->values<double>() == b->data());
    CHECK(b->values<float>() == nullptr);
    CHECK(b->to_vector() == std::vector<double>{2, 4, 6, 8, 10, 12});
    CHECK(result.output("s")->at(0, 0) == 21);
    CHECK(result.output("t") == nullptr);
    CHECK(a == std::vector<double>{1, 2, 3, 4, 5, 6});
  }
}

TEST_CASE("borrowed memory is not written by updates") {
  for (const Target target : targets) {
    const std::vector<double> a = {1, 2, 3};
    Program p = program("param a(n, 1)\noutput a\na(2) = 9;", target);
    const Result result = p.run(Arguments().matrix("a", a.data(), 3, 1));
    REQUIRE(result.message() == "");
    CHECK(result.output("a")->to_vector() == std::vector<double>{1, 9, 3});
    CHECK(a[1] == 2);
  }
}

TEST_CASE("float arrays serve single programs in place and double programs as copies") {
  const std::vector<float> a = {1, 2, 3, 4};
  for (const Target target : targets) {
    Program single = program("param a(n, 1)\noutput y\ny = a + 0.5;", target, Precision::single);
    const Result in_place = single.run(Arguments().matrix("a", a.data(), 4, 1));
    REQUIRE(in_place.message() == "");
    CHECK(in_place.input("a")->data() == a.data());
    CHECK(in_place.output("y")->element() == Element::single);
    Program twice = program("param a(n, 1)\noutput y\ny = a + 0.5;", target);
    const Result converted = twice.run(Arguments().matrix("a", a.data(), 4, 1));
    CHECK(converted.input("a")->data() != a.data());
    CHECK(converted.output("y")->to_vector() == std::vector<double>{1.5, 2.5, 3.5, 4.5});
  }
}

TEST_CASE("csr matrices are borrowed, malformed ones are refused") {
  // [2 -1 0; -1 2 -1; 0 -1 2], which would pay as diagonals: kept csr here.
  const std::vector<std::int32_t> pointers = {0, 2, 5, 7}, columns = {0, 1, 0, 1, 2, 1, 2};
  const std::vector<double> values = {2, -1, -1, 2, -1, -1, 2}, x = {1, 2, 3};
  for (const Target target : targets) {
    Options options;
    options.target = target;
    options.detect_storage = false;
    Program p = Program::from_text("param A(n, n) sparse spd\nparam x(n, 1)\noutput y\ny = A * x;", "t.la", options);
    Arguments arguments;
    arguments.csr("A", 3, 3, 7, pointers.data(), columns.data(), values.data()).matrix("x", x.data(), 3, 1);
    const Result result = p.run(arguments);
    REQUIRE(result.message() == "");
    CHECK(result.input("A")->storage() == Storage::csr);
    CHECK(result.input("A")->data() == values.data());
    CHECK(result.input("A")->column_indices() == columns.data());
    CHECK(result.output("y")->to_vector() == std::vector<double>{0, 0, 4});
    const std::vector<std::int32_t> wild = {0, 1, 0, 1, 7, 1, 2};
    const Result refused = p.run(arguments.csr("A", 3, 3, 7, pointers.data(), wild.data(), values.data()));
    CHECK(refused.outcome() == Outcome::failed);
    CHECK(refused.message().find("column index") != std::string::npos);
  }
}

TEST_CASE("sizes that no matrix has are refused before anything is read") {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  const double value = 1;
  const std::int32_t pointers[] = {0, 0};
  for (const Target target : targets) {
    Program p = program("param A(m, n)\noutput s\ns = numel(A);", target);
    const Result product = p.run(Arguments().matrix("A", &value, huge, huge));
    CHECK(product.outcome() == Outcome::failed);
    CHECK(product.message().find("fewer than 2^53") != std::string::npos);
    CHECK(p.run(Arguments().matrix("A", &value, INT64_MAX, 0)).outcome() == Outcome::failed);
    CHECK(p.run(Arguments().csr("A", 1, huge, 0, pointers, pointers, &value)).outcome() == Outcome::failed);
    CHECK(p.run(Arguments().matrix("A", &value, 1, 1)).output("s")->at(0, 0) == 1);
  }
}

TEST_CASE("integers past 2^53 are numbers, not sizes") {
  for (const Target target : targets) {
    Program p = program("param n\noutput s\ns = n + n;", target);
    CHECK(p.run(Arguments().scalar("n", 0x1p53)).output("s")->at(0, 0) == 0x1p54);
    CHECK(p.run(Arguments().scalar("n", 0x1p53 - 1)).output("s")->at(0, 0) == 0x1p54 - 2);
  }
}

TEST_CASE("declared shapes that overflow fit nothing") {
  const std::vector<double> a(4, 1.0);
  for (const Target target : targets) {
    Program p = program("param n\nparam A(n*n, 1)\noutput s\ns = sum(A);", target);
    const Result huge = p.run(Arguments().scalar("n", 0x1p32).matrix("A", a.data(), 0, 1));
    CHECK(huge.outcome() == Outcome::failed);  // 2^64 is not 0
    CHECK(p.run(Arguments().scalar("n", 2).matrix("A", a.data(), 4, 1)).output("s")->at(0, 0) == 4);
  }
}

TEST_CASE("detection puts a banded matrix into diagonal storage") {
  const std::vector<std::int32_t> pointers = {0, 2, 5, 7}, columns = {0, 1, 0, 1, 2, 1, 2};
  const std::vector<double> values = {2, -1, -1, 2, -1, -1, 2}, x = {1, 2, 3};
  for (const Target target : targets) {
    Program p = program("param A(n, n) sparse\nparam x(n, 1)\noutput y\ny = A * x;", target);
    const Result result = p.run(
        Arguments().csr("A", 3, 3, 7, pointers.data(), columns.data(), values.data()).matrix("x", x.data(), 3, 1));
    REQUIRE(result.message() == "");
    CHECK(result.input("A")->storage() == Storage::diagonal);
    CHECK(result.input("A")->offsets() == std::vector<std::int64_t>{-1, 0, 1});
    CHECK(result.output("y")->to_vector() == std::vector<double>{0, 0, 4});
  }
}

TEST_CASE("scalars and constant expressions are bound as on the command line") {
  for (const Target target : targets) {
    Program p = program("param n = 3\nparam tol = 0.5\nparam b(m, 1)\noutput s\ns = sum(b) * tol + n;", target);
    const Result result = p.run(Arguments().text("n", "2^5").scalar("tol", 0.25).text("b", "4 * ones(10, 1)"));
    REQUIRE(result.message() == "");
    CHECK(result.output("s")->at(0, 0) == 42);
    const Result bad = p.run(Arguments().text("n", "2^").text("b", "1"));
    CHECK(bad.outcome() == Outcome::failed);
  }
}

TEST_CASE("printed text goes to the sink in order, errors carry place, trip and calls") {
  for (const Target target : targets) {
    Program p = program(
        "function y = pick(v, k)\n  y = v(k);\nend\nv = [1 2 3];\nfor k = 1:5\n  x = pick(v, k);\n"
        "  printf(\"%d\\n\", x);\nend\noutput x\n",
        target);
    std::string printed;
    const Result result = run(p, {}, &printed);
    CHECK(result.outcome() == Outcome::failed);
    CHECK(printed == "1\n2\n3\n");
    REQUIRE(!result.diagnostics().empty());
    const Diagnostic& error = result.diagnostics().back();
    CHECK(error.line == 2);
    CHECK(error.message.find("out of bound") != std::string::npos);
    CHECK(error.rendered.find("in trip 4 of the loop at line 5") != std::string::npos);
    CHECK(error.rendered.find("in the call of pick") != std::string::npos);
  }
}

TEST_CASE("a set interrupt flag ends a loop with its place") {
  const std::atomic<bool> stop = true;
  for (const Target target : targets) {
    Program p = program("k = 0;\nwhile k < 1e9\n  k++;\nend\noutput k\n", target);
    RunOptions options;
    options.interrupt = &stop;
    const Result result = p.run({}, options);
    CHECK(result.outcome() == Outcome::interrupted);
    CHECK(result.message().find("in trip") != std::string::npos);
  }
}

TEST_CASE("statistics count trips and name their keys") {
  for (const Target target : targets) {
    Program p = program("x = zeros(100, 1);\nfor k = 1:7\n  x = x + k;\nend\noutput x\n", target);
    const Result result = run(p, {});
    REQUIRE(result.message() == "");
    REQUIRE(result.statistics().loops.size() == 1);
    CHECK(result.statistics().loops[0].line == 2);
    CHECK(result.statistics().loops[0].trips == 7);
    CHECK(result.statistics_json().find("\"resources_created\": ") != std::string::npos);
  }
}

TEST_CASE("empty and one-element data") {
  const double one = 5;
  for (const Target target : targets) {
    Program p = program("param A(n, n)\noutput s t\ns = sum(A(:));\nt = A * ones(n, 1);", target);
    const Result single = p.run(Arguments().matrix("A", &one, 1, 1));
    REQUIRE(single.message() == "");
    CHECK(single.output("s")->at(0, 0) == 5);
    const Result empty = p.run(Arguments().matrix("A", &one, 0, 0));
    REQUIRE(empty.message() == "");
    CHECK(empty.output("s")->at(0, 0) == 0);
    CHECK(empty.output("t")->rows() == 0);
  }
}

TEST_CASE("a long run tells where it is") {
  for (const Target target : {Target::cpu, Target::interp}) {
    Program p = program(
        "x = ones(100, 1); r = 1; k = 0;\nwhile r > 1e-30\n  x = cos(x) + 0.5;\n  r = norm(x) + 1;\n  k++;\nend\n"
        "output k\n",
        target);
    std::atomic<bool> interrupt = false;
    std::vector<Progress> told;
    RunOptions options;
    options.interrupt = &interrupt;
    options.progress = [&](const Progress& progress) {
      told.push_back(progress);
      if (!progress.compiling && told.size() >= 3) interrupt = true;
    };
    const Result result = p.run({}, options);
    CHECK(result.outcome() == Outcome::interrupted);
    REQUIRE(told.size() >= 3);
    const Progress& last = told.back();
    CHECK(last.seconds > 0);
    CHECK_FALSE(last.compiling);
    CHECK(last.line >= 2);
    CHECK(last.line <= 5);
    if (target == Target::interp) continue;
    CHECK(last.loop_line == 2);
    CHECK(last.trip > 1);
    CHECK(last.trips_per_second > 0);
    REQUIRE(last.compared);
    CHECK(last.left > 1);
    CHECK(last.right == 1e-30);
  }
}

TEST_CASE("what a sink of progress throws ends its calls and not the run") {
  Program p = program("r = 1; k = 0;\nwhile r > 0\n  r = r + 1;\nend\noutput r\n", Target::cpu);
  int calls = 0;
  RunOptions options;
  options.time_limit = 3;
  options.progress = [&](const Progress&) {
    ++calls;
    throw 7;
  };
  CHECK(p.run({}, options).limit() == Limit::time);
  CHECK(calls == 1);
}

TEST_CASE("runs of checked code that look at every result") {
  Options options;
  options.compile = Compile::first;
  options.check_bounds = true;
  Program p = Program::from_text(
      "param a = 1\nA = reshape(mod(7*(1:400), 11), 20, 20) + a; s = 0;\n"
      "for k = 1:5\n  B = A(:, [2:20 1]) + A'*0.5; s = s + sum(B(:)); A = tanh(B);\nend\n"
      "x = zeros(1, 4); for k = 1:4, x(k) = a / k; end\nt = s + sum(x);\noutput t",
      "test.la", options);
  const Result plain = p.run(Arguments());
  REQUIRE(plain.message() == "");
  RunOptions watching;
  watching.check_nan = true;
  const Result watched = p.run(Arguments(), watching);
  REQUIRE(watched.message() == "");
  CHECK(watched.output("t")->at(0, 0) == plain.output("t")->at(0, 0));
  CHECK(p.run(Arguments().scalar("a", std::nan("")), watching).message().find("NaN in ") != std::string::npos);
}
