#include "runtime/vulkan/memory/staging.h"

#include <algorithm>
#include <utility>

namespace lac::runtime::vulkan {
namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 20;

}  // namespace

BufferRange Staging::take(std::uint64_t bytes, std::uint64_t alignment, std::vector<Chunk>& used) {
  if (bytes > chunk_bytes / 2) {
    Chunk own{std::make_shared<Buffer>(device_, bytes, use_), bytes};
    used.insert(used.begin(), own);  // the last one stays the one to cut from
    return {own.buffer, 0, bytes};
  }
  if (!used.empty()) {
    Chunk& chunk = used.back();
    const std::uint64_t offset = (chunk.used + alignment - 1) / alignment * alignment;
    if (offset + bytes <= chunk.buffer->size()) {
      chunk.used = offset + bytes;
      return {chunk.buffer, offset, bytes};
    }
  }
  const auto idle =
      std::find_if(free_.begin(), free_.end(), [](const Chunk& chunk) { return chunk.buffer.use_count() == 1; });
  if (idle == free_.end()) {
    used.push_back({std::make_shared<Buffer>(device_, chunk_bytes, use_), bytes});
  } else {
    used.push_back({std::move(idle->buffer), bytes});
    free_.erase(idle);
  }
  return {used.back().buffer, 0, bytes};
}

void Staging::recycle(std::vector<Chunk>& used) {
  for (Chunk& chunk : used) {
    if (chunk.buffer->size() == chunk_bytes) free_.push_back(std::move(chunk));
  }
  used.clear();
}

}  // namespace lac::runtime::vulkan
