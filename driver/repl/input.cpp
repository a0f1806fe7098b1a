// Whether an input is complete, by its tokens.
#include <algorithm>
#include <iterator>

#include "frontend/lexer/comments.h"
#include "frontend/lexer/lexer.h"
#include "lac/session.hpp"

namespace lac::api {

namespace {

using Kind = frontend::TokenKind;

// Those that the language refuses too: the whole block is then refused at once.
constexpr Kind openers[] = {Kind::kw_if,     Kind::kw_for, Kind::kw_while,          Kind::kw_do,    Kind::kw_function,
                            Kind::kw_switch, Kind::kw_try, Kind::kw_unwind_protect, Kind::kw_parfor};
constexpr Kind closers[] = {
    Kind::kw_end,         Kind::kw_endif,     Kind::kw_endfor,    Kind::kw_endwhile,      Kind::kw_until,
    Kind::kw_endfunction, Kind::kw_endswitch, Kind::kw_endparfor, Kind::kw_end_try_catch, Kind::kw_end_unwind_protect};

constexpr Kind opening[] = {Kind::left_paren, Kind::left_bracket, Kind::left_brace, Kind::targets_open};
constexpr Kind closing[] = {Kind::right_paren, Kind::right_bracket, Kind::right_brace};

bool in_block_comment(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) {
    const std::string_view line = frontend::line_at(text, at);
    if (frontend::is_block_mark(line, '{')) ++depth;
    else if (depth > 0 && frontend::is_block_mark(line, '}')) --depth;
  }
  return depth > 0;
}

/// Whether the line is continued behind the last token.
bool is_continued(std::string_view text, const std::vector<frontend::Token>& tokens) {
  std::size_t end = 0;
  for (const frontend::Token& token : tokens)
    if (token.kind != Kind::end_of_file && token.kind != Kind::newline)
      end = std::max<std::size_t>(end, token.span.end);
  const std::size_t rest = text.find_first_not_of(" \t", end);
  if (rest == std::string_view::npos || text.substr(rest, 3) != "...") return false;
  const std::size_t line_end = text.find('\n', rest);
  return line_end == std::string_view::npos || line_end + 1 == text.size();
}

}  // namespace

bool needs_more(const std::string& input) {
  if (in_block_comment(input)) return true;
  SourceManager sources;
  const frontend::TokenStream stream = frontend::lex(sources.add("input", input), sources);
  int blocks = 0;
  const auto is_one_of = [](const auto& kinds, Kind kind) {
    return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
  };
  std::vector<Kind> brackets;
  for (const frontend::Token& token : stream.tokens) {
    if (token.kind == Kind::semicolon && !brackets.empty() && brackets.back() == Kind::left_paren) return false;
    if (is_one_of(opening, token.kind)) brackets.push_back(token.kind);
    if (is_one_of(closing, token.kind) && !brackets.empty()) brackets.pop_back();
    if (is_one_of(openers, token.kind)) ++blocks;
    if (is_one_of(closers, token.kind)) --blocks;
  }
  return blocks > 0 || !brackets.empty() || is_continued(input, stream.tokens);
}

}  // namespace lac::api
