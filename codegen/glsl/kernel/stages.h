// Pieces that several stages of a kernel share.
#pragma once

#include <string>

#include "codegen/glsl/kernel/body.h"
#include "codegen/glsl/kernel/main.h"

namespace lac::codegen::glsl {

/// A writer that knows which buffers of the launch may be one.
StageWriter stage_writer(const KernelContext& context, std::string_view suffix, StageKind kind);
/// The point's column-major position in the domain.
std::string domain_position(StageWriter& writer, const Kernel& kernel, const Point& point);
/// Names of the scratch bindings.
std::string winner_array(StageWriter& writer, const Scatter& scatter, bool read, bool written);
/// Opens what only one invocation of the workgroup runs.
void open_first_lane(StageWriter& writer);
/// Opens what only the workgroup runs that is done last; it sees what all have written to coherent bindings.
void open_last_group(StageWriter& writer);
/// The arrays of a reduction's partial results.
struct PartialNames {
  std::string value;
  std::string position;  ///< empty: no position is wanted
};
PartialNames partial_names(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction,
                           const StagePlan::Partial& partial, const Accumulator& accumulator, bool written);
/// The finished reduction to element `line` of its output(s).
void emit_result(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction,
                 const Accumulator& accumulator, const std::string& line);
Accumulator declare_accumulator(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction);
/// The totals from their partial results, by one workgroup.
void emit_totals(StageWriter& writer, const KernelContext& context, const StagePlan& plan);
/// The kernels of the tail, by one invocation. Nothing of the head may follow.
void emit_tail(StageWriter& writer, const StagePlan& plan);

}  // namespace lac::codegen::glsl
