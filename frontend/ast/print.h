// Text forms of the syntax tree.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace lac::frontend::ast {

/// An indented tree, one node a line, for people and golden tests. Ends with a newline.
std::string print(const Program& program);
std::string print(const Expr& expr);

/// The expression as text of the language, with parentheses around every operation; parses back to the same meaning.
std::string source_of(const Expr& expr);
std::string source_of(const LValue& target);

/// An anonymous function as Octave shows it: "@(x) x .^ 2 + 1". Numbers are as written.
std::string display_of(const AnonymousFunction& function, const SourceManager& sources);
/// An expression as Octave shows it.
std::string display_of(const ExprPtr& expr, const SourceManager& sources);

/// A number as text that reads back to the same value: "3", "0.1", "Inf".
std::string source_of(double value);

}  // namespace lac::frontend::ast
