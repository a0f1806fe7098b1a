// Decides how the workgroups of a device walk every kernel (GroupSchedule in ir/kernel/schedule.h).
//
//   texels       where an output has Layout::texel
//   group_lines  for reductions along rows (each line is a column, contiguous), unless the rows are a constant of at
//                most `short_line`; for reductions along cols where the rows are such a constant
//   strips       for the other reductions along cols
//   lines        for the other reductions along rows
//   contraction  for contractions over dense or compressed rows
//   tiles        where the domain is a matrix and some access runs along its rows, unless the order of points matters
//   points       else
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool schedule_groups(Graph& graph, PassContext& context);

}  // namespace lac::passes
