// Render passes: each is one triangle over all of its targets, or points on them, in a rendering scope of its own.
#include <vector>

#include "ir/support/result.h"
#include "runtime/vulkan/stream/bind.h"
#include "runtime/vulkan/stream/pipeline_state.h"
#include "runtime/vulkan/stream/stream_state.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::uint64_t draw_counts_bytes = 16;

/// Targets are loaded, not cleared: a draw without instances leaves them alone.
VkRenderingAttachmentInfo attachment(const Image& target) {
  auto info = vulkan_struct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
  info.imageView = target.state().view;
  info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  return info;
}

void check_targets(const Draw& draw) {
  if (draw.targets.empty()) throw InternalError("a draw without targets");
  for (const auto& target : draw.targets) {
    if (target->width() != draw.targets[0]->width() || target->height() != draw.targets[0]->height())
      throw InternalError("render targets of several extents");
    for (const BoundResource& resource : draw.work.resources)
      if (resource.image == target) throw InternalError("a draw that reads its target");
  }
}

void begin_rendering(const StreamState& stream, const Frame& frame, const Draw& draw) {
  const Image& first = *draw.targets[0];
  std::vector<VkRenderingAttachmentInfo> attachments;
  for (const auto& target : draw.targets) attachments.push_back(attachment(*target));
  const VkRect2D area = {{0, 0}, {first.width(), first.height()}};
  auto info = vulkan_struct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  info.renderArea = area;
  info.layerCount = 1;
  info.colorAttachmentCount = static_cast<std::uint32_t>(attachments.size());
  info.pColorAttachments = attachments.data();
  const VkViewport viewport = {0, 0, static_cast<float>(first.width()), static_cast<float>(first.height()), 0, 1};
  stream.vk().vkCmdBeginRendering(frame.commands, &info);
  stream.vk().vkCmdSetViewport(frame.commands, 0, 1, &viewport);
  stream.vk().vkCmdSetScissor(frame.commands, 0, 1, &area);
}

/// `command` draws; `counts` are those of an indirect draw.
template <class Command>
void record(StreamState& stream, const Draw& draw, const BufferRange* counts, const Command& command) {
  check_targets(draw);
  Frame& frame = stream.frame();
  const PipelineState& pipeline = draw.work.pipeline->state();
  BoundSet bound = bind(stream, frame, draw.work, Access::graphics_read);
  for (const auto& target : draw.targets) {
    stream.use(frame, target);
    bound.accesses.push_back(access_of(*target, Access::attachment_write));
  }
  if (counts != nullptr) {
    stream.use(frame, counts->buffer);
    bound.accesses.push_back(access_of({counts->buffer, counts->offset, draw_counts_bytes}, Access::indirect_read));
  }
  stream.order(frame, bound.accesses);
  const VolkDeviceTable& vk = stream.vk();
  begin_rendering(stream, frame, draw);
  vk.vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
  vk.vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.layout, 0, 1, &bound.set, 0,
                             nullptr);
  if (!bound.pushed.empty())
    vk.vkCmdPushConstants(frame.commands, pipeline.layout, pipeline.stages, 0,
                          static_cast<std::uint32_t>(bound.pushed.size()), bound.pushed.data());
  command(vk, frame.commands);
  vk.vkCmdEndRendering(frame.commands);
  ++stream.counters.render_passes;
}

}  // namespace

void Stream::draw(const Draw& draw) {
  record(*state_, draw, nullptr,
         [&](const VolkDeviceTable& vk, VkCommandBuffer commands) { vk.vkCmdDraw(commands, draw.vertices, 1, 0, 0); });
}

void Stream::draw_indirect(const Draw& draw, const BufferRange& counts) {
  record(*state_, draw, &counts, [&](const VolkDeviceTable& vk, VkCommandBuffer commands) {
    vk.vkCmdDrawIndirect(commands, counts.buffer->state().buffer, counts.offset, 1, draw_counts_bytes);
  });
}

}  // namespace lac::runtime::vulkan
