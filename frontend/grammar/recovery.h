// Where statements and blocks begin and end, and where parsing goes on after an error. Free of Boost.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/grammar/state.h"

namespace lac::frontend::grammar {

/// Opens the block of this keyword. Throws SyntaxError when blocks nest too deep.
void begin_block(ParserState& state, const Token* keyword);
/// Closes the innermost block at `where`; reports when the word there does not close it. Returns where to go on.
const Token* end_block(ParserState& state, const Token* where);

const Token* skip_separators(const Token* where);

/// Whether the body of the innermost block ends at a token of this kind: `end`, `else`, `until`, a nested `function`.
bool ends_body(TokenKind kind, const ParserState& state);
/// The error of a closing word that closes nothing.
SyntaxError stray(const ParserState& state, const Token* where);

/// Throws SyntaxError at a keyword that Octave has and the language has not.
void refuse_keyword(const Token& token);

/// Checks the separator behind the statement `[begin, where)` and sets whether the statement prints. `statement` may be
/// null. Returns the place behind the separator. Throws SyntaxError.
const Token* end_statement(const ParserState& state, const Token* begin, const Token* where, ast::Statement* statement);

/// Where the next statement begins after an error in the statement that begins at `begin`.
const Token* after_error(const Token* begin, const SyntaxError& error);

/// Throws SyntaxError unless `token` (`break`, `continue`) stands in a loop.
void require_loop(const ParserState& state, const Token& token);
/// Throws SyntaxError unless `token` (`param`, ...) stands at the top level of the file.
void require_top_level(const ParserState& state, const Token& token);

}  // namespace lac::frontend::grammar
