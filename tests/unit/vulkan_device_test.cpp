// The device layer on a real device: skipped where there is none.
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <thread>

#include "codegen/glsl/spirv.h"
#include "runtime/vulkan/device.h"
#include "runtime/vulkan/stream.h"

namespace lac::runtime::vulkan {
namespace {

/// The validation layer listens to a device, and has said nothing by its end.
class Opened {
 public:
  explicit Opened(DeviceOptions options = {}) {
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
  ~Opened() {
    device_.reset();
    if (messages_ == nullptr) return;
    for (const std::string& text : messages_->texts) UNSCOPED_INFO(text);
    CHECK(messages_->count == 0);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  explicit operator bool() const { return device_ != nullptr; }
  Device& operator*() const { return *device_; }
  Device* operator->() const { return device_.get(); }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<const MessageLog> messages_;
};

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

ShaderStage compiled(ShaderStage stage) {
  const auto result = codegen::glsl::compile_stage(stage, {});
  INFO((result ? "" : result.failure().message));
  REQUIRE(result.ok());
  return stage;
}

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

/// y = alpha x + y.
ShaderStage axpy() { return compiled(axpy_stage()); }

/// The same with its parameters in a buffer.
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

struct AxpyParameters {
  float alpha;
  std::int32_t n;
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
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

std::vector<float> ramp(std::size_t n, float first = 0) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// y += alpha x, `times` times over.
void run_axpy(Stream& stream, const ShaderStage& stage, const std::shared_ptr<Buffer>& x,
              const std::shared_ptr<Buffer>& y, float alpha, int times = 1, std::uint32_t label = 0) {
  const auto n = static_cast<std::int32_t>(x->size() / sizeof(float));
  const AxpyParameters parameters = {alpha, n};
  const std::array resources = {BoundResource{{x}}, BoundResource{{y}}};
  const auto pipeline = stream.device().pipeline(stage);
  for (int k = 0; k < times; ++k) {
    stream.dispatch({pipeline, resources, bytes_of(parameters), label}, {static_cast<std::uint32_t>(n + 63) / 64});
  }
}

/// What a small program of transfers and dispatches gives.
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

struct TemporaryFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("lac-vulkan-test-" + std::to_string(getpid()));
  TemporaryFolder() { std::filesystem::create_directories(path); }
  ~TemporaryFolder() {
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(path);
  }
  std::vector<std::filesystem::path> files() const {
    return {std::filesystem::directory_iterator(path), std::filesystem::directory_iterator()};
  }
};

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

TEST_CASE("An allocation that fails leaves everything as it was, at whichever it is") {
  for (int k = 0; k < 20; ++k) {
    const Opened device({.mode = DeviceMode::staging, .faults = {.fail_allocation = k}});
    if (!device) return;
    bool failed = false;
    try {
      small_program(*device);
    } catch (const DeviceError& error) {
      failed = true;
      CHECK(error.kind == DeviceErrorKind::out_of_memory);
    }
    CHECK(device->memory().used_bytes == 0);
    CHECK_FALSE(device->lost());
    if (!failed) return;  // k allocations are not made
    const std::vector<float> values = small_program(*device);
    CHECK(values[999] == expected_of_small_program(999));
    REQUIRE(k < 19);
  }
}

TEST_CASE("More than the device has is out of memory, and what is smaller still fits") {
  const Opened device;
  if (!device) return;
  std::vector<std::shared_ptr<Buffer>> held;
  held.push_back(device->make_buffer(1 << 20));
  DeviceErrorKind kind = DeviceErrorKind::lost;
  try {
    device->make_buffer(device->limits().buffer_bytes);
  } catch (const DeviceError& error) {
    kind = error.kind;
  }
  CHECK((kind == DeviceErrorKind::out_of_memory || kind == DeviceErrorKind::lost));
  held.push_back(device->make_buffer(1 << 20));
}

TEST_CASE("A device that is lost stays lost, and the next one works") {
  for (int k = 0; k < 2; ++k) {
    const Opened device({.mode = DeviceMode::staging, .faults = {.lose_at_submit = k}});
    if (!device) return;
    {
      Stream stream(*device);
      const ShaderStage stage = axpy();
      const auto x = make(*device, stream, ramp(64));
      const auto y = make(*device, stream, ramp(64));
      run_axpy(stream, stage, x, y, 1);
      if (k > 0) stream.submit();
      run_axpy(stream, stage, x, y, 1);
      DeviceErrorKind kind = DeviceErrorKind::limit;
      try {
        stream.finish();
      } catch (const DeviceError& error) {
        kind = error.kind;
      }
      CHECK(kind == DeviceErrorKind::lost);
      CHECK(device->lost());
      CHECK_THROWS_AS(stream.submit(), DeviceError);
      CHECK_THROWS_AS(values_of(stream, y), DeviceError);
      CHECK_THROWS_AS(device->make_buffer(4), DeviceError);
    }
    const Opened next;
    CHECK(small_program(*next)[999] == expected_of_small_program(999));
  }
}

TEST_CASE("The cache of pipelines survives whatever lies in its folder") {
  const TemporaryFolder folder;
  const DeviceOptions options = {.cache_folder = folder.path.string(), .cache_key = "compiler 1"};
  const auto runs = [](const DeviceOptions& with) {
    const Opened device(with);
    return !device || small_program(*device)[999] == expected_of_small_program(999);
  };
  REQUIRE(runs(options));
  if (folder.files().empty()) return;  // no device
  REQUIRE(folder.files().size() == 1);
  const std::filesystem::path file = folder.files()[0];
  CHECK(runs(options));

  SECTION("garbage") { std::ofstream(file, std::ios::binary) << "garbage"; }
  SECTION("half a file") { std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1); }
  SECTION("an empty file") { std::filesystem::resize_file(file, 0); }
  SECTION("a folder of that name") {
    std::filesystem::remove(file);
    std::filesystem::create_directories(file / "inside");
  }
  SECTION("a folder that cannot be written") {
    std::filesystem::permissions(folder.path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  }
  SECTION("another compiler's file beside it") {
    DeviceOptions other = options;
    other.cache_key = "compiler 2";
    CHECK(runs(other));
    CHECK(folder.files().size() == 2);
  }
  SECTION("several writers at once") {
    std::vector<std::thread> writers;
    std::array<bool, 4> right = {};
    const ShaderStage stage = axpy();
    for (std::size_t n = 0; n < right.size(); ++n) {
      writers.emplace_back([&, n] {
        const auto device = open_device(options);
        if (!device) return;
        device.value()->pipeline(stage);
        device.value()->save_cache();
        right[n] = true;
      });
    }
    for (std::thread& writer : writers) writer.join();
    for (const bool fine : right) CHECK(fine);
  }
  CHECK(runs(options));
  for (const auto& left : folder.files()) CHECK(left.extension() != ".tmp");
}

TEST_CASE("A folder that cannot exist is no failure") {
  const Opened device({.cache_folder = "/dev/null/cache"});
  if (!device) return;
  CHECK(small_program(*device)[999] == expected_of_small_program(999));
}

}  // namespace lac::runtime::vulkan
