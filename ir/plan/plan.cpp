#include "ir/plan/plan.h"

#include <algorithm>

namespace lac {
namespace {

void add_possible(const Plan& plan, BufferId id, std::vector<BufferId>& found) {
  const Buffer& buffer = plan.buffers[id];
  if (buffer.either.empty()) {
    if (std::ranges::find(found, id) == found.end()) found.push_back(id);
    return;
  }
  for (BufferId one : buffer.either) add_possible(plan, one, found);
}

}  // namespace

std::string_view name(LoopMode mode) {
  static constexpr std::string_view names[] = {"host", "counted", "chunked", "straight"};
  return names[static_cast<std::size_t>(mode)];
}

bool stores_point_in_place(const Graph& plan, const Op& launch) {
  const Kernel& kernel = plan.kernels[attribute<KernelId>(launch)];
  if (kernel.schedule.traversal != Traversal::point) return false;
  for (std::size_t n = 0; n < kernel.outputs.size(); ++n) {
    const std::int32_t base = kernel.outputs[n].base;
    if (!kernel.outputs[n].type.is_scalar() && (base < 0 || taken_over(launch, n) != base)) return false;
  }
  return true;
}

std::string name(const Plan& plan, BufferId buffer) {
  for (ValueId value : plan.buffers[buffer].values)
    if (!plan.values[value].name.empty()) return plan.values[value].name;
  return {};
}

std::vector<BufferId> possible_buffers(const Plan& plan, ValueId value) {
  std::vector<BufferId> found;
  if (const BufferId id = plan.buffer(value)) add_possible(plan, id, found);
  return found;
}

}  // namespace lac
