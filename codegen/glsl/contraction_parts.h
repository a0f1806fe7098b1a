// Long contractions in the split variant: a stage of its own sums the terms of every point in parts of a fixed length,
// the workgroups along z each a part, and the other stages add the parts of a point in their order.
#pragma once

#include <string>

#include "codegen/glsl/kernel_context.h"
#include "codegen/glsl/kernel_walk.h"

namespace lac::codegen::glsl {

/// Whether the variant has such a stage: the contraction is dense or csr.
bool has_parts(const KernelContext& context);

/// The terms of a part: values of k, or entries of a csr row.
std::int64_t contraction_part(const KernelContext& context);
/// How many terms a sum may have.
Size contraction_terms(const Kernel& kernel);

/// The stage; part p of c(i, j) goes to scratch[p * points + i + rows * j].
ShaderStage emit_parts_stage(const KernelContext& context, std::uint32_t scratch);

/// c at this point from its parts: the name of its register.
std::string emit_sum_of_parts(StageWriter& writer, const KernelContext& context, const Point& point);

}  // namespace lac::codegen::glsl
