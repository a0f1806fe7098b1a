#include "frontend/grammar/state.h"

#include <algorithm>
#include <array>

namespace lac::frontend::grammar {
namespace {

using Kind = TokenKind;

bool opens_bracket(Kind kind) {
  return kind == Kind::left_paren || kind == Kind::left_bracket || kind == Kind::left_brace ||
         kind == Kind::targets_open;
}

bool closes_bracket(Kind kind) {
  return kind == Kind::right_paren || kind == Kind::right_bracket || kind == Kind::right_brace;
}

bool is_assignment(Kind kind) { return kind >= Kind::assign && kind <= Kind::or_assign; }

std::string described(const ParserState& state, const Token& token) {
  switch (token.kind) {
    case Kind::number:
    case Kind::identifier: return "'" + std::string(state.sources->text(token.span)) + "'";
    case Kind::comma: return token.span.begin == token.span.end ? "another element" : "','";
    default: return std::string(name_of(token.kind));
  }
}

/// Whether a name or a closing bracket stands directly before `where`.
bool follows_value(const ParserState& state, const Token* where) {
  if (where == state.first || where[-1].span.end != where->span.begin) return false;
  return where[-1].kind == Kind::identifier || closes_bracket(where[-1].kind);
}

/// Which words end which block; `end` ends every block that has an end.
struct BlockWords {
  Kind opener;
  Kind closer;
};
constexpr std::array<BlockWords, 8> block_words = {{{Kind::kw_if, Kind::kw_endif},
                                                    {Kind::kw_while, Kind::kw_endwhile},
                                                    {Kind::kw_for, Kind::kw_endfor},
                                                    {Kind::kw_switch, Kind::kw_endswitch},
                                                    {Kind::kw_function, Kind::kw_endfunction},
                                                    {Kind::kw_try, Kind::kw_end_try_catch},
                                                    {Kind::kw_unwind_protect, Kind::kw_end_unwind_protect},
                                                    {Kind::kw_do, Kind::kw_until}}};

struct Refusal {
  Kind keyword;
  const char* message;
};
constexpr std::array<Refusal, 4> refusals = {{
    {Kind::kw_parfor, "'parfor' is outside the language: write 'for', the compiler finds what runs in parallel"},
    {Kind::kw_endparfor, "'parfor' is outside the language: write 'for'"},
    {Kind::kw_classdef, "classes are outside the language: write functions over matrices"},
    {Kind::kw_endclassdef, "classes are outside the language: write functions over matrices"},
}};

}  // namespace

SyntaxError expected(const ParserState& state, const Token* where, const std::string& what) {
  if (where->kind == Kind::refused) return {where, where->text, {}, {}};
  if (is_assignment(where->kind)) {
    const std::string hint = where->kind == Kind::assign ? "; to compare, write '=='" : "";
    return {where, "an assignment within an expression stands in parentheses" + hint, {}, {}};
  }
  SyntaxError error{where, "expected " + what, {}, {}};
  const Token* open = open_bracket(state, where);
  if (open && (what == "')'" || what == "']'" || what == "'}'")) {
    error.message += " to close the " + std::string(name_of(open->kind));
    if (line_of(state, *open) != line_of(state, *where)) error.message += " at " + line_of(state, *open);
    error.notes.push_back({open->span, "opened here"});
  }
  error.message += ", found " + described(state, *where);
  if (follows_value(state, where) && where->kind == Kind::left_bracket)
    error.message += "; to index, write '(' and ')'";
  return error;
}

void report(ParserState& state, SyntaxError error) {
  if (state.stopped()) return;
  const Span span = error.span.valid() ? error.span : error.where->span;
  state.diagnostics->error(span, std::move(error.message)).notes = std::move(error.notes);
  ++state.errors;
  if (state.stopped()) state.diagnostics->error(span, "too many errors: the rest of the file is not read");
}

const Token* open_bracket(const ParserState& state, const Token* where) {
  int closed = 0;
  for (const Token* token = where; token != state.first;) {
    --token;
    if (closes_bracket(token->kind)) ++closed;
    if (opens_bracket(token->kind) && closed-- == 0) return token;
  }
  return nullptr;
}

std::string line_of(const ParserState& state, const Token& token) {
  return "line " + std::to_string(state.sources->begin(token.span).line);
}

const Token* skip_statement(const Token* token) {
  for (;; ++token) {
    const bool separator = token->depth == 0 && (token->kind == Kind::newline || token->kind == Kind::comma ||
                                                 token->kind == Kind::semicolon);
    if (separator || token->kind == Kind::end_of_file || is_keyword(token->kind)) return token;
  }
}

std::string refusal_of(Kind keyword) {
  for (const Refusal& refusal : refusals) {
    if (refusal.keyword == keyword) return refusal.message;
  }
  return {};
}

bool closes_block(Kind kind) {
  return kind == Kind::kw_end || std::any_of(block_words.begin(), block_words.end(),
                                             [&](const BlockWords& words) { return words.closer == kind; });
}

bool closes(Kind closer, Kind opener) {
  if (closer == Kind::kw_end) return opener != Kind::kw_do;
  return std::any_of(block_words.begin(), block_words.end(),
                     [&](const BlockWords& words) { return words.opener == opener && words.closer == closer; });
}

std::string closers_of(Kind opener) {
  for (const BlockWords& words : block_words) {
    if (words.opener != opener) continue;
    const std::string closer(name_of(words.closer));
    return opener == Kind::kw_do ? closer : "'end' or " + closer;
  }
  return "'end'";
}

}  // namespace lac::frontend::grammar
