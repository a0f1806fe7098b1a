#include "codegen/glsl/kernel/kernel.h"

#include <algorithm>

#include "codegen/glsl/kernel/contraction_parts.h"
#include "codegen/glsl/kernel/main.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

class StagePlanner {
 public:
  StagePlanner(KernelContext context, std::vector<KernelContext> tail)
      : context_(std::move(context)), kernel_(context_.kernel) {
    plan_.tail = std::move(tail);
  }

  KernelShaders run() {
    shaders_.name = context_.name;
    sum_parts();
    plan_scatters();
    if (!plan_.scatters.empty()) {
      shaders_.stages.push_back(emit_clear_stage(context_, plan_));
      shaders_.stages.push_back(emit_mark_stage(context_, plan_));
    }
    plan_.main_stage = static_cast<std::uint32_t>(shaders_.stages.size());
    plan_reductions();
    plan_line_parts();
    shaders_.stages.push_back(emit_main_stage(context_, plan_));
    if (!plan_.line_partials.empty()) shaders_.stages.push_back(emit_lines_stage(context_, plan_));
    if (plan_.combines && !plan_.in_last_group) shaders_.stages.push_back(emit_combine_stage(context_, plan_));
    const GroupSchedule& schedule = kernel_.schedule.groups;
    const bool along_lines = schedule.walk == GroupWalk::group_lines || schedule.walk == GroupWalk::strips;
    shaders_.splits = along_lines || schedule.sums.form != GroupSums::Form::none;
    return std::move(shaders_);
  }

 private:
  /// In the split variant the contraction comes from a stage of its own.
  void sum_parts() {
    if (!has_parts(context_)) return;
    const std::uint32_t parts = scratch(kernel_.rows * kernel_.cols, 0, memory_bytes(kernel_.contraction->element), 2);
    shaders_.stages.push_back(emit_parts_stage(context_, parts));
    context_.parts = static_cast<std::int32_t>(parts);
  }

  void plan_line_parts() {
    if (plan_.lines.empty() || !splits_lines(context_)) return;
    for (std::uint32_t line : plan_.lines) plan_.line_partials.push_back(partial(line_count(context_), line, 1));
  }

  /// Scratch for a reduction: `elements` for each workgroup of the main stage, or of one axis of its.
  StagePlan::Partial partial(const Size& elements, std::uint32_t number, std::int32_t axis) {
    const KernelReduction& reduction = kernel_.reductions[number];
    const auto stage = static_cast<std::int32_t>(plan_.main_stage);
    StagePlan::Partial partial;
    partial.value = scratch(elements, stage, memory_bytes(kernel_.outputs[reduction.output].type.element), axis);
    if (reduction.index_output >= 0) partial.position = static_cast<std::int32_t>(scratch(elements, stage, 4, axis));
    return partial;
  }

  std::uint32_t scratch(Size elements, std::int32_t stage, std::uint32_t bytes, std::int32_t axis = -1) {
    shaders_.scratch.push_back({std::move(elements), stage, bytes, axis});
    return static_cast<std::uint32_t>(shaders_.scratch.size() - 1);
  }

  // Affine maps of stores never give two points one position; gathered ones may.
  void plan_scatters() {
    if ((kernel_.rows * kernel_.cols).is(1)) return;
    for (std::uint32_t s = 0; s < kernel_.stores.size(); ++s) {
      const Store& store = kernel_.stores[s];
      if (!store.map.row_gather && !store.map.col_gather) continue;
      plan_.scatters.push_back({s, scratch(kernel_.outputs[store.output].type.count(), -1, 4)});
    }
  }

  void plan_reductions() {
    for (std::uint32_t r = 0; r < kernel_.reductions.size(); ++r) {
      const bool total = effective_axis(kernel_, kernel_.reductions[r].reduction.axis) == Axis::all;
      (total ? plan_.totals : plan_.lines).push_back(r);
    }
    const Size points = kernel_.rows * kernel_.cols;
    const bool one_group = walk_of(context_) == GroupWalk::points && points.is_constant() &&
                           points.constant() <= std::int64_t{workgroup_size};
    plan_.combines = !plan_.totals.empty() && !one_group;
    plan_.in_last_group = plan_.combines && context_.options.last_group_combines;
    if (!plan_.combines) return;
    for (std::uint32_t total : plan_.totals) plan_.partials.push_back(partial(1, total, -1));
  }

  KernelContext context_;
  const Kernel& kernel_;
  StagePlan plan_;
  KernelShaders shaders_;
};

}  // namespace

KernelShaders emit_kernel(const Plan& plan, OpId launch, const GlslOptions& options) {
  const Op& op = plan.ops[launch];
  const Kernel& kernel = plan.kernels[attribute<KernelId>(op)];
  if (kernel.schedule.groups.walk == GroupWalk::none)
    throw InternalError("kernel '" + kernel.name + "': how workgroups walk it is not decided");
  KernelContext own = kernel_context(plan, op, options);
  std::vector<KernelContext> tail;
  // As operands_with_tail and results_with_tail number them.
  std::size_t inputs = op.operands.size(), outputs = op.results.size();
  for (OpId id : plan.tail(launch)) {
    const Op& one = plan.ops[id];
    KernelContext& context = tail.emplace_back(kernel_context(plan, one, options));
    context.first_input = static_cast<std::uint32_t>(inputs);
    context.first_output = static_cast<std::uint32_t>(outputs);
    inputs += one.operands.size();
    outputs += one.results.size();
    own.comment.insert(own.comment.end(), context.comment.begin(), context.comment.end());
  }
  KernelShaders shaders = StagePlanner(std::move(own), std::move(tail)).run();
  for (OpId id : plan.tail(launch)) shaders.tail.push_back(attribute<KernelId>(plan.ops[id]));
  return shaders;
}

}  // namespace lac::codegen::glsl
