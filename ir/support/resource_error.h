// What the machine does not give: a thread, a library. Nobody's bug, so it reaches the user as an error of its own.
#pragma once

#include <stdexcept>

namespace lac {

/// One sentence for the user.
struct ResourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace lac
