// The text form of Plans, which round-trips: the graph's (ir/graph/text.h), and behind the body
//
//   plan
//     buffer 0 borrowed %0
//     buffer 1 %3 %7 %9
//     buffer 2 either 0, 1 %12
//     loop %4 chunked sites 5 log 2 branches 1 carried 1 -> 3, 3 -> 1 compared %5, %6
//     loop %14 host because "print of a matrix" carried 2 -> 2
//     device %5 %6
//     device_steps %8
//     tail %9 : %10 %11
//
// A buffer lists the values that lie in it; a loop is named by its first result, the trips it made; "carried 1 -> 3" is
// a matrix that a trip finds in buffer 1 and leaves in buffer 3. `device` lists the scalars that live on the device,
// `device_steps` the first results of steps that the device does; `tail` the first result of a launch, and those of the
// launches that it does behind its own work.
#pragma once

#include <string>
#include <string_view>

#include "ir/plan/plan.h"
#include "ir/support/result.h"

namespace lac {

/// With `sources`, comments give the lines that ops and kernels come from.
std::string print_plan(const Plan& plan, const SourceManager* sources = nullptr);

/// The plan that `text` describes, or "line:column: what is wrong". Only the form is checked.
Result<Plan> parse_plan(std::string_view text);

}  // namespace lac
