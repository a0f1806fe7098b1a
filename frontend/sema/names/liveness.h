// Whether the value that a loop leaves in a variable, or finds in it, may be read.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace lac::frontend {

/// Whether a way leads from the end of the loop with this body, which lies in `all`, to a place that reads the variable
/// and along which nothing has assigned it. The next trip of the loop itself is no such way, that of a loop around it
/// is.
bool is_read_behind(const std::string& name, const ast::Block& loop_body, const ast::Block& all);

/// Whether a loop with this body may read what the variable held before a trip. `condition` may be null; it comes first
/// where the loop tests at the top.
bool is_read_first(const std::string& name, const ast::Block& body, const ast::Expr* condition, bool tests_at_top);

/// Whether the statement reads the variable before it assigns it.
bool is_read_in(const std::string& name, const ast::Statement& statement);

}  // namespace lac::frontend
