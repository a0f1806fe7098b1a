// Work beside the program: one thread of the process, which compiles what is worth it.
#pragma once

#include <functional>

namespace lac::driver {

/// Whether the end of a process waits for a task that is not done (end_process).
enum class AtEnd : bool { is_dropped, is_awaited };

/// Does `task`, which throws nothing, on that thread, after those that were given before it. Where the system gives no
/// thread, or a limit on memory leaves no room to compile in, it is dropped. Thread-safe.
void in_background(std::function<void()> task, AtEnd at_end = AtEnd::is_dropped);

/// Ends the process with this status. What is being compiled is not waited for: what it would have kept is made another
/// time. Only tasks that are awaited are, where all went well: behind everything that was printed, for as long as LLVM
/// takes.
[[noreturn]] void end_process(int status);

}  // namespace lac::driver
