// The blanks between two tokens of one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/lexer/token.h"

namespace lac::frontend {

/// What stands around a token, as far as blanks depend on it.
struct SpacedToken {
  const Token* token = nullptr;
  std::string_view written;    ///< the token's text
  std::string_view gap;        ///< what the source has between it and the token before it on the line
  bool in_matrix = false;      ///< the innermost bracket around the place before it is `[ ]`
  bool is_unary = false;       ///< an operator in front of its operand
  bool is_binary = false;      ///< an operator between two operands
  bool closes_params = false;  ///< the ')' of `@(x)`
};

/// Decides `is_unary`, `is_binary`, `in_matrix` and `closes_params` for a whole file, in source order.
class Roles {
 public:
  void assign(SpacedToken& next);
  /// Whether a bracket is open.
  bool inside_brackets() const { return !open_.empty(); }

 private:
  struct Bracket {
    bool matrix, params;
  };
  std::vector<Bracket> open_;
  bool after_operand_ = false;
  TokenKind last_ = TokenKind::newline;
};

/// The tokens of one line with canonical blanks between them.
std::string spaced(const std::vector<SpacedToken>& line);

}  // namespace lac::frontend
