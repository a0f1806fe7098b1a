// One launch of a kernel as its strips see it: what the slots hold (ir/plan/slots.h), and memory to work in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/plan/slots.h"
#include "runtime/cpu/strip/operations.h"

namespace lac::runtime {

/// A size of the kernel: a constant, or the number in a slot.
struct SlotNumber {
  std::int64_t constant = 0;
  std::int32_t slot = -1;  ///< -1: constant

  std::int64_t in(const std::uint64_t* slots) const {
    return slot < 0 ? constant : static_cast<std::int64_t>(slots[slot]);
  }
};

/// Where everything of a kernel is in its slots.
class SlotNumbers {
 public:
  explicit SlotNumbers(const Kernel& kernel);

  SlotNumber of(const Size& size) const;
  const SlotLayout& layout() const { return layout_; }
  /// Of what a load or reload reads.
  std::int32_t slot_of(const Instr& load) const {
    const bool again = load.kind == InstrKind::reload;
    return static_cast<std::int32_t>(again ? layout_.outputs[load.argument] : layout_.inputs[load.argument]);
  }

 private:
  SlotLayout layout_;
  std::vector<Size> sizes_;
};

/// Memory for strips, kept by each thread from launch to launch.
class Scratch {
 public:
  /// Aligned to 64 bytes; valid until `rewind`.
  void* take(std::size_t bytes);
  template <class T>
  T* take(std::int64_t count) {
    return static_cast<T*>(take(static_cast<std::size_t>(count) * sizeof(T)));
  }
  std::size_t mark() const { return used_; }
  void rewind(std::size_t mark) { used_ = mark; }

  static Scratch& of_this_thread();

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct Block {
    std::unique_ptr<std::byte[], Free> memory;
    std::size_t bytes = 0;
  };
  std::vector<Block> blocks_;  ///< each begins where the one before ends, in `used_`'s count
  std::size_t used_ = 0;
};

/// Gives back what was taken since.
class ScratchScope {
 public:
  explicit ScratchScope(Scratch& scratch) : scratch_(scratch), mark_(scratch.mark()) {}
  ~ScratchScope() { scratch_.rewind(mark_); }
  ScratchScope(const ScratchScope&) = delete;
  ScratchScope& operator=(const ScratchScope&) = delete;

 private:
  Scratch& scratch_;
  std::size_t mark_;
};

}  // namespace lac::runtime
