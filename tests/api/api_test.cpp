#include <catch2/catch.hpp>
#include <vector>

#include "tests/api/helpers.h"

using namespace lac::api;
using lac::test::program;
using lac::test::run;

TEST_CASE("a program tells its parameters, outputs and help") {
  Program p = program("% doubles x\nparam x(n, 1)   % the vector\nparam s = 2\noutput y\ny = s * x;", Target::interp);
  REQUIRE(p.ok());
  REQUIRE(p.parameters().size() == 2);
  CHECK(p.parameters()[0].shape == "n x 1");
  CHECK(p.parameters()[0].comment == "the vector");
  CHECK(p.parameters()[1].shape == "scalar");
  CHECK(p.parameters()[1].default_value == "2");
  CHECK(p.outputs() == std::vector<std::string>{"y"});
  CHECK(p.help() == "doubles x\n");
}

TEST_CASE("a text that does not parse is a value with diagnostics") {
  Program p = program("x = (1 + ;\ny = 2;\nz = [1, 2;\n", Target::interp);
  CHECK(!p.ok());
  REQUIRE(!p.diagnostics().empty());
  CHECK(p.diagnostics()[0].severity == Severity::error);
  CHECK(p.diagnostics()[0].file == "test.la");
  CHECK(p.diagnostics()[0].line == 1);
  const Result result = p.run({});
  CHECK(result.outcome() == Outcome::failed);
  CHECK(!result.message().empty());
}

TEST_CASE("a file that is not there is a value with diagnostics") {
  Program p = Program::from_file("no/such/file.la");
  CHECK(!p.ok());
  CHECK(p.message().find("no/such/file.la") != std::string::npos);
  CHECK(p.run({}).outcome() == Outcome::failed);
  CHECK(p.emit("graph").outcome == Outcome::failed);
}

TEST_CASE("unknown and missing parameters are usage errors") {
  Program p = program("param tolerance = 1\nparam A(n, n)\noutput y\ny = A;", Target::interp);
  const Result unknown = p.run(Arguments().scalar("tolerence", 2));
  CHECK(unknown.outcome() == Outcome::usage);
  CHECK(unknown.message().find("did you mean 'tolerance'") != std::string::npos);
  const Result missing = p.run({});
  CHECK(missing.outcome() == Outcome::usage);
  CHECK(missing.message().find("'A' has no value") != std::string::npos);
}

TEST_CASE("shapes are checked across parameters") {
  const std::vector<double> values(12, 1.0);
  Program p = program("param A(n, n)\nparam b(n, 1)\noutput y\ny = A * b;", Target::interp);
  const Result oblong = p.run(Arguments().matrix("A", values.data(), 3, 4).matrix("b", values.data(), 3, 1));
  CHECK(oblong.outcome() == Outcome::failed);
  CHECK(oblong.diagnostics()[0].message.find("A is 3x4") != std::string::npos);
  const Result longer = p.run(Arguments().matrix("A", values.data(), 3, 3).matrix("b", values.data(), 4, 1));
  CHECK(longer.outcome() == Outcome::failed);
  CHECK(longer.diagnostics()[0].message == "b is 4x1, but b(n, 1) needs 3 rows: n is 3, the rows of A");
  CHECK(longer.diagnostics()[0].line == 2);
  const Result scalar =
      program("param s\noutput s\n", Target::interp).run(Arguments().matrix("s", values.data(), 2, 2));
  CHECK(scalar.diagnostics()[0].message == "param s is a scalar, but its value is 2x2");
}

TEST_CASE("a false claim names the first entry that disproves it") {
  const std::vector<double> a = {4, 1, 2, 4};  // A(2,1) = 1, A(1,2) = 2
  const std::vector<double> b = {1, 0, 0, -1};
  Program symmetric = program("param A(n, n) symmetric\noutput y\ny = A(1, 1);", Target::interp);
  CHECK(symmetric.run(Arguments().matrix("A", a.data(), 2, 2)).diagnostics()[0].message ==
        "A is claimed symmetric, but A(1,2) is 2 and A(2,1) is 1");
  Program spd = program("param A(n, n) spd\noutput y\ny = A(1, 1);", Target::interp);
  CHECK(spd.run(Arguments().matrix("A", b.data(), 2, 2)).diagnostics()[0].message ==
        "A is claimed spd, but A(2,2) is -1, not positive");
  Program lower = program("param A(n, n) lower\noutput y\ny = A(1, 1);", Target::interp);
  CHECK(lower.run(Arguments().matrix("A", a.data(), 2, 2)).diagnostics()[0].message ==
        "A is claimed lower, but A(1,2) is 2, not zero");
}

TEST_CASE("check gives the types of variables without running") {
  Program p = program("param A(n, n) sparse\noutput y\ny = A * ones(n, 1);\nk = 3;", Target::interp);
  const Checked checked = p.check();
  REQUIRE(checked.ok());
  bool found = false;
  for (const Variable& variable : checked.variables) {
    if (variable.name == "y") {
      found = true;
      CHECK(variable.type == "f64[n x 1]");
      CHECK(variable.line == 3);
    }
  }
  CHECK(found);
}

TEST_CASE("stages come as text, others are usage errors") {
  Program p = program("x = 1 + 2;\noutput x\n", Target::interp);
  CHECK(p.emit("ast").text.find('x') != std::string::npos);
  CHECK(p.emit("graph").text.find("output") != std::string::npos);
  CHECK(p.emit("dot").text.find("digraph") != std::string::npos);
  CHECK(p.emit("nonsense").outcome == Outcome::usage);
}
