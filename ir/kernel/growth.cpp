#include "ir/kernel/growth.h"

namespace lac {

bool extends(const Kernel& kernel) {
  if (kernel.inputs.size() != 1 || kernel.outputs.size() != 1 || kernel.stores.size() != 1 || kernel.body.size() != 1 ||
      kernel.contraction || !kernel.ahead.empty() || !kernel.reductions.empty() || kernel.outputs[0].base >= 0)
    return false;
  const Type &from = kernel.inputs[0].type, &to = kernel.outputs[0].type;
  const Instr& load = *kernel.body.begin();
  AccessMap filled = AccessMap::identity();
  filled.out_of_range = OutOfRange::fill;
  return load.kind == InstrKind::load && load.map == filled && kernel.stores[0].map == AccessMap::identity() &&
         from.is_dense() && to.is_dense() && !from.is_scalar() && !to.is_scalar() && from.element == to.element &&
         kernel.rows == to.rows && kernel.cols == to.cols;
}

bool is_growth(const Graph& graph, const Op& op) {
  return op.kind == OpKind::launch && op.reuse == std::vector<std::int32_t>{0} &&
         extends(graph.kernels[attribute<KernelId>(op)]);
}

}  // namespace lac
