#include "tests/unit/opened_device.h"

#include <array>
#include <catch2/catch.hpp>
#include <iostream>
#include <numeric>

#include "codegen/glsl/spirv/spirv.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::string_view declarations =
    "#version 450\n"
    "layout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0, std430) readonly buffer x_buffer { float x[]; };\n"
    "layout(set = 0, binding = 1, std430) buffer y_buffer { float y[]; };\n";
constexpr std::string_view body =
    "void main() {\n"
    "  const int i = int(gl_GlobalInvocationID.x);\n"
    "  if (i < n) y[i] = alpha * x[i] + y[i];\n"
    "}\n";

ShaderStage axpy_stage() {
  ShaderStage stage;
  stage.name = "axpy";
  stage.workgroup = {64, 1, 1};
  stage.bindings = {{.number = 0, .kind = ResourceKind::values, .name = "x"},
                    {.number = 1, .kind = ResourceKind::output, .written = true, .read = true, .name = "y"}};
  stage.parameters = {{.kind = ParameterKind::scalar, .type = ParameterType::float32, .offset = 0, .name = "alpha"},
                      {.kind = ParameterKind::size, .offset = 4, .name = "n"}};
  stage.parameter_bytes = 8;
  stage.glsl = std::string(declarations) +
               "layout(push_constant, std430) uniform Parameters { float alpha; int n; };\n" + std::string(body);
  return stage;
}

}  // namespace

Opened::Opened(DeviceOptions options) {
  options.validation = true;
  Result<std::shared_ptr<Device>> opened = open_device(options);
  if (!opened) {
    options.validation = false;
    opened = open_device(options);
  }
  if (opened) {
    device_ = opened.take();
    messages_ = device_->messages();
  } else {
    std::cout << "skipped: " << opened.failure().message << "\n";
  }
}

Opened::~Opened() {
  device_.reset();
  if (messages_ == nullptr) return;
  for (const std::string& text : messages_->texts) UNSCOPED_INFO(text);
  CHECK(messages_->count == 0);
}

ShaderStage compiled(ShaderStage stage) {
  const auto result = codegen::glsl::compile_stage(stage, {});
  INFO((result ? "" : result.failure().message));
  REQUIRE(result.ok());
  return stage;
}

ShaderStage axpy() { return compiled(axpy_stage()); }

ShaderStage axpy_with_block() {
  ShaderStage stage = axpy_stage();
  stage.name = "axpy_block";
  stage.parameters_in_buffer = true;
  stage.bindings.push_back({.number = 2, .kind = ResourceKind::parameters, .name = "parameters"});
  stage.glsl = std::string(declarations) +
               "layout(set = 0, binding = 2, std430) readonly buffer Parameters { float alpha; int n; };\n" +
               std::string(body);
  return compiled(stage);
}

std::shared_ptr<Buffer> make(Device& device, Stream& stream, const std::vector<float>& values) {
  auto buffer = device.make_buffer(values.size() * sizeof(float));
  stream.upload(std::as_bytes(std::span(values)), {buffer});
  return buffer;
}

std::vector<float> values_of(Stream& stream, const std::shared_ptr<Buffer>& buffer) {
  std::vector<float> values(buffer->size() / sizeof(float));
  stream.read({buffer}, std::as_writable_bytes(std::span(values)));
  return values;
}

std::vector<float> ramp(std::size_t n, float first) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

void run_axpy(Stream& stream, const ShaderStage& stage, const std::shared_ptr<Buffer>& x,
              const std::shared_ptr<Buffer>& y, float alpha, int times, std::uint32_t label) {
  const auto n = static_cast<std::int32_t>(x->size() / sizeof(float));
  const AxpyParameters parameters = {alpha, n};
  const std::array resources = {BoundResource{{x}}, BoundResource{{y}}};
  const auto pipeline = stream.device().pipeline(stage);
  for (int k = 0; k < times; ++k) {
    stream.dispatch({pipeline, resources, bytes_of(parameters), label}, {static_cast<std::uint32_t>(n + 63) / 64});
  }
}

std::vector<float> small_program(Device& device) {
  Stream stream(device);
  const ShaderStage stage = axpy();
  const auto x = make(device, stream, ramp(1000));
  const auto y = make(device, stream, std::vector<float>(1000, 1));
  run_axpy(stream, stage, x, y, 2, 3);
  const std::vector<float> second = ramp(1000, 5);
  stream.upload(std::as_bytes(std::span(second)), {x});  // x is in use: staged behind the dispatches
  run_axpy(stream, stage, x, y, 1);
  const auto z = device.make_buffer(4000);
  stream.copy({y}, {z});
  stream.fill({y}, 0);
  run_axpy(stream, stage, z, y, 1);
  return values_of(stream, y);
}

float expected_of_small_program(std::size_t i) { return 1 + 6 * float(i) + float(i) + 5; }

}  // namespace lac::runtime::vulkan
