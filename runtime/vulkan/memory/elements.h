// Elements in device memory and on the host: the same, except that a logical is a uint on the device and a byte here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace lac::runtime::vulkan {

/// Of one element on the device.
std::int64_t device_bytes(Element element);

/// The stored values of a tensor as the device holds them: a look at the tensor, or `converted` where it must change.
std::span<const std::byte> to_device(const Tensor& tensor, std::vector<std::byte>& converted);
/// The same of any array of its storage.
std::span<const std::byte> to_device(const Tensor& tensor, const StorageArray& array,
                                     std::vector<std::byte>& converted);
/// Values from device memory into a tensor of as many stored values.
void from_device(std::span<const std::byte> bytes, Tensor& tensor);

/// The entries of the longest row of a csr matrix; 0 of others.
std::int64_t longest_row(const Tensor& tensor);

/// A slot of the arena (see ir/plan/shader.h).
std::uint64_t to_slot(double value, Element element);
double from_slot(std::uint64_t bits, Element element);

}  // namespace lac::runtime::vulkan
