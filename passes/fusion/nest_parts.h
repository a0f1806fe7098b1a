// What the steps that put nests together share.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac::passes {

inline bool is_matrix(const Type& type) { return type.is_dense() && !type.rows.is(1) && !type.cols.is(1); }

/// It starts from an input.
inline bool takes_over(const Kernel& kernel) {
  return std::ranges::any_of(kernel.outputs, [](const KernelOutput& output) { return output.base >= 0; });
}

/// Calls visit for the prologue of its product, if it has one, and its body.
template <class N>
void for_each_body(N& nest, const auto& visit) {
  if (nest.contraction) visit(nest.contraction->prologue);
  visit(nest.body);
}

/// Calls visit for every instruction that this one needs, for its value and for where it loads from.
inline void for_each_operand(Instr& instr, const auto& visit) {
  const int operands = instr.kind == InstrKind::apply ? info(instr.op).arity : instr.kind == InstrKind::convert ? 1 : 0;
  for (int n = 0; n < operands; ++n) visit(instr.operands[static_cast<std::size_t>(n)]);
  for (InstrId* gather : {&instr.map.row_gather, &instr.map.col_gather})
    if (*gather) visit(*gather);
}

/// Where the nest's stores and reductions find their values.
void renumber_results(Nest& nest, const std::vector<InstrId>& places);
/// What neither stores nor reductions wait for goes.
void drop_unused(Nest& nest);

inline std::vector<Nest> copies(const Kernel& kernel) {
  std::vector<Nest> all;
  for (const Nest* nest : nests(kernel)) all.push_back(*nest);
  return all;
}

inline void set_nests(Kernel& kernel, std::vector<Nest> all) {
  static_cast<Nest&>(kernel) = std::move(all.back());
  all.pop_back();
  kernel.ahead = std::move(all);
}

}  // namespace lac::passes
