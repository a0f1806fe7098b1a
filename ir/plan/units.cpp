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

void note_pieces(const Plan& plan, BlockId block, PlanUnits& units) {
  for (const OpId id : plan.blocks[block].ops) {
    const Op& op = plan.ops[id];
    if (op.kind == OpKind::launch) units.is_piece[units.of[attribute<KernelId>(op)]] = true;
    if (op.kind == OpKind::loop && plan.loop(id).mode == LoopMode::straight) continue;
    for (const BlockId inner : op.blocks) note_pieces(plan, inner, units);
  }
}

}  // namespace

PlanUnits plan_units(const Plan& plan, bool named) {
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
  units.is_piece.resize(units.kernels.size());
  note_pieces(plan, plan.body, units);
  return units;
}

}  // namespace lac
