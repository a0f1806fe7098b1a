// Long contractions in the split variant: a stage of its own sums the terms of every point in parts, the workgroups
// along z each a part, and the other stages add the parts of a point in their order. There are as many parts as keep a
// large device busy, or as no invocation runs too long with.
#pragma once

#include <string>

#include "codegen/glsl/kernel/context.h"
#include "codegen/glsl/kernel/walk.h"

namespace lac::codegen::glsl {

/// Whether the variant has such a stage: the contraction is dense or csr.
bool has_parts(const KernelContext& context);

/// The terms of a part, values of k or entries of a csr row: an int expression, a multiple of what the invocations of a
/// workgroup take in one turn.
std::string part_length(StageWriter& writer, const KernelContext& context);
/// The share of [first, end) that the part at hand (KernelContext::part) has, declared here: its own first and end.
struct PartRange {
  std::string first, end;
};
PartRange emit_part_range(StageWriter& writer, const KernelContext& context, const std::string& first,
                          const std::string& end);
/// The turns of an invocation that takes one of `lanes` terms of the part at hand.
TurnCount part_turns(const KernelContext& context, std::int64_t lanes);
/// How many terms a sum may have.
Size contraction_terms(const Kernel& kernel);

/// The stage; part p of c(i, j) goes to scratch[p * points + i + rows * j].
ShaderStage emit_parts_stage(const KernelContext& context, std::uint32_t scratch);

/// c at this point from its parts: the name of its register.
std::string emit_sum_of_parts(StageWriter& writer, const KernelContext& context, const Point& point);

}  // namespace lac::codegen::glsl
