#include "runtime/cpu/tiers.h"

#include "ir/plan/manifest.h"

namespace lac::runtime {
namespace {

constexpr std::int64_t ns_per_op = 50;
// A launch of a point or a short vector, of a kernel that is compiled already: of others more is told (`spent`).
constexpr std::int64_t ops_per_launch = 5;

// A loop is compiled instead of one in it where it has made so many trips, so that more are likely to come, and is not
// so many times as long to compile.
constexpr std::int64_t trips_of_worth = 3;
constexpr std::int64_t most_growth = 4;

std::int64_t ops_in(const Plan& plan, OpId loop) {
  std::int64_t count = 1;
  for_each_op(plan, plan.ops[loop].blocks[0],
              [&](OpId id) { count += plan.ops[id].kind == OpKind::launch ? ops_per_launch : 1; });
  return count;
}

}  // namespace

// What is inside of which loop.
class Tiers::LoopWalk {
 public:
  LoopWalk(const Plan& plan, Tiers& tiers) : plan_(plan), tiers_(tiers) { walk(plan.body, std::nullopt); }

 private:
  void walk(BlockId block, std::optional<std::uint32_t> around) {
    for (const OpId id : plan_.blocks[block].ops) {
      const Op& op = plan_.ops[id];
      if (op.kind == OpKind::launch) note(tiers_.units_.of[attribute<KernelId>(op)], around);
      if (op.kind != OpKind::loop) {
        for (const BlockId inner : op.blocks) walk(inner, around);
        continue;
      }
      const std::uint32_t number = next_loop_++;
      tiers_.loops_[number].around = around;
      walk(op.blocks[0], number);
    }
  }

  void note(std::uint32_t kernel, std::optional<std::uint32_t> around) {
    KernelTier& tier = tiers_.kernels_[kernel];
    if (!tiers_.units_.is_piece[kernel] && !tier.part_of) tier.part_of = around;
  }

  const Plan& plan_;
  Tiers& tiers_;
  std::uint32_t next_loop_ = 0;
};

Tiers::Tiers(const Plan& plan, PlanUnits units, VectorIsa isa, Patience patience, std::function<void(Unit)> want)
    : plan_(plan),
      units_(std::move(units)),
      isa_(isa),
      patience_(patience),
      want_(std::move(want)),
      kernels_(units_.kernels.size()) {
  for (const OpId loop : plan_loops(plan)) loops_.emplace_back().ops_of_trip = ops_in(plan, loop);
  LoopWalk(plan, *this);
}

const StripKernel& Tiers::strips(std::uint32_t kernel) {
  KernelTier& found = tier(kernel);
  std::call_once(found.made, [&] { found.strips.emplace(plan_.plan().kernels[KernelId{kernel}], isa_); });
  return *found.strips;
}

void Tiers::spent(std::uint32_t kernel, std::int64_t nanoseconds) {
  KernelTier& found = tier(kernel);
  const std::int64_t in_all = found.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed) + nanoseconds;
  if (!outlasts(nanoseconds) || in_all < patience_.kernel_ns) return;
  if (found.part_of) return want_loop(*found.part_of);
  if (!found.wanted.exchange(true)) want_({Unit::Kind::kernel, units_.of[KernelId{kernel}]});
}

LoopFunction Tiers::trip(std::uint32_t loop) {
  LoopTier& found = loops_[loop];
  if (const LoopFunction code = found.code.load(std::memory_order_acquire)) return code;
  const std::int64_t ops = found.ops.fetch_add(found.ops_of_trip, std::memory_order_relaxed);
  if (!outlasts(found.ops_of_trip * ns_per_op) || ops <= patience_.loop_ops) return nullptr;
  want_loop(loop);
  return nullptr;
}

std::int64_t Tiers::run_uncompiled(Unit unit) const {
  if (unit.kind == Unit::Kind::kernel) return kernels_[unit.number].nanoseconds;
  return loops_[unit.number].ops * ns_per_op;
}

void Tiers::add_run_uncompiled(Unit unit, std::int64_t nanoseconds) {
  const bool is_kernel = unit.kind == Unit::Kind::kernel;
  for (std::optional<std::uint32_t> loop = unit.number; loop && !is_kernel; loop = loops_[*loop].around)
    if (loops_[*loop].code.load() != nullptr) return;
  program_ns_ += nanoseconds;
  if (is_kernel) kernels_[unit.number].nanoseconds += nanoseconds;
  else loops_[unit.number].ops += nanoseconds / ns_per_op;
}

// A loop's code holds that of the loops in it. Where it is there, and one in it is run step by step nonetheless, its
// last trip is under way.
void Tiers::want_loop(std::uint32_t loop) {
  while (const auto around = loops_[loop].around) {
    const LoopTier& outer = loops_[*around];
    const std::int64_t trips = outer.ops.load(std::memory_order_relaxed) / outer.ops_of_trip;
    if (outer.code.load(std::memory_order_relaxed) != nullptr || trips <= trips_of_worth) break;
    if (outer.ops_of_trip > most_growth * loops_[loop].ops_of_trip) break;
    loop = *around;
  }
  if (!loops_[loop].wanted.exchange(true)) want_({Unit::Kind::loop, loop});
}

}  // namespace lac::runtime
