// A fixed number of independent tasks on the machine's threads.
#pragma once

#include <cstddef>
#include <functional>

namespace lac {

/// Does `task(n)` for all n below `count`, on as many threads as there are processors, the caller's among them; where
/// the system gives none, on the caller's alone. The first exception that a task throws is thrown on when all have
/// ended.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& task);

}  // namespace lac
