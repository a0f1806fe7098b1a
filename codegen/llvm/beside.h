// Work beside the caller's where the machine gives a thread for it.
#pragma once

#include <future>
#include <system_error>
#include <utility>

namespace lac::codegen {

/// Starts `action` on a thread of its own; where there is none (a limit on processes or memory), the caller does it
/// when it asks for the result.
template <class Action>
auto beside(Action action) -> std::future<decltype(action())> {
  try {
    return std::async(std::launch::async, action);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::move(action));
  }
}

}  // namespace lac::codegen
