#include "ir/plan/slots.h"

#include <algorithm>

#include "ir/kernel/factors.h"
#include "ir/kernel/shared_axis.h"

namespace lac {

std::vector<Size> slot_sizes(const Kernel& kernel) {
  std::vector<Size> sizes;
  for_each_size(kernel, [&](const Size& size) {
    if (!size.is_constant() && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  });
  return sizes;
}

bool takes_slices(const Kernel& kernel, std::uint32_t input) {
  return std::ranges::any_of(nests(kernel), [&](const Nest* nest) {
    return nest->contraction && nest->contraction->storage == Storage::csr && nest->contraction->matrix == input &&
           is_product_of_entries(kernel, *nest->contraction);
  });
}

SlotLayout slot_layout(const Kernel& kernel) {
  SlotLayout layout;
  std::uint32_t next = 0;
  for (const KernelInput& input : kernel.inputs) {
    layout.inputs.push_back(next);
    next += static_cast<std::uint32_t>(format(input.type.storage).arrays.size());
  }
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) layout.outputs.push_back(next++);
  layout.first_size = next;
  next += static_cast<std::uint32_t>(slot_sizes(kernel).size());
  for (std::uint32_t input = 0; input < kernel.inputs.size(); ++input)
    layout.slices.push_back(takes_slices(kernel, input) ? next++ : 0);
  layout.partials = next++;
  layout.count = next;
  return layout;
}

CheckSlots check_slots(const Kernel& kernel) {
  const SlotLayout layout = slot_layout(kernel);
  CheckSlots slots;
  slots.context = layout.count;
  slots.partials = layout.partials + check_partials_distance;
  std::uint32_t next = slots.partials + 1;
  for (const KernelInput& input : kernel.inputs) {
    slots.inputs.push_back(next);
    next += static_cast<std::uint32_t>(format(input.type.storage).arrays.size());
  }
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) slots.outputs.push_back(next++);
  slots.count = next;
  return slots;
}

std::int64_t partial_count(const Nest& nest) {
  std::int64_t count = 0;
  for (const KernelReduction& reduction : nest.reductions)
    if (reduction.reduction.axis == Axis::all) count += reduction.index_output >= 0 ? 2 : 1;
  return count;
}

std::int64_t partial_count(const Kernel& kernel) {
  std::int64_t count = 0;
  for (const Nest* nest : nests(kernel)) count += partial_count(*nest);
  return count;
}

std::vector<std::uint32_t> spread_outputs(const Kernel& kernel) {
  std::vector<std::uint32_t> outputs;
  for (const Nest* nest : nests(kernel))
    for (const KernelReduction& reduction : nest->reductions)
      if (is_spread(*nest, reduction)) outputs.push_back(reduction.output);
  return outputs;
}

bool has_partials(const Kernel& kernel) { return partial_count(kernel) > 0 || !spread_outputs(kernel).empty(); }

std::vector<Size> unproven_sizes(const Kernel& kernel) {
  std::vector<Size> held, sizes;
  const auto hold = [&](const Type& type) {
    held.insert(held.end(), {type.rows, type.cols});
    if (type.is_dense()) held.push_back(type.count());
  };
  for (const KernelInput& input : kernel.inputs) hold(input.type);
  for (const KernelOutput& output : kernel.outputs) hold(output.type);
  const auto add = [&](const Size& size) {
    if (std::find(held.begin(), held.end(), size) == held.end()) sizes.push_back(size);
  };
  for (const Size& size : slot_sizes(kernel)) add(size);
  for (const Nest* nest : nests(kernel)) add(nest->rows * nest->cols);
  return sizes;
}

}  // namespace lac
