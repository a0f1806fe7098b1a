#include "frontend/lexer/token.h"

#include <algorithm>
#include <unordered_map>

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

using Table = std::unordered_map<std::string_view, TokenKind>;

const Table& keywords() {
  static const Table table = {
#define TOKEN(kind, text)
#define KEYWORD(kind, text) {text, TokenKind::kind},
#define DIRECTIVE(kind, text)
#define OPERATOR(kind, text)
#define ALIAS(kind, text)
#include "frontend/lexer/tokens.def"
  };
  return table;
}

const Table& directives() {
  static const Table table = {
#define TOKEN(kind, text)
#define KEYWORD(kind, text)
#define DIRECTIVE(kind, text) {text, TokenKind::kind},
#define OPERATOR(kind, text)
#define ALIAS(kind, text)
#include "frontend/lexer/tokens.def"
  };
  return table;
}

const Table& operators() {
  static const Table table = {
#define TOKEN(kind, text)
#define KEYWORD(kind, text)
#define DIRECTIVE(kind, text)
#define OPERATOR(kind, text) {text, TokenKind::kind},
#define ALIAS(kind, text) {text, TokenKind::kind},
#include "frontend/lexer/tokens.def"
  };
  return table;
}

constexpr std::size_t longest_operator = 4;  // ".**="

std::optional<TokenKind> find(const Table& table, std::string_view word) {
  const auto entry = table.find(word);
  return entry == table.end() ? std::nullopt : std::optional(entry->second);
}

}  // namespace

std::optional<TokenKind> find_keyword(std::string_view word) { return find(keywords(), word); }
std::optional<TokenKind> find_directive(std::string_view word) { return find(directives(), word); }

OperatorMatch find_operator(std::string_view text, std::size_t at) {
  for (std::size_t length = std::min(longest_operator, text.size() - at); length > 0; --length) {
    if (const auto kind = find(operators(), text.substr(at, length))) return {*kind, length};
  }
  return {};
}

std::string_view name_of(TokenKind kind) { return names[static_cast<std::size_t>(kind)]; }

bool is_keyword(TokenKind kind) { return kind >= TokenKind::kw_break && kind <= TokenKind::kw_precision; }

}  // namespace lac::frontend
