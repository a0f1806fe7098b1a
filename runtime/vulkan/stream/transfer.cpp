// Copies within the device, and to and from the host.
#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/vulkan/stream/command_taker.h"
#include "runtime/vulkan/stream/stream_state.h"

namespace lac::runtime::vulkan {
namespace {

/// Large transfers go in pieces, and uploads that are recorded hold at most so much staging memory.
constexpr std::uint64_t piece_bytes = std::uint64_t{16} << 20;
constexpr std::uint64_t most_staged = std::uint64_t{64} << 20;

void record_copy(StreamState& stream, Frame& frame, const BufferRange& from, const BufferRange& to) {
  const VkBufferCopy region = {from.offset, to.offset, from.bytes()};
  stream.vk().vkCmdCopyBuffer(frame.commands, from.buffer->state().buffer, to.buffer->state().buffer, 1, &region);
}

void stage_up(StreamState& stream, std::span<const std::byte> bytes, const BufferRange& to) {
  if (stream.recording != nullptr && stream.recording->staged_bytes + bytes.size() > most_staged) {
    const Ticket ticket = stream.submit();
    ++stream.counters.waits;
    stream.timeline.wait(ticket, UINT64_MAX);
    stream.retire_through(ticket);
  }
  Frame& frame = stream.frame();
  const BufferRange staged = stream.uploads.take(bytes.size(), 16, frame.uploads);
  std::memcpy(staged.buffer->mapped() + staged.offset, bytes.data(), bytes.size());
  stream.use(frame, to.buffer);
  stream.order(frame, std::array{access_of(to, Access::transfer_write)});
  record_copy(stream, frame, staged, to);
  frame.staged_bytes += bytes.size();
  ++stream.counters.staged_copies;
}

VkBufferImageCopy image_region(const BufferRange& buffer, const Image& image) {
  VkBufferImageCopy region{};
  region.bufferOffset = buffer.offset;
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {image.width(), image.height(), 1};
  return region;
}

}  // namespace

void Stream::copy(const BufferRange& from, const BufferRange& to) {
  if (from.bytes() == 0) return;
  const BufferRange target = {to.buffer, to.offset, from.bytes()};
  if (state_->taker) return state_->taker->copied(from, target);
  Frame& frame = state_->frame();
  state_->use(frame, from.buffer);
  state_->use(frame, to.buffer);
  state_->order(frame, std::array{access_of(from, Access::transfer_read), access_of(target, Access::transfer_write)});
  record_copy(*state_, frame, from, target);
}

void Stream::fill(const BufferRange& to, std::uint32_t word) {
  if (to.bytes() == 0) return;
  if (state_->taker) return state_->taker->filled(to, word);
  Frame& frame = state_->frame();
  state_->use(frame, to.buffer);
  state_->order(frame, std::array{access_of(to, Access::transfer_write)});
  state_->vk().vkCmdFillBuffer(frame.commands, to.buffer->state().buffer, to.offset, to.bytes(), word);
}

void Stream::copy_to_image(const BufferRange& from, const std::shared_ptr<Image>& to) {
  if (to->bytes() == 0) return;
  Frame& frame = state_->frame();
  state_->use(frame, from.buffer);
  state_->use(frame, to);
  state_->order(frame, std::array{access_of(from, Access::transfer_read), access_of(*to, Access::transfer_write)});
  const VkBufferImageCopy region = image_region(from, *to);
  state_->vk().vkCmdCopyBufferToImage(frame.commands, from.buffer->state().buffer, to->state().image,
                                      VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

void Stream::copy_to_buffer(const std::shared_ptr<Image>& from, const BufferRange& to) {
  if (from->bytes() == 0) return;
  Frame& frame = state_->frame();
  state_->use(frame, from);
  state_->use(frame, to.buffer);
  state_->order(frame, std::array{access_of(*from, Access::transfer_read), access_of(to, Access::transfer_write)});
  const VkBufferImageCopy region = image_region(to, *from);
  state_->vk().vkCmdCopyImageToBuffer(frame.commands, from->state().image, VK_IMAGE_LAYOUT_GENERAL,
                                      to.buffer->state().buffer, 1, &region);
}

void Stream::upload(std::span<const std::byte> bytes, const BufferRange& to) {
  if (bytes.empty()) return;
  state_->device.check_alive();
  if (bytes.size() > to.bytes()) throw InternalError("an upload past the end of its buffer");
  if (state_->taker) return state_->taker->uploaded(bytes, {to.buffer, to.offset, bytes.size()});
  if (to.buffer->mapped() != nullptr && state_->idle(*to.buffer)) {
    std::memcpy(to.buffer->mapped() + to.offset, bytes.data(), bytes.size());
    return;
  }
  for (std::uint64_t at = 0; at < bytes.size(); at += piece_bytes) {
    const auto piece = bytes.subspan(at, std::min<std::uint64_t>(piece_bytes, bytes.size() - at));
    stage_up(*state_, piece, {to.buffer, to.offset + at, piece.size()});
  }
}

Download Stream::download(const BufferRange& from) {
  if (from.bytes() == 0) return {{}, 0};
  if (state_->taker) state_->taker->looked_at(from);
  Frame& frame = state_->frame();
  const BufferRange copy = state_->readbacks.take(from.bytes(), 16, frame.readbacks);
  state_->use(frame, from.buffer);
  state_->order(frame, std::array{access_of(from, Access::transfer_read)});
  record_copy(*state_, frame, from, copy);
  ++state_->counters.staged_copies;
  return {copy, frame.ticket};
}

void Stream::read(const BufferRange& from, std::span<std::byte> bytes) {
  if (bytes.empty()) return;
  state_->device.check_alive();
  if (bytes.size() > from.bytes()) throw InternalError("a read past the end of its buffer");
  if (state_->taker) state_->taker->looked_at(from);
  if (from.buffer->mapped() != nullptr) {
    state_->wait_for(*from.buffer);
    std::memcpy(bytes.data(), from.buffer->mapped() + from.offset, bytes.size());
    return;
  }
  for (std::uint64_t at = 0; at < bytes.size(); at += piece_bytes) {
    const std::uint64_t size = std::min<std::uint64_t>(piece_bytes, bytes.size() - at);
    const Download piece = download({from.buffer, from.offset + at, size});
    wait(piece.ticket());
    std::memcpy(bytes.data() + at, piece.bytes().data(), size);
  }
}

}  // namespace lac::runtime::vulkan
