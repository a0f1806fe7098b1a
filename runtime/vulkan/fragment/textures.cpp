#include "runtime/vulkan/fragment/textures.h"

#include <algorithm>
#include <cmath>
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

Packed TexturePool::upload(const Tensor& tensor, Element element) {
  const auto nearest = [&](std::int64_t k) { return static_cast<float>(tensor.stored_value(k)); };
  const auto rest = [&](std::int64_t k) {
    const float held = nearest(k);
    return std::isfinite(held) ? static_cast<float>(tensor.stored_value(k) - static_cast<double>(held)) : 0.0f;
  };
  Packed packed = {upload(tensor.stored(), nearest)};
  if (channels_of(element) == 2) packed.rest = upload(tensor.stored(), rest);
  if (tensor.storage() != Storage::csr) return packed;
  constexpr std::int64_t largest = 1 << 24;
  if (tensor.stored() > largest || tensor.cols() > largest)
    throw DeviceError(
        DeviceErrorKind::limit,
        "vulkan-fragment has no compressed rows of more than 2^24 entries or columns: use --target=vulkan");
  packed.row_pointers =
      upload(tensor.rows() + 1, [&](std::int64_t k) { return static_cast<float>(tensor.row_pointers()[k]); });
  packed.columns =
      upload(tensor.stored(), [&](std::int64_t k) { return static_cast<float>(tensor.column_indices()[k]); });
  return packed;
}

Texture TexturePool::upload(std::int64_t count, const std::function<float(std::int64_t)>& number) {
  Texture texture = take(packed_extent(std::max<std::int64_t>(1, count)));
  const std::shared_ptr<Buffer> staged = device_.make_buffer(texture->bytes(), BufferUse::upload);
  auto* numbers = reinterpret_cast<float*>(staged->mapped());
  std::memset(numbers, 0, texture->bytes());
  for (std::int64_t k = 0; k < count; ++k) numbers[k] = number(k);
  stream_.copy_to_image({staged}, texture);
  ++transfers_.uploads;
  transfers_.upload_bytes += static_cast<std::int64_t>(texture->bytes());
  return texture;
}

void TexturePool::download(const Packed& packed, Tensor& tensor) {
  const std::vector<double> numbers = read(packed);
  for (std::int64_t k = 0; k < tensor.stored(); ++k) tensor.set_stored_value(k, numbers[static_cast<std::size_t>(k)]);
  ++transfers_.downloads;
  transfers_.download_bytes += static_cast<std::int64_t>(packed.values->bytes()) * (packed.rest ? 2 : 1);
}

double TexturePool::scalar(const Packed& packed) {
  ++transfers_.scalar_readbacks;
  return read(packed)[0];
}

std::vector<double> TexturePool::read(const Packed& packed) {
  const std::vector<float> values = read(packed.values);
  std::vector<double> numbers(values.begin(), values.end());
  if (!packed.rest) return numbers;
  const std::vector<float> rest = read(packed.rest);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] += static_cast<double>(rest[k]);
  return numbers;
}

std::vector<float> TexturePool::read(const Texture& texture) {
  const std::shared_ptr<Buffer> copy = device_.make_buffer(texture->bytes());
  std::vector<float> numbers(texture->bytes() / sizeof(float));
  stream_.copy_to_buffer(texture, {copy});
  stream_.read({copy}, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

}  // namespace lac::runtime::vulkan
