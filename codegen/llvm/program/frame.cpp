#include "codegen/llvm/program/frame.h"

#include <algorithm>

namespace lac::codegen {

void FrameOfLoop::enter(OuterUses& outer, std::vector<llvm::Value*>& values) {
  if (!p_.quiet.inside()) bring_in(outer);
  keep(values);
}

// What stays as it is may be somebody else's.
void FrameOfLoop::keep(std::vector<llvm::Value*>& values) {
  const Block& block = p_.plan.blocks[body()];
  for (std::size_t i = 0; i + 1 < block.arguments.size(); ++i) {
    const ValueId argument = block.arguments[i + 1];
    const Type& type = p_.plan.type(argument);
    if (!is_small_matrix(type) || block.yields[i + 1] == argument) continue;
    if (p_.quiet.inside() && takes_over(i, argument, values[i])) {
      kept_.push_back({i, argument, values[i], values[i]});
      continue;
    }
    kept_.push_back({i, argument, values[i], p_.frame_buffer(type)});
    p_.copy_elements(values[i], kept_.back().here, type);
    values[i] = kept_.back().here;
  }
}

// In a nest the place of the loop around it, where the plan has both in one buffer: nobody reads the old matrix again.
bool FrameOfLoop::takes_over(std::size_t position, ValueId argument, const llvm::Value* initial) const {
  constexpr std::size_t before_carried = 2;
  const ValueId found = p_.plan.ops[loop_].operands[position + before_carried];
  return p_.plan.buffer(found) == p_.plan.buffer(argument) && llvm::isa<llvm::AllocaInst>(initial);
}

// Small matrices that a nest of straight loops only reads get a copy in the frame: LLVM may read that ahead of the
// loop, and need not read it again.
void FrameOfLoop::bring_in(OuterUses& outer) {
  const std::vector<ValueId>& operands = p_.plan.ops[loop_].operands;
  for (const ValueId value : outer.of(loop_).values) {
    const Type& type = p_.plan.type(value);
    if (!is_small_matrix(type) || std::ranges::find(operands, value) != operands.end()) continue;
    seen_.push_back({value, p_.value(value)});
    llvm::Value* here = p_.frame_buffer(type);
    p_.copy_elements(seen_.back().outside, here, type);
    p_.define(value, here);
  }
}

void FrameOfLoop::begin_trip() {
  for (const Kept& one : kept_) p_.define(one.argument, one.here);
}

/// So that it lies where nothing carried does.
bool FrameOfLoop::is_made_by_body(ValueId value) const {
  return std::ranges::any_of(p_.plan.blocks[body()].ops, [&](OpId id) {
    const Op& made = p_.plan.ops[id];
    const auto found = std::ranges::find(made.results, value);
    if (found == made.results.end()) return false;
    return made.kind == OpKind::copy || (made.kind == OpKind::launch &&
                                         taken_over(made, static_cast<std::size_t>(found - made.results.begin())) < 0);
  });
}

// All at once: what one is to hold may be what another still holds.
void FrameOfLoop::hand_on(std::vector<llvm::Value*>& again) {
  std::vector<llvm::Value*> from;
  for (const Kept& one : kept_) {
    const Type& type = p_.plan.type(one.argument);
    llvm::Value* yielded = again[one.position];
    again[one.position] = one.here;
    from.push_back(yielded == one.here ? nullptr : yielded);
    if (!from.back() || is_made_by_body(p_.plan.blocks[body()].yields[one.position + 1])) continue;
    from.back() = p_.frame_buffer(type);
    p_.copy_elements(yielded, from.back(), type);
  }
  for (std::size_t n = 0; n < kept_.size(); ++n)
    if (from[n]) p_.copy_elements(from[n], kept_[n].here, p_.plan.type(kept_[n].argument));
}

void FrameOfLoop::leave(std::vector<llvm::Value*>& left) {
  for (const Seen& one : seen_) p_.define(one.value, one.outside);
  for (const Kept& one : kept_) {
    if (one.here != one.home) p_.copy_elements(one.here, one.home, p_.plan.type(one.argument));
    left[one.position] = one.home;
  }
}

}  // namespace lac::codegen
