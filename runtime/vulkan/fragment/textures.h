// Packed textures (ir/plan/fragment.h): made, pooled, filled and read.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/plan/fragment.h"
#include "runtime/stats.h"
#include "runtime/tensor/tensor.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

using Texture = std::shared_ptr<Image>;

/// What holds the stored values of a tensor.
struct Packed {
  Texture values;
  Texture rest = {};                        ///< of doubles
  Texture row_pointers = {}, columns = {};  ///< of compressed rows
};

/// A texture goes back to the pool when nobody else holds it: neither a value nor commands that are not done.
class TexturePool {
 public:
  TexturePool(Device& device, Stream& stream) : device_(device), stream_(stream) {}

  /// Contents are undefined. Throws DeviceError limit, or out_of_memory where nothing that is pooled could be given
  /// back.
  Texture take(PackedExtent extent);
  /// The stored values of a tensor, rounded to single where they are no doubles. Throws DeviceError limit for indices
  /// of compressed rows that no single is.
  Packed upload(const Tensor& tensor, Element element);
  /// Into the stored values of a tensor; waits.
  void download(const Packed& packed, Tensor& tensor);
  /// The first number; waits.
  double scalar(const Packed& packed);

  const TransferStatistics& transfers() const { return transfers_; }
  const MemoryStatistics& memory() const { return memory_; }

  std::int64_t bytes() const { return bytes_; }  ///< of all textures now, pooled ones included

 private:
  Texture find(PackedExtent extent);
  Texture make(PackedExtent extent);
  Texture upload(std::int64_t count, const std::function<float(std::int64_t)>& number);
  /// Of all channels of its texels.
  std::vector<double> read(const Packed& packed);
  std::vector<float> read(const Texture& texture);

  Device& device_;
  Stream& stream_;
  std::vector<Texture> textures_;
  std::int64_t bytes_ = 0;
  TransferStatistics transfers_;
  MemoryStatistics memory_;
};

}  // namespace lac::runtime::vulkan
