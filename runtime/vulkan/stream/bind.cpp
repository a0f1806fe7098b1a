#include "runtime/vulkan/stream/bind.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "ir/support/result.h"
#include "runtime/vulkan/stream/pipeline_state.h"

namespace lac::runtime::vulkan {
namespace {

/// What a dispatch binds, gathered before anything is recorded.
struct Bound {
  Access read = Access::compute_read;
  std::vector<ResourceAccess> accesses;
  std::vector<VkDescriptorBufferInfo> buffers;
  std::vector<VkDescriptorImageInfo> images;
  std::vector<VkWriteDescriptorSet> writes;
  std::vector<std::byte> block;  ///< parameters and addresses
};

[[noreturn]] void wrong_use(const PipelineState& pipeline, const std::string& what) {
  throw InternalError("dispatch of shader " + pipeline.name + ": " + what);
}

void add_write(Bound& bound, const Binding& binding) {
  auto write = vulkan_struct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  write.dstBinding = binding.number;
  write.descriptorCount = 1;
  write.descriptorType = descriptor_type(binding);
  if (binding.layout == Layout::buffer) write.pBufferInfo = &bound.buffers.back();
  else write.pImageInfo = &bound.images.back();
  bound.writes.push_back(write);
}

void bind_buffer(Bound& bound, const DeviceState& device, const PipelineState& pipeline, const Binding& binding,
                 const BufferRange& range) {
  if (range.buffer == nullptr) wrong_use(pipeline, "no buffer for binding " + binding.name);
  const DeviceLimits& limits = device.info.limits;
  const std::uint64_t bytes = range.bytes();
  if (range.offset % limits.storage_buffer_offset != 0) wrong_use(pipeline, "unaligned binding " + binding.name);
  if (binding.read) bound.accesses.push_back(access_of(range, bound.read));
  if (binding.written) bound.accesses.push_back(access_of(range, Access::compute_write));
  if (binding.address_at >= 0) {
    const VkDeviceAddress address = range.buffer->state().address + range.offset;
    std::memcpy(bound.block.data() + binding.address_at, &address, sizeof address);
    return;
  }
  if (bytes > limits.storage_buffer_range) {
    throw DeviceError(DeviceErrorKind::limit, "shader " + pipeline.name + ": " + std::to_string(bytes) + " bytes of " +
                                                  binding.name + " pass the " +
                                                  std::to_string(limits.storage_buffer_range) +
                                                  " that a shader of the device can address (maxStorageBufferRange)");
  }
  bound.buffers.push_back({range.buffer->state().buffer, range.offset, std::max<std::uint64_t>(bytes, 4)});
  add_write(bound, binding);
}

void bind_image(Bound& bound, const DeviceState& device, const PipelineState& pipeline, const Binding& binding,
                const std::shared_ptr<Image>& image) {
  if (image == nullptr) wrong_use(pipeline, "no image for binding " + binding.name);
  bound.images.push_back({device.sampler, image->state().view, VK_IMAGE_LAYOUT_GENERAL});
  if (binding.read) bound.accesses.push_back(access_of(*image, bound.read));
  if (binding.written) bound.accesses.push_back(access_of(*image, Access::compute_write));
  add_write(bound, binding);
}

/// The parameters as a buffer of their own, where they are too many to be pushed.
void bind_block(Bound& bound, StreamState& stream, Frame& frame, const Binding& binding) {
  const std::uint64_t alignment = std::max<std::uint64_t>(stream.device.info.limits.storage_buffer_offset, 16);
  const BufferRange range = stream.uploads.take(std::max<std::size_t>(bound.block.size(), 4), alignment, frame.uploads);
  if (!bound.block.empty()) std::memcpy(range.buffer->mapped() + range.offset, bound.block.data(), bound.block.size());
  bound.block.clear();
  bound.buffers.push_back({range.buffer->state().buffer, range.offset, range.size});
  add_write(bound, binding);
}

Bound gather(StreamState& stream, Frame& frame, const Dispatch& dispatch, Access read) {
  const Pipeline& pipeline = *dispatch.pipeline;
  const std::vector<Binding>& bindings = pipeline.bindings();
  if (dispatch.parameters.size() != pipeline.parameter_bytes()) {
    wrong_use(pipeline.state(), std::to_string(dispatch.parameters.size()) + " bytes of parameters for " +
                                    std::to_string(pipeline.parameter_bytes()));
  }
  Bound bound;
  bound.read = read;
  bound.buffers.reserve(bindings.size());  // the writes point into both
  bound.images.reserve(bindings.size());
  bound.block.assign(dispatch.parameters.begin(), dispatch.parameters.end());
  bound.block.resize(pipeline.block_bytes());
  std::size_t next = 0;
  for (const Binding& binding : bindings) {
    if (binding.kind == ResourceKind::parameters) continue;
    if (next == dispatch.resources.size()) wrong_use(pipeline.state(), "nothing for binding " + binding.name);
    const BoundResource& resource = dispatch.resources[next++];
    if (binding.layout == Layout::buffer) {
      bind_buffer(bound, stream.device, pipeline.state(), binding, resource.buffer);
    } else {
      bind_image(bound, stream.device, pipeline.state(), binding, resource.image);
    }
  }
  const auto block = std::ranges::find(bindings, ResourceKind::parameters, &Binding::kind);
  if (block != bindings.end()) bind_block(bound, stream, frame, *block);
  if (next != dispatch.resources.size()) wrong_use(pipeline.state(), "more resources than bindings");
  return bound;
}

VkDescriptorSet make_set(StreamState& stream, Frame& frame, const PipelineState& pipeline, Bound& bound) {
  const VkDescriptorSet set = stream.descriptors.allocate(pipeline.set_layout, frame.descriptor_pools);
  for (VkWriteDescriptorSet& write : bound.writes) write.dstSet = set;
  stream.vk().vkUpdateDescriptorSets(stream.device.device(), static_cast<std::uint32_t>(bound.writes.size()),
                                     bound.writes.data(), 0, nullptr);
  return set;
}

}  // namespace

BoundSet bind(StreamState& stream, Frame& frame, const Dispatch& dispatch, Access read) {
  Bound bound = gather(stream, frame, dispatch, read);
  BoundSet result{make_set(stream, frame, dispatch.pipeline->state(), bound), std::move(bound.accesses),
                  std::move(bound.block)};
  for (const BoundResource& resource : dispatch.resources) {
    if (resource.buffer.buffer != nullptr) stream.use(frame, resource.buffer.buffer);
    if (resource.image != nullptr) stream.use(frame, resource.image);
  }
  return result;
}

}  // namespace lac::runtime::vulkan
