// Devices that fail, are lost, or find what they cannot use in the folder of their caches.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/unit/opened_device.h"

namespace lac::runtime::vulkan {
namespace {

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
