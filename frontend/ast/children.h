// The direct subexpressions of an expression, in the order of the source: the one list of them, for trees that are read
// and for copies that are changed.
#pragma once

#include <type_traits>
#include <variant>

#include "frontend/ast/ast.h"

namespace lac::frontend::ast {

/// Calls visit(child) with each one that is there: an ExprPtr&, const where the node is.
template <class Node, class Visit>
void for_each_child_of(Node& node, const Visit& visit) {
  static_assert(std::is_same_v<std::remove_const_t<Node>, Expr::Node>);
  const auto child = [&](auto& tree) {
    if (tree) visit(tree);
  };
  const auto all = [&](auto& trees) {
    for (auto& tree : trees) child(tree);
  };
  const auto rows = [&](auto& trees) {
    for (auto& row : trees) all(row);
  };
  const auto visit_node = [&](auto& each) {
    using Each = std::remove_const_t<std::remove_reference_t<decltype(each)>>;
    if constexpr (std::is_same_v<Each, Range>) {
      child(each.first);
      child(each.step);
      child(each.last);
    } else if constexpr (std::is_same_v<Each, Unary> || std::is_same_v<Each, Postfix>) {
      child(each.operand);
    } else if constexpr (std::is_same_v<Each, Binary>) {
      child(each.left);
      child(each.right);
    } else if constexpr (std::is_same_v<Each, Assignment>) {
      child(each.target);
      child(each.value);
    } else if constexpr (std::is_same_v<Each, Index> || std::is_same_v<Each, BraceIndex>) {
      child(each.callee);
      all(each.args);
    } else if constexpr (std::is_same_v<Each, Field>) {
      child(each.base);
      child(each.dynamic);
    } else if constexpr (std::is_same_v<Each, Matrix> || std::is_same_v<Each, Cell>) {
      rows(each.rows);
    } else if constexpr (std::is_same_v<Each, AnonymousFunction>) {
      child(each.body);
    } else if constexpr (std::is_same_v<Each, Paren>) {
      child(each.inner);
    }
  };
  std::visit(visit_node, node);
}

}  // namespace lac::frontend::ast
