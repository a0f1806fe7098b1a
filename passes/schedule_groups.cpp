#include "passes/schedule_groups.h"

#include <algorithm>
#include <bit>

#include "ir/kernel/factors.h"

namespace lac::passes {
namespace {

constexpr std::int64_t short_line = 64;       // one invocation takes it as fast as a workgroup
constexpr std::int64_t narrowest_result = 8;  // of a product, likewise
constexpr std::int64_t row_lanes = 32;        // neighbouring rows: as many as one line of memory has singles
constexpr std::int64_t few_slices = 32;       // neighbouring k, likewise
constexpr std::int64_t sparse_rows = 128;     // of each workgroup of a csr product

bool is_at_most(const Size& size, std::int64_t limit) { return size.is_constant() && size.constant() <= limit; }

/// Points that are neighbours along j are neighbours in memory.
bool runs_along_rows(const AccessMap& map) {
  if (map.row_gather || map.col_gather) return false;
  const Size& step = map.row.j;
  const bool contiguous = step.is(1) || step.is(-1);
  return contiguous && (map.linear ? !map.row.i.is(0) : map.row.i.is(0) && map.col.j.is(0));
}

/// Stores through index vectors, positions of extremes.
bool order_matters(const Kernel& kernel) {
  const auto has_position = [](const KernelReduction& r) { return r.index_output >= 0; };
  const auto scatters = [](const Store& s) { return s.map.row_gather.valid() || s.map.col_gather.valid(); };
  return std::any_of(kernel.reductions.begin(), kernel.reductions.end(), has_position) ||
         std::any_of(kernel.stores.begin(), kernel.stores.end(), scatters);
}

bool wants_tiles(const Kernel& kernel) {
  constexpr std::int64_t half_empty = tile_side / 2 - 1;
  const bool narrow = is_at_most(kernel.rows, half_empty) || is_at_most(kernel.cols, half_empty);
  if (narrow || kernel.contraction || order_matters(kernel)) return false;
  const auto load = [](const Instr& instr) { return instr.kind == InstrKind::load && runs_along_rows(instr.map); };
  const auto store = [](const Store& s) { return runs_along_rows(s.map); };
  return std::any_of(kernel.body.begin(), kernel.body.end(), load) ||
         std::any_of(kernel.stores.begin(), kernel.stores.end(), store);
}

GroupSums slices(bool along_k, std::int64_t fewest, std::int64_t most, std::int64_t of_parts, std::int64_t rows) {
  const auto count = [](std::int64_t n) { return static_cast<std::int32_t>(n); };
  return {GroupSums::Form::slices, along_k, count(fewest), count(most), count(of_parts), count(rows)};
}

GroupSums dense_slices(const Contraction& contraction) {
  const bool along_k = k_is_contiguous(contraction.prologue, contraction.values[0], Axis::rows);
  const std::int64_t most = along_k ? workgroup_size : workgroup_size / row_lanes;
  if (!contraction.extent.is_constant())
    return along_k ? slices(true, few_slices, most, most, 1) : slices(false, most, most, most, row_lanes);
  const std::int64_t extent = contraction.extent.constant();
  const std::int64_t useful = std::clamp<std::int64_t>(extent, 1, along_k && extent < long_sum ? few_slices : most);
  const auto number = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(useful)));
  return slices(along_k, number, number, most, workgroup_size / number);
}

GroupSums sums_of(const Kernel& kernel) {
  if (!kernel.contraction || kernel.contraction->storage == Storage::diagonal) return {};
  const Contraction& contraction = *kernel.contraction;
  if (contraction.storage == Storage::csr) return slices(true, 1, few_slices, few_slices, sparse_rows);
  const bool narrow = is_at_most(kernel.rows, narrowest_result) || is_at_most(kernel.cols, narrowest_result);
  if (!narrow && separate_factors(contraction)) return {.form = GroupSums::Form::blocks};
  return dense_slices(contraction);
}

GroupSchedule decide(const Kernel& kernel, bool writes_texels) {
  const GroupSums sums = sums_of(kernel);
  if (writes_texels) return {GroupWalk::texels, Axis::all, sums};
  for (const KernelReduction& reduction : kernel.reductions) {
    const Axis axis = effective_axis(kernel, reduction.reduction.axis);
    if (axis == Axis::all) continue;
    const bool is_short = is_at_most(kernel.rows, short_line);
    if (is_short == (axis == Axis::cols)) return {GroupWalk::group_lines, axis, sums};
    return {axis == Axis::rows ? GroupWalk::lines : GroupWalk::strips, axis, sums};
  }
  if (sums.form != GroupSums::Form::none) return {GroupWalk::contraction, Axis::all, sums};
  return {wants_tiles(kernel) ? GroupWalk::tiles : GroupWalk::points, Axis::all, sums};
}

}  // namespace

bool schedule_groups(Graph& graph, PassContext& context) {
  if (!context.capabilities.workgroups) return false;
  bool changed = false;
  for_each_op(graph, graph.body, [&](OpId id) {
    const Op& op = graph.ops[id];
    if (op.kind != OpKind::launch) return;
    Kernel& kernel = graph.kernels[attribute<KernelId>(op)];
    if (kernel.schedule.groups.walk != GroupWalk::none) return;
    const bool texels =
        std::ranges::any_of(op.results, [&](ValueId result) { return graph.values[result].layout == Layout::texel; });
    kernel.schedule.groups = decide(kernel, texels);
    changed = true;
  });
  return changed;
}

}  // namespace lac::passes
