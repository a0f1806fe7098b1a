// The device layer on a real device: skipped where there is none.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <iostream>

#include "tests/unit/opened_device.h"

namespace lac::runtime::vulkan {
namespace {

/// Writes the counts of one dispatch: n groups.
ShaderStage set_counts() {
  ShaderStage stage;
  stage.name = "set_counts";
  stage.workgroup = {1, 1, 1};
  stage.bindings = {{.number = 0, .kind = ResourceKind::output, .written = true, .read = false, .name = "counts"}};
  stage.parameters = {{.kind = ParameterKind::size, .offset = 0, .name = "n"}};
  stage.parameter_bytes = 4;
  stage.glsl =
      "#version 450\n"
      "layout(local_size_x = 1) in;\n"
      "layout(set = 0, binding = 0, std430) writeonly buffer counts_buffer { uint counts[]; };\n"
      "layout(push_constant, std430) uniform Parameters { int n; };\n"
      "void main() { counts[0] = uint(n); counts[1] = 1u; counts[2] = 1u; }\n";
  return compiled(stage);
}

}  // namespace

TEST_CASE("Devices are listed with what they can do") {
  const auto devices = list_devices();
  if (!devices || devices.value().empty()) {
    std::cout << "skipped: no Vulkan device\n";
    return;
  }
  for (const DeviceInfo& info : devices.value()) {
    CHECK_FALSE(info.name.empty());
    CHECK(info.usable == info.missing.empty());
    CHECK(info.limits.push_constant_bytes >= push_constant_bytes);
    CHECK(info.limits.group_invocations >= 128);
  }
}

TEST_CASE("A device that is not there is refused with a list of those that are") {
  if (!Opened()) return;
  const auto opened = open_device({.choice = "no such device"});
  REQUIRE_FALSE(opened.ok());
  CHECK_THAT(opened.failure().message, Catch::Contains("no such device") && Catch::Contains("device 0 ("));
  CHECK(open_device({.choice = "0"}).ok());
}

TEST_CASE("Devices are opened and closed as often as one likes") {
  if (!Opened()) return;
  for (int time = 0; time < 64; ++time) {
    if (time == 40) Opened();  // with validation where there is any
    const auto opened = open_device({});
    INFO("time " << time << (opened ? "" : ": " + opened.failure().message));
    REQUIRE(opened.ok());
  }
}

TEST_CASE("Commands see what earlier ones wrote, in every mode") {
  for (const DeviceMode mode : {DeviceMode::plain, DeviceMode::staging, DeviceMode::one_queue,
                                DeviceMode::reverse_alloc, DeviceMode::evict_all}) {
    const Opened device({.mode = mode});
    if (!device) return;
    INFO(name(mode));
    CHECK(device_mode(name(mode)) == mode);
    const std::vector<float> values = small_program(*device);
    for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(values[i] == expected_of_small_program(i));
    CHECK(device->memory().used_bytes == 0);
    CHECK(device->memory().peak_bytes > 0);
  }
}

TEST_CASE("Parameters in a buffer are as good as pushed ones") {
  const Opened device;
  if (!device) return;
  Stream stream(*device);
  const ShaderStage stage = axpy_with_block();
  const auto x = make(*device, stream, ramp(100));
  const auto y = make(*device, stream, std::vector<float>(100, 0));
  for (int k = 1; k <= 600; ++k) run_axpy(stream, stage, x, y, float(k % 3));  // more sets than a pool has
  const std::vector<float> values = values_of(stream, y);
  for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(values[i] == 600 * float(i));
}

TEST_CASE("An indirect dispatch takes its counts when it begins") {
  const Opened device;
  if (!device) return;
  Stream stream(*device);
  const auto x = make(*device, stream, ramp(128));
  const auto y = make(*device, stream, std::vector<float>(128, 0));
  const auto counts = device->make_buffer(24);
  const auto axpy_pipeline = device->pipeline(axpy());
  const auto counts_pipeline = device->pipeline(set_counts());
  const AxpyParameters parameters = {1, 128};
  const std::array resources = {BoundResource{{x}}, BoundResource{{y}}};
  const std::array count_resource = {BoundResource{{counts, 0, 24}}};
  for (const std::int32_t groups : {0, 1, 2}) {
    stream.dispatch({counts_pipeline, count_resource, bytes_of(groups)}, {1});
    stream.dispatch_indirect({axpy_pipeline, resources, bytes_of(parameters)}, {counts, 0, 12});
  }
  const std::vector<float> values = values_of(stream, y);
  CHECK(values[10] == 20);
  CHECK(values[100] == 100);
  CHECK(stream.counters().dispatches == 6);
  CHECK(stream.counters().barriers == 5);  // counts -> dispatch three times, dispatch -> counts twice
}

TEST_CASE("A download holds what was there at its place in the stream") {
  for (const DeviceMode mode : {DeviceMode::plain, DeviceMode::staging}) {
    const Opened device({.mode = mode});
    if (!device) return;
    Stream stream(*device);
    const auto x = make(*device, stream, ramp(64));
    const Download before = stream.download({x, 16, 8});
    stream.fill({x}, 0);
    const Download after = stream.download({x, 16, 8});
    CHECK(before.ticket() == stream.next_ticket());
    REQUIRE(stream.wait(before.ticket()));
    float value = 0;
    std::memcpy(&value, before.bytes().data(), 4);
    CHECK(value == 4);
    std::memcpy(&value, after.bytes().data(), 4);
    CHECK(value == 0);
    CHECK(stream.counters().submits == 1);
    CHECK(stream.counters().waits == 1);
    CHECK(stream.wait(after.ticket()));
    CHECK(stream.counters().waits == 1);
    CHECK(stream.completed() == stream.submit());
  }
}

TEST_CASE("What commands use lives until they are done") {
  const Opened device;
  if (!device) return;
  Stream stream(*device);
  const ShaderStage stage = axpy();
  const auto y = make(*device, stream, std::vector<float>(256, 0));
  for (int k = 0; k < 50; ++k) {
    const auto x = make(*device, stream, std::vector<float>(256, 1));
    run_axpy(stream, stage, x, y, 1);
    if (k % 7 == 0) stream.submit();
  }
  CHECK(values_of(stream, y) == std::vector<float>(256, 50));
  stream.finish();
}

TEST_CASE("Memory on the way serves again") {
  const Opened device({.mode = DeviceMode::staging});
  if (!device) return;
  Stream stream(*device);
  const auto x = make(*device, stream, ramp(64));
  std::vector<Download> kept;
  for (int k = 0; k < 100; ++k) {
    const Download download = stream.download({x});
    CHECK(values_of(stream, x) == ramp(64));
    if (k == 0) kept.push_back(download);
  }
  REQUIRE(kept[0].bytes().size() == 256);
  CHECK(std::memcmp(kept[0].bytes().data(), ramp(64).data(), 256) == 0);
  CHECK(device->memory().allocations <= 5);
}

TEST_CASE("Large transfers go in pieces") {
  const Opened device({.mode = DeviceMode::staging});
  if (!device) return;
  Stream stream(*device);
  const std::vector<float> values = ramp(std::size_t{24} << 20);  // 96 MiB
  const auto buffer = make(*device, stream, values);
  CHECK(values_of(stream, buffer) == values);
  CHECK(stream.counters().staged_copies == 12);
}

TEST_CASE("Images keep texels") {
  const Opened device;
  if (!device) return;
  Stream stream(*device);
  const std::vector<float> values = ramp(7 * 5 * 4);
  const auto from = make(*device, stream, values);
  const auto to = device->make_buffer(values.size() * 4);
  const auto image = device->make_image(7, 5);
  CHECK(image->bytes() == values.size() * 4);
  stream.copy_to_image({from}, image);
  stream.copy_to_buffer(image, {to});
  CHECK(values_of(stream, to) == values);
  CHECK_THROWS_AS(device->make_image(1, device->limits().image_extent + 1), DeviceError);
}

TEST_CASE("Times are kept by label") {
  const Opened device;
  if (!device) return;
  Stream stream(*device, true);
  const ShaderStage stage = axpy();
  const auto x = make(*device, stream, ramp(64));
  const auto y = make(*device, stream, ramp(64));
  run_axpy(stream, stage, x, y, 1, 300, 7);
  run_axpy(stream, stage, x, y, 1, 2, 3);
  run_axpy(stream, stage, x, y, 1, 2);
  stream.finish();
  const std::vector<LabelTime> times = stream.take_times();
  if (times.empty()) return;  // the device has no timestamps
  REQUIRE(times.size() == 2);
  CHECK(times[0].label == 3);
  CHECK(times[0].count == 2);
  CHECK(times[1].count == 300);
  CHECK(times[1].ms >= 0);
  CHECK(stream.take_times().empty());
}

TEST_CASE("Limits are refused with their numbers") {
  const Opened device;
  if (!device) return;
  const DeviceLimits& limits = device->limits();
  Stream stream(*device);
  const ShaderStage stage = axpy();
  const auto pipeline = device->pipeline(stage);
  const auto y = make(*device, stream, ramp(64));
  const AxpyParameters parameters = {1, 64};
  const std::array resources = {BoundResource{{y}}, BoundResource{{y}}};
  if (limits.group_count[1] < 0xffffffffu) {
    CHECK_THROWS_WITH(stream.dispatch({pipeline, resources, bytes_of(parameters)}, {1, limits.group_count[1] + 1, 1}),
                      Catch::Contains(std::to_string(limits.group_count[1])));
  }
  CHECK_THROWS_WITH(device->make_buffer(limits.buffer_bytes + 1), Catch::Contains(std::to_string(limits.buffer_bytes)));
  ShaderStage large = stage;
  large.workgroup = {limits.group_invocations, 2, 1};
  large.spirv.push_back(0);  // not the pipeline that is there already
  CHECK_THROWS_AS(device->pipeline(large), DeviceError);
  CHECK_THROWS_AS(stream.dispatch({pipeline, std::span(resources).first(1), bytes_of(parameters)}, {1}), InternalError);
  if (limits.storage_buffer_range < (std::uint64_t{1} << 28)) {
    const auto big = device->make_buffer(limits.storage_buffer_range + 256);
    const std::array too_long = {BoundResource{{big}}, BoundResource{{y}}};
    CHECK_THROWS_WITH(stream.dispatch({pipeline, too_long, bytes_of(parameters)}, {1}),
                      Catch::Contains("maxStorageBufferRange"));
  }
  run_axpy(stream, stage, y, y, 0);  // and the stream goes on
  CHECK(values_of(stream, y) == ramp(64));
}

TEST_CASE("Equal shaders share a pipeline") {
  const Opened device;
  if (!device) return;
  CHECK(device->pipeline(axpy()) == device->pipeline(axpy()));
  CHECK(device->pipeline(axpy()) != device->pipeline(axpy_with_block()));
}

}  // namespace lac::runtime::vulkan
