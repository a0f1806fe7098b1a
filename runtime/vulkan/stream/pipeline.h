// A shader ready to run on one device.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/plan/shader.h"
#include "runtime/vulkan/device/raster.h"

namespace lac::runtime::vulkan {

struct DeviceState;
struct PipelineState;

/// Bindings become: Layout::buffer a storage buffer; Layout::texel a combined image sampler (`sampler2D`, for
/// texelFetch) where it is only read, else a storage image (`image2D`, rgba32f). One with an address becomes nothing.
class Pipeline {
 public:
  Pipeline(DeviceState& device, const ShaderStage& stage);  ///< Device::pipeline
  /// Device::render_pipeline
  Pipeline(DeviceState& device, const ShaderStage& vertex, const ShaderStage& fragment, std::uint32_t targets,
           Raster raster);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  const std::vector<Binding>& bindings() const { return bindings_; }
  std::uint32_t parameter_bytes() const { return parameter_bytes_; }
  std::uint32_t block_bytes() const { return block_bytes_; }  ///< with the addresses behind them
  bool parameters_in_buffer() const { return parameters_in_buffer_; }
  PipelineState& state() const { return *state_; }

 private:
  Pipeline(DeviceState& device, const ShaderStage& vertex, const ShaderStage& fragment, const ShaderStage& interface,
           std::uint32_t targets, Raster raster);

  std::vector<Binding> bindings_;
  std::uint32_t parameter_bytes_ = 0;
  std::uint32_t block_bytes_ = 0;
  bool parameters_in_buffer_ = false;
  std::unique_ptr<PipelineState> state_;
};

}  // namespace lac::runtime::vulkan
