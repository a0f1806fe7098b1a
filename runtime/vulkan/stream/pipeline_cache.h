// Compiled pipelines, kept on disk between processes.
//
// One file (runtime/files/cache_file.h, so that a broken one never reaches the driver) for each combination of device,
// driver and compiler, named by a hash of them. A writer merges what another process has written since.
#pragma once

#include <volk.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lac::runtime::vulkan {

struct DeviceState;

class PipelineCache {
 public:
  explicit PipelineCache(DeviceState& device);
  ~PipelineCache();
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;

  VkPipelineCache handle() const { return cache_; }
  void note_new_pipeline() { changed_ = true; }
  /// Writes the file if there is a folder and pipelines were added.
  void save() noexcept;

 private:
  DeviceState& device_;
  std::filesystem::path file_;  ///< empty: no folder
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  bool changed_ = false;

  VkPipelineCache make(const std::vector<char>& data);
  void write();
};

}  // namespace lac::runtime::vulkan
