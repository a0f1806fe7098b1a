// Which loops of a plan a device runs by itself, and what stands against the others.
#include <algorithm>
#include <catch2/catch.hpp>

#include "ir/graph/parse_text.h"
#include "ir/plan/plan_verifier.h"
#include "passes/make_plan.h"

using namespace lac;

namespace {

const std::string ramp = R"ir(
kernel k2 "ramp" domain [%35 x 1] flat block 8192 lanes 16 {
  out r: f64[%35 x 1]
  $0 = constant 1
  store r[i] = $0
}
)ir";

/// Of a program with a matrix x, a host scalar c and k0: x -> x, v (a device scalar).
Plan plan_of(const std::string& body, bool steps_have_shaders = false) {
  const bool has_ramp = body.find("launch k2") != std::string::npos;
  const Result<Graph> graph = parse_graph(R"ir(graph "g" f64
symbol n rows 0 lower 2
)ir" + std::string(has_ramp ? "symbol %35 lower 0\n" : "") +
                                          R"ir(parameter x: f64[n x 1]
parameter c: logical
%0: f64[n x 1] = parameter x
%1: logical = parameter c
%2: int = constant 10
%3: int = constant 3
%4: f64 = constant 0
)ir" + body + R"ir(
kernel k0 "x" domain [n x 1] flat block 8192 lanes 16 {
  in x: f64[n x 1]
  out x: f64[n x 1], v: f64
  $0 = load x[i]
  store x[i] = $0
  reduce v = sum all $0
}
kernel k1 "less" domain [1 x 1] flat block 8192 lanes 16 {
  in v: f64
  out l: logical
  $0 = load v
  $1 = constant 1
  $2 = lt $0, $1
  store l[0, 0] = $2
}
)ir" + (has_ramp ? ramp : ""));
  INFO((graph ? std::string() : graph.failure().message));
  REQUIRE(graph);
  return passes::make_plan(
      graph.value(), {.device_scalars = true, .device_loops = DeviceLoops::all, .device_steps = steps_have_shaders});
}

/// What is said about the outer loop.
LoopPlan loop_of(const std::string& body, bool steps_have_shaders = false) {
  const Plan plan = plan_of(body, steps_have_shaders);
  for (OpId op : plan.blocks[plan.body].ops)
    if (plan.loops.contains(op)) return plan.loop(op);
  FAIL("no loop");
  return {};
}

/// A while loop over x (argument %21) with counter k (%22), whose condition is a kernel's.
std::string while_loop(const std::string& trip) {
  return R"ir(
%10: int, %11: f64[n x 1], %12: int = loop while_true "" %2, %1, %0, %3 {
  arguments %20: int, %21: f64[n x 1], %22: int
  %23: f64[n x 1], %24: f64 = launch k0 %21 reuse (0, -1)
  %25: logical = launch k1 %24
  %26: int = map add %22, %3
)ir" + trip +
         R"ir(
  yield %25, %23, %26
})ir";
}

}  // namespace

TEST_CASE("a loop of kernels, counters and scalar texts stays on the device") {
  const LoopPlan loop = loop_of(while_loop(R"ir(
  %27: int = map mod %26, %2
  %28: logical = map eq %27, %3
  branch %28 {
    format out "%d %g\n" (_, _) %26, %24
  } {
  }
  check err "too large: %g" (_) %25, %24
  %29: f64[n x 1] = copy %23
  release %29
)ir"));
  INFO(loop.reason);
  CHECK(loop.mode == LoopMode::chunked);
}

TEST_CASE("a branch that the device decides may stay there") {
  const LoopPlan loop = loop_of(while_loop(R"ir(
  %27: f64 = branch %25 {
    %28: f64 = constant 1
    yield %28
  } {
    yield %24
  }
)ir"));
  INFO(loop.reason);
  CHECK(loop.mode == LoopMode::chunked);
}

TEST_CASE("the host is named where a trip needs it") {
  CHECK(loop_of(while_loop("  print \"x\" %23")).reason == "print of a matrix");
  CHECK(loop_of(while_loop("  %27: f64 = library det %23")).reason == "library step det");
  CHECK(loop_of(while_loop("  %27: f64[n x 1] = scan sum rows %23")).reason == "scan");
  CHECK(loop_of(while_loop("  %27: f64[n x 1] = scan sum rows %23"), true).on_device());
  CHECK(loop_of(while_loop("  %27: f64 = index [at 2] %23")).reason == "an element read by the host");
  CHECK(loop_of(while_loop("  %27: f64 = map sqrt %24")).reason == "host arithmetic on a device scalar");
}

TEST_CASE("sizes may follow from counters, not from what kernels compute") {
  CHECK(loop_of(while_loop("  %35: int = map add %20, %3\n  %36: f64[%35 x 1] = launch k2")).on_device());
  const std::string from_device = R"ir(
  %35: int = branch %25 {
    yield %3
  } {
    yield %2
  }
  %36: f64[%35 x 1] = launch k2
)ir";
  CHECK(loop_of(while_loop(from_device)).reason == "a size from a device scalar");
}

TEST_CASE("a matrix literal of numbers is no obstacle, one of what kernels compute is") {
  CHECK(loop_of(while_loop("  %27: f64[1 x 2] = library literal %26, %3")).on_device());
  CHECK(loop_of(while_loop("  %27: f64[1 x 2] = library literal %24, %3")).reason == "library step literal");
}

TEST_CASE("random numbers stay where it is known that they are drawn") {
  CHECK(loop_of(while_loop("  %27: f64[n x 1] = random uniform"), true).on_device());
  const std::string decided = R"ir(
  %27: f64[n x 1] = branch %25 {
    %28: f64[n x 1] = random uniform
    yield %28
  } {
    yield %23
  }
)ir";
  CHECK(loop_of(while_loop(decided), true).reason == "random numbers where a device value decides");
}

TEST_CASE("a loop without kernels, or around another loop, is the host's") {
  CHECK(loop_of(R"ir(
%10: int, %11: int = loop for_range "i" %2, %1, %3 {
  arguments %20: int, %21: int
  %22: int = map add %21, %20
  yield %1, %22
})ir")
            .reason == "no kernel inside");
  CHECK(loop_of(R"ir(
%10: int, %11: f64[n x 1] = loop for_range "i" %2, %1, %0 {
  arguments %20: int, %21: f64[n x 1]
  %30: int, %31: f64[n x 1] = loop for_range "j" %2, %1, %21 {
    arguments %32: int, %33: f64[n x 1]
    %34: f64[n x 1], %36: f64 = launch k0 %33
    yield %1, %34
  }
  yield %1, %31
})ir")
            .reason == "a loop inside");
}

TEST_CASE("a loop around one whose trips are known is a device's where that decides how it goes on") {
  const std::string inner = R"ir(
  %29: f64[n x 1] = copy %23
  %30: int, %31: f64[n x 1] = loop for_range "j" %LIMIT, %1, %29 {
    arguments %32: int, %33: f64[n x 1]
    %34: f64[n x 1], %36: f64 = launch k0 %33 reuse (0, -1)
    yield %1, %34
  }
  release %31
)ir";
  const auto around = [&](const std::string& limit) {
    std::string text = inner;
    text.replace(text.find("%LIMIT"), 6, limit);
    return loop_of(while_loop(text));
  };
  const LoopPlan without = loop_of(while_loop(""));
  for (const char* limit : {"%3", "%22"}) {
    const LoopPlan with = around(limit);
    CHECK(with.mode == LoopMode::chunked);
    CHECK(with.needs.sites == without.needs.sites + 3);  // the copy, and what the loop hands on
  }
  std::string known = inner;
  known.replace(known.find("%LIMIT"), 6, "%3");
  Plan plan = plan_of(while_loop(known));
  const auto is_sound = [&] {
    return std::ranges::none_of(
        verify_plan(plan), [](const std::string& fault) { return fault.find("a loop inside") != std::string::npos; });
  };
  CHECK(is_sound());
  for (auto& [id, loop] : plan.loops)
    if (loop.mode == LoopMode::counted) loop.mode = LoopMode::host;
  CHECK(!is_sound());
  std::string endless = inner;
  endless.replace(endless.find("%LIMIT"), 6, "%50");
  CHECK(loop_of(while_loop("  %50: int = constant inf\n" + endless)).reason == "a loop inside");
}
