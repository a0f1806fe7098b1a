// Loops that the host runs by compiled code (LoopPlan::native): each of their trips would be dispatches of single
// elements.
#include <algorithm>
#include <utility>

#include "runtime/cpu/loop_run.h"
#include "runtime/thrown.h"
#include "runtime/vulkan/loop/region_small.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {
namespace {

// In nanoseconds. They are what a GPU is taken to need, as nobody has measured one yet; in brackets what lavapipe was
// measured to need on one machine (docs/device_loops.md). Either decides alike but where the two sides are close.
constexpr double dispatch = 5'000;     ///< of one point, recorded and run in its turn (105,000)
constexpr double in_dispatch = 1'500;  ///< a kernel of a loop that is one dispatch: barriers, memory (1,200 to 2,200)
constexpr double host_op = 100;        ///< a scalar that the host computes between dispatches
constexpr double wait = 50'000;        ///< until what the device was given is done (400,000)
constexpr double byte_moved = 0.25;    ///< over the bus, one way (0.37)
constexpr double trips_of_inner = 16;  ///< of a loop inside: nobody knows yet

double cost_of_trip(const Plan& plan, const std::set<OpId>& in_tails, BlockId block, double launch) {
  double cost = 0;
  for (const OpId id : plan.blocks[block].ops) {
    if (in_tails.contains(id)) continue;
    const Op& op = plan.ops[id];
    cost += op.kind == OpKind::launch ? launch : host_op;
    for (const BlockId inner : op.blocks)
      cost += (op.kind == OpKind::loop ? trips_of_inner : 1) * cost_of_trip(plan, in_tails, inner, launch);
  }
  return cost;
}

std::int64_t bytes_of(const Matrix& matrix) { return static_cast<std::int64_t>(matrix.parts().total); }

}  // namespace

/// What must come to the host for the loop, and go back behind it, before the device can go on.
double Machine::cost_of_moving(const Op& op, const OuterUses::Uses& uses) const {
  double bytes = 0;
  bool waits = false;
  for (const ValueId id : uses.values) {
    const Value& found = value(id);
    const bool is_here = found.matrix ? matrices_.is_on_host(*found.matrix) : known(id).has_value();
    waits = waits || !is_here;
    if (found.matrix && !is_here) bytes += static_cast<double>(bytes_of(*found.matrix));
  }
  for (const ValueId id : std::span(op.operands).subspan(2))
    if (const Value& carried = value(id); carried.matrix) bytes += static_cast<double>(bytes_of(*carried.matrix));
  return bytes * byte_moved + (waits ? wait : 0);
}

bool Machine::runs_natively(OpId id, const Op& op) {
  if (native_ == nullptr || !device_loops_ || !plan_.loop(id).native) return false;
  const std::optional<double> trips = known(op.operands[0]);
  const double most = 1e9;  // a while loop has no limit of its own
  const auto small = shaders_.loops.find(id);
  const bool one_dispatch =
      plan_.loop(id).on_device() && small != shaders_.loops.end() && is_small(*this, op, small->second);
  const double trip = cost_of_trip(plan_, in_tails_, op.blocks[0], one_dispatch ? in_dispatch : dispatch);
  return std::min(trips.value_or(most), most) * trip > cost_of_moving(op, outer_.of(id));
}

void Machine::native_loop(OpId id, const Op& op) {
  LoopRun run(*native_, parameters_, trips_, options_);
  const std::span<const ValueId> carried = std::span(op.operands).subspan(2);
  for (const ValueId each : outer_.of(id).values)
    if (std::ranges::find(carried, each) == carried.end()) run.read(each, tensor(each));
  for (const ValueId each : carried) {
    Tensor contents = tensor(each);
    if (value(each).matrix) drop(each);  // so that nobody else holds them
    run.hand(each, std::move(contents));
  }
  RunStatus status = run.run(id);
  statistics_.add_native(run.statistics());
  if (!status.ok()) throw Stop{std::move(status)};
  for (const ValueId each : op.results)
    if (plan_.type(each).is_scalar()) define(each, {run.scalar(each)});
  for (const ValueId each : op.results) {
    if (plan_.type(each).is_scalar()) continue;
    const ResultType type = type_of(each);
    Tensor contents = run.matrix(each, type.rows, type.cols);
    define(each, {{}, {}, matrices_.hold(std::move(contents), form_of(plan_.values[each])), type.rows, type.cols});
  }
}

}  // namespace lac::runtime::vulkan
