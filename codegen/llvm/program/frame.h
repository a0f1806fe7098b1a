// Small matrices of straight loops: where they lie in the frame of the program.
#pragma once

#include <cstddef>
#include <vector>

#include "codegen/llvm/program/builder.h"
#include "ir/graph/outer_uses.h"

namespace lac::codegen {

/// Of one loop under construction. Every small matrix that a straight loop carries has memory in the frame while the
/// loop runs, and is found and left where the program has it.
class FrameOfLoop {
 public:
  FrameOfLoop(ProgramBuilder& p, OpId loop) : p_(p), loop_(loop) {}

  /// Before the loop, which is straight: `values` of what it carries become those inside.
  void enter(OuterUses& outer, std::vector<llvm::Value*>& values);
  /// Defines the carried matrices for the body.
  void begin_trip();
  /// At the end of a trip: its values become those of the next.
  void hand_on(std::vector<llvm::Value*>& again);
  /// Behind the loop: the values that it leaves.
  void leave(std::vector<llvm::Value*>& left);

 private:
  struct Kept {
    std::size_t position;  ///< among what is carried
    ValueId argument;
    llvm::Value *home, *here;  ///< where it was found and is left; where it is in between
  };
  struct Seen {
    ValueId value;
    llvm::Value* outside;
  };

  BlockId body() const { return p_.plan.ops[loop_].blocks[0]; }
  void keep(std::vector<llvm::Value*>& values);
  void bring_in(OuterUses& outer);
  bool takes_over(std::size_t position, ValueId argument, const llvm::Value* initial) const;
  bool is_made_by_body(ValueId value) const;

  ProgramBuilder& p_;
  OpId loop_;
  std::vector<Kept> kept_;
  std::vector<Seen> seen_;
};

}  // namespace lac::codegen
