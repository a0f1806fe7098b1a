// inputParser: a variable that one is assigned to is a struct, and statements that call its methods assign it anew.
#pragma once

#include "frontend/ast/ast.h"

namespace lac::frontend {

/// `p = inputParser` becomes a call of library/parser_by_methods.la, and so do `p.addRequired(...)`, `addRequired(p,
/// ...)` and the other methods in the same function: `p = parser_by_methods(p, "addRequired", ...)`.
void put_parsers(ast::Program& program);

}  // namespace lac::frontend
