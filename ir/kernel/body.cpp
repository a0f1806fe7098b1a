#include "ir/kernel/body.h"

#include <algorithm>
#include <cmath>

#include "ir/kernel/shared_axis.h"

namespace lac {

std::span<const InstrId> operands_of(const Instr& instr) {
  const std::size_t count = instr.kind == InstrKind::apply     ? static_cast<std::size_t>(info(instr.op).arity)
                            : instr.kind == InstrKind::convert ? 1
                                                               : 0;
  return std::span(instr.operands).first(count);
}

std::vector<bool> needed_for(const Body& body, std::span<const InstrId> roots) {
  std::vector<bool> needed(body.size());
  for (InstrId root : roots) needed[root.index] = true;
  for (auto n = static_cast<std::uint32_t>(body.size()); n-- > 0;) {
    if (!needed[n]) continue;
    const Instr& instr = body[InstrId{n}];
    for (InstrId operand : operands_of(instr)) needed[operand.index] = true;
    for (InstrId gather : {instr.map.row_gather, instr.map.col_gather})
      if (gather) needed[gather.index] = true;
  }
  return needed;
}

std::vector<InstrId> results_of(const Nest& nest) {
  std::vector<InstrId> results;
  for (const Store& store : nest.stores) {
    results.push_back(store.value);
    for (InstrId gather : {store.map.row_gather, store.map.col_gather})
      if (gather) results.push_back(gather);
  }
  for (const KernelReduction& reduction : nest.reductions) results.push_back(reduction.value);
  return results;
}

std::optional<Size> known_size(const Instr& instr) {
  if (instr.kind == InstrKind::size) return instr.size;
  if (instr.kind != InstrKind::constant || instr.number != std::trunc(instr.number) || std::abs(instr.number) > 0x1p31)
    return std::nullopt;
  return Size(static_cast<std::int64_t>(instr.number));
}

std::vector<bool> uniform_values(const Kernel& kernel, const Body& body) {
  std::vector<bool> uniform;
  const auto is_uniform = [&](const Instr& instr) {
    switch (instr.kind) {
      case InstrKind::constant:
      case InstrKind::size: return true;
      case InstrKind::load: return kernel.inputs[instr.argument].type.is_scalar();
      case InstrKind::convert:
      case InstrKind::apply:
        return std::ranges::all_of(operands_of(instr), [&](InstrId id) { return uniform[id.index]; });
      case InstrKind::index:
      case InstrKind::reload:
      case InstrKind::matrix_element:
      case InstrKind::contraction: break;
    }
    return false;
  };
  for (const Instr& instr : body) uniform.push_back(is_uniform(instr));
  return uniform;
}

namespace {

/// Adds how often each logical scalar input chooses between values of points.
void count_choices(const Kernel& kernel, const Body& body, std::vector<int>& choices) {
  const std::vector<bool> uniform = uniform_values(kernel, body);
  for (std::uint32_t n = 0; n < body.size(); ++n) {
    const Instr& instr = body[InstrId{n}];
    if (uniform[n] || instr.kind != InstrKind::apply || instr.op != ScalarOp::select) continue;
    const Instr& condition = body[instr.operands[0]];
    const bool is_input = condition.kind == InstrKind::load && uniform[instr.operands[0].index];
    if (is_input && kernel.inputs[condition.argument].type.element == Element::logical) ++choices[condition.argument];
  }
}

}  // namespace

std::optional<std::uint32_t> common_condition(const Kernel& kernel) {
  std::vector<int> choices(kernel.inputs.size());
  for (const Nest* nest : nests(kernel)) {
    if (nest->contraction) return std::nullopt;
    count_choices(kernel, nest->body, choices);
  }
  const int worth_a_walk =
      reach(kernel).is(0) ? 2 : 1;  // the first of two nests has the choice once for all neighbours
  const auto most = std::ranges::max_element(choices);
  if (most == choices.end() || *most < worth_a_walk) return std::nullopt;
  return static_cast<std::uint32_t>(most - choices.begin());
}

}  // namespace lac
