// What is thrown to end a run, and what an exception that ends one means.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "runtime/run.h"
#include "runtime/stop.h"

namespace lac::runtime {

/// Thrown by an executor to leave the op at hand and everything around it.
struct Stop {
  RunStatus status;
};

/// The code and the message: what ends the run from outside, no memory (a container that cannot be that long is that
/// too), what the machine refuses (a library, a thread), else a bug.
inline RunStatus status_of(const std::exception& thrown) {
  if (const auto* stopped = dynamic_cast<const Stopped*>(&thrown)) return {stopped->code, stopped->what()};
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr ||
      dynamic_cast<const std::length_error*>(&thrown) != nullptr)
    return {RunCode::out_of_memory, out_of_memory_text};
  if (dynamic_cast<const std::runtime_error*>(&thrown) != nullptr)
    return {RunCode::error, std::string("error: ") + thrown.what()};
  return {RunCode::internal_error, thrown.what()};
}

}  // namespace lac::runtime
