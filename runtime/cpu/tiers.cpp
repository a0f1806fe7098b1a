#include "runtime/cpu/tiers.h"

#include "ir/plan/manifest.h"

namespace lac::runtime {
namespace {

constexpr std::int64_t ns_per_op = 50;  // launches not counted

std::int64_t ops_in(const Plan& plan, OpId loop) {
  std::int64_t count = 1;
  for_each_op(plan, plan.ops[loop].blocks[0], [&](OpId) { ++count; });
  return count;
}

}  // namespace

Tiers::Tiers(const Plan& plan, PlanUnits units, VectorIsa isa, Patience patience, std::function<void(Unit)> want)
    : plan_(plan),
      units_(std::move(units)),
      isa_(isa),
      patience_(patience),
      want_(std::move(want)),
      kernels_(units_.kernels.size()) {
  for (const OpId loop : plan_loops(plan)) loops_.emplace_back().ops_of_trip = ops_in(plan, loop);
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
  if (!found.wanted.exchange(true)) want_({Unit::Kind::kernel, units_.of[KernelId{kernel}]});
}

LoopFunction Tiers::trip(std::uint32_t loop) {
  LoopTier& found = loops_[loop];
  if (const LoopFunction code = found.code.load(std::memory_order_acquire)) return code;
  const std::int64_t ops = found.ops.fetch_add(found.ops_of_trip, std::memory_order_relaxed);
  if (!outlasts(found.ops_of_trip * ns_per_op) || ops <= patience_.loop_ops) return nullptr;
  if (!found.wanted.exchange(true)) want_({Unit::Kind::loop, loop});
  return nullptr;
}

}  // namespace lac::runtime
