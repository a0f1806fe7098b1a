// Loops of straight code (LoopMode::straight) in a program under construction. The runtime hears of their trips when
// somebody looks: now and then, and before what can fail. How often they ran is added up in memory that it owns.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/graph/graph.h"

namespace lac::codegen {

class ProgramBuilder;

/// Everything inside of a loop that is entered here is straight.
class QuietLoops {
 public:
  explicit QuietLoops(ProgramBuilder& p) : p_(p) {}

  bool inside() const { return !loops_.empty(); }
  /// At the begin of a trip (i64, from 0) of a loop. The outermost one has begun as every loop does.
  void enter(OpId loop, llvm::Value* trip);
  /// Where the loop has ended after so many trips (i64).
  void leave(llvm::Value* trips);
  /// A launch of `kernel` whose code stands here.
  void count(KernelId kernel);

  /// Whether loops over so many vectors are to be written out here: of a nest, up to where the code is what takes time.
  bool may_write_out(std::int64_t vectors);
  /// So much more than a trip is taken to cost was spent (i64).
  void spend(llvm::Value* cost);

  /// `cold`, which the program goes on behind, with the runtime told of all trips at hand; a run that is to end does.
  void aside(llvm::function_ref<void()> cold);
  /// Ends the block: the step `number`, a check, fails with the operands in step_values.
  void fail(std::uint32_t number, llvm::Value* sizes);
  /// Ends the block: memory that nobody has is asked for, so the run ends as it does wherever memory does not suffice.
  void ask_for_too_much(LocationId location);

 private:
  /// Blocks with much to say are shared by all that get there from a loop: they are most of the code otherwise.
  struct Exit {
    llvm::BasicBlock* block = nullptr;
    std::vector<llvm::PHINode*> arguments;
  };
  struct Loop {
    std::uint32_t number;
    llvm::Value* trip;
    Exit failed, beyond;
  };
  using Call = llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::PHINode*>)>;

  Exit* exit_at_hand(Exit Loop::*exit) { return inside() ? &(loops_.back().*exit) : nullptr; }
  void leave_by(Exit& exit, llvm::ArrayRef<llvm::Value*> arguments, Call call);
  void poll(std::int64_t cost);
  llvm::Value* tell();
  void forget();
  llvm::Value* counts(llvm::Value*& known, llvm::FunctionCallee callee);
  void add(llvm::Value* counts, std::uint32_t number, llvm::Value* amount);

  ProgramBuilder& p_;
  std::vector<Loop> loops_;           ///< at hand, the outermost first
  llvm::AllocaInst* left_ = nullptr;  ///< what trips may cost until the runtime is asked
  llvm::Value *launches_ = nullptr, *trips_ = nullptr;
  std::int64_t written_out_ = 0;
  bool many_counts_ = false, many_loops_ = false;  ///< in the outermost loop at hand: they stay in memory
};

}  // namespace lac::codegen
