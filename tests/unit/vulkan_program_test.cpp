// Random programs as plans on a Vulkan device, against the interpreter on the graph as it was; and what the walker of
// plans promises about transfers.
#include <atomic>
#include <catch2/catch.hpp>
#include <limits>
#include <utility>

#include "codegen/glsl/program/addresses.h"
#include "codegen/glsl/program/program.h"
#include "codegen/glsl/program/split.h"
#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"
#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "runtime/vulkan/machine/run.h"
#include "tests/unit/device_kernels.h"
#include "tests/unit/plans.h"
#include "tests/unit/random_graph.h"

using namespace lac;
using test::difference;

namespace {

passes::ManagerOptions manager_options() {
  passes::ManagerOptions options;
  options.capabilities.device_scalars = true;
  options.capabilities.matrix_products = true;
  return options;
}

Plan planned(Graph graph) {
  REQUIRE(passes::run_pipeline(graph, *passes::find_pipeline("vulkan"), manager_options()).ok());
  return test::device_plan(std::move(graph));
}

runtime::RunResult run(const Plan& plan, const std::vector<runtime::Tensor>& parameters,
                       const std::shared_ptr<runtime::vulkan::Device>& device,
                       const runtime::vulkan::VulkanRunOptions& options = {},
                       const codegen::glsl::GlslOptions& glsl = {}) {
  const Result<ShaderProgram> shaders = codegen::glsl::compile_shaders(plan, glsl);
  if (!shaders) FAIL(shaders.failure().message);
  codegen::glsl::GlslOptions validated = glsl;
  validated.validate = true;
  codegen::glsl::AddressedStages variants(validated);
  codegen::glsl::SplitShaders split(plan, validated);
  const auto by_address = [&](const ShaderStage& stage) -> const ShaderStage& { return variants.of(stage); };
  const auto splitting = [&](OpId op) -> const KernelShaders& { return split.of(op); };
  return runtime::vulkan::run_vulkan({&plan, &shaders.value(), by_address, splitting}, parameters, {}, options, device);
}

runtime::vulkan::DeviceOptions in_mode(runtime::vulkan::DeviceMode mode) {
  runtime::vulkan::DeviceOptions options;
  options.mode = mode;
  return options;
}

void compare(std::uint32_t first, std::uint32_t last, const runtime::vulkan::DeviceOptions& device_options,
             const runtime::vulkan::VulkanRunOptions& options, Element element = Element::real,
             const codegen::glsl::GlslOptions& glsl = {}) {
  if (!test::test_device()) return;
  auto device = runtime::vulkan::open_device(device_options);
  REQUIRE(device.ok());
  for (std::uint32_t seed = first; seed <= last; ++seed) {
    INFO("seed " << seed);
    test::RandomProgram program = test::random_program(seed, 4 + static_cast<int>(seed % 24), element);
    const runtime::RunResult expected = runtime::interpret(program.graph, program.parameters, {});
    const Plan plan = planned(program.graph);
    const std::string found = difference(expected, run(plan, program.parameters, device.value(), options, glsl));
    if (!found.empty()) FAIL(found + "\n" + print(program.graph));
  }
}

}  // namespace

TEST_CASE("random programs compute on a device what the interpreter computes") { compare(1, 40, {}, {}); }

TEST_CASE("in single precision") { compare(81, 110, {}, {}, Element::single); }

TEST_CASE("with every condition read by the host") { compare(61, 80, {}, {.device_loops = false}); }

TEST_CASE("with every matrix leaving the device after each use") {
  compare(1, 20, in_mode(runtime::vulkan::DeviceMode::evict_all), {});
}

TEST_CASE("with every transfer staged") { compare(41, 52, in_mode(runtime::vulkan::DeviceMode::staging), {}); }

TEST_CASE("with a stage of its own for the end of every sum") {
  compare(1, 20, {}, {}, Element::real, {.last_group_combines = false});
  compare(81, 90, {}, {}, Element::single, {.last_group_combines = false});
}

TEST_CASE("scalars behind a sum are computed where it ends, in either form") {
  const auto device = test::test_device();
  if (!device) return;
  Result<Graph> graph = parse_graph(R"(graph "tail" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]
%0 x: f64[n x 1] = parameter x
%1: f64, %2: f64, %3: int = launch k0 %0
%4: f64, %5: logical = launch k1 %1, %2
%6: f64 = launch k2 %4, %3
%7: f64 = launch k3 %6
output "root" %4
output "less" %5
output "all" %7

kernel k0 "sums" domain [n x 1] flat block 8192 lanes 16 {
  in x: f64[n x 1]
  out s: f64, top: f64, at: int
  $0 = load x[i]
  $1 = mul $0, $0
  reduce s = sum all $1
  reduce top, at = max all $0
}
kernel k1 "root" domain [1 x 1] point block 1 lanes 1 {
  in s: f64, top: f64
  out r: f64, l: logical
  $0 = load s
  $1 = sqrt $0
  $2 = load top
  $3 = lt $2, $1
  store r[i] = $1
  store l[i] = $3
}
kernel k2 "both" domain [1 x 1] point block 1 lanes 1 {
  in r: f64, at: int
  out b: f64
  $0 = load r
  $1 = load at
  $2: f64 = convert $1
  $3 = add $0, $2
  store b[i] = $3
}
kernel k3 "twice" domain [1 x 1] point block 1 lanes 1 {
  in b: f64
  out t: f64
  $0 = load b
  $1 = add $0, $0
  store t[i] = $1
}
)");
  if (!graph) FAIL(graph.failure().message);
  for (const std::int64_t n : {1, 2, 256, 257, 5000, 100000}) {
    INFO("n = " << n);
    runtime::Tensor x = runtime::Tensor::dense(Element::real, n, 1);
    for (std::int64_t i = 0; i < n; ++i) x.set_stored_value(i, static_cast<double>((i * 37) % 101));
    const runtime::RunResult expected = runtime::interpret(graph.value(), {x}, {});
    const Plan plan = test::device_plan(graph.value());
    REQUIRE(plan.tails.size() == 1);
    CHECK(plan.tails.begin()->second.size() == 3);
    for (const bool last : {true, false}) {
      const runtime::RunResult found = run(plan, {x}, device, {}, {.last_group_combines = last});
      CHECK(difference(expected, found) == "");
      CHECK(found.statistics.transfers.dispatches == (last ? 1 : 2));
    }
  }
}

TEST_CASE("with every array reached by its address") {
  compare(1, 20, in_mode(runtime::vulkan::DeviceMode::narrow), {});
  compare(81, 90, in_mode(runtime::vulkan::DeviceMode::narrow), {}, Element::single);
}

TEST_CASE("as on a large GPU") {
  codegen::glsl::GlslOptions glsl;
  glsl.max_groups = codegen::glsl::groups_of_gpu;
  glsl.rounds_quotients = glsl.coalesces = true;
  compare(1, 30, in_mode(runtime::vulkan::DeviceMode::wide), {}, Element::real, glsl);
  compare(81, 110, in_mode(runtime::vulkan::DeviceMode::wide), {}, Element::single, glsl);
}

// -- what the walker promises about transfers -------------------------------------------------------------------------

namespace {

/// x is scaled `trips` times and summed up in every trip; the sum decides whether another trip follows.
constexpr std::string_view halving = R"(graph "halving" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]
parameter limit: int
%0 x: f64[n x 1] = parameter x
%1 limit: int = parameter limit
%2: logical = constant 1
%3: int, %4: f64[n x 1] = loop while_true "" %1, %2, %0 {
  arguments %5: int, %6: f64[n x 1]
  %7: f64 = constant 0.5
  %8: f64[n x 1] = map mul %6, %7
  %9: f64 = reduce sum all %8
  %10: f64 = constant 1
  %11: logical = map gt %9, %10
  yield %11, %8
}
output "trips" %3
output "x" %4
)";

struct Halving {
  Plan plan;
  std::vector<runtime::Tensor> parameters;
};

Halving halving_program(std::int64_t n) {
  Result<Graph> graph = parse_graph(halving);
  if (!graph) FAIL(graph.failure().message);
  Halving made{planned(graph.take()), {}};
  made.parameters = {runtime::Tensor::dense(Element::real, n, 1, std::vector<double>(static_cast<std::size_t>(n), 1.0)),
                     runtime::Tensor::scalar(100, Element::integer)};
  return made;
}

}  // namespace

TEST_CASE("a loop that the host drives moves its parameter up and its result down, and reads one scalar a trip") {
  const auto device = test::test_device();
  if (!device) return;
  const Halving program = halving_program(64);
  const runtime::RunResult result = run(program.plan, program.parameters, device, {.device_loops = false});
  REQUIRE(result.status.ok());
  CHECK(result.outputs[0].second.as_scalar() == 6);  // 64 / 2^6 is not above 1
  CHECK(result.outputs[1].second.stored_value(63) == 1.0 / 64);
  const runtime::TransferStatistics& transfers = result.statistics.transfers;
  CHECK(transfers.uploads == 1);
  CHECK(transfers.upload_bytes == 64 * 8);
  CHECK(transfers.downloads == 1);
  CHECK(transfers.scalar_readbacks == 6);
  REQUIRE(result.statistics.loops.size() == 1);
  CHECK(result.statistics.loops[0].trips == 6);
}

TEST_CASE("a budget that a single matrix passes is a status with numbers; the next run works") {
  const auto device = test::test_device();
  if (!device) return;
  const Halving program = halving_program(1000);
  const runtime::RunResult failed = run(program.plan, program.parameters, device, {.device_memory = 4000});
  CHECK(failed.status.code == runtime::RunCode::out_of_memory);
  INFO(failed.status.message);
  CHECK(failed.status.message.find("4000") != std::string::npos);
  const runtime::RunResult next = run(program.plan, program.parameters, device);
  CHECK(next.status.message == "");
}

TEST_CASE("an allocation that fails is tried again, whichever it is") {
  if (!test::test_device()) return;
  const Halving program = halving_program(64);
  for (int fault = 0; fault < 12; ++fault) {
    INFO("allocation " << fault);
    runtime::vulkan::DeviceOptions options;
    options.faults.fail_allocation = fault;
    const auto device = runtime::vulkan::open_device(options);
    REQUIRE(device.ok());
    bool failed = false;  // once, in whichever run makes that allocation
    for (int attempt = 0; attempt < 3; ++attempt) {
      const runtime::RunResult result = run(program.plan, program.parameters, device.value());
      INFO(result.status.message);
      if (!std::exchange(failed, failed || !result.status.ok()) &&
          result.status.code == runtime::RunCode::out_of_memory)
        continue;
      REQUIRE(result.status.ok());
      CHECK(result.outputs[0].second.as_scalar() == 6);
    }
  }
}

TEST_CASE("a device that is lost is a status; the parameters are safe and another device runs them") {
  if (!test::test_device()) return;
  const Halving program = halving_program(64);
  for (int fault = 0; fault < 6; ++fault) {
    INFO("submission " << fault);
    runtime::vulkan::DeviceOptions options;
    options.faults.lose_at_submit = fault;
    const auto device = runtime::vulkan::open_device(options);
    REQUIRE(device.ok());
    const runtime::RunResult lost = run(program.plan, program.parameters, device.value(), {.device_loops = false});
    CHECK(lost.status.code == runtime::RunCode::error);
    CHECK(device.value()->lost());
    const auto other = runtime::vulkan::open_device({});
    REQUIRE(other.ok());
    CHECK(run(program.plan, program.parameters, other.value()).outputs[0].second.as_scalar() == 6);
  }
}

TEST_CASE("the first result that is not finite stops the run where it is asked to") {
  const auto device = test::test_device();
  if (!device) return;
  Halving program = halving_program(8);
  program.parameters[0].set_stored_value(3, std::numeric_limits<double>::infinity());
  const Result<ShaderProgram> shaders = codegen::glsl::compile_shaders(program.plan, {});
  REQUIRE(shaders.ok());
  runtime::RunOptions options;
  options.check_nan = true;
  const runtime::RunResult result =
      runtime::vulkan::run_vulkan({&program.plan, &shaders.value()}, program.parameters, options, {}, device);
  CHECK(result.status.code == runtime::RunCode::error);
  CHECK(result.status.message.substr(0, 14) == "error: Inf in ");
  CHECK(result.status.trips == std::vector<std::int64_t>{1});
}

TEST_CASE("an interrupt ends a loop, whoever drives it") {
  const auto device = test::test_device();
  if (!device) return;
  const Halving program = halving_program(8);
  const Result<ShaderProgram> shaders = codegen::glsl::compile_shaders(program.plan, {});
  REQUIRE(shaders.ok());
  const std::atomic<bool> interrupt = true;
  runtime::RunOptions options;
  options.interrupt = &interrupt;
  for (const bool device_loops : {false, true}) {
    const runtime::RunResult result = runtime::vulkan::run_vulkan({&program.plan, &shaders.value()}, program.parameters,
                                                                  options, {0, device_loops}, device);
    CHECK(result.status.code == runtime::RunCode::interrupted);
    CHECK(result.outputs.empty());
  }
}

TEST_CASE("kernels count launches and bytes on the device as elsewhere") {
  const auto device = test::test_device();
  if (!device) return;
  const Halving program = halving_program(64);
  const runtime::RunResult result = run(program.plan, program.parameters, device, {.device_loops = false});
  std::int64_t launches = 0, read = 0, written = 0;
  for (const runtime::KernelStatistics& kernel : result.statistics.kernels) {
    CHECK(kernel.bytes_read + kernel.bytes_written == kernel.matrix_bytes + kernel.vector_bytes);
    if (kernel.kind != runtime::KernelKind::main) continue;
    launches = std::max(launches, kernel.launches);
    read += kernel.bytes_read;
    written += kernel.bytes_written;
  }
  CHECK(launches == 6);
  CHECK(read == 6 * 64 * 8);
  CHECK(written == 6 * 64 * 8);
}
