#include "frontend/grammar/recovery.h"

#include <algorithm>

#include "frontend/grammar/build.h"

namespace lac::frontend::grammar {
namespace {

using Kind = TokenKind;

/// Blocks as they nest in text that is skipped: +1 opens, -1 closes.
int block_step(Kind kind) {
  switch (kind) {
    case Kind::kw_if:
    case Kind::kw_while:
    case Kind::kw_for:
    case Kind::kw_do:
    case Kind::kw_function:
    case Kind::kw_switch:
    case Kind::kw_try:
    case Kind::kw_unwind_protect:
    case Kind::kw_parfor: return 1;
    case Kind::kw_endparfor: return -1;
    default: return closes_block(kind) ? -1 : 0;
  }
}

/// The token behind the end of the last of `open` blocks and those that follow, in text that is not parsed.
const Token* skip_open_blocks(const Token* token, int open) {
  do {
    open += block_step(token->kind);
    ++token;
  } while (open > 0 && token->kind != Kind::end_of_file);
  return token;
}

/// The token behind the block that `token` opens.
const Token* skip_block(const Token* token) { return skip_open_blocks(token, 0); }

bool is_directive(Kind kind) { return kind == Kind::kw_param || kind == Kind::kw_output || kind == Kind::kw_precision; }

bool ends_line(Kind kind) { return kind == Kind::newline || kind == Kind::end_of_file; }

}  // namespace

void begin_block(ParserState& state, const Token* keyword) {
  if (static_cast<int>(state.open_blocks.size()) >= max_nesting) {
    state.errors = max_errors - 1;  // every block inside would say it again
    throw SyntaxError{keyword, "blocks are nested more than " + std::to_string(max_nesting) + " deep", {}, {}};
  }
  state.open_blocks.push_back(keyword);
}

const Token* end_block(ParserState& state, const Token* where) {
  const Token* opener = state.open_blocks.back();
  state.open_blocks.pop_back();
  if (state.stopped()) return where;
  if (closes(where->kind, opener->kind)) return where + 1;
  SyntaxError error = expected(state, where,
                               closers_of(opener->kind) + " to close the " + std::string(name_of(opener->kind)) +
                                   " at " + line_of(state, *opener));
  const bool nested = where->kind == Kind::kw_function && opener->kind == Kind::kw_function;
  if (nested) error.message += "; nested functions are outside the language";
  error.notes.push_back({opener->span, "opened here"});
  report(state, std::move(error));
  if (nested) return skip_open_blocks(where, 1);
  const bool meant_for_outer = std::any_of(state.open_blocks.begin(), state.open_blocks.end(),
                                           [&](const Token* outer) { return closes(where->kind, outer->kind); });
  return closes_block(where->kind) && !meant_for_outer ? where + 1 : where;
}

const Token* skip_separators(const Token* where) {
  while (where->kind == Kind::newline || where->kind == Kind::comma || where->kind == Kind::semicolon) ++where;
  return where;
}

bool ends_body(Kind kind, const ParserState& state) {
  return closes_block(kind) || kind == Kind::kw_else || kind == Kind::kw_elseif || kind == Kind::kw_case ||
         kind == Kind::kw_otherwise || kind == Kind::kw_catch || kind == Kind::kw_unwind_protect_cleanup ||
         (kind == Kind::kw_function && !state.open_blocks.empty());
}

SyntaxError stray(const ParserState&, const Token* where) {
  const std::string word(name_of(where->kind));
  if (where->kind == Kind::kw_else || where->kind == Kind::kw_elseif) return {where, word + " without 'if'", {}, {}};
  if (where->kind == Kind::kw_case || where->kind == Kind::kw_otherwise)
    return {where, word + " without 'switch'", {}, {}};
  if (where->kind == Kind::kw_catch) return {where, word + " without 'try'", {}, {}};
  if (where->kind == Kind::kw_unwind_protect_cleanup) return {where, word + " without 'unwind_protect'", {}, {}};
  if (where->kind == Kind::kw_until) return {where, word + " without 'do'", {}, {}};
  return {where, word + " closes nothing: no block is open", {}, {}};
}

void refuse_keyword(const Token& token) {
  if (std::string message = refusal_of(token.kind); !message.empty()) throw SyntaxError{&token, message, {}, {}};
}

const Token* end_statement(const ParserState& state, const Token* begin, const Token* where,
                           ast::Statement* statement) {
  if (is_directive(begin->kind) && !ends_line(where->kind)) {
    if (where->kind == Kind::semicolon || where->kind == Kind::comma) {
      const std::string word(name_of(begin->kind));
      throw SyntaxError{where, "a line with " + word + " ends without " + std::string(name_of(where->kind)), {}, {}};
    }
    throw expected(state, where, "the end of the line");
  }
  if (statement) {
    set_print(*statement, where->kind != Kind::semicolon);
    if (auto* param = std::get_if<ast::Param>(&statement->node)) param->comment = where->text;
  }
  if (where->kind == Kind::newline || where->kind == Kind::comma || where->kind == Kind::semicolon) return where + 1;
  if (where->kind == Kind::end_of_file) return where;
  if (!state.open_blocks.empty() && ends_body(where->kind, state)) return where;
  const bool block = is_keyword(begin->kind);
  throw expected(state, where, block ? "the end of the line" : "an operator or the end of the statement");
}

const Token* after_error(const Token* begin, const SyntaxError& error) {
  if (!refusal_of(begin->kind).empty()) {
    if (begin->kind == Kind::kw_classdef) {
      while (begin->kind != Kind::end_of_file) ++begin;
      return begin;
    }
    return block_step(begin->kind) > 0 ? skip_block(begin) : skip_statement(begin + 1);
  }
  const Token* next = skip_statement(std::max(begin, error.where));
  return next == begin ? next + 1 : next;
}

void require_loop(const ParserState& state, const Token& token) {
  for (auto block = state.open_blocks.rbegin(); block != state.open_blocks.rend(); ++block) {
    const Kind kind = (*block)->kind;
    if (kind == Kind::kw_while || kind == Kind::kw_for || kind == Kind::kw_do) return;
    if (kind == Kind::kw_function) break;
  }
  throw SyntaxError{&token, std::string(name_of(token.kind)) + " outside a loop", {}, {}};
}

void require_top_level(const ParserState& state, const Token& token) {
  if (state.open_blocks.empty()) return;
  throw SyntaxError{&token,
                    std::string(name_of(token.kind)) + " belongs at the top level of the file, outside the " +
                        std::string(name_of(state.open_blocks.back()->kind)) + " at " +
                        line_of(state, *state.open_blocks.back()),
                    {},
                    {}};
}

}  // namespace lac::frontend::grammar
