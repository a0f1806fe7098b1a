// The loops of a source text around a place.
#pragma once

#include <vector>

#include "frontend/ast/ast.h"

namespace lac::driver {

/// The loop statements whose span covers `place`, outermost first; they stop at the function that the place is in.
std::vector<const frontend::ast::Statement*> loops_around(const frontend::ast::Program& program, Span place);

}  // namespace lac::driver
