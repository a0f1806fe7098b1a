// Compiled pipelines, kept on disk between processes.
//
// One file for each combination of device, driver and compiler, named by a hash of them. It holds a header of ours (so
// that a broken file never reaches the driver) and the driver's data. A file is replaced by renaming: readers see the
// old or the new one. A writer merges what another process has written since. No failure of the disk is one of ours.
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

/// The payload of a cache file's bytes; empty where they are not one.
std::vector<char> unwrap_cache(const std::vector<char>& bytes);
std::vector<char> wrap_cache(const std::vector<char>& payload);

}  // namespace lac::runtime::vulkan
