// What comes behind a statement in its own block and in the branches around it.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace lac::frontend {

/// Statements that follow: of a block those from `from` on, and then those behind the branch that the block is an arm
/// of. Neither loops nor functions are left: another trip is no part of what remains of this one.
struct Remaining {
  const ast::Block* block = nullptr;
  std::size_t from = 0;
  const Remaining* around = nullptr;
};

/// Whether they certainly give the field a value in an element of the array before they look at it:
/// `array(k).field = v`, in each arm of a branch where it stands in one.
bool gives_field(const Remaining* statements, const std::string& array, const std::string& field);

}  // namespace lac::frontend
