// Tokens: what the lexer hands to the grammar. Everything that depends on context is settled here already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/source.h"

namespace lac::frontend {

enum class TokenKind : std::uint8_t {
#define TOKEN(kind, text) kind,
#define KEYWORD(kind, text) kind,
#define DIRECTIVE(kind, text) kind,
#define OPERATOR(kind, text) kind,
#define ALIAS(kind, text)
#include "frontend/lexer/tokens.def"
};

/// How a message calls a token of this kind: "a name", "'end'", "'+='".
std::string_view name_of(TokenKind kind);

/// A word of the language, `end` or `switch` or `param`; with or without a meaning in this subset.
bool is_keyword(TokenKind kind);

/// The keyword spelt like this, always reserved; `find_directive` is for the words that depend on their place.
std::optional<TokenKind> find_keyword(std::string_view word);
std::optional<TokenKind> find_directive(std::string_view word);

/// The longest operator or bracket at `text[at]`; length 0 when there is none.
struct OperatorMatch {
  TokenKind kind = TokenKind::refused;
  std::size_t length = 0;
};
OperatorMatch find_operator(std::string_view text, std::size_t at);

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  bool space_before = false;   ///< a blank, a comment or a continuation precedes it
  bool double_quoted = false;  ///< of a string
  std::uint32_t depth = 0;     ///< number of brackets open around it; an opener counts itself, its closer does not
  Span span;
  double number = 0;       ///< of a number
  bool imaginary = false;  ///< of a number: `2i`
  int integer_bits = 0;    ///< of a number that is of an integer class: `0x1f`
  bool integer_signed = false;
  std::string text = {};  ///< the name; the decoded string; the comment that ends this line (newline,
                          ///< end_of_file); why it is refused (refused)
};

/// The tokens of one file, ended by exactly one end_of_file.
struct TokenStream {
  std::vector<Token> tokens;
  std::string help;  ///< the comment block that opens the file, one line each, without its '%' signs
};

}  // namespace lac::frontend
