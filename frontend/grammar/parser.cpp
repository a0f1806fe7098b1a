// The one place where the grammar is instantiated.
#include "frontend/parser.h"

#include "frontend/grammar/statement_grammar.h"
#include "frontend/lexer/lexer.h"
#include "ir/support/stack.h"

namespace lac::frontend {
namespace {

using namespace grammar;

ParserState begin(const TokenStream& stream, const SourceManager& sources, Diagnostics& diagnostics) {
  ParserState state;
  state.first = stream.tokens.data();
  state.sources = &sources;
  state.diagnostics = &diagnostics;
  return state;
}

std::optional<ast::Program> parse_here(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  TokenStream stream = lex(file, sources);
  ParserState state = begin(stream, sources, diagnostics);
  Iterator first = stream.tokens.data();
  const Iterator last = first + stream.tokens.size();
  ast::Block statements;
  const auto context = x3::make_context<StateTag>(state);
  block.parse(first, last, context, x3::unused, statements);
  if (state.errors > 0) return std::nullopt;
  return ast::Program{file, std::move(statements), std::move(state.functions), std::move(stream.help)};
}

ast::ExprPtr parse_expression_here(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  const TokenStream stream = lex(file, sources, {.statements = false});
  ParserState state = begin(stream, sources, diagnostics);
  Iterator first = stream.tokens.data();
  const Iterator last = first + stream.tokens.size();
  ast::ExprPtr result;
  const auto context = x3::make_context<StateTag>(state);
  try {
    if (!expression.parse(first, last, context, x3::unused, result)) throw expected(state, first, "an expression");
    while (first->kind == TokenKind::newline) ++first;
    if (first->kind != TokenKind::end_of_file) throw expected(state, first, "an operator or the end of the expression");
    return result;
  } catch (SyntaxError& error) {
    report(state, std::move(error));
    return nullptr;
  }
}

}  // namespace

std::optional<ast::Program> parse(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  return with_deep_stack([&] { return parse_here(file, sources, diagnostics); });
}

ast::ExprPtr parse_expression(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  return with_deep_stack([&] { return parse_expression_here(file, sources, diagnostics); });
}

}  // namespace lac::frontend
