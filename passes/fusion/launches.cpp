#include "passes/fusion/launches.h"

#include <algorithm>
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

std::vector<InputOrigin> join_operands(const std::vector<ValueId>& results, std::vector<ValueId>& operands,
                                       const std::vector<ValueId>& of_second) {
  const auto place_in = [](const auto& values, ValueId value) {
    const auto found = std::ranges::find(values, value);
    return found == values.end() ? -1 : static_cast<std::int32_t>(found - values.begin());
  };
  std::vector<InputOrigin> origins;
  for (const ValueId value : of_second) origins.push_back({place_in(results, value), place_in(operands, value)});
  for (std::size_t n = 0; n < of_second.size(); ++n)
    if (origins[n].output < 0 && origins[n].input < 0) operands.push_back(of_second[n]);
  return origins;
}

}  // namespace lac::passes
