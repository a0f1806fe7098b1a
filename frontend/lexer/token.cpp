#include "frontend/lexer/token.h"

#include <array>

namespace lac::frontend {
namespace {

constexpr std::string_view names[] = {
#define TOKEN(kind, text) text,
#define KEYWORD(kind, text) "'" text "'",
#define DIRECTIVE(kind, text) "'" text "'",
#define OPERATOR(kind, text) "'" text "'",
#define ALIAS(kind, text)
#include "frontend/lexer/tokens.def"
};

}  // namespace

std::string_view name_of(TokenKind kind) { return names[static_cast<std::size_t>(kind)]; }

bool is_keyword(TokenKind kind) { return kind >= TokenKind::kw_break && kind <= TokenKind::kw_precision; }

}  // namespace lac::frontend
