// `[a, b] = f(x)`: telling a list of targets from a matrix.
#pragma once

#include <vector>

#include "frontend/lexer/token.h"

namespace lac::frontend {

/// `[ ... ] =` at the start of a statement gets the kind targets_open.
void mark_targets(std::vector<Token>& tokens);

}  // namespace lac::frontend
