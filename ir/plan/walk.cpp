#include "ir/plan/walk.h"

#include <algorithm>

#include "ir/kernel/shared_axis.h"
#include "ir/plan/slots.h"
#include "ir/support/result.h"

namespace lac {
namespace {

void refuse(const Kernel& kernel, const char* why) { throw InternalError("kernel '" + kernel.name + "': " + why); }

bool has_reduction(const Nest& nest, Axis axis) {
  return std::any_of(nest.reductions.begin(), nest.reductions.end(),
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
    return !is_load(instr) || loaded_type(kernel, instr).is_scalar() ||
           is_flat(instr.map, loaded_type(kernel, instr), kernel);
  });
  const bool stores_fit = std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const Store& store) {
    return is_flat(store.map, kernel.outputs[store.output].type, kernel);
  });
  if (!loads_fit || !stores_fit) refuse(kernel, "a flat traversal has a map that is neither identity nor scalar");
  if (has_reduction(kernel, Axis::rows) || has_reduction(kernel, Axis::cols))
    refuse(kernel, "a flat traversal has a reduction along one axis");
}

WalkPlan::Blocks blocks_of(const Nest& nest, const WalkPlan& plan) {
  using Blocks = WalkPlan::Blocks;
  if (nest.strips != Axis::all) return Blocks::given;
  if (std::any_of(nest.stores.begin(), nest.stores.end(), may_collide)) return Blocks::one;
  if (plan.line_reductions) return plan.lane_reductions ? Blocks::one : Blocks::lines;
  const bool whole = plan.flat || plan.order == WalkPlan::Order::strips || plan.other_extent.is(1);
  return whole ? Blocks::lanes : Blocks::tiles;
}

// What a prologue's loads look like when lanes are neighbours along some coordinates.
bool loads_are_contiguous(const Kernel& kernel, const Nest& nest, bool step_i, bool step_j, bool step_k) {
  return std::all_of(nest.contraction->prologue.begin(), nest.contraction->prologue.end(), [&](const Instr& instr) {
    if (!is_load(instr)) return true;
    const Type& type = loaded_type(kernel, instr);
    if (type.is_scalar()) return true;
    const std::optional<Size> stride = lane_stride(instr.map, type, step_i, step_j, step_k);
    return stride && (stride->is(0) || stride->is(1));
  });
}

}  // namespace

WalkPlan plan_walk(const Kernel& kernel, const Nest& nest) {
  if (!kernel.schedule.decided || kernel.schedule.block < 1) refuse(kernel, "its schedule is not decided");
  const bool point = kernel.schedule.traversal == Traversal::point;
  if (kernel.schedule.lanes != static_cast<std::int32_t>(point ? 1 : kernel_lanes))
    refuse(kernel, "its schedule has another number of lanes than vectors");
  const bool sparse = nest.contraction && nest.contraction->storage != Storage::dense;
  WalkPlan plan;
  plan.block = kernel.schedule.block;
  plan.flat = kernel.schedule.traversal == Traversal::flat && !nest.rows.is(1) && !nest.cols.is(1);
  plan.lanes_along_cols = nest.rows.is(1) && !nest.cols.is(1) && !sparse;
  plan.lane_extent = plan.lanes_along_cols ? nest.cols : nest.rows;
  plan.other_extent = plan.lanes_along_cols ? nest.rows : nest.cols;
  if (plan.flat) {
    check_flat(kernel);
    plan.lane_extent = nest.rows * nest.cols;
    plan.other_extent = 1;
  }
  const Axis lane_axis = plan.lanes_along_cols ? Axis::cols : Axis::rows;
  const Axis other_axis = plan.lanes_along_cols ? Axis::rows : Axis::cols;
  plan.line_reductions = has_reduction(nest, lane_axis);
  plan.lane_reductions = has_reduction(nest, other_axis);
  if (plan.line_reductions && plan.lane_reductions) refuse(kernel, "it reduces along rows and along columns");
  // Of several nests, one that has no results of whole lines goes along its columns, whatever the strips are.
  const bool by_strips = kernel.ahead.empty() ? kernel.schedule.traversal == Traversal::rows && !plan.line_reductions
                                              : nest.contraction.has_value();
  const bool spread = plan.lane_reductions && nest.strips == other_axis;
  if ((plan.lane_reductions && !spread) || by_strips) plan.order = WalkPlan::Order::strips;
  plan.blocks = blocks_of(nest, plan);
  if (plan.blocks == WalkPlan::Blocks::one && plan.order == WalkPlan::Order::strips) {
    if (plan.lane_reductions) refuse(kernel, "it scatters and reduces along columns");
    plan.order = WalkPlan::Order::lines;
  }
  return plan;
}

Size index_stride(const AffineIndex& index, bool step_i, bool step_j, bool step_k) {
  return (step_i ? index.i : Size(0)) + (step_j ? index.j : Size(0)) + (step_k ? index.k : Size(0));
}

std::optional<Size> lane_stride(const AccessMap& map, const Type& buffer, bool step_i, bool step_j, bool step_k) {
  if (map.row_gather || map.col_gather) return std::nullopt;
  const Size row = index_stride(map.row, step_i, step_j, step_k);
  const Size col = map.linear ? Size(0) : index_stride(map.col, step_i, step_j, step_k);
  if (map.row.step != AffineIndex::Step::none && !row.is(0)) return std::nullopt;
  if (map.col.step != AffineIndex::Step::none && !col.is(0)) return std::nullopt;
  return row + col * buffer.rows;
}

StripPlan plan_strips(const Kernel& kernel) {
  const Nest& nest = kernel;
  StripPlan strips;
  strips.block = kernel.schedule.block;
  strips.strip = kernel.schedule.strip;
  strips.whole_vectors = kernel.strips == Axis::rows;
  strips.shortest = shortest_strip(kernel.strips);
  strips.block_in_elements = kernel.strips == Axis::cols && spread_outputs(kernel).empty();
  strips.reach = reach(kernel);
  strips.fewest_blocks = kernel.contraction ? fewest_blocks_of_entries : 0;
  strips.extent = shared_extent(nest);
  strips.width = kernel.schedule.width;
  return strips;
}

StripLengths strip_lengths(const StripPlan& plan, std::int64_t width, std::int64_t extent, std::int64_t reach) {
  constexpr std::int64_t lanes = kernel_lanes;
  const std::int64_t at_once = std::max<std::int64_t>(width, 1);
  StripLengths lengths{};
  lengths.reach = plan.whole_vectors ? (reach + lanes - 1) / lanes * lanes : reach;
  lengths.block = plan.block_in_elements ? std::max<std::int64_t>(plan.block / at_once, 1) : plan.block;
  std::int64_t room = plan.strip / at_once;
  if (plan.whole_vectors) room -= room % lanes;
  room = std::max(room, plan.shortest);
  const std::int64_t long_enough = std::max(reaches_of_a_block * lengths.reach, plan.has_seams() ? room : 0);
  lengths.is_far =
      lengths.reach > farthest_reach || (long_enough > lengths.block && extent < plan.fewest_blocks * long_enough);
  if (!lengths.is_far) lengths.block = std::max(lengths.block, long_enough);
  lengths.strip = std::min(room, lengths.block);
  return lengths;
}

DenseForm dense_form(const Kernel& kernel, const Nest& nest, const WalkPlan& plan) {
  if (kernel.schedule.sums > 0) return DenseForm::lanes;
  const bool along_lanes = loads_are_contiguous(kernel, nest, !plan.lanes_along_cols, plan.lanes_along_cols, false);
  const bool along_k = loads_are_contiguous(kernel, nest, false, false, true);
  return along_k && (!along_lanes || plan.lane_extent.is(1)) ? DenseForm::dots : DenseForm::lanes;
}

std::int64_t points_ahead(const Contraction& contraction) {
  switch (contraction.storage) {
    case Storage::diagonal: return 0;
    case Storage::csr: return 128;  // so many that vectors do not wait for the last scalar results
    case Storage::dense: break;
  }
  return 256;
}

std::optional<std::uint32_t> streamed_output(const Kernel& kernel) {
  constexpr std::ptrdiff_t most_reads = 3, least_bytes = 4;
  if (!kernel.ahead.empty() || kernel.contraction || kernel.stores.size() != 1) return std::nullopt;
  const Store& store = kernel.stores.front();
  const Size points = kernel.rows * kernel.cols;
  const std::int64_t bytes = byte_size(kernel.outputs[store.output].type.element);
  const bool small = points.is_constant() && points.constant() < streamed_bytes / bytes;
  if (may_collide(store) || small || bytes < least_bytes) return std::nullopt;
  const auto reads = [&](const Instr& instr) { return is_load(instr) && !loaded_type(kernel, instr).is_scalar(); };
  const auto elsewhere = [&](const Instr& instr) { return reads(instr) && instr.map != store.map; };
  if (std::ranges::any_of(kernel.body, elsewhere) || std::ranges::count_if(kernel.body, reads) > most_reads)
    return std::nullopt;
  return store.output;
}

Element accumulator_element(const KernelReduction& reduction, const Kernel& kernel) {
  if (reduction.reduction.op == ReduceOp::any || reduction.reduction.op == ReduceOp::all) return Element::logical;
  const Element element = kernel.outputs[reduction.output].type.element;
  return element == Element::logical ? Element::integer : element;
}

std::optional<double> constant_of(const Body& body, InstrId id) {
  const Instr& instr = body[id];
  if (instr.kind == InstrKind::constant) return round_to(instr.element, instr.number);
  if (instr.kind != InstrKind::convert) return std::nullopt;
  const auto number = constant_of(body, instr.operands[0]);
  return number ? std::optional(round_to(instr.element, *number)) : std::nullopt;
}

}  // namespace lac
