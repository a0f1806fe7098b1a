// eval of texts that stand in the program: what they say takes the place of the call, so that nothing behind the parser
// knows of eval.
#pragma once

#include "frontend/ast/ast.h"
#include "ir/support/diagnostics.h"
#include "ir/support/source.h"

namespace lac::frontend {

/// eval("statements") becomes these statements, eval("statements", "handler") a try with both, and x = eval("value")
/// the value. evalc("statements") in an assignment or a statement of its own becomes a variable that holds what the
/// statements, which come before, have shown. A text is a source of its own, to which errors in it point. A program
/// that defines a function of this name is left as it is. Other calls of eval stay, to be refused where they are
/// lowered.
void put_evaluated_texts(ast::Program& program, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace lac::frontend
