#include "runtime/vulkan/pack/pack.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ir/support/result.h"
#include "runtime/vulkan/stream/launch.h"

namespace lac::runtime::vulkan {

void PackRecorder::attach(const Launcher& launcher, std::function<void(const std::string&)> refuse) {
  launcher_ = &launcher;
  refuse_ = std::move(refuse);
}

PackRange PackRecorder::range(const BufferRange& range) {
  const auto [found, is_new] = buffers_.emplace(range.buffer.get(), static_cast<std::uint32_t>(pack_.buffers.size()));
  if (is_new) {
    pack_.buffers.push_back(range.buffer->size());
    alive_.push_back(range.buffer);
  }
  return {found->second, range.offset, range.bytes()};
}

std::uint32_t PackRecorder::shader(const Pipeline& pipeline) {
  const ShaderStage* stage = launcher_->stage_of(pipeline);
  if (stage == nullptr) throw InternalError("a dispatch of a shader that nobody launched");
  const auto found = std::ranges::find(pack_.shaders, stage);
  if (found != pack_.shaders.end()) return static_cast<std::uint32_t>(found - pack_.shaders.begin());
  pack_.shaders.push_back(stage);
  return static_cast<std::uint32_t>(pack_.shaders.size() - 1);
}

std::vector<std::byte> PackRecorder::input_bytes(const PackRange& range) const {
  std::vector<std::byte> bytes;
  for (const PackUpload& upload : inputs_)
    if (upload.to.buffer == range.buffer && upload.to.offset >= range.offset &&
        upload.to.offset < range.offset + range.bytes)
      bytes.insert(bytes.end(), upload.bytes.begin(), upload.bytes.end());
  return bytes;
}

void PackRecorder::add(PackCommand command) {
  list().push_back(std::move(command));
  if (list().size() > most_pack_commands)
    refuse_("a loop that is written out has more than " + std::to_string(most_pack_commands) + " commands");
}

std::vector<PackCommand> PackRecorder::take_list() {
  std::vector<PackCommand> taken = std::move(lists_.back());
  lists_.pop_back();
  return taken;
}

void PackRecorder::dispatched(const Dispatch& dispatch, const GroupCounts& groups, const BufferRange* counts) {
  PackDispatch made;
  made.shader = shader(*dispatch.pipeline);
  for (const BoundResource& resource : dispatch.resources) {
    if (resource.image) throw InternalError("an image in a shader pack");
    made.resources.push_back(range(resource.buffer));
  }
  made.parameters.assign(dispatch.parameters.begin(), dispatch.parameters.end());
  if (counts) made.counts = range({counts->buffer, counts->offset, sizeof(GroupCounts)});
  else made.groups = {groups.x, groups.y, groups.z};
  add({std::move(made)});
}

void PackRecorder::copied(const BufferRange& from, const BufferRange& to) { add({PackCopy{range(from), range(to)}}); }
void PackRecorder::filled(const BufferRange& to, std::uint32_t word) { add({PackFill{range(to), word}}); }

void PackRecorder::uploaded(std::span<const std::byte> bytes, const BufferRange& to) {
  PackUpload upload{range(to), {bytes.begin(), bytes.end()}};
  if (taking_input_) inputs_.push_back(std::move(upload));
  else add({std::move(upload)});
}

void PackRecorder::looked_at(const BufferRange&) { refuse_(looked_at_by_host); }

}  // namespace lac::runtime::vulkan
