// Names that occur in a piece of the tree: what it assigns, what it reads, whether it leaves its loop.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"

namespace lac::frontend {

/// Every name that the statements may assign, loop variables included.
std::set<std::string> assigned_names(const ast::Block& block);
/// The same by the part of a variable that is assigned, as far as fields say which it is: `s.x` for s.x(2) = v.
std::set<std::string> assigned_parts(const ast::Block& block);
/// Whether the statements may assign a field of elements of the variable, apart from the elements as a whole.
bool assigns_fields(const ast::Block& block, const std::string& name);
/// The variables that ++ and -- inside an expression change.
void assigned_names(const ast::Expr& expr, std::set<std::string>& names);
/// Those that the subscripts of a target change.
std::set<std::string> names_stepped_in(const ast::LValue& target);
/// Every identifier that the statements mention in an expression, indexed targets and compound assignments included,
/// and how often.
std::map<std::string, int> read_counts(const ast::Block& block);
void read_names(const ast::Expr& expr, std::set<std::string>& names);

/// The words behind each `clear` in the statements, inner blocks included.
std::vector<std::vector<std::string>> words_of_clears(const ast::Block& block);

struct Exits {
  bool breaks = false, continues = false, returns = false;  ///< break and continue of the enclosing loop
  bool any() const { return breaks || continues || returns; }
};
Exits exits_of(const ast::Block& block);
Exits exits_of(const ast::Statement& statement);

/// Calls `visit` with each block directly inside the statement, and with each expression that is the statement's own.
void for_each_inner_block(const ast::Statement& statement, const std::function<void(const ast::Block&)>& visit);
void for_each_expression(const ast::Statement& statement, const std::function<void(const ast::Expr&)>& visit);
/// Calls `visit` with each direct subexpression that is there, in the order of the source.
void for_each_child(const ast::Expr& expr, const std::function<void(const ast::ExprPtr&)>& visit);

}  // namespace lac::frontend
