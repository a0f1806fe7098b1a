#include "passes/fusion/unroll_product.h"

#include <algorithm>
#include <string>
#include <utility>

#include "passes/fusion/nest_parts.h"

namespace lac::passes {
namespace {

/// Along which coordinate the matrices of the prologue lie in memory: their rows are i or k alone.
bool rows_run_along(const Kernel& kernel, Size AffineIndex::*coordinate) {
  bool some = false;
  for (const Instr& instr : kernel.contraction->prologue) {
    if (instr.kind != InstrKind::load || !is_matrix(kernel.inputs[instr.argument].type)) continue;
    const AccessMap& map = instr.map;
    if (map.linear || map.row_gather || map.col_gather || !(map.row.*coordinate).is(1)) return false;
    some = true;
  }
  return some;
}

/// The domain was (i, 1) with k; it is (k, i) or (i, k).
AffineIndex with_axes(const AffineIndex& index, bool k_first) {
  AffineIndex result = index;
  result.i = k_first ? index.k : index.i;
  result.j = k_first ? index.i : index.k;
  result.k = 0;
  return result;
}

Nest unrolled(const Kernel& kernel, bool k_first) {
  const Contraction& sum = *kernel.contraction;
  Nest nest;
  nest.rows = k_first ? sum.extent : kernel.rows;
  nest.cols = k_first ? kernel.rows : sum.extent;
  nest.strips = k_first ? Axis::rows : Axis::cols;
  for (Instr instr : sum.prologue) {
    instr.map.row = with_axes(instr.map.row, k_first);
    instr.map.col = with_axes(instr.map.col, k_first);
    if (instr.kind == InstrKind::index) instr.axis = (instr.axis == Axis::all) == k_first ? Axis::rows : Axis::cols;
    nest.body.push(std::move(instr));
  }
  KernelReduction reduction;
  reduction.reduction = {ReduceOp::sum, nest.strips};
  reduction.value = sum.values[0];
  nest.reductions.push_back(reduction);
  return nest;
}

/// The output that is the sums themselves, if there is one.
std::int32_t stored_sums(const Kernel& kernel) {
  for (const Store& store : kernel.stores) {
    const Instr& value = kernel.body[store.value];
    const KernelOutput& output = kernel.outputs[store.output];
    const bool alone = std::ranges::count(kernel.stores, store.output, &Store::output) == 1;
    if (alone && value.kind == InstrKind::contraction && store.map == AccessMap::identity() &&
        output.type.element == kernel.contraction->element && output.type.rows == kernel.rows && output.type.cols.is(1))
      return static_cast<std::int32_t>(store.output);
  }
  return -1;
}

/// The kernel without its product: the sums are its last input.
std::optional<Kernel> rest_of(const Kernel& kernel, std::int32_t stored, const KernelInput& sums,
                              std::vector<std::uint32_t>& used) {
  Kernel rest = kernel;
  rest.contraction.reset();
  std::erase_if(rest.stores, [&](const Store& store) { return static_cast<std::int32_t>(store.output) == stored; });
  if (rest.stores.empty() && rest.reductions.empty()) return std::nullopt;
  if (stored >= 0) {
    const auto past = [&](auto output) { return static_cast<std::int32_t>(output) > stored; };
    rest.outputs.erase(rest.outputs.begin() + stored);
    for (Store& store : rest.stores) store.output -= past(store.output) ? 1 : 0;
    for (KernelReduction& reduction : rest.reductions) {
      reduction.output -= past(reduction.output) ? 1 : 0;
      if (past(reduction.index_output)) --reduction.index_output;
    }
  }
  rest.inputs.clear();
  for (Instr& instr : rest.body) {
    if (instr.kind != InstrKind::load) continue;
    auto found = std::ranges::find(used, instr.argument);
    if (found == used.end()) {
      rest.inputs.push_back(kernel.inputs[instr.argument]);
      found = used.insert(used.end(), instr.argument);
    }
    instr.argument = static_cast<std::uint32_t>(found - used.begin());
  }
  for (Instr& instr : rest.body) {
    if (instr.kind != InstrKind::contraction) continue;
    instr.kind = InstrKind::load;
    instr.argument = static_cast<std::uint32_t>(rest.inputs.size());
    instr.map = AccessMap::identity();
  }
  rest.inputs.push_back(sums);
  return rest;
}

}  // namespace

std::optional<UnrolledProduct> unroll_product(const Kernel& kernel) {
  if (!kernel.contraction || kernel.contraction->storage != Storage::dense || kernel.contraction->values.size() != 1 ||
      !kernel.ahead.empty() || !kernel.cols.is(1) || kernel.rows.is(1) || takes_over(kernel))
    return std::nullopt;
  const bool along_k = rows_run_along(kernel, &AffineIndex::k), along_i = rows_run_along(kernel, &AffineIndex::i);
  if (!along_k && !along_i) return std::nullopt;
  UnrolledProduct result;
  result.output = stored_sums(kernel);
  const Type sums_type = Type::matrix(kernel.contraction->element, kernel.rows, 1);
  const std::string name = result.output >= 0 ? kernel.outputs[static_cast<std::size_t>(result.output)].name : "";
  result.rest = rest_of(kernel, result.output, {sums_type, name}, result.rest_inputs);
  result.sums.name = kernel.name;
  result.sums.locations = kernel.locations;
  result.sums.inputs = kernel.inputs;
  result.sums.outputs.push_back({sums_type, name, -1});
  static_cast<Nest&>(result.sums) = unrolled(kernel, along_k);
  return result;
}

}  // namespace lac::passes
