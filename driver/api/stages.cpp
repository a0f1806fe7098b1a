#include "driver/include/lac/lac.hpp"

namespace lac::api {

std::string_view version() { return LAC_VERSION; }

std::vector<Pass> stages() {
  return {{"ast", "the syntax tree"},
          {"graph", "the dataflow graph as lowered"},
          {"kernels", "the graph after fusion, with its kernels"},
          {"plan", "the graph after all passes: what runs, in which memory"},
          {"llvm", "cpu: the LLVM IR after optimisation"},
          {"asm", "cpu: the machine code as assembly"},
          {"glsl", "vulkan: the shaders"},
          {"spirv", "vulkan: the shaders as the device gets them"},
          {"hlsl", "vulkan: the shaders for Direct3D"},
          {"msl", "vulkan: the shaders for Metal"},
          {"essl", "vulkan: the shaders for OpenGL ES"},
          {"dot", "the graph for graphviz"},
          {"explain", "cpu, vulkan: the plan, its kernels with their code, as JSON: what lac explain shows"}};
}

}  // namespace lac::api
