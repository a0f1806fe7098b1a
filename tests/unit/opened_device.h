// A Vulkan device as tests open it, and a small program of transfers and dispatches to run on it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/plan/shader.h"
#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

/// An open device, or none where there is none; then a line "skipped: why" has been printed. Where the validation layer
/// is installed it listens, and has said nothing by the end.
class Opened {
 public:
  explicit Opened(DeviceOptions options = {});
  ~Opened();
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  explicit operator bool() const { return device_ != nullptr; }
  Device& operator*() const { return *device_; }
  Device* operator->() const { return device_.get(); }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<const MessageLog> messages_;
};

struct AxpyParameters {
  float alpha;
  std::int32_t n;
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// y = alpha x + y.
ShaderStage axpy();
/// The same with its parameters in a buffer.
ShaderStage axpy_with_block();
/// Compiled, or the test fails.
ShaderStage compiled(ShaderStage stage);

std::shared_ptr<Buffer> make(Device& device, Stream& stream, const std::vector<float>& values);
std::vector<float> values_of(Stream& stream, const std::shared_ptr<Buffer>& buffer);
/// first, first + 1, ...
std::vector<float> ramp(std::size_t n, float first = 0);
/// y += alpha x, `times` times over.
void run_axpy(Stream& stream, const ShaderStage& stage, const std::shared_ptr<Buffer>& x,
              const std::shared_ptr<Buffer>& y, float alpha, int times = 1, std::uint32_t label = 0);
/// What a small program of transfers and dispatches gives, and what it should.
std::vector<float> small_program(Device& device);
float expected_of_small_program(std::size_t i);

}  // namespace lac::runtime::vulkan
