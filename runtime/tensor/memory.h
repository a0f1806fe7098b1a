// Reference-counted bytes: owned (64-byte aligned, zeroed) or borrowed from the host (never written, never freed).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace lac::runtime {

/// How many bytes one run may hold at the same time. Memory that a thread allocates inside a Scope counts until it is
/// freed, by whichever thread; borrowed memory does not count.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::int64_t limit) : limit_(limit) {}

  /// False, and nothing is taken, where that would be more than the limit.
  bool take(std::size_t bytes);
  void give_back(std::size_t bytes) { held_.fetch_sub(static_cast<std::int64_t>(bytes)); }
  /// Whether `take` was ever false since the last `forget_refusals`.
  bool refused() const { return refused_.load(); }
  void forget_refusals() { refused_.store(false); }

  /// The budget of this thread; null without one.
  static const std::shared_ptr<MemoryBudget>& current();

  /// Bytes taken from a budget, which gets them back when it goes.
  class Share {
   public:
    /// Null: nothing is counted.
    explicit Share(std::shared_ptr<MemoryBudget> budget = current()) : budget_(std::move(budget)) {}
    Share(Share&& other) noexcept : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}
    Share& operator=(Share&& other) noexcept;
    ~Share() { give_back(); }

    /// So many more; false, and nothing is taken, where that would be too many.
    bool take(std::size_t bytes);
    void give_back();

   private:
    std::shared_ptr<MemoryBudget> budget_;
    std::size_t bytes_ = 0;
  };

  class Scope {
   public:
    /// Null: memory is not counted.
    explicit Scope(std::shared_ptr<MemoryBudget> budget);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::shared_ptr<MemoryBudget> previous_;
  };

 private:
  std::int64_t limit_;
  std::atomic<std::int64_t> held_ = 0;
  std::atomic<bool> refused_ = false;
};

class Memory {
 public:
  static constexpr std::size_t alignment = 64;

  Memory() = default;
  /// Zeroed bytes, aligned to `alignment`, rounded up to a multiple of it (full vectors may read past the end).
  /// Throws std::bad_alloc, also where the budget of the thread does not allow them.
  static Memory allocate(std::size_t bytes);
  /// The same for who writes all of them next: large ones are not zeroed.
  static Memory for_writing(std::size_t bytes);
  /// The host keeps the bytes alive and unchanged for as long as any copy of this Memory is in use.
  static Memory borrow(const void* data, std::size_t bytes);
  /// `bytes` at the start of a block of take_block, which goes with the last copy of this Memory, and what was taken
  /// from a budget for it.
  static Memory adopt(void* block, std::size_t capacity, std::size_t bytes, MemoryBudget::Share share);

  const void* data() const { return data_.get(); }
  std::size_t size() const { return bytes_; }
  bool borrowed() const { return borrowed_; }
  /// The bytes for writing. A borrowed or shared block is copied first, so no one else sees the writes.
  void* writable();

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
  bool borrowed_ = false;
};

}  // namespace lac::runtime
