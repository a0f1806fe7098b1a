// What the options of unique ask for, of matrices and of cells of strings.
#pragma once

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

struct UniqueOptions {
  bool rows = false, first = false, last = false, sorted = false, stable = false, legacy = false;
};

/// The arguments behind the first one; "legacy" sets `last` too. Fails in Octave's words where they contradict.
UniqueOptions unique_options(Call& call);
/// What Octave 7 says where the third result is asked for beside "stable": it is [].
void warn_no_ranks(Call& call);

}  // namespace lac::frontend
