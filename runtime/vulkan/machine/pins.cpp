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

Pins::Pins(Machine& machine, const Op& op) : machine_(machine) {
  std::unordered_set<ValueId> seen = values_inside(machine.plan(), op);
  for_each_used_value_deep(machine.plan(), op, [&](ValueId id) {
    if (!machine.has(id) || !seen.insert(id).second) return;
    if (const Value& value = machine.value(id); value.matrix)
      uses_.push_back({value.matrix, residency::Access::read, form_of(machine.plan().values[id])});
  });
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
