#include "passes/fusion/nest_parts.h"

#include "ir/kernel/body.h"

namespace lac::passes {

void renumber_results(Nest& nest, const std::vector<InstrId>& places) {
  for (Store& store : nest.stores) {
    store.value = places[store.value.index];
    for (InstrId* gather : {&store.map.row_gather, &store.map.col_gather})
      if (*gather) *gather = places[gather->index];
  }
  for (KernelReduction& reduction : nest.reductions) reduction.value = places[reduction.value.index];
}

void drop_unused(Nest& nest) {
  const std::vector<bool> used = needed_for(nest.body, results_of(nest));
  Body body;
  std::vector<InstrId> places(used.size());
  for (std::uint32_t n = 0; n < used.size(); ++n) {
    if (!used[n]) continue;
    Instr instr = nest.body[InstrId{n}];
    for_each_operand(instr, [&](InstrId& operand) { operand = places[operand.index]; });
    places[n] = body.push(std::move(instr));
  }
  renumber_results(nest, places);
  nest.body = std::move(body);
}

}  // namespace lac::passes
