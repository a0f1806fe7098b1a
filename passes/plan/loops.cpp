#include "ir/plan/device_steps.h"
#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

// Of a program, some 550 bytes each: they all lie in its one frame, and LLVM looks at all of it.
constexpr std::size_t most_in_frame = 512;

std::size_t in_loops(const Plan& plan, BlockId block) {
  std::size_t count = 0;
  for (const OpId id : plan.blocks[block].ops)
    for (const BlockId inner : plan.ops[id].blocks)
      count += plan.ops[id].kind == OpKind::loop ? matrices_in_frame(plan, inner) : in_loops(plan, inner);
  return count;
}

class Choice {
 public:
  Choice(Plan& plan, const Capabilities& capabilities)
      : plan_(plan), capabilities_(capabilities), fills_frame_(in_loops(plan, plan.body) > most_in_frame) {}

  /// Inner loops first.
  void block(BlockId id) {
    for (OpId op : plan_.blocks[id].ops) {
      for (BlockId inner : plan_.ops[op].blocks) block(inner);
      if (plan_.ops[op].kind == OpKind::loop) plan_.loops.emplace(op, choose(plan_.ops[op]));
    }
  }

 private:
  LoopPlan choose(const Op& loop) const {
    LoopPlan chosen;
    const bool too_much = fills_frame_ && matrices_in_frame(plan_, loop.blocks[0]) > 0;
    const bool may_be_straight = capabilities_.straight_loops || capabilities_.native_loops;
    const bool straight = may_be_straight && !too_much && is_straight_loop(plan_, loop);
    if (straight && capabilities_.straight_loops) chosen.mode = LoopMode::straight;
    else if (capabilities_.device_loops != DeviceLoops::none)
      chosen = device_loop_plan(plan_, loop, capabilities_.device_loops);
    chosen.native = straight && capabilities_.native_loops && !hangs_on_its_run(loop);
    if (chosen.mode != LoopMode::straight) chosen.compared = compared_by(plan_, loop);
    const Block& body = plan_.blocks[loop.blocks[0]];
    for (std::size_t n = 1; n < body.arguments.size(); ++n)
      if (const BufferId found = plan_.buffer(body.arguments[n]))
        chosen.carried.push_back({found, plan_.buffer(body.yields[n])});
    return chosen;
  }

  /// What speaks asks its run for formats and for what was said already, random numbers count in it: a loop beside a
  /// device has a run of its own.
  bool hangs_on_its_run(const Op& loop) const {
    bool found = false;
    for_each_op(plan_, loop.blocks[0], [&](OpId id) {
      const OpKind kind = plan_.ops[id].kind;
      found =
          found || kind == OpKind::warn || kind == OpKind::format || kind == OpKind::print || kind == OpKind::random;
    });
    return found;
  }

  Plan& plan_;
  const Capabilities& capabilities_;
  bool fills_frame_;
};

/// Positions are integers, which have a double each in memory, and not every device has these: what needs none else
/// stays with the host in programs of single elements.
bool keeps_positions(const Plan& plan, DeviceStep step, const Op& op) {
  if (step == DeviceStep::accumulate) return true;
  return step == DeviceStep::sort && !plan.type(op.results[1]).count().is(0);
}

}  // namespace

void choose_device_steps(Plan& plan, const Capabilities& capabilities) {
  if (!capabilities.device_steps) return;
  for_each_op(plan, plan.body, [&](OpId id) {
    const auto step = device_step_of(plan, plan.ops[id]);
    if (!step || (plan.precision == Element::single && keeps_positions(plan, *step, plan.ops[id]))) return;
    plan.device_steps.insert(id);
  });
}

void choose_loop_modes(Plan& plan, const Capabilities& capabilities) { Choice(plan, capabilities).block(plan.body); }

}  // namespace lac::passes
