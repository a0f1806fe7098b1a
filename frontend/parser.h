// From text to syntax tree. The one door to the grammar; no header of Boost comes with it.
#pragma once

#include <optional>

#include "frontend/ast/ast.h"
#include "ir/support/diagnostics.h"
#include "ir/support/source.h"

namespace lac::frontend {

/// The tree of a whole file. Nothing when a diagnostic of severity error was added; every statement that is wrong adds
/// its own, up to a limit, so one run shows them all. Any bytes are safe to pass. Needs `lac_frontend`.
std::optional<ast::Program> parse(FileId file, const SourceManager& sources, Diagnostics& diagnostics);

/// The tree of a file that holds one expression and nothing else: the VALUE of NAME=VALUE, or `-e EXPR`.
/// Null when a diagnostic of severity error was added.
ast::ExprPtr parse_expression(FileId file, const SourceManager& sources, Diagnostics& diagnostics);

}  // namespace lac::frontend
