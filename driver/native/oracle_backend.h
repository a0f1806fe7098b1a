// The interp target: runs the graph as lowered, or the plan of another target.
#pragma once

#include <memory>

#include "driver/core/backend.h"

namespace lac::driver {

/// Shows the stages of `plan_of`, which is the cpu target's when empty.
std::unique_ptr<Backend> make_oracle_backend();

}  // namespace lac::driver
