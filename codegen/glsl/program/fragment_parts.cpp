#include "codegen/glsl/program/fragment_parts.h"

#include <algorithm>

namespace lac::codegen::glsl {
namespace {

std::uint32_t width_of(const Kernel& kernel, const KernelReduction& reduction) {
  std::uint32_t channels = 0;
  for (const std::uint32_t output : outputs_of(reduction)) channels += channels_of(element_of(kernel, output));
  return channels;
}

/// A scattered value goes with the position that it is for, an integer.
std::uint32_t width_of(const Kernel& kernel, const Store& store) {
  const std::uint32_t value = channels_of(element_of(kernel, store.output));
  return is_scattered(kernel, store) ? value + channels_of(Element::integer) : value;
}

bool fits(const Kernel& kernel, const GroupParts& group) {
  std::uint32_t stored = 0, reduced = 0;
  for (const Store* store : group.stores) stored += width_of(kernel, *store);
  for (const KernelReduction* reduction : group.reductions) reduced += width_of(kernel, *reduction);
  return stored + textures_of(reduced) <= most_targets && reduced <= most_targets;
}

}  // namespace

Element element_of(const Kernel& kernel, std::uint32_t output) { return kernel.outputs[output].type.element; }

bool is_scattered(const Kernel& kernel, const Store& store) {
  const KernelOutput& output = kernel.outputs[store.output];
  if (output.base >= 0 || output.type.rows != kernel.rows || output.type.cols != kernel.cols) return true;
  AccessMap map = store.map;
  map.out_of_range = OutOfRange::impossible;
  map.fill = 0;
  return map != AccessMap::identity() && !(output.type.is_scalar() && map == AccessMap::scalar());
}

std::vector<std::uint32_t> outputs_of(const KernelReduction& reduction) {
  std::vector<std::uint32_t> outputs = {reduction.output};
  if (reduction.index_output >= 0) outputs.push_back(static_cast<std::uint32_t>(reduction.index_output));
  return outputs;
}

std::vector<std::uint32_t> first_channels(const Kernel& kernel, const std::vector<const KernelReduction*>& reductions) {
  std::vector<std::uint32_t> channels = {0};
  for (const KernelReduction* reduction : reductions)
    channels.push_back(channels.back() + width_of(kernel, *reduction));
  return channels;
}

FragmentParts parts_of(const Kernel& kernel) {
  FragmentParts parts;
  const auto add = [&](const auto& member) {
    if (!parts.groups.empty()) {
      GroupParts longer = parts.groups.back();
      member(longer);
      if (fits(kernel, longer)) {
        parts.groups.back() = std::move(longer);
        return;
      }
    }
    member(parts.groups.emplace_back());
  };
  std::uint32_t line_targets = 0;
  for (const Store& store : kernel.stores) add([&](GroupParts& group) { group.stores.push_back(&store); });
  for (const KernelReduction& reduction : kernel.reductions) {
    if (effective_axis(kernel, reduction.reduction.axis) == Axis::all) {
      add([&](GroupParts& group) { group.reductions.push_back(&reduction); });
      continue;
    }
    const std::uint32_t channels = width_of(kernel, reduction);
    if (parts.lines.empty() || line_targets + channels > most_targets) {
      parts.lines.emplace_back();
      line_targets = 0;
    }
    parts.lines.back().push_back(&reduction);
    line_targets += channels;
  }
  return parts;
}

}  // namespace lac::codegen::glsl
