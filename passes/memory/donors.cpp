#include "passes/memory/donors.h"

#include <algorithm>

#include "ir/kernel/shared_axis.h"

namespace lac::passes {
namespace {

bool is_load_of(const Instr& instr, std::uint32_t input) {
  return instr.kind == InstrKind::load && instr.argument == input;
}

bool reads(const Nest& nest, std::uint32_t input) {
  const auto loads = [&](const Instr& instr) { return is_load_of(instr, input); };
  if (std::ranges::any_of(nest.body, loads)) return true;
  if (!nest.contraction) return false;
  const Contraction& c = *nest.contraction;
  return (c.storage != Storage::dense && c.matrix == input) || std::ranges::any_of(c.prologue, loads);
}

bool stores_at_own_point(const Nest& nest, std::uint32_t output) {
  bool stored = false;
  for (const Store& store : nest.stores) {
    if (store.output != output) continue;
    if (store.map != AccessMap::identity()) return false;
    stored = true;
  }
  return stored;
}

bool reads_at_own_point(const Nest& nest, std::uint32_t input) {
  const auto fits = [&](const Instr& instr) { return !is_load_of(instr, input) || instr.map == AccessMap::identity(); };
  if (!std::ranges::all_of(nest.body, fits)) return false;
  if (!nest.contraction) return true;
  const Contraction& c = *nest.contraction;
  return (c.storage == Storage::dense || c.matrix != input) &&
         std::ranges::none_of(c.prologue, [&](const Instr& instr) { return is_load_of(instr, input); });
}

bool reads_in_own_strip(const Nest& nest, std::uint32_t input, Axis dimension) {
  const auto fits = [&](const Instr& instr) {
    return !is_load_of(instr, input) || reads_own_strip(nest, instr.map, dimension);
  };
  return std::ranges::all_of(nest.body, fits) &&
         (!nest.contraction || std::ranges::all_of(nest.contraction->prologue, fits));
}

// Of several nests those before the one that stores have read what they want of a strip when it begins (also where it
// follows them at a distance: they read at their own place alone); those behind it find the result there.
bool may_store_over(const Kernel& kernel, std::uint32_t output, std::uint32_t input) {
  const std::vector<const Nest*> all = nests(kernel);
  const auto writer = std::ranges::find_if(all, [&](const Nest* nest) { return stores_at_own_point(*nest, output); });
  if (writer == all.end() || !reads_at_own_point(**writer, input)) return false;
  const Type& type = kernel.outputs[output].type;
  const Axis strips = (*writer)->strips;
  const auto before = [&](const Nest* nest) { return reads_in_own_strip(*nest, input, strips); };
  const auto behind = [&](const Nest* nest) { return reads(*nest, input); };
  return type.rows == (*writer)->rows && type.cols == (*writer)->cols && std::all_of(all.begin(), writer, before) &&
         std::none_of(writer + 1, all.end(), behind);
}

}  // namespace

bool may_take_over(const Kernel& kernel, std::uint32_t output, std::uint32_t input) {
  const KernelOutput& to = kernel.outputs[output];
  const Type &type = to.type, &from = kernel.inputs[input].type;
  if (to.base >= 0) return to.base == static_cast<std::int32_t>(input);
  const auto is_base = [&](const KernelOutput& other) { return other.base == static_cast<std::int32_t>(input); };
  if (std::any_of(kernel.outputs.begin(), kernel.outputs.end(), is_base)) return false;
  return type.is_dense() && from.is_dense() && !type.is_scalar() && type.element == from.element &&
         type.same_shape(from) && may_store_over(kernel, output, input);
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
