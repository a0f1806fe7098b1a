// Plans: what make_plan decides, their text and bytes, their invariants, and the interpreter's check of their buffers.
#include "ir/plan/plan.h"

#include <catch2/catch.hpp>

#include "ir/graph/parse_text.h"
#include "ir/plan/graph_bytes.h"
#include "ir/plan/plan_text.h"
#include "ir/plan/plan_verifier.h"
#include "ir/plan/units.h"
#include "passes/make_plan.h"
#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "tests/unit/plans.h"
#include "tests/unit/random_graph.h"

using namespace lac;

namespace {

const Capabilities cpu = {.growth_in_place = true, .several_nests = true, .several_sums = true, .straight_loops = true};
const Capabilities device = {
    .device_scalars = true, .matrix_products = true, .device_loops = DeviceLoops::all, .device_steps = true};

Plan planned(Graph graph, std::string_view pipeline, const Capabilities& capabilities) {
  passes::ManagerOptions options;
  options.capabilities = capabilities;
  REQUIRE(passes::run_pipeline(graph, *passes::find_pipeline(pipeline), options).ok());
  return passes::make_plan(std::move(graph), capabilities);
}

Graph read(const std::string& text) {
  Result<Graph> graph = parse_graph(text);
  if (!graph) FAIL(graph.failure().message);
  return graph.take();
}

std::string section(const Plan& plan) {
  const std::string text = print_plan(plan);
  return text.substr(text.find("\nplan\n") + 1);
}

/// Two matrices change places in every trip; behind the loop a branch takes one or makes another.
const std::string swapping = R"(graph "swap" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]
%0 x: f64[n x 1] = parameter x
%1: int = constant 4
%2: logical = constant 1
%3 a: f64[n x 1] = copy %0
%4 b: f64[n x 1] = launch k0 %0
%5: int, %6 a: f64[n x 1], %7 b: f64[n x 1], %8: f64 = loop for_range "k" %1, %2, %3, %4, %17 {
  arguments %9: int, %10 a: f64[n x 1], %11 b: f64[n x 1], %12: f64
  %13 b: f64[n x 1] = launch k0 %11 reuse (0)
  %14: f64 = launch k1 %13
  yield %2, %13, %10, %14
}
%15: logical = launch k2 %8
%16: f64[n x 1] = branch %15 {
  release %7
  yield %6
} {
  release %6
  yield %7
}
output "r" %16
release %16

kernel k0 "half" domain [n x 1] flat block 8192 lanes 16 {
  in x: f64[n x 1]
  out r: f64[n x 1]
  $0 = load x[i]
  $1 = constant 0.5
  $2 = mul $0, $1
  store r[i] = $2
}
kernel k1 "sum" domain [n x 1] flat block 8192 lanes 16 {
  in x: f64[n x 1]
  out s: f64
  $0 = load x[i]
  reduce s = sum all $0
}
kernel k2 "small" domain [1 x 1] flat block 8192 lanes 16 {
  in s: f64
  out l: logical
  $0 = load s
  $1 = constant 1
  $2 = lt $0, $1
  store l[0, 0] = $2
}
)";

Plan swapped(const Capabilities& capabilities) {
  std::string text = swapping;
  text.replace(text.find("%1: int"), 0, "%17: f64 = constant 0\n");
  return passes::make_plan(read(text), capabilities);
}

/// The sentences of the verifier about what `change` does to the plan.
template <class Change>
std::string faults_after(Change&& change) {
  Plan plan = swapped(device);
  change(plan);
  std::string text;
  for (const std::string& fault : verify_plan(plan)) text += fault + "\n";
  return text;
}

OpId loop_of(const Plan& plan) { return plan.loops.begin()->first; }

}  // namespace

TEST_CASE("matrices of a loop that change places keep their buffers, and a choice is one of its arms'") {
  CHECK(section(swapped(device)) == R"(plan
  buffer 0 borrowed %0  ; x
  buffer 1 %4 %11 %7  ; a
  buffer 2 %5 %12 %14 %8  ; b
  buffer 3 either 1, 2 %17
  loop %6 counted sites 5 log 0 branches 0 carried 1 -> 2, 2 -> 1
  device %13 %9 %15 %16
)");
}

TEST_CASE("a target without a device has all scalars with the host") {
  const Plan plan = swapped(cpu);
  CHECK(section(plan).find("device") == std::string::npos);
  CHECK(plan.loop(loop_of(plan)).mode == LoopMode::host);
}

TEST_CASE("what a trip needs is counted, and where the device decides") {
  std::string text = swapping;
  text.replace(text.find("%1: int"), 0, "%17: f64 = constant 0\n");
  text.replace(text.find("  yield %2, %13"), 0,
               "  %18: logical = launch k2 %14\n  check err \"too large %g\" (_) %18, %14\n"
               "  format out \"%g\\n\" (_) %14\n");
  const Plan plan = passes::make_plan(read(text), device);
  const LoopPlan& loop = plan.loop(loop_of(plan));
  CHECK(loop.mode == LoopMode::chunked);
  CHECK(loop.needs == TripNeeds{.sites = 7, .log_slots = 2, .branches = 0});
}

TEST_CASE("loops of single points are straight code where the target has it") {
  const std::string text = std::string(R"(graph "points" f64
parameter x: f64[8 x 1]
%0 x: f64[8 x 1] = parameter x
%1: int = constant 8
%2: logical = constant 1
%3 y: f64[8 x 1] = copy %0
%4: int, %5 y: f64[8 x 1] = loop for_range "k" %1, %2, %3 {
  arguments %6: int, %7 y: f64[8 x 1]
  %8 y: f64[8 x 1] = launch k0 %7 reuse (0)
  yield %2, %8
}
output "y" %5
release %5
)") + test::storing_kernel;
  const Plan straight = passes::make_plan(read(text), cpu), launched = passes::make_plan(read(text), {});
  CHECK(straight.loop(loop_of(straight)).mode == LoopMode::straight);
  CHECK(launched.loop(loop_of(launched)).mode == LoopMode::host);
  CHECK_FALSE(plan_units(straight).is_piece[0]);
  CHECK(plan_units(launched).is_piece[0]);

  Capabilities beside_a_host = device;
  beside_a_host.native_loops = true;
  Plan native = passes::make_plan(read(text), beside_a_host);
  CHECK(native.loop(loop_of(native)).native);
  CHECK(native.loop(loop_of(native)).on_device());
  CHECK(!passes::make_plan(read(text), device).loops.begin()->second.native);
  const std::string shown = print_plan(native);
  CHECK(shown.find(" native") != std::string::npos);
  CHECK(print_plan(parse_plan(shown).value()) == shown);
  native.kernels[KernelId{0}].schedule.traversal = Traversal::flat;
  CHECK(!verify_plan(native).empty());
}

TEST_CASE("plans of random programs verify, and survive their text and their bytes") {
  for (std::uint32_t seed = 1; seed <= 120; ++seed) {
    INFO("seed " << seed);
    test::RandomProgram program = test::random_program(seed, 4 + static_cast<int>(seed % 40));
    const runtime::RunResult expected = runtime::interpret(program.graph, program.parameters, {});
    for (const auto& [pipeline, capabilities] : {std::pair("cpu", cpu), {"vulkan", device}}) {
      INFO(pipeline);
      const Plan plan = planned(program.graph, pipeline, capabilities);
      CHECK(verify_plan(plan) == std::vector<std::string>());
      const std::string text = print_plan(plan);
      const Result<Plan> parsed = parse_plan(text);
      if (!parsed) FAIL(parsed.failure().message);
      CHECK(print_plan(parsed.value()) == text);
      const std::string bytes = to_bytes(plan);
      const std::optional<Plan> kept = plan_from_bytes(bytes);
      REQUIRE(kept);
      CHECK(print_plan(*kept) == text);
      CHECK(to_bytes(*kept) == bytes);
      CHECK(test::difference(expected, runtime::interpret(plan, program.parameters, {})) == "");
    }
  }
}

TEST_CASE("a text of a plan that makes no sense is refused with the place") {
  const std::string good = print_plan(swapped(device));
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    const Result<Plan> plan = parse_plan(text);
    return plan ? std::string() : plan.failure().message;
  };
  CHECK(refusal("\nplan\n", "\n") == "there is no section 'plan'");
  CHECK(refusal("buffer 1", "buffer 7") == "section plan: 3:11: buffers are numbered from 0");
  CHECK(refusal("counted", "sometimes") == "section plan: 6:20: there is no mode 'sometimes'");
  CHECK(refusal("carried 1", "carried 4294967297") == "section plan: 6:62: expected a number that fits 31 bits");
  CHECK(refusal("loop %6", "loop %0") == "section plan: 6:10: expected what a loop results in");
  CHECK(refusal("device %13", "device %99") == "section plan: 7:13: there is no %99");
  CHECK(refusal("  loop %6", "  lop %6").find("expected buffer, loop, device") != std::string::npos);
}

TEST_CASE("every invariant of plans is noticed") {
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  CHECK(faults_after([](Plan&) {}) == "");
  const auto value = [](const Plan& plan, std::string_view name, OpKind kind) {
    ValueId found;
    for_each_op(plan, plan.body, [&](OpId id) {
      for (ValueId result : plan.ops[id].results)
        if (plan.ops[id].kind == kind && plan.values[result].name == name) found = result;
    });
    return found;
  };
  const std::string strangers = "are not those of the plan's graph";
  has(faults_after([](Plan& plan) { plan.buffer_of.pop_back(); }), strangers);
  has(faults_after([](Plan& plan) { plan.buffers[BufferId{1}].values.push_back(ValueId{4711}); }), strangers);
  has(faults_after([](Plan& plan) { plan.loops.begin()->second.carried[0].left = BufferId{77}; }), strangers);
  has(faults_after([](Plan& plan) { plan.loops.begin()->second.compared = {ValueId{}, ValueId{}}; }), strangers);
  has(faults_after([](Plan& plan) { plan.loops[plan.blocks[plan.body].ops[0]] = {}; }), strangers);
  has(faults_after([](Plan& plan) { plan.device_steps.insert(OpId{4711}); }), strangers);
  has(faults_after([&](Plan& plan) { plan.buffer_of[value(plan, "a", OpKind::copy).index] = {}; }),
      "a matrix without a buffer");
  has(faults_after([&](Plan& plan) { plan.buffer_of[value(plan, "", OpKind::branch).index] = {}; }),
      "a matrix without a buffer");
  has(faults_after([&](Plan& plan) { plan.buffers[BufferId{1}].values.pop_back(); }), "buffers list other values");
  has(faults_after([&](Plan& plan) { plan.buffers[BufferId{0}].borrowed = false; }),
      "a parameter that is not borrowed");
  has(faults_after([&](Plan& plan) { plan.buffers[BufferId{1}].borrowed = true; }), "a borrowed buffer is released");
  has(faults_after([&](Plan& plan) {
        for_each_op(plan, plan.body, [&](OpId id) {
          if (plan.ops[id].kind == OpKind::output) plan.ops[id].reuse = {1};
        });
      }),
      "an output takes over something else than its matrix");
  has(faults_after([&](Plan& plan) { plan.buffers[BufferId{3}].either = {BufferId{1}, BufferId{1}}; }), "a choice");
  has(faults_after(
          [&](Plan& plan) { plan.places[plan.ops[plan.blocks[plan.body].ops[1]].results[0]] = Place::device; }),
      "the host computes a scalar of the device");
  has(faults_after([&](Plan& plan) { plan.loops.clear(); }), "a loop that is not planned");
  has(faults_after([&](Plan& plan) { plan.loops.begin()->second.carried.pop_back(); }),
      "the carried buffers are others");
  has(faults_after([&](Plan& plan) { plan.loops.begin()->second.mode = LoopMode::straight; }),
      "a launch in straight code");
  has(faults_after([&](Plan& plan) { plan.loops.begin()->second.reason = "no reason"; }), "a reason against");
  has(faults_after([&](Plan& plan) { plan.device_steps.insert(plan.blocks[plan.body].ops[0]); }), "no shaders");
}

namespace {

/// Behind the sum of x: its root, a number that a map of the host needs, one that needs the map's, one of both roots,
/// and one whose size a launch decides.
const std::string scalars = R"(graph "scalars" f64
symbol n rows 0 lower 2
symbol %7 lower 0
parameter x: f64[n x 1]
%0 x: f64[n x 1] = parameter x
%1: f64 = constant 4
%2: f64 = launch k0 %0
%3: f64 = launch k1 %2
%4: f64 = map add %1, %1
%5: f64 = launch k2 %4, %3
%6: f64 = launch k5 %1, %3
%7: int = launch k3 %6
%8: f64 = launch k4 %7
output "a" %5
output "b" %8

kernel k0 "sum" domain [n x 1] flat block 8192 lanes 16 {
  in x: f64[n x 1]
  out s: f64
  $0 = load x[i]
  reduce s = sum all $0
}
kernel k1 "root" domain [1 x 1] point block 1 lanes 1 {
  in s: f64
  out r: f64
  $0 = load s
  $1 = sqrt $0
  store r[i] = $1
}
kernel k2 "both" domain [1 x 1] point block 1 lanes 1 {
  in a: f64, b: f64
  out r: f64
  $0 = load a
  $1 = load b
  $2 = add $0, $1
  store r[i] = $2
}
kernel k3 "count" domain [1 x 1] point block 1 lanes 1 {
  in a: f64
  out c: int
  $0 = load a
  $1: int = convert $0
  store c[i] = $1
}
kernel k4 "size" domain [1 x 1] point block 1 lanes 1 {
  in c: int
  out r: f64
  $0: int = size %7
  $1: f64 = convert $0
  store r[i] = $1
}
kernel k5 "difference" domain [1 x 1] point block 1 lanes 1 {
  in a: f64, b: f64
  out r: f64
  $0 = load a
  $1 = load b
  $2 = sub $0, $1
  store r[i] = $2
}
)";

Plan with_tails() {
  Capabilities capabilities = device;
  capabilities.workgroups = true;
  return passes::make_plan(read(scalars), capabilities);
}

}  // namespace

TEST_CASE("the last workgroup of a launch does the scalar kernels that need nothing of what stands between") {
  const Plan plan = with_tails();
  INFO(print_plan(plan));
  CHECK(section(plan).find("  tail %2 : %3 %6 %7\n") != std::string::npos);
  CHECK(plan.tails.size() == 1);
  CHECK(verify_plan(plan).empty());
  const Result<Plan> again = parse_plan(print_plan(plan));
  REQUIRE(again.ok());
  CHECK(print_plan(again.value()) == print_plan(plan));
  const std::optional<Plan> kept = plan_from_bytes(to_bytes(plan));
  REQUIRE(kept);
  CHECK(kept->tails == plan.tails);
  CHECK(passes::make_plan(read(scalars), device).tails.empty());  // no workgroups
}

TEST_CASE("every invariant of tails is noticed") {
  const auto faults = [](const auto& change) {
    Plan plan = with_tails();
    change(plan, plan.blocks[plan.body].ops);
    std::string text;
    for (const std::string& fault : verify_plan(plan)) text += fault + "\n";
    return text;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  using Ops = const std::vector<OpId>&;
  has(faults([](Plan& plan, Ops) { plan.tails[OpId{4711}]; }), "are not those of the plan's graph");
  has(faults([](Plan& plan, Ops ops) {
        plan.tails[ops[2]] = {ops[3], ops[5]};
      }),
      "what is not there before its launch");
  has(faults([](Plan& plan, Ops ops) { plan.tails[ops[2]].push_back(ops[8]); }), "a size that is not known");
  has(faults([](Plan& plan, Ops ops) { plan.tails[ops[2]].push_back(ops[4]); }), "more than scalars of one point");
  has(faults([](Plan& plan, Ops ops) { plan.tails[ops[8]] = {ops[3]}; }), "a launch in two tails");
  has(faults([](Plan& plan, Ops ops) { plan.tails[ops[3]] = {ops[5]}; }), "a tail of a tail");
  has(faults([](Plan& plan, Ops ops) { plan.tails[ops[4]] = {ops[5]}; }), "what does not end in one workgroup");
  has(faults([](Plan& plan, Ops ops) { plan.tails[ops[5]]; }), "a tail of nothing");
  has(faults([](Plan& plan, Ops ops) { plan.ops[ops[5]].attribute = plan.ops[ops[6]].attribute; }), "another launch");
  has(faults([](Plan& plan, Ops ops) { std::ranges::reverse(plan.tails[ops[2]]); }), "does not follow its launch");
}

TEST_CASE("the interpreter notices two matrices in one buffer") {
  Plan plan = swapped(cpu);
  const std::vector<runtime::Tensor> parameters = {runtime::Tensor::dense(Element::real, 2, 1, {1, 2})};
  CHECK(runtime::interpret(plan, parameters, {}).status.ok());
  for (BufferId& id : plan.buffer_of)
    if (id == BufferId{2}) id = BufferId{1};
  const runtime::RunResult result = runtime::interpret(plan, parameters, {});
  CHECK(result.status.code == runtime::RunCode::internal_error);
  CHECK(result.status.message.find("a buffer that another matrix lies in") != std::string::npos);
}
