#include "ir/kernel/guard.h"

#include <algorithm>

namespace lac {
namespace {

/// Whether `id` is the element that the store replaces.
bool is_old_element(const Kernel& kernel, const Store& store, InstrId id) {
  const Instr& instr = kernel.body[id];
  const KernelOutput& output = kernel.outputs[store.output];
  return instr.kind == InstrKind::load && output.base == static_cast<std::int32_t>(instr.argument) &&
         instr.map == store.map && !store.map.row_gather && !store.map.col_gather &&
         instr.element == output.type.element;
}

std::optional<Guard> guard_of(const Kernel& kernel, const Store& store) {
  const Instr& value = kernel.body[store.value];
  if (value.kind != InstrKind::apply || value.op != ScalarOp::select) return std::nullopt;
  const Instr& condition = kernel.body[value.operands[0]];
  if (condition.kind != InstrKind::load) return std::nullopt;
  const Type& type = kernel.inputs[condition.argument].type;
  if (!type.is_scalar() || type.element != Element::logical) return std::nullopt;
  for (const bool wanted : {true, false})
    if (is_old_element(kernel, store, value.operands[wanted ? 2 : 1])) return Guard{condition.argument, wanted};
  return std::nullopt;
}

}  // namespace

std::optional<Guard> guard_of(const Kernel& kernel) {
  if (kernel.stores.empty() || !kernel.reductions.empty() || kernel.contraction || !kernel.ahead.empty())
    return std::nullopt;
  const std::optional<Guard> guard = guard_of(kernel, kernel.stores[0]);
  const auto has_it = [&](const Store& store) { return guard_of(kernel, store) == guard; };
  return guard && std::ranges::all_of(kernel.stores, has_it) ? guard : std::nullopt;
}

std::vector<InstrId> stored_values(const Kernel& kernel, const std::optional<Guard>& guard) {
  std::vector<InstrId> values;
  for (const Store& store : kernel.stores)
    values.push_back(guard ? kernel.body[store.value].operands[guard->wanted ? 1 : 2] : store.value);
  return values;
}

}  // namespace lac
