// Functions that call each other in a cycle.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/ast/ast.h"

namespace lac::frontend {

/// One of them, with variables that no other one of the cycle has.
struct CycleMember {
  ast::Function function;
  std::set<std::string> variables;  ///< that it has, parameters and results among them, but not those that follow
  std::set<std::string> constant;   ///< parameters that every call in the cycle passes on: they stay as they were given
  std::set<std::string> shared;     ///< global and persistent variables
  std::set<std::string> acting;     ///< functions whose calls may do more than give a value, and what calls may change
  std::string given;                ///< the variable that stands for `nargin`; empty where it does not ask
  std::map<std::string, std::string> written;  ///< by the variables that have another name in the text: that name
};
using Cycle = std::vector<CycleMember>;

/// How many statements a body begins with that say what shared variables are, and give those of them a value that have
/// none: `persistent known`, `if isempty(known), known = 1; end`. Within one call from outside they are for the first
/// level alone.
std::size_t opening_statements(const CycleMember& member);

/// Every name that occurs in the functions.
std::set<std::string> names_in(const Cycle& cycle);
/// The name, or with underscores behind it one that is not taken yet; it is taken then.
std::string unused(std::string name, std::set<std::string>& taken);

/// What stands in the way of writing a cycle as a loop.
struct NoFlow {
  Span span;
  std::string why;  ///< a noun phrase: "a call in the body of a try"
};

/// Which functions of the program a function calls.
class CallGraph {
 public:
  /// The function that a name means in the text of another one; null where it is none of the program.
  using Find = std::function<const ast::Function*(const std::string& name, const ast::Function& in)>;
  explicit CallGraph(Find find) : find_(std::move(find)) {}

  using Functions = std::vector<const ast::Function*>;
  /// In no order.
  const Functions& called_by(const ast::Function& function);
  /// All that it calls, perhaps through others.
  std::set<const ast::Function*> reached_from(const ast::Function& function);

 private:
  Find find_;
  std::map<const ast::Function*, Functions> known_;
};

/// The functions that `function` calls and that call it, itself first. `shared_by_all` are parameters of it whose parts
/// are assigned in the place where all see them (a containers.Map). Throws NoFlow.
Cycle cycle_of(const ast::Function& function, CallGraph& calls, const std::set<std::string>& shared_by_all);

}  // namespace lac::frontend
