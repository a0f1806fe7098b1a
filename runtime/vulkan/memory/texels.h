// Matrices of Layout::texel on their way between the host and images (ir/plan/texel.h has the layout).
#pragma once

#include <memory>

#include "runtime/tensor/tensor.h"
#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

/// Of the image that a matrix of this size needs; throws DeviceError(limit) with both sizes where the device has none
/// so large.
std::uint64_t image_bytes(const DeviceLimits& limits, bool folded, std::int64_t rows, std::int64_t cols);
std::shared_ptr<Image> make_texels(Device& device, bool folded, std::int64_t rows, std::int64_t cols);
/// `tensor` is dense and single.
void upload_texels(Stream& stream, const Tensor& tensor, bool folded, const std::shared_ptr<Image>& image);
/// Waits for the device.
void download_texels(Stream& stream, const std::shared_ptr<Image>& image, bool folded, Tensor& tensor);
/// Between images of one size.
void copy_texels(Stream& stream, const std::shared_ptr<Image>& from, const std::shared_ptr<Image>& to);

}  // namespace lac::runtime::vulkan
