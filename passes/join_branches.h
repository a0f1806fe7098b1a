// One branch for a branch that is all an arm of another does.
//
//     if a                            if !a && b
//     elseif b, x = y, end            ->    x = y
//     end                             end
//
// Where the other ways end as if nothing had happened, and the inner condition is a few scalar operations that cannot
// fail. A device then decides once, where it has the scalars, instead of twice.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool join_branches(Graph& graph, PassContext& context);

}  // namespace lac::passes
