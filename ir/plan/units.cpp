#include "ir/plan/units.h"

#include <unordered_map>

#include "ir/kernel/text.h"

namespace lac {
namespace {

// Symbols are numbered in the order of first mention.
std::string kernel_text(Kernel kernel, bool named) {
  if (!named) {
    for (KernelInput& input : kernel.inputs) input.name.clear();
    for (KernelOutput& output : kernel.outputs) output.name.clear();
  }
  kernel.name.clear();
  std::unordered_map<SymbolId, std::string> names;
  return print_kernel(kernel, "k", [&](SymbolId id) {
    const auto [entry, added] = names.try_emplace(id);
    if (added) entry->second = "s" + std::to_string(names.size());
    return entry->second;
  });
}

}  // namespace

PlanUnits plan_units(const Graph& plan, bool named) {
  PlanUnits units;
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::uint32_t k = 0; k < plan.kernels.size(); ++k) {
    std::string text = kernel_text(plan.kernels[KernelId{k}], named);
    const auto [entry, added] = known.try_emplace(text, static_cast<std::uint32_t>(units.kernels.size()));
    units.of.push(entry->second);
    if (!added) continue;
    units.kernels.push_back(KernelId{k});
    units.kernel_texts.push_back(std::move(text));
  }
  return units;
}

}  // namespace lac
