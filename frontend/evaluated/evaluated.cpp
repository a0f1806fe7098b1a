#include "frontend/evaluated/evaluated.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frontend/parser.h"

namespace lac::frontend {
namespace {

class Evaluated {
 public:
  Evaluated(SourceManager& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  void put_into(ast::Block& block) {
    ast::Block made;
    for (ast::Statement& statement : block) {
      const auto* alone = std::get_if<ast::ExprStatement>(&statement.node);
      const std::vector<std::string> texts = alone ? texts_of(*alone->expr) : std::vector<std::string>();
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
  static std::vector<std::string> texts_of(const ast::Expr& expr) {
    std::vector<std::string> texts;
    const auto* call = std::get_if<ast::Index>(&expr.node);
    const auto* name = call ? std::get_if<ast::Identifier>(&call->callee->node) : nullptr;
    if (!name || name->name != "eval" || call->args.empty() || call->args.size() > 2) return texts;
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
    std::visit([&](auto& node) { put_into_node(node); }, statement.node);
  }

  void put_into_node(ast::If& node) {
    for (ast::IfArm& arm : node.arms) put_into(arm.body);
  }
  void put_into_node(ast::Switch& node) {
    for (ast::SwitchCase& each : node.cases) put_into(each.body);
  }
  void put_into_node(ast::Try& node) {
    put_into(node.body);
    put_into(node.handler);
  }
  void put_into_node(ast::While& node) { put_into(node.body); }
  void put_into_node(ast::DoUntil& node) { put_into(node.body); }
  void put_into_node(ast::For& node) { put_into(node.body); }
  void put_into_node(ast::Assign& node) {
    if (!node.value) return;
    const std::vector<std::string> texts = texts_of(*node.value);
    if (texts.size() != 1) return;
    std::string text = texts[0];
    text.resize(text.find_last_not_of("; \t\n") + 1);
    if (ast::ExprPtr value = parse_expression(sources_.add("eval", text), sources_, diagnostics_))
      node.value = std::move(value);
  }
  template <class Other>
  void put_into_node(Other&) {}

  SourceManager& sources_;
  Diagnostics& diagnostics_;
};

}  // namespace

void put_evaluated_texts(ast::Program& program, SourceManager& sources, Diagnostics& diagnostics) {
  const auto named = [](const ast::Function& function) { return function.name.text == "eval"; };
  if (std::ranges::any_of(program.functions, named)) return;
  Evaluated evaluated(sources, diagnostics);
  evaluated.put_into(program.statements);
  for (ast::Function& function : program.functions) evaluated.put_into(function.body);
}

}  // namespace lac::frontend
