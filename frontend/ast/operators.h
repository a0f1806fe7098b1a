// The operators of the language and their spelling: the one list that the lexer, the grammar and the printers share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lac::frontend::ast {

enum class BinaryOp {
  add,
  subtract,
  multiply,  // matrix operators
  divide,
  left_divide,
  times,  // elementwise operators, from here to the end
  element_divide,
  element_left_divide,
  power,  // but for `^`
  element_power,
  less,
  less_equal,
  equal,
  not_equal,
  greater_equal,
  greater,
  logical_and,
  logical_or,
  short_and,  // && and || look at the right operand only when they must
  short_or,
};

/// `increment` and `decrement` are the prefix operators of an expression such as `y = ++x`.
enum class UnaryOp { plus, minus, logical_not, increment, decrement };

/// `increment` and `decrement` are the postfix operators of an expression such as `y = x++`.
enum class PostfixOp { hermitian, transpose, increment, decrement };

/// "+", ".*", ...; as Octave prints them ("!=" and "!", never "~=" and "~").
std::string_view spelling(BinaryOp op);
std::string_view spelling(UnaryOp op);
std::string_view spelling(PostfixOp op);
/// "=" or "+=".
std::string assignment_spelling(std::optional<BinaryOp> op);

/// The operator that a function stands for: "plus", "mtimes", "le", ...; only for names of such.
BinaryOp operator_named(std::string_view name);
/// The function that an operator stands for: "lt" of "<", "ctranspose" of "'"; what is no operator stays itself.
std::string_view function_of_operator(std::string_view written);

}  // namespace lac::frontend::ast
