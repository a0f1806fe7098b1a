// Random programs as plans on a Vulkan device, against the interpreter on the graph as it was; and what the walker of
// plans promises about transfers.
#include <catch2/catch.hpp>

#include "codegen/glsl/program.h"
#include "ir/graph/text.h"
#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "runtime/vulkan/run.h"
#include "tests/unit/device_kernels.h"
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

void plan(Graph& graph) {
  REQUIRE(passes::run_pipeline(graph, *passes::find_pipeline("vulkan"), manager_options()).ok());
}

runtime::RunResult run(const Graph& plan, const std::vector<runtime::Tensor>& parameters,
                       const std::shared_ptr<runtime::vulkan::Device>& device,
                       const runtime::vulkan::VulkanRunOptions& options = {}) {
  const Result<ShaderProgram> shaders = codegen::glsl::compile_shaders(plan, {});
  if (!shaders) FAIL(shaders.failure().message);
  return runtime::vulkan::run_vulkan({&plan, &shaders.value()}, parameters, {}, options, device);
}

runtime::vulkan::DeviceOptions in_mode(runtime::vulkan::DeviceMode mode) {
  runtime::vulkan::DeviceOptions options;
  options.mode = mode;
  return options;
}

void compare(std::uint32_t first, std::uint32_t last, const runtime::vulkan::DeviceOptions& device_options,
             const runtime::vulkan::VulkanRunOptions& options) {
  if (!test::test_device()) return;
  auto device = runtime::vulkan::open_device(device_options);
  REQUIRE(device.ok());
  for (std::uint32_t seed = first; seed <= last; ++seed) {
    INFO("seed " << seed);
    test::RandomProgram program = test::random_program(seed, 4 + static_cast<int>(seed % 24));
    const runtime::RunResult expected = runtime::interpret(program.graph, program.parameters, {});
    plan(program.graph);
    const std::string found = difference(expected, run(program.graph, program.parameters, device.value(), options));
    if (!found.empty()) FAIL(found + "\n" + print(program.graph));
  }
}

}  // namespace

TEST_CASE("random programs compute on a device what the interpreter computes") { compare(1, 40, {}, {}); }

TEST_CASE("with every condition read by the host") { compare(61, 80, {}, {.device_loops = false}); }

TEST_CASE("with every matrix leaving the device after each use") {
  compare(1, 20, in_mode(runtime::vulkan::DeviceMode::evict_all), {});
}

TEST_CASE("with every transfer staged") {
  compare(41, 52, in_mode(runtime::vulkan::DeviceMode::staging), {});
}
