#include "runtime/vulkan/fragment/textures.h"

#include <algorithm>
#include <cstring>

#include "runtime/vulkan/device/error.h"

namespace lac::runtime::vulkan {

Texture TexturePool::take(PackedExtent extent) {
  if (Texture pooled = find(extent)) return pooled;
  try {
    return make(extent);
  } catch (const DeviceError& error) {
    if (error.kind != DeviceErrorKind::out_of_memory) throw;
  }
  // What commands held on to comes back once they are done.
  stream_.finish();
  if (Texture pooled = find(extent)) return pooled;
  std::erase_if(textures_, [this](const Texture& texture) {
    if (texture.use_count() > 1) return false;
    bytes_ -= static_cast<std::int64_t>(texture->bytes());
    return true;
  });
  return make(extent);
}

Texture TexturePool::find(PackedExtent extent) {
  for (const Texture& texture : textures_) {
    if (texture.use_count() > 1 || texture->width() != extent.width || texture->height() != extent.height) continue;
    ++memory_.pool_hits;
    return texture;
  }
  return nullptr;
}

Texture TexturePool::make(PackedExtent extent) {
  textures_.push_back(device_.make_image(extent.width, extent.height));
  ++memory_.resources_created;
  bytes_ += static_cast<std::int64_t>(textures_.back()->bytes());
  memory_.peak_bytes = std::max(memory_.peak_bytes, bytes_);
  return textures_.back();
}

Texture TexturePool::upload(const Tensor& tensor) {
  Texture texture = take(packed_extent(std::max<std::int64_t>(1, tensor.stored())));
  const std::shared_ptr<Buffer> staged = device_.make_buffer(texture->bytes(), BufferUse::upload);
  auto* numbers = reinterpret_cast<float*>(staged->mapped());
  std::memset(numbers, 0, texture->bytes());
  for (std::int64_t k = 0; k < tensor.stored(); ++k) numbers[k] = static_cast<float>(tensor.stored_value(k));
  stream_.copy_to_image({staged}, texture);
  ++transfers_.uploads;
  transfers_.upload_bytes += static_cast<std::int64_t>(texture->bytes());
  return texture;
}

void TexturePool::download(const Texture& texture, Tensor& tensor) {
  const std::vector<float> numbers = read(texture);
  for (std::int64_t k = 0; k < tensor.stored(); ++k)
    tensor.set_stored_value(k, static_cast<double>(numbers[static_cast<std::size_t>(k)]));
  ++transfers_.downloads;
  transfers_.download_bytes += static_cast<std::int64_t>(texture->bytes());
}

double TexturePool::scalar(const Texture& texture) {
  ++transfers_.scalar_readbacks;
  return static_cast<double>(read(texture)[0]);
}

std::vector<float> TexturePool::read(const Texture& texture) {
  const std::shared_ptr<Buffer> copy = device_.make_buffer(texture->bytes());
  std::vector<float> numbers(texture->bytes() / sizeof(float));
  stream_.copy_to_buffer(texture, {copy});
  stream_.read({copy}, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

}  // namespace lac::runtime::vulkan
