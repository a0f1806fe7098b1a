#include "frontend/ast/ast.h"

namespace lac::frontend::ast {

const Expr& strip_parens(const Expr& expr) {
  const Expr* inner = &expr;
  while (const auto* paren = std::get_if<Paren>(&inner->node)) inner = paren->inner.get();
  return *inner;
}

}  // namespace lac::frontend::ast
