// What of a plan is asked for to be compiled, and in which order.
#include "runtime/cpu/tiers.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ir/graph/parse_text.h"
#include "tests/unit/plans.h"

using namespace lac;

namespace {

using runtime::Tiers;
using Kind = Tiers::Unit::Kind;

// Loop 0 around loop 1, which stores an element by kernel 0.
constexpr const char* nest = R"(graph "nest" f64
parameter x: f64[8 x 1]
%0 x: f64[8 x 1] = parameter x
%1: int = constant 8
%2: logical = constant 1
%3 y: f64[8 x 1] = copy %0
%4: int, %5 y: f64[8 x 1] = loop for_range "j" %1, %2, %3 {
  arguments %6: int, %7 y: f64[8 x 1]
  %8: int, %9 y: f64[8 x 1] = loop for_range "k" %1, %2, %7 {
    arguments %10: int, %11 y: f64[8 x 1]
    %12 y: f64[8 x 1] = launch k0 %11 reuse (0)
    yield %2, %12
  }
  yield %2, %9
}
output "y" %5
release %5
)";

struct Asked {
  Plan plan;
  std::vector<std::string> units;
  Tiers tiers;

  explicit Asked(std::int64_t program_ns = 0)
      : plan(test::cpu_plan(parse_graph(std::string(nest) + test::storing_kernel).take())),
        tiers(plan, plan_units(plan), VectorIsa::avx2, {.kernel_ns = 1000, .loop_ops = 100, .program_ns = program_ns},
              [this](Tiers::Unit unit) {
                units.push_back((unit.kind == Kind::loop ? "loop " : "kernel ") + std::to_string(unit.number));
              }) {}

  // A trip is 7 ops of loop 0 and 6 of loop 1: a launch is 5.
  void trips(std::uint32_t loop, int count) {
    for (int n = 0; n < count; ++n) CHECK(tiers.trip(loop) == nullptr);
  }
};

std::int32_t compiled(abi::Context*, std::uint64_t*) { return 0; }

}  // namespace

TEST_CASE("a loop is asked for once it has run long enough") {
  Asked asked;
  asked.trips(0, 1);
  asked.trips(1, 17);
  CHECK(asked.units.empty());
  asked.trips(1, 1);
  CHECK(asked.units == std::vector<std::string>{"loop 1"});
}

TEST_CASE("trips count for the program too where all kernels are compiled") {
  Asked asked(15'000);
  asked.trips(0, 1);
  asked.trips(1, 48);  // at 300 ns, behind one of 350
  CHECK(asked.units.empty());
  asked.trips(1, 1);
  CHECK(asked.units == std::vector<std::string>{"loop 1"});
}

TEST_CASE("the loop around is asked for instead where it comes to trips of its own") {
  Asked asked;
  asked.trips(0, 4);
  asked.trips(1, 60);
  CHECK(asked.units == std::vector<std::string>{"loop 0"});

  asked.tiers.set_loop(0, compiled);
  asked.trips(1, 1);  // the trip of loop 0 that is under way is its last
  CHECK(asked.units == std::vector<std::string>{"loop 0", "loop 1"});
}

TEST_CASE("a kernel of straight loops is asked for with the loop") {
  Asked asked;
  asked.trips(0, 1);
  asked.tiers.spent(0, 2000);
  CHECK(asked.units == std::vector<std::string>{"loop 1"});
  asked.tiers.spent(0, 2000);
  CHECK(asked.units.size() == 1);
}

TEST_CASE("what earlier processes ran uncompiled counts") {
  Asked asked(15'000);
  CHECK(asked.tiers.run_uncompiled({Kind::loop, 1}) == 0);
  asked.tiers.add_run_uncompiled({Kind::loop, 1}, 14'000);
  asked.trips(1, 3);  // at 300 ns
  CHECK(asked.units.empty());
  CHECK(asked.tiers.run_uncompiled({Kind::loop, 1}) == 14'900);
  asked.trips(1, 1);
  CHECK(asked.units == std::vector<std::string>{"loop 1"});
}

TEST_CASE("what earlier processes ran uncompiled of a loop in compiled code does not come again") {
  Asked asked(15'000);
  asked.tiers.set_loop(0, compiled);
  asked.tiers.add_run_uncompiled({Kind::loop, 1}, 14'900);
  CHECK(asked.tiers.run_uncompiled() == 0);
}
