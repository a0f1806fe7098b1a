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
