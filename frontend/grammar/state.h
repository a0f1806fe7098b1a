// What one run of the parser carries besides its position. Free of Boost.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/lexer/token.h"
#include "ir/support/diagnostics.h"
#include "ir/support/source.h"

namespace lac::frontend::grammar {

/// Brackets, blocks, signs and calls may nest this deep; beyond it recursion would endanger the stack.
inline constexpr int max_nesting = 500;
/// Operators of one expression may chain this far (`a + a + ...`); a tree is at most this high.
inline constexpr std::uint32_t max_height = 1000;
/// Errors of one file after which parsing stops.
inline constexpr std::size_t max_errors = 20;

struct ParserState {
  const Token* first = nullptr;  ///< the first token of the file
  const SourceManager* sources = nullptr;
  Diagnostics* diagnostics = nullptr;
  std::vector<ast::Function> functions = {};
  std::vector<const Token*> open_blocks = {};  ///< the keywords of the blocks around the position, outermost first
  int depth = 0;                               ///< nesting of expressions
  int indices = 0;                             ///< arguments around the position; `end` needs one
  std::size_t errors = 0;

  bool stopped() const { return errors >= max_errors; }
};

/// A syntax error on its way to the place that recovers from it.
struct SyntaxError {
  const Token* where = nullptr;
  std::string message;
  std::vector<Note> notes = {};
  Span span = {};  ///< what is wrong, when it is not the token `where`
};

/// "expected WHAT, found ..."; knows refused tokens, assignments where they may not stand, and brackets left open.
SyntaxError expected(const ParserState& state, const Token* where, const std::string& what);

/// Adds the error to the diagnostics and counts it.
void report(ParserState& state, SyntaxError error);

/// The bracket that is open at `where`, or null.
const Token* open_bracket(const ParserState& state, const Token* where);

/// "line 3".
std::string line_of(const ParserState& state, const Token& token);

/// The end of the statement in which `where` stands: a separator outside brackets, a keyword or the end of the file.
const Token* skip_statement(const Token* where);

/// Why a keyword that Octave has is refused here; empty for the keywords of the language.
std::string refusal_of(TokenKind keyword);

bool closes_block(TokenKind kind);
/// Whether `closer` ends a block that `opener` began: `end` ends all but `do`, `endif` ends `if`, ...
bool closes(TokenKind closer, TokenKind opener);
/// "'end' or 'endif'" for `if`, "'until'" for `do`.
std::string closers_of(TokenKind opener);

}  // namespace lac::frontend::grammar
