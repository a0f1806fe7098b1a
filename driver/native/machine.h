// The machine at hand, as a key of code that was compiled for it.
#pragma once

#include <string>

namespace lac::driver {

/// Equal where the processors are of one model, with the same instructions switched on by the system.
const std::string& machine_identity();

}  // namespace lac::driver
