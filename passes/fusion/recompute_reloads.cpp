#include "passes/fusion/recompute_reloads.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "ir/kernel/body.h"
#include "passes/cost/cost.h"
#include "passes/fusion/nest_parts.h"

namespace lac::passes {
namespace {

/// What computing a value takes: operations, and words of matrices.
struct Effort {
  cost::Time operations = 0;
  std::set<std::uint32_t> matrices;  ///< inputs
};

void add_effort(const Kernel& kernel, const Body& body, InstrId value, std::set<InstrId>& seen, Effort& effort) {
  if (!seen.insert(value).second) return;
  Instr instr = body[value];
  if (instr.kind == InstrKind::apply) effort.operations += cost::time_of(instr.op);
  if (instr.kind == InstrKind::load && is_matrix(kernel.inputs[instr.argument].type))
    effort.matrices.insert(instr.argument);
  for_each_operand(instr, [&](InstrId operand) { add_effort(kernel, body, operand, seen, effort); });
}

bool pays(const Kernel& kernel, const Nest& from, InstrId value, std::int64_t readers) {
  std::set<InstrId> seen;
  Effort effort;
  add_effort(kernel, from.body, value, seen, effort);
  return cost::recomputing_in_strips_pays(effort.operations, static_cast<std::int64_t>(effort.matrices.size()),
                                          readers);
}

bool reloads(const Nest& nest, std::uint32_t output) {
  return std::ranges::any_of(
      nest.body, [&](const Instr& instr) { return instr.kind == InstrKind::reload && instr.argument == output; });
}

/// Appends the value and what it is made of, as far as it is not there.
InstrId copy_value(const Body& from, InstrId value, Body& to) {
  Instr instr = from[value];
  for_each_operand(instr, [&](InstrId& operand) { operand = copy_value(from, operand, to); });
  const auto there = std::ranges::find(to, instr);
  if (there != to.end()) return {static_cast<std::uint32_t>(there - to.begin())};
  return to.push(std::move(instr));
}

/// Of the body; nothing is changed where one of them is elsewhere than at the point that the store was at.
bool replace_reloads(Nest& nest, std::uint32_t output, const Nest& from, InstrId value) {
  const auto reloads = [&](const Instr& instr) { return instr.kind == InstrKind::reload && instr.argument == output; };
  if (nest.contraction && std::ranges::any_of(nest.contraction->prologue, reloads)) return false;
  if (std::ranges::none_of(nest.body, reloads)) return true;
  const auto elsewhere = [&](const Instr& instr) { return reloads(instr) && instr.map != AccessMap::identity(); };
  if (nest.rows != from.rows || nest.cols != from.cols || nest.strips != from.strips ||
      std::ranges::any_of(nest.body, elsewhere))
    return false;
  Body body;
  std::vector<InstrId> places;
  for (Instr instr : nest.body) {
    for_each_operand(instr, [&](InstrId& operand) { operand = places[operand.index]; });
    places.push_back(reloads(instr) ? copy_value(from.body, value, body) : body.push(std::move(instr)));
  }
  nest.body = std::move(body);
  renumber_results(nest, places);
  return true;
}

/// Nobody in the nest uses it.
void drop_output(Nest& nest, std::uint32_t output) {
  for_each_body(nest, [&](Body& body) {
    for (Instr& instr : body)
      if (instr.kind == InstrKind::reload && instr.argument > output) --instr.argument;
  });
  for (Store& store : nest.stores)
    if (store.output > output) --store.output;
  for (KernelReduction& reduction : nest.reductions) {
    if (reduction.output > output) --reduction.output;
    if (reduction.index_output > static_cast<std::int32_t>(output)) --reduction.index_output;
  }
}

}  // namespace

bool recompute(Kernel& kernel, std::uint32_t output) {
  std::vector<Nest> all = copies(kernel);
  const auto stores = [&](const Nest& nest) { return std::ranges::find(nest.stores, output, &Store::output); };
  const auto from = std::ranges::find_if(all, [&](const Nest& nest) { return stores(nest) != nest.stores.end(); });
  if (from == all.end() || from->contraction) return false;
  const Store store = *stores(*from);
  const auto readers = std::count_if(from + 1, all.end(), [&](const Nest& nest) { return reloads(nest, output); });
  if (store.map != AccessMap::identity() || !pays(kernel, *from, store.value, readers)) return false;
  for (auto nest = from + 1; nest != all.end(); ++nest)
    if (!replace_reloads(*nest, output, *from, store.value)) return false;
  std::erase_if(from->stores, [&](const Store& each) { return each.output == output; });
  if (from->stores.empty() && from->reductions.empty()) all.erase(from);
  else drop_unused(*from);
  for (Nest& nest : all) drop_output(nest, output);
  kernel.outputs.erase(kernel.outputs.begin() + output);
  set_nests(kernel, std::move(all));
  return true;
}

}  // namespace lac::passes
