#include "runtime/vulkan/machine/pins.h"

#include "runtime/vulkan/device/error.h"

namespace lac::runtime::vulkan {

std::unordered_set<ValueId> values_inside(const Graph& graph, const Op& op) {
  std::unordered_set<ValueId> inside;
  for (BlockId outermost : op.blocks)
    for_each_block(graph, outermost, [&](BlockId id) {
      const Block& block = graph.blocks[id];
      inside.insert(block.arguments.begin(), block.arguments.end());
      for (OpId made : block.ops) inside.insert(graph.ops[made].results.begin(), graph.ops[made].results.end());
    });
  return inside;
}

std::vector<std::pair<ValueId, Value>> values_from_outside(const Machine& machine, const Op& op) {
  std::unordered_set<ValueId> seen = values_inside(machine.plan(), op);
  std::vector<std::pair<ValueId, Value>> values;
  for_each_used_value_deep(machine.plan(), op, [&](ValueId id) {
    if (seen.insert(id).second && machine.has(id)) values.emplace_back(id, machine.value(id));
  });
  return values;
}

Pins::Pins(Machine& machine, const Op& op) : machine_(machine) {
  for (const auto& [id, value] : values_from_outside(machine, op))
    if (value.matrix) uses_.push_back({value.matrix, residency::Access::read, form_of(machine.plan().values[id])});
  machine_.matrices().prepare(uses_);
}

Pins::~Pins() {
  try {
    machine_.matrices().finish(uses_);
  } catch (const DeviceError&) {
  }
}

std::int64_t Pins::bytes() const {
  std::int64_t bytes = 0;
  for (const MatrixUse& use : uses_) bytes += static_cast<std::int64_t>(use.matrix->parts().total);
  return bytes;
}

}  // namespace lac::runtime::vulkan
