#include "passes/split_stencils.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/kernel/body.h"
#include "ir/kernel/shared_axis.h"
#include "passes/cost/cost.h"
#include "passes/fusion/displaced.h"
#include "passes/fusion/nest_parts.h"

namespace lac::passes {
namespace {

/// An output, and the instruction that computes it at a neighbour.
struct Reread {
  std::uint32_t output;
  Displacement displacement;
};
using Rereads = std::map<InstrId, Reread>;

/// One nest over a matrix, whose results are its columns or sums over all of it.
bool may_split(const Kernel& kernel) {
  const auto follows = [&](const Store& store) {
    return !store.map.row_gather && distance_along(Axis::cols, store.map, Axis::cols) == 0;
  };
  const auto sums = [](const KernelReduction& reduction) {
    return reduction.reduction.axis == Axis::all && reduction.index_output < 0;
  };
  return kernel.ahead.empty() && !kernel.contraction && !takes_over(kernel) && !kernel.rows.is(1) &&
         !kernel.cols.is(1) && cost::is_long_enough_for_nests(kernel.rows, kernel.cols) &&
         std::ranges::all_of(kernel.stores, follows) && std::ranges::all_of(kernel.reductions, sums);
}

/// Whether the store keeps the value as it is, where another nest finds it again.
bool keeps(const Kernel& kernel, const Store& store) {
  const Type& type = kernel.outputs[store.output].type;
  const auto is_written_here = [&](const Store& other) { return other.output == store.output; };
  return store.map == AccessMap::identity() && type.rows == kernel.rows && type.cols == kernel.cols &&
         type.element == kernel.body[store.value].element && kernel.body[store.value].kind == InstrKind::apply &&
         std::ranges::count_if(kernel.stores, is_written_here) == 1;
}

/// What the store's value is computed for again, at neighbours.
Rereads rereads_of(const Kernel& kernel, const Store& store) {
  Rereads found;
  for (std::uint32_t n = 0; n < kernel.body.size(); ++n) {
    const InstrId copy{n};
    if (copy == store.value) continue;
    const std::optional<Displacement> there = displacement(kernel, kernel, store.value, copy);
    if (!there || *there == Displacement{} || std::abs(there->cols) > most_reach) continue;
    if (is_ignored_outside(kernel, copy, *there)) found.emplace(copy, Reread{store.output, *there});
  }
  return found;
}

/// By instruction: whether it is one of `rereads` or is computed from one.
std::vector<bool> computed_from(const Body& body, const Rereads& rereads) {
  std::vector<bool> found(body.size());
  for (std::uint32_t n = 0; n < body.size(); ++n) {
    const Instr& instr = body[InstrId{n}];
    const auto is_found = [&](InstrId id) { return id.valid() && found[id.index]; };
    found[n] = rereads.contains(InstrId{n}) || std::ranges::any_of(operands_of(instr), is_found) ||
               is_found(instr.map.row_gather) || is_found(instr.map.col_gather);
  }
  return found;
}

AccessMap neighbour(const Displacement& displacement) {
  AccessMap map = AccessMap::identity();
  map.row.base = displacement.rows;
  map.col.base = displacement.cols;
  if (displacement != Displacement{}) map.out_of_range = OutOfRange::fill;
  return map;
}

/// In the nest behind: what the nest ahead has stored is read, at its own point too.
void reload(Body& body, const std::vector<Store>& stored, const Rereads& rereads) {
  const auto replace = [&](InstrId id, std::uint32_t output, const Displacement& displacement) {
    Instr instr;
    instr.kind = InstrKind::reload;
    instr.element = body[id].element;
    instr.argument = output;
    instr.map = neighbour(displacement);
    body[id] = instr;
  };
  for (const Store& store : stored) replace(store.value, store.output, {});
  for (const auto& [id, reread] : rereads) replace(id, reread.output, reread.displacement);
}

/// The outputs that are reloaded; none where the kernel stays as it is.
std::vector<std::uint32_t> split(Kernel& kernel) {
  if (!may_split(kernel)) return {};
  Rereads rereads;
  std::vector<Store> stored;
  for (const Store& store : kernel.stores) {
    if (!keeps(kernel, store)) continue;
    Rereads more = rereads_of(kernel, store);
    if (more.empty()) continue;
    stored.push_back(store);
    rereads.merge(more);
  }
  if (!cost::splitting_pays(static_cast<std::int64_t>(rereads.size()))) return {};
  const std::vector<bool> waits = computed_from(kernel.body, rereads);
  if (std::ranges::any_of(stored, [&](const Store& store) { return waits[store.value.index]; })) return {};

  Nest ahead = kernel, behind = kernel;
  ahead.strips = behind.strips = Axis::cols;
  std::erase_if(ahead.stores, [&](const Store& store) { return waits[store.value.index]; });
  std::erase_if(ahead.reductions, [&](const KernelReduction& sum) { return waits[sum.value.index]; });
  std::erase_if(behind.stores, [&](const Store& store) { return !waits[store.value.index]; });
  std::erase_if(behind.reductions, [&](const KernelReduction& sum) { return !waits[sum.value.index]; });
  if (behind.stores.empty() && behind.reductions.empty()) return {};
  reload(behind.body, stored, rereads);
  drop_unused(ahead);
  drop_unused(behind);
  set_nests(kernel, {std::move(ahead), std::move(behind)});
  std::vector<std::uint32_t> outputs;
  for (const Store& store : stored) outputs.push_back(store.output);
  return outputs;
}

void remark(const Graph& graph, const Op& launch, std::uint32_t output, PassContext& context) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::remark;
  if (graph.locations.contains(launch.location)) diagnostic.span = graph.locations[launch.location].span;
  const std::string& name = graph.values[launch.results[output]].name;
  diagnostic.message = "what it reads of " + (name.empty() ? "a matrix" : "'" + name + "'") +
                       " at its neighbours is computed once, by the same kernel, some columns ahead";
  context.remarks.push_back(std::move(diagnostic));
}

}  // namespace

bool split_stencils(Graph& graph, PassContext& context) {
  if (!context.capabilities.several_nests || !context.capabilities.fusion) return false;
  bool changed = false;
  for_each_op(graph, graph.body, [&](OpId id) {
    const Op& op = graph.ops[id];
    if (op.kind != OpKind::launch) return;
    for (const std::uint32_t output : split(graph.kernels[attribute<KernelId>(op)])) {
      remark(graph, op, output, context);
      changed = true;
    }
  });
  return changed;
}

}  // namespace lac::passes
