// The matrices of one run: dense buffers that are reused, and tensors that came from outside or from library steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ir/plan/abi.h"
#include "runtime/cpu/row_slices.h"
#include "runtime/stats.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// What every abi::Buffer* of generated code points to.
struct PoolBuffer : abi::Buffer {
  std::optional<Tensor> tensor;      ///< a parameter, a step's result, any sparse matrix: its elements, not the pool's
  std::optional<RowSlices> slices;   ///< of a csr matrix
  std::int64_t products = 0;         ///< by it, in compiled kernels that take slices
  std::int64_t products_sliced = 0;  ///< those that had them
};

/// Memory is handed out in size classes (four to a doubling, at least 64 bytes) and given back
/// (runtime/tensor/blocks.h) only when the run ends, but for what is handed out, so a loop whose sizes vary settles
/// after a few trips. Until then it counts in the budget of the thread that made the pool. Not thread-safe.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Uninitialised memory, 64-byte aligned. Null when there is none.
  PoolBuffer* acquire(std::size_t bytes);
  /// A buffer that holds a tensor. Elements of a dense one may be written: they are made its own.
  PoolBuffer* adopt(Tensor tensor);
  /// A parameter: its elements are read only, whoever owns them.
  PoolBuffer* borrow(Tensor tensor);
  void release(PoolBuffer* buffer);
  /// Its elements as a matrix that outlives the pool, and releases it. They are copied where they are much less than
  /// the memory that they lie in. Throws std::bad_alloc.
  Tensor hand_out(PoolBuffer* buffer, Element element, std::int64_t rows, std::int64_t cols);

  /// Of a csr matrix that compiled code is about to multiply by: null where there are none, or not yet. `ok`, or why
  /// the run is to end.
  RunCode slices_of(PoolBuffer* matrix, Launcher& launcher, const abi::Slices*& slices);

  const MemoryStatistics& statistics() const { return statistics_; }

 private:
  struct Free {
    std::size_t bytes;
    void operator()(void* memory) const;
  };
  using Block = std::pair<MemoryBudget::Share, std::unique_ptr<void, Free>>;

  PoolBuffer* shell();
  void leave_shell(PoolBuffer* buffer);
  void count_bytes(std::int64_t change);

  std::shared_ptr<MemoryBudget> budget_ = MemoryBudget::current();
  std::deque<PoolBuffer> buffers_;  // addresses stay valid
  std::vector<Block> memory_;
  std::map<std::size_t, std::vector<PoolBuffer*>> free_;  ///< by capacity
  std::vector<PoolBuffer*> shells_;                       ///< without memory or tensor
  std::int64_t bytes_ = 0;
  std::int64_t products_before_slices_ = first_products_before_slices;
  MemoryStatistics statistics_;
};

}  // namespace lac::runtime
