// Bytes on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lac::runtime::vulkan {

struct DeviceState;
struct BufferState;

enum class BufferUse : std::uint8_t {
  device,    ///< shaders read and write it; mapped only where device memory is the host's
  upload,    ///< the host writes, the device reads; mapped
  readback,  ///< the device writes, the host reads; mapped
};

/// Every buffer may be a storage buffer, the counts of indirect dispatches and draws, and either end of a copy.
/// Contents are undefined at first. A Stream keeps a buffer alive until the commands that use it are done.
class Buffer {
 public:
  Buffer(DeviceState& device, std::uint64_t bytes, BufferUse use);  ///< Device::make_buffer
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::uint64_t size() const { return size_; }
  /// Null where the host has no access. Coherent. Reading needs that Stream::wait has returned for the commands that
  /// write the bytes; writing needs that no submitted or recorded command uses them.
  std::byte* mapped() const { return mapped_; }
  BufferState& state() const { return *state_; }

 private:
  std::uint64_t size_ = 0;
  std::byte* mapped_ = nullptr;
  std::unique_ptr<BufferState> state_;
};

inline constexpr std::uint64_t whole_size = ~std::uint64_t{0};

/// `size` whole_size: to the end.
struct BufferRange {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint64_t size = whole_size;

  std::uint64_t bytes() const { return size == whole_size ? buffer->size() - offset : size; }
};

}  // namespace lac::runtime::vulkan
