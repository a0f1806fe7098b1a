// Mapped memory for bytes on their way: chunks of 1 MiB, cut into slices, recycled when the commands are done.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/vulkan/memory/buffer.h"

namespace lac::runtime::vulkan {

class Staging {
 public:
  struct Chunk {
    std::shared_ptr<Buffer> buffer;
    std::uint64_t used = 0;
  };

  Staging(DeviceState& device, BufferUse use) : device_(device), use_(use) {}

  /// `bytes` > 0 at a multiple of `alignment`, from the last of `used`, or from a chunk that is put behind it. More
  /// than a chunk has is a buffer of its own.
  BufferRange take(std::uint64_t bytes, std::uint64_t alignment, std::vector<Chunk>& used);
  /// The commands that use them are done; empties `used`. What somebody still holds serves again once it is let go.
  void recycle(std::vector<Chunk>& used);

 private:
  DeviceState& device_;
  BufferUse use_;
  std::vector<Chunk> free_;
};

}  // namespace lac::runtime::vulkan
