// Whether the value that a loop leaves in a variable may be read.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace lac::frontend {

/// Whether a way leads from the end of the loop with this body, which lies in `all`, to a place that reads the variable
/// and along which nothing has assigned it. The next trip of the loop itself is no such way, that of a loop around it
/// is.
bool is_read_behind(const std::string& name, const ast::Block& loop_body, const ast::Block& all);

}  // namespace lac::frontend
