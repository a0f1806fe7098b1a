#include "bench/device_copy.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/medians.h"
#include "codegen/glsl/spirv/spirv.h"
#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::bench {
namespace {

using runtime::vulkan::BoundResource;
using runtime::vulkan::BufferRange;
using runtime::vulkan::GroupCounts;
namespace vulkan = runtime::vulkan;

constexpr std::uint32_t words_of_group = 4 * 256;

/// 16 bytes an invocation: the loads and stores of most bytes that there are.
ShaderStage copy_stage() {
  ShaderStage stage;
  stage.name = "copy";
  stage.bindings = {{.number = 0, .kind = ResourceKind::values, .name = "from"},
                    {.number = 1, .kind = ResourceKind::output, .written = true, .read = false, .name = "to"}};
  stage.glsl =
      "#version 450\n"
      "layout(local_size_x = 256) in;\n"
      "layout(set = 0, binding = 0, std430) restrict readonly buffer from_buffer { uvec4 from[]; };\n"
      "layout(set = 0, binding = 1, std430) restrict writeonly buffer to_buffer { uvec4 to[]; };\n"
      "void main() {\n"
      "  const uint i = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 256u;\n"
      "  if (i < uint(from.length())) to[i] = from[i];\n"
      "}\n";
  if (const auto compiled = codegen::glsl::compile_stage(stage, {}); !compiled) {
    std::fprintf(stderr, "%s\n", compiled.failure().message.c_str());
    std::exit(1);
  }
  return stage;
}

GroupCounts groups_of(std::uint64_t bytes) {
  constexpr std::uint64_t most = 32768;
  const std::uint64_t groups = (bytes / 4 + words_of_group - 1) / words_of_group, rows = (groups + most - 1) / most;
  return {static_cast<std::uint32_t>((groups + rows - 1) / rows), static_cast<std::uint32_t>(rows), 1};
}

}  // namespace

DeviceCopy measure_copy(const std::string& choice, std::int64_t bytes) {
  constexpr int rounds = 9, copies = 20;
  vulkan::DeviceOptions options;
  options.choice = choice;
  const auto opened = vulkan::open_device(options);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.failure().message.c_str());
    std::exit(1);
  }
  vulkan::Device& device = *opened.value();
  const auto size = static_cast<std::uint64_t>(bytes);
  const BufferRange from{device.make_buffer(size), 0, size}, to{device.make_buffer(size), 0, size};
  vulkan::Stream stream(device);
  stream.fill(from, 0);
  const auto pipeline = device.pipeline(copy_stage());
  const std::array resources = {BoundResource{from}, BoundResource{to}};
  const auto rate = [&](const auto& copy) {
    std::vector<double> seconds;
    for (int round = -1; round < rounds; ++round) {
      const double taken = timed([&] {
        for (int n = 0; n < copies; ++n) copy();
        stream.finish();
      });
      if (round >= 0) seconds.push_back(taken / copies);
    }
    return 2 * static_cast<double>(bytes) / median(seconds) / 1e9;
  };
  const double transfer = rate([&] { stream.copy(from, to); });
  const double shader = rate([&] { stream.dispatch({pipeline, resources, {}, 0}, groups_of(size)); });
  return {device.info().name, transfer, shader};
}

}  // namespace lac::bench
