#include "codegen/llvm/kernel_walk_plan.h"

#include <algorithm>

#include "codegen/llvm/kernel_emitter.h"
#include "ir/support/result.h"

namespace lac::codegen {
namespace {

void refuse(const Kernel& kernel, const char* why) { throw InternalError("kernel '" + kernel.name + "': " + why); }

bool has_reduction(const Kernel& kernel, Axis axis) {
  return std::any_of(kernel.reductions.begin(), kernel.reductions.end(),
                     [&](const KernelReduction& reduction) { return reduction.reduction.axis == axis; });
}

bool may_collide(const Store& store) { return store.map.row_gather || store.map.col_gather; }

// Whether the map, asked for row p of column 0, gives what it gives for the point at column-major position p.
bool is_flat(const AccessMap& map, const Type& buffer, const Kernel& kernel) {
  if (map.linear && map.row_gather) return true;
  if (map.row_gather || map.col_gather || map.out_of_range != OutOfRange::impossible) return false;
  AccessMap position;
  position.linear = true;
  position.row.i = 1;
  position.row.j = kernel.rows;
  const bool fixed = map.row.i.is(0) && map.row.j.is(0) && map.col.i.is(0) && map.col.j.is(0);
  return fixed || map == position || (map == AccessMap::identity() && buffer.rows == kernel.rows);
}

void check_flat(const Kernel& kernel) {
  if (kernel.contraction) refuse(kernel, "a flat traversal has no contraction");
  const bool loads_fit = std::all_of(kernel.body.begin(), kernel.body.end(), [&](const Instr& instr) {
    return instr.kind != InstrKind::load || kernel.inputs[instr.argument].type.is_scalar() ||
           is_flat(instr.map, kernel.inputs[instr.argument].type, kernel);
  });
  const bool stores_fit = std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const Store& store) {
    return is_flat(store.map, kernel.outputs[store.output].type, kernel);
  });
  if (!loads_fit || !stores_fit) refuse(kernel, "a flat traversal has a map that is neither identity nor scalar");
  if (has_reduction(kernel, Axis::rows) || has_reduction(kernel, Axis::cols))
    refuse(kernel, "a flat traversal has a reduction along one axis");
}

WalkPlan::Blocks blocks_of(const Kernel& kernel, const WalkPlan& plan) {
  using Blocks = WalkPlan::Blocks;
  if (std::any_of(kernel.stores.begin(), kernel.stores.end(), may_collide)) return Blocks::one;
  if (plan.line_reductions) return plan.lane_reductions ? Blocks::one : Blocks::lines;
  const bool whole = plan.flat || plan.order == WalkPlan::Order::strips || plan.other_extent.is(1);
  return whole ? Blocks::lanes : Blocks::tiles;
}

}  // namespace

WalkPlan plan_walk(const Kernel& kernel) {
  if (!kernel.schedule.decided || kernel.schedule.block < 1) refuse(kernel, "its schedule is not decided");
  if (kernel.schedule.lanes != kernel_lanes) refuse(kernel, "its schedule has another number of lanes than vectors");
  const bool sparse = kernel.contraction && kernel.contraction->storage != Storage::dense;
  WalkPlan plan;
  plan.block = kernel.schedule.block;
  plan.flat = kernel.schedule.traversal == Traversal::flat && !kernel.rows.is(1) && !kernel.cols.is(1);
  plan.lanes_along_cols = kernel.rows.is(1) && !kernel.cols.is(1) && !sparse;
  plan.lane_extent = plan.lanes_along_cols ? kernel.cols : kernel.rows;
  plan.other_extent = plan.lanes_along_cols ? kernel.rows : kernel.cols;
  if (plan.flat) {
    check_flat(kernel);
    plan.lane_extent = kernel.rows * kernel.cols;
    plan.other_extent = 1;
  }
  plan.line_reductions = has_reduction(kernel, plan.lanes_along_cols ? Axis::cols : Axis::rows);
  plan.lane_reductions = has_reduction(kernel, plan.lanes_along_cols ? Axis::rows : Axis::cols);
  if (plan.line_reductions && plan.lane_reductions) refuse(kernel, "it reduces along rows and along columns");
  const bool strips = kernel.schedule.traversal == Traversal::rows && !plan.line_reductions;
  if (plan.lane_reductions || strips) plan.order = WalkPlan::Order::strips;
  plan.blocks = blocks_of(kernel, plan);
  if (plan.blocks == WalkPlan::Blocks::one && plan.order == WalkPlan::Order::strips) {
    if (plan.lane_reductions) refuse(kernel, "it scatters and reduces along columns");
    plan.order = WalkPlan::Order::lines;
  }
  return plan;
}

}  // namespace lac::codegen
