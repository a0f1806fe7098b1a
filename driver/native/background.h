// Work beside the program: one thread of the process, which compiles what is worth it.
#pragma once

#include <functional>

namespace lac::driver {

/// Does `task`, which throws nothing, on that thread, after those that were given before it. Where the system gives no
/// thread, or a limit on memory leaves no room to compile in, it is dropped. Thread-safe.
void in_background(std::function<void()> task);

/// Ends the process with this status. What is being compiled is not waited for: what it would have kept is made another
/// time.
[[noreturn]] void end_process(int status);

}  // namespace lac::driver
