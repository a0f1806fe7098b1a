// Blocks: the statements between a keyword and the word that closes it. Errors are reported and recovered from here.
#pragma once

#include "frontend/grammar/directives.h"
#include "frontend/grammar/recovery.h"

namespace lac::frontend::grammar {

/// The keyword of a block; its attribute is the token. The block stays open until BlockEnd.
struct BlockBegin : x3::parser<BlockBegin> {
  using attribute_type = const Token*;
  static constexpr bool has_attribute = true;

  explicit BlockBegin(TokenKind keyword) : keyword(keyword) {}

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator&, const Context& context, RContext&, Attribute& attribute) const {
    if (first->kind != keyword) return false;
    begin_block(state_of(context), first);
    x3::traits::move_to(first++, attribute);
    return true;
  }

  TokenKind keyword;
};

/// The word that closes the innermost block. Always succeeds: a missing word is reported.
struct BlockEnd : x3::parser<BlockEnd> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator&, const Context& context, RContext&, Attribute&) const {
    first = end_block(state_of(context), first);
    return true;
  }
};

inline BlockBegin begins(TokenKind keyword) { return BlockBegin(keyword); }
inline constexpr BlockEnd block_end;

/// Statements up to a word that closes or divides a block, or the end of the file. Never fails.
/// `Statements::parse_one` is the grammar of one statement; a template, for statements hold blocks in turn.
template <class Statements>
struct BlockParser : x3::parser<BlockParser<Statements>> {
  using attribute_type = ast::Block;
  static constexpr bool has_attribute = true;

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute& attribute) const {
    ParserState& state = state_of(context);
    ast::Block block;
    for (;;) {
      first = skip_separators(first);
      if (state.stopped() || first->kind == TokenKind::end_of_file) break;
      if (ends_body(first->kind, state)) {
        if (!state.open_blocks.empty()) break;
        report(state, stray(state, first));
        ++first;
        continue;
      }
      one(first, last, context, state, block);
    }
    x3::traits::move_to(std::move(block), attribute);
    return true;
  }

 private:
  template <class Context>
  static void one(Iterator& first, const Iterator& last, const Context& context, ParserState& state,
                  ast::Block& block) {
    const Iterator begin = first;
    const std::size_t open = state.open_blocks.size();
    const int depth = state.depth;
    try {
      refuse_keyword(*first);
      if (Statements::parse_function(first, last, context)) {
        first = end_statement(state, begin, first, nullptr);
        return;
      }
      ast::Statement statement;
      if (!Statements::parse_one(first, last, context, statement)) throw expected(state, first, "a statement");
      statement.span = join(begin->span, (first - 1)->span);
      first = end_statement(state, begin, first, &statement);
      block.push_back(std::move(statement));
    } catch (SyntaxError& error) {
      state.open_blocks.resize(open);
      state.depth = depth;
      first = after_error(begin, error);
      report(state, std::move(error));
    }
  }
};

}  // namespace lac::frontend::grammar
