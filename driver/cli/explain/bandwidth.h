// What the memory of a target gives: the scale on which a report shows the bytes of kernels.
#pragma once

#include "driver/cli/command_line.h"

namespace lac::cli {

/// GB/s of c = b + 3*c, three words an element, over 2^24 elements, which most caches do not hold; the best of a few
/// runs with the line's target, precision and threads. 0 where it does not run.
double measured_bandwidth(const CommandLine& line);

}  // namespace lac::cli
