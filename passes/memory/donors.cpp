#include "passes/memory/donors.h"

#include <algorithm>

namespace lac::passes {
namespace {

bool stored_at_own_point(const Kernel& kernel, std::uint32_t output) {
  bool stored = false;
  for (const Store& store : kernel.stores) {
    if (store.output != output) continue;
    if (store.map != AccessMap::identity()) return false;
    stored = true;
  }
  return stored;
}

bool read_at_own_point(const Kernel& kernel, std::uint32_t input) {
  const auto elsewhere = [&](const Instr& instr) {
    return instr.kind == InstrKind::load && instr.argument == input && instr.map != AccessMap::identity();
  };
  const auto reads = [&](const Instr& instr) { return instr.kind == InstrKind::load && instr.argument == input; };
  if (std::any_of(kernel.body.begin(), kernel.body.end(), elsewhere)) return false;
  if (!kernel.contraction) return true;
  const Contraction& c = *kernel.contraction;
  return (c.storage == Storage::dense || c.matrix != input) &&
         std::none_of(c.prologue.begin(), c.prologue.end(), reads);
}

}  // namespace

bool may_take_over(const Kernel& kernel, std::uint32_t output, std::uint32_t input) {
  const KernelOutput& to = kernel.outputs[output];
  const Type &type = to.type, &from = kernel.inputs[input].type;
  if (to.base >= 0) return to.base == static_cast<std::int32_t>(input);
  const auto is_base = [&](const KernelOutput& other) { return other.base == static_cast<std::int32_t>(input); };
  if (std::any_of(kernel.outputs.begin(), kernel.outputs.end(), is_base)) return false;
  return type.is_dense() && from.is_dense() && !type.is_scalar() && type.element == from.element &&
         type.same_shape(from) && type.rows == kernel.rows && type.cols == kernel.cols &&
         stored_at_own_point(kernel, output) && read_at_own_point(kernel, input);
}

std::vector<std::uint32_t> donors(const Kernel& kernel, std::uint32_t output) {
  std::vector<std::uint32_t> inputs;
  for (std::uint32_t n = 0; n < kernel.inputs.size(); ++n)
    if (may_take_over(kernel, output, n)) inputs.push_back(n);
  std::stable_partition(inputs.begin(), inputs.end(), [&](std::uint32_t n) {
    return !kernel.outputs[output].name.empty() && kernel.inputs[n].name == kernel.outputs[output].name;
  });
  return inputs;
}

}  // namespace lac::passes
