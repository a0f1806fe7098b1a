#pragma once

#include "runtime/files/open_files.h"
#include "runtime/steps/steps.h"

namespace lac::runtime::steps {

/// The files that the run holds open; of a run that holds none, what lasts as long as the thread.
inline OpenFiles& files_of(const Input& input) {
  thread_local OpenFiles none;
  return input.run == nullptr || input.run->open_files == nullptr ? none : *input.run->open_files;
}

}  // namespace lac::runtime::steps
