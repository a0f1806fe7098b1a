// Local rewrites to one form (passes/rules): transposes folded into products, products of vectors into reductions
// or broadcasts, dense matrix products into library steps, views of views into one view. Every rule states when it is
// exact in floating point.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool canonicalize(Graph& graph, PassContext& context);

}  // namespace lac::passes
