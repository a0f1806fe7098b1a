// Runs one kernel on a Vulkan device and compares it with the kernel interpreter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/glsl/options.h"
#include "ir/graph/graph.h"
#include "runtime/vulkan/device/device.h"
#include "tests/unit/kernel_data.h"

namespace lac::test {

/// The device that tests use, or null; then a line "skipped: why" has been printed.
std::shared_ptr<runtime::vulkan::Device> test_device();

/// A graph with symbols n and m and one launch of this kernel, given as text. The launch is the only op.
Graph graph_of_kernel(const std::string& kernel);
/// The same with every operand that can be in images there.
Graph with_texels(Graph graph);
KernelShaders compile_kernel(const Graph& graph, const codegen::glsl::GlslOptions& options);

/// Inputs are KernelData's. Outputs must be within tolerance * (1 + |expected|), and the same bits when the kernel runs
/// again with a stage of its own for the end of its sums. Kernels of single elements are run once more with their
/// operands in images.
void check_on_device(const std::string& kernel, const std::vector<Sizes>& sizes, double tolerance = 1e-11,
                     const codegen::glsl::GlslOptions& options = {});

}  // namespace lac::test
