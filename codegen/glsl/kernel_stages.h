// Pieces that several stages of a kernel share.
#pragma once

#include <string>

#include "codegen/glsl/kernel_body.h"
#include "codegen/glsl/kernel_main.h"

namespace lac::codegen::glsl {

/// A writer that knows which buffers of the launch may be one.
StageWriter stage_writer(const KernelContext& context, std::string_view suffix, StageKind kind);
/// The point's column-major position in the domain.
std::string domain_position(StageWriter& writer, const Kernel& kernel, const Point& point);
/// Names of the scratch bindings.
std::string winner_array(StageWriter& writer, const Scatter& scatter, bool read, bool written);
/// Opens what only one invocation of the workgroup runs.
void open_first_lane(StageWriter& writer);
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

}  // namespace lac::codegen::glsl
