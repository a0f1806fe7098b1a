// No exception crosses generated code.
#pragma once

#include <exception>
#include <utility>

#include "runtime/cpu/context.h"
#include "runtime/thrown.h"

namespace lac::runtime {

/// Runs `work`, which returns a status; an exception becomes one.
template <class F>
std::int32_t guarded(abi::Context* run, LocationId location, F&& work) {
  try {
    return work();
  } catch (const std::exception& problem) {
    RunStatus status = status_of(problem);
    return run->fail(status.code, std::move(status.message), location);
  }
}

}  // namespace lac::runtime
