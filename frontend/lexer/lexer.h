// The hand-written lexer. It settles what depends on context, so that the grammar needs neither blanks nor state:
//
//   newline     ends a statement; in `[ ]` it is ';', in `( )` nothing
//   quote       transposes after an operand, unless inside `[ ]` with a blank before it; else it opens a string
//   blank       inside `[ ]`, before what can start an operand and after an operand, becomes ','; a sign only when no
//               blank follows it. `( )` inside `[ ]` restores the normal rules
//   end         inside brackets it is magic_end
//   [a, b] =    at the start of a statement opens with targets_open
//   param       `output` and `precision` too: keywords only at the start of a statement, before blanks and a name
//   command     `hold on` at the start of a statement: hold("on"), for the words of a session; `x -1`: refused
//
// What is wrong or outside the language becomes a token `refused` that carries the message: the grammar reports it
// where it meets it, once, with its span. A bracket that is left open ends where a statement evidently begins.
#pragma once

#include "frontend/lexer/token.h"

namespace lac::frontend {

struct LexerOptions {
  bool statements = true;  ///< false for a lone expression: neither command syntax nor the three added words
};

/// Tokens of a whole file. Any bytes are safe; a file of 1 GiB or more is one refused token.
TokenStream lex(FileId file, const SourceManager& sources, LexerOptions options = {});

}  // namespace lac::frontend
