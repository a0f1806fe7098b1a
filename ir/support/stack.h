// Room for recursion. The compiler recurses as deep as a text nests (frontend/grammar bounds that), and a host may call
// it on a thread whose stack is small.
#pragma once

#include <functional>
#include <type_traits>

namespace lac {

/// Runs `action` where at least 4 MB of stack are left: here, else on a thread of its own that the caller waits for.
/// What it throws arrives here. Throws ResourceError where there is no such thread.
void on_deep_stack(const std::function<void()>& action);

/// The same for an action with a result, which needs a default value.
template <class Action>
auto with_deep_stack(const Action& action) {
  std::invoke_result_t<Action> result{};
  on_deep_stack([&] { result = action(); });
  return result;
}

}  // namespace lac
