#include "passes/schedule.h"

#include <algorithm>

#include "ir/kernel/shared_axis.h"
#include "ir/plan/plan.h"
#include "ir/plan/slots.h"
#include "passes/cost/cost.h"
#include "passes/fusion/nests.h"

namespace lac::passes {
namespace {

// Blocks are what threads share out: large enough to hide the cost of handing one out, small enough to balance.
constexpr std::int64_t flat_block = 8192;        // elements: 64 KiB of doubles
constexpr std::int64_t column_block = 8192;      // elements of a tile
constexpr std::int64_t sparse_row_block = 1024;  // a few entries each
constexpr std::int64_t dense_row_block = 256;    // whole rows of a matrix
constexpr std::int64_t reduced_row_block = 256;
constexpr std::int64_t strip_block = 256;  // rows of several nests
// Of a stencil behind what it reads: so that seams between blocks are few, and that a strip is still in the second
// cache.
constexpr std::int64_t stencil_block = 65536, stencil_strip = 16384;  // elements
// Of a product behind what makes its vector: what a strip makes is in the second cache until the product has read it.
// Blocks are longer where the product can follow (StripPlan).
constexpr std::int64_t product_strip = 4096;  // rows
// Where results wait for all strips each block has a partial result for every one of them.
constexpr std::int64_t spread_columns = 32;

bool reads_flat(const Kernel& kernel, const Instr& instr) {
  if (instr.kind == InstrKind::index) return false;
  if (instr.kind != InstrKind::load) return true;
  const Type& type = kernel.inputs[instr.argument].type;
  if (type.is_scalar()) return instr.map == AccessMap::scalar();
  return instr.map == AccessMap::identity() && type.rows == kernel.rows && type.cols == kernel.cols;
}

bool stores_flat(const Kernel& kernel, const Store& store) {
  const Type& type = kernel.outputs[store.output].type;
  return store.map == AccessMap::identity() && type.rows == kernel.rows && type.cols == kernel.cols;
}

bool reduces_along(const Kernel& kernel, Axis axis) {
  return std::any_of(kernel.reductions.begin(), kernel.reductions.end(),
                     [axis](const KernelReduction& r) { return r.reduction.axis == axis; });
}

bool is_flat(const Kernel& kernel) {
  const auto reads = [&](const Instr& instr) { return reads_flat(kernel, instr); };
  const auto stores = [&](const Store& store) { return stores_flat(kernel, store); };
  return !kernel.contraction && !reduces_along(kernel, Axis::rows) && !reduces_along(kernel, Axis::cols) &&
         std::all_of(kernel.body.begin(), kernel.body.end(), reads) &&
         std::all_of(kernel.stores.begin(), kernel.stores.end(), stores);
}

std::int32_t sums_of_small(const Kernel& kernel) {
  const Contraction& sum = *kernel.contraction;
  return cost::accumulators((kernel.rows * kernel.cols).constant(), byte_size(sum.element), sum.extent.constant());
}

Schedule decide(const Kernel& kernel) {
  Schedule schedule = kernel.schedule;
  schedule.decided = true;
  const auto choose = [&](Traversal traversal, std::int64_t block) {
    schedule.traversal = traversal;
    schedule.block = block;
  };
  if (is_one_point(kernel)) {
    choose(Traversal::point, 1);
    schedule.lanes = 1;
  } else if (!kernel.ahead.empty()) {
    if (kernel.contraction && !reach(kernel).is(0)) {
      choose(Traversal::rows, sparse_row_block);
      schedule.strip = product_strip;
      schedule.width = 1;
      return schedule;
    }
    const bool rows = kernel.strips == Axis::rows;
    const std::int64_t columns = spread_outputs(kernel).empty() ? column_block : spread_columns;
    choose(rows ? Traversal::rows : Traversal::columns, rows ? strip_block : columns);
    schedule.strip = strip_elements(kernel);
    schedule.width = strip_width(kernel).value();
    if (!reach(kernel).is(0)) {
      choose(Traversal::columns, stencil_block);
      schedule.strip = stencil_strip;
    }
  } else if (kernel.contraction) {
    choose(Traversal::rows, kernel.contraction->storage == Storage::dense ? dense_row_block : sparse_row_block);
    if (is_small(kernel) && kernel.contraction->values.size() == 1) schedule.sums = sums_of_small(kernel);
  } else if (reduces_along(kernel, Axis::cols)) choose(Traversal::rows, reduced_row_block);
  else if (is_flat(kernel)) choose(Traversal::flat, flat_block);
  else choose(Traversal::columns, column_block);
  return schedule;
}

}  // namespace

bool schedule(Graph& graph, PassContext&) {
  bool changed = false;
  for (Kernel& kernel : graph.kernels) {
    if (kernel.schedule.decided) continue;
    kernel.schedule = decide(kernel);
    changed = true;
  }
  return changed;
}

}  // namespace lac::passes
