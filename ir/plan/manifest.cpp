#include "ir/plan/manifest.h"

#include <algorithm>
#include <iterator>

#include "ir/kernel/shared_axis.h"
#include "ir/plan/plan.h"
#include "ir/plan/slots.h"
#include "ir/plan/work.h"
#include "ir/types/extent.h"

namespace lac {
namespace {

bool is_step(OpKind kind) {
  switch (kind) {
    case OpKind::table:
    case OpKind::text:
    case OpKind::library:
    case OpKind::scan:
    case OpKind::random:
    case OpKind::check:
    case OpKind::warn:
    case OpKind::print:
    case OpKind::format:
    case OpKind::output: return true;
    default: return false;
  }
}

std::vector<OpId> ops_where(const Graph& plan, bool (*wanted)(OpKind)) {
  std::vector<OpId> ops;
  for_each_op(plan, plan.body, [&](OpId op) {
    if (wanted(plan.ops[op].kind)) ops.push_back(op);
  });
  return ops;
}

StepOperand step_operand(const Type& type) {
  return {type.element, type.storage, type.is_scalar(), static_cast<std::uint32_t>(type.offsets.size())};
}

std::vector<StepOperand> step_operands(const Graph& plan, const std::vector<ValueId>& values) {
  std::vector<StepOperand> operands;
  for (ValueId value : values) operands.push_back(step_operand(plan.type(value)));
  return operands;
}

SlotSize slot_size(const Size& size, const std::vector<Size>& sizes, std::uint32_t first_slot) {
  if (size.is_constant()) return {size.constant(), -1};
  const auto place = std::find(sizes.begin(), sizes.end(), size) - sizes.begin();
  return {0, static_cast<std::int32_t>(first_slot + place)};
}

// A point reads and writes so many elements whatever the extents are.
abi::Work work_of_point(const Kernel& kernel) {
  const auto extent = [](const Size& size) { return size.is_constant() ? size.constant() : largest_extent; };
  return launch_work(kernel, extent, [](std::uint32_t) { return std::int64_t{0}; });
}

KernelEntry kernel_entry(const Kernel& kernel, std::size_t number) {
  const SlotLayout layout = slot_layout(kernel);
  const std::vector<Size> sizes = slot_sizes(kernel);
  KernelEntry entry;
  entry.name = kernel.name.empty() ? "k" + std::to_string(number) : kernel.name;
  entry.locations = kernel.locations;
  std::ranges::copy_if(layout.slices, std::back_inserter(entry.slices), [](std::uint32_t slot) { return slot != 0; });
  entry.partials_slot = layout.partials;
  entry.partial_count = partial_count(kernel);
  entry.spread = spread_outputs(kernel);
  entry.has_seams = !reach(kernel).is(0);
  if (kernel.schedule.traversal == Traversal::point || is_small(kernel)) entry.work_in_place = work_of_point(kernel);
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
    const Type& type = kernel.outputs[i].type;
    entry.results.push_back({kernel.outputs[i].name, type.element, slot_size(type.rows, sizes, layout.first_size),
                             slot_size(type.cols, sizes, layout.first_size), layout.outputs[i]});
  }
  return entry;
}

// Walks the plan with the innermost loop at hand and records it in the entries of steps and kernels.
class LoopNesting {
 public:
  LoopNesting(const Graph& plan, Manifest& manifest) : plan_(plan), manifest_(manifest) { walk(plan.body, 0); }

 private:
  void walk(BlockId block, std::uint32_t innermost) {
    for (OpId id : plan_.blocks[block].ops) {
      const Op& op = plan_.ops[id];
      if (is_step(op.kind)) manifest_.steps[next_step_++].loop = innermost;
      if (op.kind == OpKind::launch) manifest_.kernels[attribute<KernelId>(op).index].loop = innermost;
      const std::uint32_t inside = op.kind == OpKind::loop ? ++loops_seen_ : innermost;
      for (BlockId inner : op.blocks) walk(inner, inside);
    }
  }

  const Graph& plan_;
  Manifest& manifest_;
  std::size_t next_step_ = 0;
  std::uint32_t loops_seen_ = 0;
};

}  // namespace

std::int64_t KernelEntry::partials(const std::uint64_t* slots, std::int64_t blocks) const {
  std::int64_t each_block = partial_count;
  for (const std::uint32_t result : spread) each_block += results[result].rows.in(slots)*results[result].cols.in(slots);
  return each_block * blocks;
}

std::vector<OpId> plan_steps(const Graph& plan) { return ops_where(plan, is_step); }

std::vector<OpId> plan_loops(const Graph& plan) {
  return ops_where(plan, [](OpKind kind) { return kind == OpKind::loop; });
}

Manifest make_manifest(const Graph& plan) {
  Manifest manifest;
  manifest.name = plan.name;
  manifest.precision = plan.precision;
  manifest.parameters = plan.parameters;
  manifest.symbols = plan.symbols;
  manifest.locations = plan.locations;
  for (OpId id : plan_steps(plan)) {
    const Op& op = plan.ops[id];
    manifest.steps.push_back(
        {op.kind, op.location, op.attribute, step_operands(plan, op.operands), step_operands(plan, op.results), 0});
    if (op.kind != OpKind::output) continue;
    manifest.steps.back().takes_over = !op.reuse.empty();
    manifest.outputs.push_back(attribute<std::string>(op));
  }
  for (OpId id : plan_loops(plan)) {
    const Op& op = plan.ops[id];
    const LoopInfo* info = std::get_if<LoopInfo>(&op.attribute);
    manifest.loops.push_back({op.location, info ? *info : LoopInfo{}});
  }
  for (const Kernel& kernel : plan.kernels) manifest.kernels.push_back(kernel_entry(kernel, manifest.kernels.size()));
  LoopNesting(plan, manifest);
  return manifest;
}

}  // namespace lac
