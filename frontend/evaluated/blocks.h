// The blocks that lie directly in a statement, to be changed.
#pragma once

#include <variant>

#include "frontend/ast/ast.h"
#include "frontend/ast/overload.h"

namespace lac::frontend {

/// Calls change(block) with each.
template <class Change>
void for_each_block_in(ast::Statement& statement, const Change& change) {
  std::visit(Overload{[&](ast::If& node) {
                        for (ast::IfArm& arm : node.arms) change(arm.body);
                      },
                      [&](ast::Switch& node) {
                        for (ast::SwitchCase& each : node.cases) change(each.body);
                      },
                      [&](ast::Try& node) {
                        change(node.body);
                        change(node.handler);
                      },
                      [&](ast::While& node) { change(node.body); }, [&](ast::DoUntil& node) { change(node.body); },
                      [&](ast::For& node) { change(node.body); }, [](auto&) {}},
             statement.node);
}

}  // namespace lac::frontend
