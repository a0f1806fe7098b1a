// Loops of straight code (LoopMode::straight) in a program under construction. The runtime hears of their trips when
// somebody looks: now and then, and before what can fail. How often they ran is added up in memory that it owns.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ir/graph/graph.h"

namespace lac::codegen {

class ProgramBuilder;

/// Whether nothing in a straight loop can end it, or the run, before its limit (a check, growth, a step), and no other
/// loop is inside.
bool runs_to_its_limit(const Graph& plan, const Op& loop);

/// Everything inside of a loop that is entered here is straight.
class QuietLoops {
 public:
  explicit QuietLoops(ProgramBuilder& p) : p_(p) {}

  bool inside() const { return !loops_.empty(); }
  /// At the begin of a trip (i64, from 0) of a loop. The outermost one has begun as every loop does.
  void enter(OpId loop, llvm::Value* trip);
  /// The same of several trips of a loop that runs to its limit, from `trip` to the one that is returned, which is
  /// `end` where nobody is to look before.
  llvm::Value* enter_strip(OpId loop, llvm::Value* trip, llvm::Value* end);
  void in_strip(llvm::Value* trip);  ///< in the block that is a trip
  void leave_strip();                ///< behind the last of them; the loop goes on or is left
  /// Where the loop has ended after so many trips (i64).
  void leave(llvm::Value* trips);
  /// Emits what not every trip may get to.
  void in_arm(llvm::function_ref<void()> arm);
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
  /// Trips between which nobody looks: what they launch is added up behind them.
  struct Strip {
    llvm::BasicBlock* before;                                          ///< its end is where the trips begin
    llvm::Value* trips;                                                ///< i64
    std::vector<KernelId> each_trip = {};                              ///< launched by all of them
    std::vector<std::pair<KernelId, llvm::AllocaInst*>> in_arms = {};  ///< and by some: how often
  };
  struct Loop {
    std::uint32_t number;
    llvm::Value* trip;
    std::optional<Strip> strip = {};
    int arms = 0;  ///< around the place at hand
    Exit failed = {}, beyond = {};
  };
  using Call = llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::PHINode*>)>;

  Exit* exit_at_hand(Exit Loop::*exit) { return inside() ? &(loops_.back().*exit) : nullptr; }
  void leave_by(Exit& exit, llvm::ArrayRef<llvm::Value*> arguments, Call call);
  void poll(llvm::Value* cost);
  void begin_nest(OpId outermost);
  void count_in_strip(Strip& strip, KernelId kernel, bool in_arm);
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
