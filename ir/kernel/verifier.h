// The invariants of a Kernel. They are listed at the top of verifier.cpp.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac {

/// One sentence for each violation; empty is fine. `symbols` gives the bounds of the sizes.
std::vector<std::string> verify(const Kernel& kernel, const SymbolTable& symbols);

}  // namespace lac
