#include "passes/fusion/launches.h"

#include <utility>

namespace lac::passes {

OpId make_launch(Graph& graph, Kernel kernel, std::vector<ValueId> operands, std::vector<ValueId> results,
                 LocationId location) {
  Op op;
  op.kind = OpKind::launch;
  op.location = location;
  op.operands = std::move(operands);
  op.results = std::move(results);
  op.attribute = graph.kernels.push(std::move(kernel));
  const std::vector<ValueId> made = op.results;
  const OpId id = graph.ops.push(std::move(op));
  for (std::uint32_t n = 0; n < made.size(); ++n) {
    graph.values[made[n]].op = id;
    graph.values[made[n]].index = n;
  }
  return id;
}

void renumber_kernels(Graph& graph) {
  IdVector<KernelId, Kernel> kernels;
  for_each_op(graph, graph.body, [&](OpId id) {
    Op& op = graph.ops[id];
    if (op.kind == OpKind::launch) op.attribute = kernels.push(std::move(graph.kernels[attribute<KernelId>(op)]));
  });
  graph.kernels = std::move(kernels);
}

}  // namespace lac::passes
