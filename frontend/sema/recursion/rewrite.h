// Trees with parts replaced. A tree is never changed: what differs is made anew, the rest is shared.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "frontend/ast/ast.h"

namespace lac::frontend {

using ReplaceExpr = std::function<ast::ExprPtr(const ast::ExprPtr&)>;

/// The expression with each direct subexpression replaced, in the order of the source.
ast::ExprPtr with_children(const ast::ExprPtr& expr, const ReplaceExpr& replace);

/// With variables under other names; those that are not in the map keep theirs.
ast::ExprPtr renamed(const ast::ExprPtr& expr, const std::map<std::string, std::string>& names);
ast::Function renamed(const ast::Function& function, const std::map<std::string, std::string>& names);

}  // namespace lac::frontend
