// RGBA32F pictures: the texel layout of matrices, and render targets.
#pragma once

#include <cstdint>
#include <memory>

namespace lac::runtime::vulkan {

struct DeviceState;
struct ImageState;

/// 2-D, RGBA32F; sampled (texelFetch), storage, colour attachment, either end of a copy. Always in the general layout;
/// a Stream brings it there at the first use.
class Image {
 public:
  Image(DeviceState& device, std::uint32_t width, std::uint32_t height);  ///< Device::make_image
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  std::uint64_t bytes() const { return std::uint64_t{width_} * height_ * 16; }
  ImageState& state() const { return *state_; }

 private:
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  std::unique_ptr<ImageState> state_;
};

}  // namespace lac::runtime::vulkan
