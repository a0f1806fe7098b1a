// What of a plan the host does although the program runs on a device.
#pragma once

#include "ir/plan/shader.h"
#include "ir/support/diagnostics.h"

namespace lac::driver {

/// A remark for each operation on matrices that has no shader (its operands come to the host and its results go back),
/// and for each loop that the host drives, with what forces it to.
void remark_host_steps(const Plan& plan, Diagnostics& diagnostics);

}  // namespace lac::driver
