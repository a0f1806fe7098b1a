// Functions that call each other in a cycle, as basic blocks: straight statements, and how control goes on behind them.
// Each call of the cycle ends a block, so that the calls can become jumps. Statements without such a call, and without
// a way out of what holds one, stay whole.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/sema/recursion/cycle.h"

namespace lac::frontend {

/// A call of a member of the cycle.
struct FlowCall {
  std::size_t callee = 0;
  std::vector<ast::ExprPtr> args;
  std::vector<std::string> results;  ///< the variables that take what comes back
  Span span;
};

struct FlowBlock {
  std::size_t member = 0;  ///< whose statements these are
  ast::Block statements;
  // How it ends: with a call, then `next`; or by leaving the function; or at `next`, where there is a condition that
  // holds, and `otherwise`.
  std::optional<FlowCall> call;
  bool leaves = false;
  ast::ExprPtr condition;
  std::size_t next = 0, otherwise = 0;
  Span span;
  /// Behind a for loop: what its variable is where the loop made no trip.
  std::optional<ast::Statement> without_trips;
  std::string loop_variable;
};

struct Flow {
  std::vector<FlowBlock> blocks;     ///< as they stand in the text
  std::vector<std::size_t> entries;  ///< of each member
  std::set<std::string> values;      ///< variables made for values between calls
  std::set<std::string> taken;       ///< all names that occur
};

/// Throws NoFlow.
Flow flow_of(const Cycle& cycle);

}  // namespace lac::frontend
