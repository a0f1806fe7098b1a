// How dense matrices lie in the memory of a device that has packed texels (Value::layout; ir/plan/texel.h).
//
// Values that share a buffer (an update in place, a donation, what loops and branches hand on, a reshape) are one group
// and lie alike. A group lies in texels where it is single precision and every kernel that touches it can read and
// write it so; what a kernel must have in a buffer stays one. So nothing is converted on the device: a conversion reads
// and writes the whole matrix, which is what one kernel that reads it costs. Parameters and results of host steps are
// packed on their way to the device, which is free.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool assign_layouts(Graph& graph, PassContext& context);

}  // namespace lac::passes
