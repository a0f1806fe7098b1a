// Mistakes that show in the text alone: what is never used, never reached, or means something else than it seems to.
#pragma once

#include "frontend/ast/ast.h"
#include "ir/support/diagnostics.h"

namespace lac::frontend {

/// Adds warnings on the file's own statements and functions:
/// - a variable that is assigned with ';' and never read, shown or put out; a param that nothing uses;
/// - an argument that its function never uses, a result that its function never sets;
/// - a function that runs before its definition was reached (Octave fails there);
/// - a number under the name of a function that is then "called";
/// - statements behind a return, break or continue;
/// and one remark on calls that have no effect (`close all`).
void warn_of_usage(const ast::Program& program, const SourceManager& sources, Diagnostics& diagnostics);

}  // namespace lac::frontend
