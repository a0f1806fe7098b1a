#include "tests/unit/device_kernels.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <iostream>

#include "codegen/glsl/kernel/kernel.h"
#include "codegen/glsl/spirv/spirv.h"
#include "ir/graph/text.h"
#include "ir/plan/texel.h"
#include "runtime/interp/kernel_interpreter.h"
#include "runtime/vulkan/stream/launch.h"
#include "tests/unit/plans.h"

namespace lac::test {
namespace {

using runtime::Tensor;

ValueId new_value(Graph& graph, const Type& type, const std::string& name) {
  Value value;
  value.type = type;
  value.name = name;
  return graph.values.push(std::move(value));
}

}  // namespace

std::shared_ptr<runtime::vulkan::Device> test_device() {
  auto device = runtime::vulkan::open_device({});
  if (device.ok()) return device.value();
  std::cout << "skipped: " << device.failure().message << "\n";
  return nullptr;
}

Graph graph_of_kernel(const std::string& kernel) {
  Graph graph = parse_kernel(kernel);
  Op launch;
  launch.kind = OpKind::launch;
  launch.attribute = KernelId{0};
  for (const KernelInput& input : graph.kernels[KernelId{0}].inputs)
    launch.operands.push_back(new_value(graph, input.type, input.name));
  for (const KernelOutput& output : graph.kernels[KernelId{0}].outputs)
    launch.results.push_back(new_value(graph, output.type, output.name));
  launch.reuse.assign(launch.results.size(), -1);
  const std::vector<ValueId> results = launch.results;
  const OpId op = graph.ops.push(std::move(launch));
  for (ValueId value : results) graph.values[value].op = op;
  graph.blocks[graph.body].ops.push_back(op);
  return graph;
}

Graph with_texels(Graph graph) {
  const Op& launch = graph.ops[graph.blocks[graph.body].ops.front()];
  const Kernel& kernel = graph.kernels[KernelId{0}];
  for (std::uint32_t n = 0; n < kernel.inputs.size(); ++n)
    if (reads_texels(kernel, n)) graph.values[launch.operands[n]].layout = Layout::texel;
  for (std::uint32_t n = 0; n < kernel.outputs.size(); ++n)
    if (writes_texels(kernel, n)) graph.values[launch.results[n]].layout = Layout::texel;
  return graph;
}

KernelShaders compile_kernel(const Graph& graph, const codegen::glsl::GlslOptions& options) {
  const Plan plan = device_plan(graph);
  const OpId launch = plan.blocks[plan.body].ops.front();
  KernelShaders shaders = codegen::glsl::emit_kernel(plan, launch, options);
  for (ShaderStage& stage : shaders.stages) {
    const Result<bool> compiled = codegen::glsl::compile_stage(stage, options);
    if (!compiled) FAIL(compiled.failure().message);
  }
  return shaders;
}

namespace {

void check_graph(runtime::vulkan::Device& device, const std::string& text, const Graph& graph,
                 const std::vector<Sizes>& sizes, double tolerance, const codegen::glsl::GlslOptions& options) {
  const Kernel& kernel = graph.kernels[KernelId{0}];
  const KernelShaders shaders = compile_kernel(graph, options);
  codegen::glsl::GlslOptions in_two = options;
  in_two.last_group_combines = false;
  const KernelShaders staged = compile_kernel(graph, in_two);
  std::string glsl;
  for (const ShaderStage& stage : shaders.stages) glsl += stage.glsl + "\n";
  for (const Sizes& given : sizes) {
    const SizeOf size_of = [&](const Size& size) {
      return size.evaluate([&](SymbolId id) { return given.at(graph.symbols[id].name); });
    };
    std::string description = text + glsl;
    for (const auto& [name, value] : given) description += name + " = " + std::to_string(value) + "\n";
    INFO(description);
    KernelData data;
    std::vector<Tensor> inputs;
    for (const KernelInput& input : kernel.inputs) inputs.push_back(data.tensor(input.type, input.name, size_of));
    const std::vector<Tensor> expected = runtime::interp::interpret_kernel(kernel, inputs, size_of);
    const std::vector<Tensor> once = run_kernel(device, kernel, shaders, inputs, size_of);
    // Whichever workgroup is the last, and whether it is one of another stage.
    const std::vector<Tensor> again = run_kernel(device, kernel, staged, inputs, size_of);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      INFO("output " << n);
      check_close(once[n], expected[n], tolerance);
      CHECK((once[n].value_bytes() == 0 || std::memcmp(once[n].data(), again[n].data(), once[n].value_bytes()) == 0));
    }
  }
}

}  // namespace

void check_on_device(const std::string& text, const std::vector<Sizes>& sizes, double tolerance,
                     const codegen::glsl::GlslOptions& options) {
  const std::shared_ptr<runtime::vulkan::Device> device = test_device();
  if (!device) return;
  const Graph graph = graph_of_kernel(text);
  check_graph(*device, text, graph, sizes, tolerance, options);
  const Graph texels = with_texels(graph);
  const bool same = std::ranges::none_of(texels.values, [](const Value& v) { return v.layout == Layout::texel; });
  if (!same) check_graph(*device, text, texels, sizes, tolerance, options);
}

}  // namespace lac::test
