// Where launches are all that the arms of a branch do, they look at the condition themselves.
//
//     branch s < least { y = launch k(p, q); yield y }      ->   y = launch k'(p, q, x, s < least), that takes x over
//                      { yield x }                               and stores select(s < least, k(p, q), x)
//
// in a loop, where a kernel on a device makes the condition. A branch there takes a dispatch that counts those of its
// arms, and what the arm has made is copied to where x is; k' leaves x alone where the condition does not hold
// (ir/kernel/guard.h).
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool guard_launches(Graph& graph, PassContext& context);

}  // namespace lac::passes
