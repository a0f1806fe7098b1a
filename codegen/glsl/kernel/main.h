// The stages of one launch, each as a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/glsl/kernel/reduce.h"
#include "codegen/glsl/kernel/walk.h"

namespace lac::codegen::glsl {

/// A store through a gather: of several points that store to one position the last one wins. `winner` is the scratch
/// that holds, for each element of the output, the last point's position + 1.
struct Scatter {
  std::uint32_t store = 0;
  std::uint32_t winner = 0;
};

/// What the stages hand on to one another.
struct StagePlan {
  std::vector<Scatter> scatters;
  std::vector<std::uint32_t> totals;  ///< the reductions over the whole domain
  std::vector<std::uint32_t> lines;   ///< those along one axis
  bool combines = false;              ///< totals go through `partials`
  bool in_last_group = false;         ///< which the last workgroup of the main stage looks at, not a combine stage
  std::vector<KernelContext> tail;    ///< what follows the totals (Plan::tails)
  std::uint32_t main_stage = 0;       ///< its index among the stages
  /// The scratch of each total's partial results, one element per workgroup of the main stage, and of their positions
  /// (-1: none).
  struct Partial {
    std::uint32_t value = 0;
    std::int32_t position = -1;
  };
  std::vector<Partial> partials;
  /// The same of each of `lines` in the split variant, one element per part of a line and line; else empty.
  std::vector<Partial> line_partials;
};

/// Sets the winners to zero.
ShaderStage emit_clear_stage(const KernelContext& context, const StagePlan& plan);
/// Finds the winners.
ShaderStage emit_mark_stage(const KernelContext& context, const StagePlan& plan);
/// Computes, stores and accumulates.
ShaderStage emit_main_stage(const KernelContext& context, const StagePlan& plan);
/// Finishes the reductions along one axis of the split variant, an invocation each.
ShaderStage emit_lines_stage(const KernelContext& context, const StagePlan& plan);
/// One workgroup that finishes the reductions over the whole domain.
ShaderStage emit_combine_stage(const KernelContext& context, const StagePlan& plan);

}  // namespace lac::codegen::glsl
