// Loops of straight code (ir/plan/straight.h) in a program under construction: the runtime hears of their trips now and
// then, and before whatever can fail; their launches are counted in registers and told when the outermost loop ends.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac::codegen {

class ProgramBuilder;

class QuietLoops {
 public:
  explicit QuietLoops(ProgramBuilder& p) : p_(p) {}

  bool inside() const { return !loops_.empty(); }
  /// At the begin of a trip (i64, from 0) of a loop. The outermost one has begun as every loop does.
  void enter(std::uint32_t loop, llvm::Value* trip);
  /// Where the loop has ended after so many trips (i64).
  void leave(llvm::Value* trips);

  /// Once a trip: lets the runtime look whether the run is to end, after many trips.
  void poll();
  /// In code that is hardly ever reached: the runtime learns of all trips at hand. The Status that it answers.
  llvm::Value* tell();
  /// After tell, where the program goes on.
  void forget();

  /// A launch of `kernel` in the block at hand.
  void count(KernelId kernel);
  /// Launches of a block are counted together; blocks nest.
  class Block {
   public:
    explicit Block(QuietLoops& loops) : loops_(loops), outer_(loops.counter_) { loops.counter_.reset(); }
    ~Block() { loops_.counter_ = outer_; }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

   private:
    QuietLoops& loops_;
    std::optional<std::size_t> outer_;
  };

 private:
  struct Loop {
    std::uint32_t number;
    llvm::Value* trip;
  };
  struct Counter {
    llvm::AllocaInst* count;
    std::vector<KernelId> kernels;       ///< launched once for each count
    std::optional<std::uint32_t> loop;  ///< or: trips of it
  };

  llvm::AllocaInst* local(std::int64_t first, const char* name);
  void add(llvm::AllocaInst* place, llvm::Value* amount);
  void tell_counts();
  void tell_launches(KernelId kernel, llvm::Value* count);

  ProgramBuilder& p_;
  std::vector<Loop> loops_;        ///< at hand, the outermost first
  std::vector<Counter> counters_;  ///< of the outermost loop at hand
  std::optional<std::size_t> counter_;
  llvm::AllocaInst* left_ = nullptr;  ///< trips until the runtime is asked
};

}  // namespace lac::codegen
