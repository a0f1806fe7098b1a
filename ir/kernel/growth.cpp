#include "ir/kernel/growth.h"

#include <optional>

namespace lac {

namespace {

/// The map by which each element of the only output is loaded from the only input, where the kernel does nothing else
/// and both are dense.
std::optional<AccessMap> copied_by(const Kernel& kernel) {
  if (kernel.inputs.size() != 1 || kernel.outputs.size() != 1 || kernel.stores.size() != 1 || kernel.body.size() != 1 ||
      kernel.contraction || !kernel.ahead.empty() || !kernel.reductions.empty() || kernel.outputs[0].base >= 0)
    return std::nullopt;
  const Type &from = kernel.inputs[0].type, &to = kernel.outputs[0].type;
  const Instr& load = *kernel.body.begin();
  const bool copies = load.kind == InstrKind::load && kernel.stores[0].map == AccessMap::identity() &&
                      from.is_dense() && to.is_dense() && !from.is_scalar() && !to.is_scalar() &&
                      from.element == to.element && kernel.rows == to.rows && kernel.cols == to.cols;
  return copies ? std::optional(load.map) : std::nullopt;
}

/// Of an element its own place in column-major order.
AccessMap in_order(const Type& of) {
  AccessMap map;
  map.linear = true;
  map.row.i = 1;
  map.row.j = of.rows;
  return map;
}

}  // namespace

bool extends(const Kernel& kernel) {
  AccessMap filled = AccessMap::identity();
  filled.out_of_range = OutOfRange::fill;
  return copied_by(kernel) == filled;
}

bool takes_first(const Kernel& kernel) {
  const std::optional<AccessMap> map = copied_by(kernel);
  if (!map) return false;
  const Type &from = kernel.inputs[0].type, &to = kernel.outputs[0].type;
  const bool lie_alike = (from.cols.is(1) && to.cols.is(1)) || from.rows == to.rows;
  return *map == in_order(to) || (lie_alike && *map == AccessMap::identity());
}

bool is_growth(const Graph& graph, const Op& op) {
  return op.kind == OpKind::launch && op.reuse == std::vector<std::int32_t>{0} &&
         extends(graph.kernels[attribute<KernelId>(op)]);
}

}  // namespace lac
