#include "codegen/glsl/kernel.h"

#include <algorithm>

#include "codegen/glsl/kernel_main.h"
#include "codegen/glsl/kernel_tiles.h"

namespace lac::codegen::glsl {
namespace {

class StagePlanner {
 public:
  explicit StagePlanner(const KernelContext& context) : context_(context), kernel_(context.kernel) {}

  KernelShaders run() {
    shaders_.name = context_.name;
    plan_.walk = choose_walk(context_);
    plan_scatters();
    if (!plan_.scatters.empty()) {
      shaders_.stages.push_back(emit_clear_stage(context_, plan_));
      shaders_.stages.push_back(emit_mark_stage(context_, plan_));
    }
    plan_.main_stage = static_cast<std::uint32_t>(shaders_.stages.size());
    plan_reductions();
    shaders_.stages.push_back(emit_main_stage(context_, plan_));
    if (plan_.combines) shaders_.stages.push_back(emit_combine_stage(context_, plan_));
    return std::move(shaders_);
  }

 private:
  std::uint32_t scratch(Size elements, std::int32_t stage, std::uint32_t bytes) {
    shaders_.scratch.push_back({std::move(elements), stage, bytes});
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
    const bool one_group = plan_.walk.kind == WalkKind::points && !walks_in_tiles(kernel_) && points.is_constant() &&
                           points.constant() <= static_cast<std::int64_t>(context_.options.workgroup);
    plan_.combines = !plan_.totals.empty() && !one_group;
    if (!plan_.combines) return;
    const auto stage = static_cast<std::int32_t>(plan_.main_stage);
    for (std::uint32_t total : plan_.totals) {
      const KernelReduction& reduction = kernel_.reductions[total];
      StagePlan::Partial partial;
      partial.value = scratch(1, stage, memory_bytes(kernel_.outputs[reduction.output].type.element));
      if (reduction.index_output >= 0) partial.position = static_cast<std::int32_t>(scratch(1, stage, 4));
      plan_.partials.push_back(partial);
    }
  }

  const KernelContext& context_;
  const Kernel& kernel_;
  StagePlan plan_;
  KernelShaders shaders_;
};

}  // namespace

KernelShaders emit_kernel(const Graph& plan, const Op& launch, const IdVector<ValueId, Place>& places,
                          const GlslOptions& options) {
  return StagePlanner(kernel_context(plan, launch, places, options)).run();
}

}  // namespace lac::codegen::glsl
