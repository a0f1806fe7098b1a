#include <set>

#include "driver/lsp/answers.h"
#include "frontend/sema/names/uses.h"

namespace lac::driver::lsp {

namespace {

namespace ast = frontend::ast;

/// Numbers of the protocol's SymbolKind.
enum SymbolNumber { function_symbol = 12, variable_symbol = 13, constant_symbol = 14 };

Json symbol(const Positions& positions, const std::string& name, SymbolNumber kind, const Span& whole,
            const Span& span) {
  return {{"name", name},
          {"kind", static_cast<int>(kind)},
          {"range", range_of(positions, whole.begin, whole.end)},
          {"selectionRange", range_of(positions, span.begin, span.end)}};
}

void add_variables(const Positions& positions, const ast::Block& body, std::set<std::string> listed, Json& list) {
  const frontend::Uses uses = frontend::uses_of(body);
  for (const auto& [name, assignment] : uses.assigned)
    if (listed.insert(name).second && name != "~")
      list.push_back(symbol(positions, name, variable_symbol, assignment.first, assignment.first));
}

}  // namespace

Json symbols(const Analysis& analysis) {
  Json list = Json::array();
  if (!analysis.program()) return list;
  const ast::Program& program = *analysis.program();
  const Positions positions(analysis.text());
  std::set<std::string> listed;
  for (const ast::Statement& statement : program.statements) {
    const auto* param = std::get_if<ast::Param>(&statement.node);
    if (!param || !listed.insert(param->name.text).second) continue;
    Json entry = symbol(positions, param->name.text, constant_symbol, statement.span, param->name.span);
    entry["detail"] = "param" + (param->comment.empty() ? "" : ": " + param->comment);
    list.push_back(std::move(entry));
  }
  add_variables(positions, program.statements, listed, list);
  for (const ast::Function& function : program.functions) {
    Json entry = symbol(positions, function.name.text, function_symbol, function.span, function.name.span);
    entry["detail"] = std::string(analysis.module->sources.text(function.signature));
    Json inner = Json::array();
    add_variables(positions, function.body, {}, inner);
    entry["children"] = std::move(inner);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace lac::driver::lsp
