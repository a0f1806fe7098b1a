#include "runtime/vulkan/memory/memory.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>

#include "runtime/vulkan/device/device_state.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{64} << 20;

struct Preference {
  VkMemoryPropertyFlags wanted = 0;
  VkMemoryPropertyFlags unwanted = 0;
};

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// Best first.
constexpr std::array device_preferences = {Preference{local, visible}, Preference{local, 0}, Preference{0, 0}};
constexpr std::array unified_preferences = {Preference{local | visible | cached, 0}, Preference{local, 0},
                                            Preference{0, 0}};
constexpr std::array upload_preferences = {Preference{visible, local | cached}, Preference{visible, local},
                                           Preference{visible, 0}};
constexpr std::array readback_preferences = {Preference{visible | cached, 0}, Preference{visible, 0}};

std::span<const Preference> preferences(BufferUse use, bool unified) {
  switch (use) {
    case BufferUse::device: return unified ? std::span<const Preference>(unified_preferences) : device_preferences;
    case BufferUse::upload: return upload_preferences;
    case BufferUse::readback: return readback_preferences;
  }
  return device_preferences;
}

}  // namespace

std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t type_bits,
                                                BufferUse use, bool unified) {
  for (const Preference& preference : preferences(use, unified)) {
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
      const VkMemoryPropertyFlags flags = memory.memoryTypes[type].propertyFlags;
      const bool fits = (flags & preference.wanted) == preference.wanted &&
                        (preference.unwanted == 0 || (flags & preference.unwanted) != preference.unwanted);
      const bool special = (flags & (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)) != 0;
      if ((type_bits >> type & 1) != 0 && fits && !special) return type;
    }
  }
  return std::nullopt;
}

MemoryAllocator::~MemoryAllocator() {
  for (auto& [key, pool] : pools_) {
    while (!pool.empty()) drop_block(pool, pool.begin());
  }
}

void MemoryAllocator::fault() {
  const bool fails = device_.options.faults.fail_allocation == static_cast<std::int64_t>(statistics_.allocations);
  ++statistics_.allocations;
  if (fails) throw DeviceError(DeviceErrorKind::out_of_memory, "device memory: allocation failed (injected)");
}

std::list<MemoryBlock>::iterator MemoryAllocator::add_block(Pool& pool, std::uint32_t type, std::uint64_t size) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(device_.physical, &memory);
  // Some drivers promise more than the heap has and fail later.
  if (size > memory.memoryHeaps[memory.memoryTypes[type].heapIndex].size) return pool.end();
  auto allocate = vulkan_struct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = size;
  allocate.memoryTypeIndex = type;
  auto flags = vulkan_struct<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  if (device_.info.buffer_addresses) allocate.pNext = &flags;
  MemoryBlock block{VK_NULL_HANDLE, nullptr, MemoryRanges(size)};
  const VkResult result = device_.vk().vkAllocateMemory(device_.device(), &allocate, nullptr, &block.memory);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY ||
      result == VK_ERROR_TOO_MANY_OBJECTS) {
    return pool.end();
  }
  device_.check(result, "vkAllocateMemory");
  if ((memory.memoryTypes[type].propertyFlags & visible) == visible) {
    void* mapped = nullptr;
    if (device_.vk().vkMapMemory(device_.device(), block.memory, 0, VK_WHOLE_SIZE, 0, &mapped) != VK_SUCCESS) {
      device_.vk().vkFreeMemory(device_.device(), block.memory, nullptr);
      return pool.end();
    }
    block.mapped = static_cast<std::byte*>(mapped);
  }
  ++statistics_.blocks;
  statistics_.block_bytes += size;
  return pool.insert(pool.begin(), std::move(block));
}

void MemoryAllocator::drop_block(Pool& pool, Pool::iterator block) {
  --statistics_.blocks;
  statistics_.block_bytes -= block->ranges.size();
  device_.vk().vkFreeMemory(device_.device(), block->memory, nullptr);
  pool.erase(block);
}

bool MemoryAllocator::drop_empty_blocks() {
  const std::uint64_t before = statistics_.blocks;
  for (auto& [key, pool] : pools_) {
    for (auto block = pool.begin(); block != pool.end();) {
      const auto here = block++;
      if (here->ranges.empty()) drop_block(pool, here);
    }
  }
  return statistics_.blocks != before;
}

std::optional<Allocation> MemoryAllocator::take(Pool& pool, const VkMemoryRequirements& needs) {
  const bool reverse = device_.options.mode == DeviceMode::reverse_alloc;
  std::vector<Pool::iterator> order;  // oldest first, as new blocks are put in front
  for (auto block = pool.begin(); block != pool.end(); ++block) order.push_back(block);
  if (!reverse) std::reverse(order.begin(), order.end());
  for (const auto block : order) {
    const auto offset = block->ranges.take(needs.size, needs.alignment, reverse);
    if (!offset) continue;
    Allocation allocation;
    allocation.memory = block->memory;
    allocation.offset = *offset;
    allocation.size = needs.size;
    allocation.mapped = block->mapped == nullptr ? nullptr : block->mapped + *offset;
    allocation.block = block;
    return allocation;
  }
  return std::nullopt;
}

Allocation MemoryAllocator::allocate(const VkMemoryRequirements& needs, BufferUse use, bool image) {
  device_.check_alive();
  fault();
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(device_.physical, &memory);
  const auto type = choose_memory_type(memory, needs.memoryTypeBits, use, device_.info.unified_memory);
  if (!type) throw DeviceError(DeviceErrorKind::unsupported, "device memory: no memory type for this use");
  const std::uint64_t key = std::uint64_t{*type} * 2 + (image ? 1 : 0);
  Pool& pool = pools_[key];
  auto allocation = take(pool, needs);
  if (!allocation) {
    const bool small = needs.size <= block_bytes / 2;
    auto block = add_block(pool, *type, small ? block_bytes : needs.size);
    if (block == pool.end() && drop_empty_blocks()) block = add_block(pool, *type, needs.size);
    if (block == pool.end() && small) block = add_block(pool, *type, needs.size);
    if (block != pool.end()) allocation = take(pool, needs);
  }
  if (!allocation) {
    throw DeviceError(DeviceErrorKind::out_of_memory, "device memory: no room for " + std::to_string(needs.size) +
                                                          " bytes (" + std::to_string(statistics_.used_bytes) +
                                                          " in use)");
  }
  allocation->pool = key;
  statistics_.used_bytes += needs.size;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.used_bytes);
  return *allocation;
}

void MemoryAllocator::free(const Allocation& allocation) {
  statistics_.used_bytes -= allocation.size;
  Pool& pool = pools_[allocation.pool];
  allocation.block->ranges.give(allocation.offset, allocation.size);
  if (!allocation.block->ranges.empty()) return;
  const auto empty = std::count_if(pool.begin(), pool.end(), [](const MemoryBlock& b) { return b.ranges.empty(); });
  if (empty > 1 || allocation.block->ranges.size() != block_bytes) drop_block(pool, allocation.block);
}

}  // namespace lac::runtime::vulkan
