#include "runtime/vulkan/memory/texels.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "ir/plan/texel.h"
#include "runtime/vulkan/device/error.h"

namespace lac::runtime::vulkan {

std::uint64_t image_bytes(const DeviceLimits& limits, bool folded, std::int64_t rows, std::int64_t cols) {
  const ImageExtent extent = image_extent(folded, rows, cols);
  const std::int64_t most = limits.image_extent;
  if (extent.width > most || extent.height > most)
    throw DeviceError(DeviceErrorKind::limit, "a matrix of " + std::to_string(rows) + "x" + std::to_string(cols) +
                                                  " needs an image of " + std::to_string(extent.width) + "x" +
                                                  std::to_string(extent.height) + " texels; the device's largest is " +
                                                  std::to_string(most) + " either way (run with --layout=buffer)");
  return static_cast<std::uint64_t>(16 * extent.width * extent.height);
}

std::shared_ptr<Image> make_texels(Device& device, bool folded, std::int64_t rows, std::int64_t cols) {
  image_bytes(device.limits(), folded, rows, cols);
  const ImageExtent extent = image_extent(folded, rows, cols);
  return device.make_image(static_cast<std::uint32_t>(extent.width), static_cast<std::uint32_t>(extent.height));
}

void upload_texels(Stream& stream, const Tensor& tensor, bool folded, const std::shared_ptr<Image>& image) {
  std::vector<float> texels(image->bytes() / sizeof(float));
  const std::span elements(tensor.values<float>(), static_cast<std::size_t>(tensor.stored()));
  to_texels(folded, tensor.rows(), tensor.cols(), elements, texels);
  const BufferRange staged{stream.device().make_buffer(image->bytes())};
  stream.upload(std::as_bytes(std::span(texels)), staged);
  stream.copy_to_image(staged, image);
}

void download_texels(Stream& stream, const std::shared_ptr<Image>& image, bool folded, Tensor& tensor) {
  std::vector<float> texels(image->bytes() / sizeof(float));
  const BufferRange staged{stream.device().make_buffer(image->bytes())};
  stream.copy_to_buffer(image, staged);
  stream.read(staged, std::as_writable_bytes(std::span(texels)));
  const std::span elements(tensor.mutable_values<float>(), static_cast<std::size_t>(tensor.stored()));
  from_texels(folded, tensor.rows(), tensor.cols(), texels, elements);
}

void copy_texels(Stream& stream, const std::shared_ptr<Image>& from, const std::shared_ptr<Image>& to) {
  const BufferRange between{stream.device().make_buffer(from->bytes())};
  stream.copy_to_buffer(from, between);
  stream.copy_to_image(between, to);
}

}  // namespace lac::runtime::vulkan
