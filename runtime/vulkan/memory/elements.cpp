#include "runtime/vulkan/memory/elements.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lac::runtime::vulkan {

std::int64_t device_bytes(Element element) { return element == Element::logical ? 4 : byte_size(element); }

std::span<const std::byte> to_device(const Tensor& tensor, std::vector<std::byte>& converted) {
  if (tensor.element() != Element::logical) return {static_cast<const std::byte*>(tensor.data()), tensor.value_bytes()};
  const auto count = static_cast<std::size_t>(tensor.stored());
  converted.resize(count * 4);
  const auto* flags = tensor.values<std::uint8_t>();
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t word = flags[k];
    std::memcpy(converted.data() + 4 * k, &word, 4);
  }
  return converted;
}

std::span<const std::byte> to_device(const Tensor& tensor, const StorageArray& array,
                                     std::vector<std::byte>& converted) {
  return array.role == ArrayRole::values ? to_device(tensor, converted) : tensor.bytes_of(array);
}

void from_device(std::span<const std::byte> bytes, Tensor& tensor) {
  if (tensor.stored() == 0) return;
  if (tensor.element() != Element::logical) {
    std::memcpy(tensor.mutable_data(), bytes.data(), tensor.value_bytes());
    return;
  }
  auto* flags = tensor.mutable_values<std::uint8_t>();
  for (std::size_t k = 0; k < static_cast<std::size_t>(tensor.stored()); ++k) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + 4 * k, 4);
    flags[k] = word != 0;
  }
}

std::int64_t longest_row(const Tensor& tensor) {
  std::int64_t longest = 0;
  if (tensor.storage() != Storage::csr) return longest;
  const std::int32_t* rows = tensor.row_pointers();
  for (std::int64_t row = 0; row < tensor.rows(); ++row)
    longest = std::max<std::int64_t>(longest, rows[row + 1] - rows[row]);
  return longest;
}

std::uint64_t to_slot(double value, Element element) {
  if (element == Element::logical) return value != 0;
  if (element == Element::single) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

double from_slot(std::uint64_t bits, Element element) {
  const auto low = static_cast<std::uint32_t>(bits);
  if (element == Element::logical) return low != 0;
  if (element == Element::single) return std::bit_cast<float>(low);
  return std::bit_cast<double>(bits);
}

}  // namespace lac::runtime::vulkan
