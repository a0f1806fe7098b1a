#include "runtime/cpu/pool.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "runtime/tensor/blocks.h"

namespace lac::runtime {
namespace {

constexpr std::size_t smallest = 64;

// 64, 80, 96, 112, 128, 160, 192, ...: rounded to whole cache lines.
std::size_t size_class(std::size_t bytes) {
  const std::size_t wanted = std::max(bytes, smallest);
  const std::size_t step = std::max(std::bit_floor(wanted) / 4, Memory::alignment);
  return (wanted + step - 1) / step * step;
}

}  // namespace

void Pool::Free::operator()(void* memory) const { give_back_block(memory, bytes); }

void Pool::count_bytes(std::int64_t change) {
  bytes_ += change;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, bytes_);
}

PoolBuffer* Pool::shell() {
  if (shells_.empty()) return &buffers_.emplace_back();
  PoolBuffer* buffer = shells_.back();
  shells_.pop_back();
  return buffer;
}

PoolBuffer* Pool::acquire(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 4) return nullptr;
  const std::size_t capacity = size_class(bytes);
  // A buffer up to twice as large serves too: better than growing.
  for (auto found = free_.lower_bound(capacity); found != free_.end() && found->first <= 2 * capacity; ++found) {
    if (found->second.empty()) continue;
    PoolBuffer* buffer = found->second.back();
    found->second.pop_back();
    buffer->bytes = bytes;
    ++statistics_.pool_hits;
    return buffer;
  }
  MemoryBudget::Share share(budget_);
  if (!share.take(capacity)) return nullptr;
  std::unique_ptr<void, Free> memory(take_block(capacity), Free{capacity});
  if (!memory) return nullptr;
  PoolBuffer* buffer = shell();
  buffer->values = memory.get();
  buffer->capacity = capacity;
  buffer->bytes = bytes;
  memory_.emplace_back(std::move(share), std::move(memory));
  ++statistics_.resources_created;
  count_bytes(static_cast<std::int64_t>(capacity));
  return buffer;
}

PoolBuffer* Pool::adopt(Tensor tensor) {
  PoolBuffer* buffer = borrow(std::move(tensor));
  if (buffer->tensor->is_dense()) buffer->values = buffer->tensor->mutable_data();
  count_bytes(static_cast<std::int64_t>(buffer->tensor->value_bytes()));
  return buffer;
}

PoolBuffer* Pool::borrow(Tensor tensor) {
  PoolBuffer* buffer = shell();
  buffer->tensor = std::move(tensor);
  buffer->bytes = buffer->tensor->value_bytes();
  buffer->values = const_cast<void*>(buffer->tensor->data());  // generated code writes only to what it owns
  buffer->row_pointers = buffer->tensor->row_pointers();
  buffer->columns = buffer->tensor->column_indices();
  return buffer;
}

void Pool::release(PoolBuffer* buffer) {
  if (buffer->capacity > 0) {
    free_[buffer->capacity].push_back(buffer);
    return;
  }
  count_bytes(-static_cast<std::int64_t>(buffer->tensor->value_bytes()));
  leave_shell(buffer);
}

RunCode Pool::slices_of(PoolBuffer* matrix, Launcher& launcher, const abi::Slices*& slices) {
  slices = nullptr;
  if (matrix->products++ == products_before_slices_) {
    if (const RunCode heard = RowSlices::make(*matrix->tensor, launcher, matrix->slices); heard != RunCode::ok)
      return heard;
    if (matrix->slices) {
      ++statistics_.sliced_matrices;
      count_bytes(static_cast<std::int64_t>(matrix->slices->bytes()));
    }
  }
  if (!matrix->slices) return RunCode::ok;
  ++matrix->products_sliced;
  slices = &matrix->slices->view();
  return RunCode::ok;
}

void Pool::leave_shell(PoolBuffer* buffer) {
  if (buffer->slices) {
    count_bytes(-static_cast<std::int64_t>(buffer->slices->bytes()));
    if (buffer->products_sliced < products_that_repay) products_before_slices_ *= 2;
  }
  *buffer = {};
  shells_.push_back(buffer);
}

Tensor Pool::hand_out(PoolBuffer* buffer, Element element, std::int64_t rows, std::int64_t cols) {
  const auto bytes = static_cast<std::size_t>(element_count(rows, cols) * byte_size(element));
  const std::size_t capacity = buffer->capacity;
  if (capacity == 0 || bytes < capacity - capacity / 4) {
    const bool is_part = buffer->tensor && buffer->tensor->is_dense() && buffer->tensor->value_bytes() != bytes;
    Tensor copy = buffer->tensor && !is_part ? buffer->tensor->reshaped(rows, cols)
                                             : Tensor::borrow_dense(element, rows, cols, buffer->values);
    if (copy.borrowed()) static_cast<void>(copy.mutable_data());
    release(buffer);
    return copy;
  }
  const auto block =
      std::ranges::find_if(memory_, [&](const Block& held) { return held.second.get() == buffer->values; });
  Memory memory = Memory::adopt(block->second.release(), capacity, bytes, std::move(block->first));
  memory_.erase(block);
  count_bytes(-static_cast<std::int64_t>(capacity));
  leave_shell(buffer);
  return Tensor::adopt_dense(element, rows, cols, std::move(memory));
}

}  // namespace lac::runtime
