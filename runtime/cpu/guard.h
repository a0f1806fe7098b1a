// No exception crosses generated code.
#pragma once

#include <exception>
#include <new>

#include "runtime/cpu/context.h"
#include "runtime/stop.h"

namespace lac::runtime {

/// Runs `work`, which returns a status; an exception becomes one.
template <class F>
std::int32_t guarded(abi::Context* run, LocationId location, F&& work) {
  try {
    return work();
  } catch (const Stopped& stopped) {
    return run->fail(stopped.code, stopped.what(), location);
  } catch (const std::bad_alloc&) {
    return run->fail(RunCode::out_of_memory, std::string(out_of_memory_text), location);
  } catch (const std::exception& problem) {
    return run->fail(RunCode::internal_error, problem.what(), location);
  }
}

}  // namespace lac::runtime
