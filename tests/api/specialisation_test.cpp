#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "tests/api/helpers.h"

using namespace lac::api;
using lac::test::program;

namespace {

const char* const text = "param A(n, n)\nparam k = 3\noutput y\ny = A * ones(n, 1) + k;";

double first(const Result& result) {
  REQUIRE(result.message() == "");
  return result.output("y")->at(0, 0);
}

}  // namespace

TEST_CASE("one compilation serves every size of at least 2") {
  const std::vector<double> values(100, 2.0);
  for (const Target target : {Target::interp, Target::cpu}) {
    Program p = program(text, target);
    CHECK(p.compilations() == 0);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 4, 4))) == 11);
    CHECK(p.compilations() == 1);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 10, 10))) == 23);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 2, 2).scalar("k", 7))) == 11);
    CHECK(p.compilations() == 1);
  }
}

TEST_CASE("size 1 and other kinds of values are specialisations of their own") {
  const std::vector<double> values(100, 2.0);
  for (const Target target : {Target::interp, Target::cpu}) {
    Program p = program(text, target);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 1, 1))) == 5);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 3, 3))) == 9);
    CHECK(p.compilations() == 2);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 3, 3).scalar("k", 0.5))) == 6.5);
    CHECK(p.compilations() == 3);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 1, 1))) == 5);
    CHECK(p.compilations() == 3);
  }
}

TEST_CASE("copies share what was compiled, prepare compiles ahead") {
  const std::vector<double> values(100, 2.0);
  Program p = program(text, Target::cpu);
  Program copy = p;
  REQUIRE(p.prepare(Arguments().matrix("A", values.data(), 4, 4)).ok());
  CHECK(copy.compilations() == 1);
  CHECK(first(copy.run(Arguments().matrix("A", values.data(), 5, 5))) == 13);
  CHECK(p.compilations() == 1);
}

TEST_CASE("runs of one program go side by side") {
  const std::vector<double> values(10000, 2.0);
  Program p = program(text, Target::cpu);
  std::vector<double> seen(8, 0.0);
  std::vector<std::thread> hosts;
  for (std::int64_t host = 0; host < 8; ++host) {
    hosts.emplace_back([&, host] {
      const std::int64_t n = 1 + 12 * host;
      const Result result = p.run(Arguments().matrix("A", values.data(), n, n));
      if (result.ok()) seen[static_cast<std::size_t>(host)] = result.output("y")->at(n - 1, 0);
    });
  }
  for (std::thread& host : hosts) host.join();
  for (std::size_t host = 0; host < 8; ++host) CHECK(seen[host] == 2.0 * (1.0 + 12.0 * static_cast<double>(host)) + 3);
  CHECK(p.compilations() == 2);
}
