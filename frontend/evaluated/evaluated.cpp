#include "frontend/evaluated/evaluated.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frontend/ast/children.h"
#include "frontend/evaluated/blocks.h"
#include "frontend/evaluated/parsers.h"
#include "frontend/parser.h"
#include "ir/support/result.h"

namespace lac::frontend {
namespace {

class Evaluated {
 public:
  Evaluated(SourceManager& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  void put_into(ast::Block& block) {
    ast::Block made;
    for (ast::Statement& statement : block) {
      keep_what_is_shown(statement, made);
      const auto* alone = std::get_if<ast::ExprStatement>(&statement.node);
      const std::vector<std::string> texts = alone ? texts_of(*alone->expr, "eval") : std::vector<std::string>();
      if (texts.empty()) {
        put_into(statement);
        made.push_back(std::move(statement));
        continue;
      }
      ast::Block said = texts.size() == 1 ? statements_of(texts[0], diagnostics_) : tried(texts, statement.span);
      std::ranges::move(said, std::back_inserter(made));
    }
    block = std::move(made);
  }

 private:
  /// Of eval("a") and eval("a", "b") the texts; none of anything else.
  static std::vector<std::string> texts_of(const ast::Expr& expr, const char* function) {
    std::vector<std::string> texts;
    const auto* call = std::get_if<ast::Index>(&expr.node);
    const auto* name = call ? std::get_if<ast::Identifier>(&call->callee->node) : nullptr;
    if (!name || name->name != function || call->args.empty() || call->args.size() > 2) return texts;
    for (const ast::ExprPtr& argument : call->args) {
      const auto* text = std::get_if<ast::String>(&argument->node);
      if (!text) return {};
      texts.push_back(text->text);
    }
    return texts;
  }

  ast::Block statements_of(const std::string& text, Diagnostics& found) {
    std::optional<ast::Program> program = parse(sources_.add("eval", text), sources_, found);
    if (!program) return {};
    if (!program->functions.empty())
      found.error(program->functions.front().span, "functions in a text of eval are outside the language");
    put_into(program->statements);
    return std::move(program->statements);
  }

  // Statements that evalc calls in an assignment, or in an expression that is a statement, are made of.
  void keep_what_is_shown(ast::Statement& statement, ast::Block& before) {
    if (auto* assign = std::get_if<ast::Assign>(&statement.node)) keep_what_is_shown(assign->value, before);
    auto* alone = std::get_if<ast::ExprStatement>(&statement.node);
    if (!alone) return;
    const bool is_call = !texts_of(*alone->expr, "evalc").empty();
    keep_what_is_shown(alone->expr, before);
    if (!is_call) return;
    ast::Assign answer;
    answer.targets.push_back({{"ans", alone->expr->span}, std::nullopt, {}, false, alone->expr->span});
    answer.value = alone->expr;
    answer.print = alone->print;
    statement.node = std::move(answer);
  }

  void keep_what_is_shown(ast::ExprPtr& expr, ast::Block& before) {
    if (!expr || std::holds_alternative<ast::AnonymousFunction>(expr->node)) return;
    if (const std::vector<std::string> texts = texts_of(*expr, "evalc"); !texts.empty()) {
      expr = shown_by(texts, expr->span, before);
      return;
    }
    ast::Expr copy = *expr;
    bool changed = false;
    ast::for_each_child_of(copy.node, [&](ast::ExprPtr& child) {
      const ast::ExprPtr old = child;
      keep_what_is_shown(child, before);
      changed = changed || child != old;
    });
    if (changed) expr = std::make_shared<const ast::Expr>(std::move(copy));
  }

  // The variable that holds what the texts of an evalc show, which happens in `before`.
  ast::ExprPtr shown_by(const std::vector<std::string>& texts, Span span, ast::Block& before) {
    const std::string kept = "evalc_" + std::to_string(++captures_) + "__";
    const std::string frame =
        "evalc();\nunwind_protect\nunwind_protect_cleanup\n" + kept + " = evalc();\nend_unwind_protect\n";
    std::optional<ast::Program> program = parse(sources_.add("evalc", frame), sources_, diagnostics_);
    if (!program) throw InternalError("evalc: its frame is no program");
    ast::Block said = texts.size() == 1 ? statements_of(texts[0], diagnostics_) : tried(texts, span);
    std::get<ast::Try>(program->statements[1].node).body = std::move(said);
    std::ranges::move(program->statements, std::back_inserter(before));
    return std::make_shared<const ast::Expr>(ast::Expr{span, ast::Identifier{kept}});
  }

  // A text that is no program is an error of the run, which the second text handles.
  ast::Block tried(const std::vector<std::string>& texts, Span span) {
    Diagnostics found;
    ast::Block body = statements_of(texts[0], found);
    ast::Block handler = statements_of(texts[1], diagnostics_);
    if (found.has_errors()) return handler;
    ast::Block made;
    made.push_back({span, ast::Try{std::move(body), {}, std::move(handler)}});
    return made;
  }

  void put_into(ast::Statement& statement) {
    for_each_block_in(statement, [&](ast::Block& block) { put_into(block); });
    if (auto* assign = std::get_if<ast::Assign>(&statement.node)) put_value(*assign);
  }

  void put_value(ast::Assign& node) {
    if (!node.value) return;
    const std::vector<std::string> texts = texts_of(*node.value, "eval");
    if (texts.size() != 1) return;
    std::string text = texts[0];
    text.resize(text.find_last_not_of("; \t\n") + 1);
    if (ast::ExprPtr value = parse_expression(sources_.add("eval", text), sources_, diagnostics_))
      node.value = std::move(value);
  }

  SourceManager& sources_;
  Diagnostics& diagnostics_;
  int captures_ = 0;
};

}  // namespace

void put_evaluated_texts(ast::Program& program, SourceManager& sources, Diagnostics& diagnostics) {
  put_parsers(program);
  const auto named = [](const ast::Function& function) {
    return function.name.text == "eval" || function.name.text == "evalc";
  };
  if (std::ranges::any_of(program.functions, named)) return;
  Evaluated evaluated(sources, diagnostics);
  evaluated.put_into(program.statements);
  for (ast::Function& function : program.functions) evaluated.put_into(function.body);
}

}  // namespace lac::frontend
