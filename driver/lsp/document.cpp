#include "driver/lsp/document.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <new>

#include "driver/core/binding.h"
#include "frontend/lexer/lexer.h"
#include "frontend/sema/names/names.h"
#include "frontend/sema/names/uses.h"

namespace lac::driver::lsp {

namespace {

namespace ast = frontend::ast;
using Visit = std::function<void(const ast::Expr&)>;

FunctionFinder finder_of(const std::string& path, const api::Options& options,
                         std::vector<std::pair<std::string, std::string>> others) {
  FunctionFinder finder;
  if (std::filesystem::path(path).is_absolute()) finder.directories.push_back(directory_of(path));  // else it has none
  finder.directories.insert(finder.directories.end(), options.include_directories.begin(),
                            options.include_directories.end());
  for (auto& other : others) {
    const std::string folder = directory_of(other.first);
    const bool searched = std::ranges::find(finder.directories, folder) != finder.directories.end();
    if (searched && other.first != path) finder.extra.push_back(std::move(other));
  }
  return finder;
}

void lower(Analysis& analysis, const api::Options& options) {
  Module& module = *analysis.module;
  const Element precision = precision_of(module.interface, options);
  const BindOptions binding = {
      .precision = precision, .detect_storage = true, .assume_missing = true, .files = options.files};
  const BindResult bound = bind(module, {}, binding, analysis.found);
  if (bound.outcome != api::Outcome::ok) return;
  frontend::LowerOptions lowering = lower_options(module, precision, options.files);
  lowering.check_domain = options.check_domain;
  lowering.on_variable = [&](Span span, const frontend::VariableInfo& info) {
    if (span.file == FileId{0}) analysis.mentions[{span.begin, info.scope}] = info;
  };
  frontend::lower(*module.program, bound.binding.signature, module.sources, lowering, analysis.found);
}

void visit_all(const ast::Expr& expr, const Visit& visit) {
  visit(expr);
  frontend::for_each_child(expr, [&](const ast::ExprPtr& child) { visit_all(*child, visit); });
}

/// Every expression of the statements, with those inside it.
void visit_all(const ast::Block& block, const Visit& visit) {
  for (const ast::Statement& statement : block) {
    frontend::for_each_expression(statement, [&](const ast::Expr& expr) { visit_all(expr, visit); });
    frontend::for_each_inner_block(statement, [&](const ast::Block& inner) { visit_all(inner, visit); });
  }
}

bool covers(Span span, std::size_t offset) { return span.begin <= offset && offset <= span.end; }

/// The parameter of the innermost anonymous function around the offset.
Span anonymous_parameter(const ast::Block& body, const std::string& name, std::size_t offset) {
  Span found;
  visit_all(body, [&](const ast::Expr& expr) {
    const auto* node = std::get_if<ast::AnonymousFunction>(&expr.node);
    if (!node || !covers(expr.span, offset)) return;
    for (const ast::Parameter& parameter : node->params)
      if (parameter.name.text == name) found = parameter.name.span;
  });
  return found;
}

/// What `param` lines define: their names, and the names of sizes that they are the first to mention.
Span declared(const ast::Program& program, const std::string& name) {
  for (const ast::Statement& statement : program.statements) {
    const auto* param = std::get_if<ast::Param>(&statement.node);
    if (!param) continue;
    if (param->name.text == name) return param->name.span;
    if (!param->dims) continue;
    for (const ast::ExprPtr& dim : *param->dims) {
      const auto* identifier = std::get_if<ast::Identifier>(&dim->node);
      if (identifier && identifier->name == name) return dim->span;
    }
  }
  return {};
}

Span assigned_in(const ast::Block& body, const std::string& name) {
  const frontend::Uses uses = frontend::uses_of(body);
  const auto found = uses.assigned.find(name);
  return found == uses.assigned.end() ? Span{} : found->second.first;
}

}  // namespace

std::shared_ptr<const Analysis> analyse(const std::string& path, const std::string& text, const api::Options& options,
                                        std::vector<std::pair<std::string, std::string>> others) {
  auto analysis = std::make_shared<Analysis>();
  try {
    analysis->module = parse_module(path, text, finder_of(path, options, std::move(others)));
    analysis->tokens = frontend::lex(FileId{0}, analysis->module->sources);
    if (analysis->module->ok()) lower(*analysis, options);
  } catch (const InternalError& error) {
    analysis->found.error({FileId{0}, 0, 0}, std::string("internal error: ") + error.what());
  }
  return analysis;
}

const frontend::Token* name_at(const Analysis& analysis, std::size_t offset) {
  for (const frontend::Token& token : analysis.tokens.tokens)
    if (token.kind == frontend::TokenKind::identifier && covers(token.span, offset)) return &token;
  return nullptr;
}

const ast::Function* function_at(const Analysis& analysis, std::size_t offset) {
  if (!analysis.program()) return nullptr;
  for (const ast::Function& function : analysis.program()->functions)
    if (covers(function.span, offset)) return &function;
  return nullptr;
}

std::set<std::string> variables_at(const Analysis& analysis, std::size_t offset) {
  std::set<std::string> names;
  if (!analysis.program()) return names;
  const ast::Function* function = function_at(analysis, offset);
  const ast::Block& body = function ? function->body : analysis.program()->statements;
  visit_all(body, [&](const ast::Expr& expr) {
    const auto* node = std::get_if<ast::AnonymousFunction>(&expr.node);
    if (node && covers(expr.span, offset))
      for (const ast::Parameter& parameter : node->params) names.insert(parameter.name.text);
  });
  for (const auto& entry : frontend::uses_of(body).assigned) names.insert(entry.first);
  if (function) {
    for (const ast::Parameter& parameter : function->params) names.insert(parameter.name.text);
    for (const ast::Name& out : function->outs) names.insert(out.text);
    return names;
  }
  for (const ast::Statement& statement : analysis.program()->statements) {
    const auto* param = std::get_if<ast::Param>(&statement.node);
    if (!param) continue;
    names.insert(param->name.text);
    for (const ast::ExprPtr& dim : param->dims.value_or(std::vector<ast::ExprPtr>()))
      if (const auto* identifier = std::get_if<ast::Identifier>(&dim->node)) names.insert(identifier->name);
  }
  return names;
}

Span first_assignment(const Analysis& analysis, const std::string& name, std::size_t offset) {
  if (!analysis.program()) return {};
  const ast::Function* function = function_at(analysis, offset);
  const ast::Block& body = function ? function->body : analysis.program()->statements;
  if (const Span span = anonymous_parameter(body, name, offset); span.valid()) return span;
  if (!function) {
    if (const Span span = declared(*analysis.program(), name); span.valid()) return span;
    return assigned_in(body, name);
  }
  for (const ast::Parameter& parameter : function->params)
    if (parameter.name.text == name) return parameter.name.span;
  if (const Span span = assigned_in(body, name); span.valid()) return span;
  for (const ast::Name& out : function->outs)
    if (out.text == name) return out.span;
  return {};
}

}  // namespace lac::driver::lsp
