#include "frontend/lexer/targets.h"

namespace lac::frontend {
namespace {

using Kind = TokenKind;

bool may_start_targets(const std::vector<Token>& tokens, std::size_t i) {
  if (tokens[i].kind != Kind::left_bracket || tokens[i].depth != 1) return false;
  if (i == 0) return true;
  const Token& before = tokens[i - 1];
  if (before.depth > 0) return false;
  const Kind kind = before.kind;
  if (kind == Kind::right_paren) return true;  // `if (c) [a, b] = f(x), end`: the '=' decides
  return kind == Kind::newline || kind == Kind::comma || kind == Kind::semicolon || is_keyword(kind);
}

}  // namespace

void mark_targets(std::vector<Token>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!may_start_targets(tokens, i)) continue;
    std::size_t close = i + 1;
    while (close < tokens.size() && tokens[close].depth > 0) ++close;
    if (close + 1 < tokens.size() && tokens[close].kind == Kind::right_bracket &&
        tokens[close + 1].kind == Kind::assign) {
      tokens[i].kind = Kind::targets_open;
    }
    i = close;
  }
}

}  // namespace lac::frontend
