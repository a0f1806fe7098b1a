#include "driver/core/loops.h"

namespace lac::driver {

namespace ast = frontend::ast;

namespace {

bool covers(const Span& outer, const Span& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

/// The blocks inside a statement.
std::vector<const ast::Block*> blocks_of(const ast::Statement& statement) {
  std::vector<const ast::Block*> blocks;
  if (const auto* node = std::get_if<ast::While>(&statement.node)) blocks.push_back(&node->body);
  if (const auto* node = std::get_if<ast::DoUntil>(&statement.node)) blocks.push_back(&node->body);
  if (const auto* node = std::get_if<ast::For>(&statement.node)) blocks.push_back(&node->body);
  if (const auto* node = std::get_if<ast::If>(&statement.node)) {
    for (const ast::IfArm& arm : node->arms) blocks.push_back(&arm.body);
  }
  return blocks;
}

bool is_loop(const ast::Statement& statement) {
  return std::holds_alternative<ast::While>(statement.node) || std::holds_alternative<ast::DoUntil>(statement.node) ||
         std::holds_alternative<ast::For>(statement.node);
}

/// What a `for` evaluates once, before its first trip.
bool is_range_of_for(const ast::Statement& statement, Span place) {
  const auto* node = std::get_if<ast::For>(&statement.node);
  return node && covers(node->range->span, place);
}

void collect(const ast::Block& block, Span place, std::vector<const ast::Statement*>& loops) {
  for (const ast::Statement& statement : block) {
    if (!covers(statement.span, place)) continue;
    if (is_loop(statement) && !is_range_of_for(statement, place)) loops.push_back(&statement);
    for (const ast::Block* inner : blocks_of(statement)) collect(*inner, place, loops);
  }
}

}  // namespace

std::vector<const ast::Statement*> loops_around(const ast::Program& program, Span place) {
  std::vector<const ast::Statement*> loops;
  for (const ast::Function& function : program.functions) {
    if (!covers(function.span, place)) continue;
    collect(function.body, place, loops);
    return loops;
  }
  collect(program.statements, place, loops);
  return loops;
}

}  // namespace lac::driver
