#include "runtime/cpu/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ir/plan/slots.h"
#include "runtime/cpu/abi_functions.h"
#include "runtime/cpu/guard.h"

namespace lac::runtime {
namespace {

// Beyond this much a buffer's end stays as it is: it may never be touched otherwise.
constexpr std::size_t most_filled = std::size_t{64} << 20;

__int128 product(std::int64_t rows, std::int64_t cols) {
  return rows < 0 || cols < 0 ? 0 : static_cast<__int128>(rows) * cols;
}

LocationId location_of(const abi::Context& run, std::int32_t location) {
  if (location != abi::in_kernel) return {static_cast<std::uint32_t>(location)};
  const std::vector<LocationId>& all = run.manifest.kernels[static_cast<std::size_t>(run.kernel)].locations;
  return all.empty() ? LocationId{} : all.front();
}

}  // namespace

std::int64_t held_elements(const PoolBuffer& buffer, std::int64_t element_bytes) {
  return static_cast<std::int64_t>(buffer.bytes) / element_bytes;
}

bool holds(abi::Context* run, std::int32_t location, const PoolBuffer& buffer, std::int64_t rows, std::int64_t cols,
           std::int64_t element_bytes) {
  const std::int64_t held = held_elements(buffer, element_bytes);
  if (product(rows, cols) <= held) return true;
  run->fail(RunCode::internal_error, fmt::format("a buffer of {} elements is read as {}x{}", held, rows, cols),
            LocationId{static_cast<std::uint32_t>(location)});
  return false;
}

void fill_unwritten(const PoolBuffer& buffer) { std::memset(buffer.values, 0xff, std::min(buffer.bytes, most_filled)); }

void prepare_checks(abi::Context* run, std::int32_t kernel, std::uint64_t* slots, std::int64_t blocks) {
  const KernelEntry& entry = run->manifest.kernels[static_cast<std::size_t>(kernel)];
  run->kernel = kernel;
  slots[entry.partials_slot + check_partials_distance] = static_cast<std::uint64_t>(entry.partials(slots, blocks));
}

}  // namespace lac::runtime

using lac::abi::Buffer;
using lac::abi::Context;
using lac::runtime::PoolBuffer;

void lac_check_bounds(Context* run) { run->checks_bounds = true; }

std::int64_t lac_elements(const Buffer* buffer, std::int32_t array, std::int64_t rows, std::int64_t cols,
                          std::int64_t element_bytes) {
  if (buffer->in_frame > 0) return std::min<std::int64_t>(buffer->in_frame, rows * cols);
  const PoolBuffer& pooled = *static_cast<const PoolBuffer*>(buffer);
  const lac::StorageFormat& format = lac::format(pooled.tensor->storage());
  const lac::StorageArray& described = format.arrays[lac::position_of(lac::ArrayRole(array), pooled.tensor->storage())];
  if (described.index_bytes == 0) {
    const __int128 limit = lac::runtime::product(rows, cols);
    return static_cast<std::int64_t>(std::min<__int128>(lac::runtime::held_elements(pooled, element_bytes), limit));
  }
  return lac::extent_of(described, pooled.tensor->rows(), pooled.tensor->stored());
}

std::int32_t lac_outside(Context* run, std::int32_t location, const char* access, std::int64_t index,
                         std::int64_t count) {
  const std::scoped_lock lock(run->outside);
  if (!run->result.status.ok()) return static_cast<std::int32_t>(run->result.status.code);
  const lac::LocationId place = lac::runtime::location_of(*run, location);
  return lac::runtime::guarded(run, place, [&] {
    std::string where;
    if (location == lac::abi::in_kernel)
      where = "kernel '" + run->manifest.kernels[static_cast<std::size_t>(run->kernel)].name + "': ";
    return run->fail(lac::runtime::RunCode::internal_error,
                     fmt::format("{}{} at index {} (from 0) of {}", where, access, index, count), place);
  });
}
