// Functions as Octave shows them.
#include "frontend/ast/print.h"

namespace lac::frontend::ast {
namespace {

/// Blanks around binary operators and before the parenthesis of an index, but for one that stands directly in brackets;
/// numbers as they are written.
struct DisplayWriter {
  const SourceManager& sources;
  Span span;
  bool in_brackets = false;

  std::string text(const ExprPtr& expr) const {
    return std::visit(DisplayWriter{sources, expr->span, in_brackets}, expr->node);
  }
  DisplayWriter inside(bool brackets) const { return {sources, span, brackets}; }
  std::string list(const std::vector<ExprPtr>& exprs) const {
    std::string out;
    for (const ExprPtr& expr : exprs) out += (out.empty() ? "" : ", ") + text(expr);
    return out;
  }
  std::string rows(const std::vector<std::vector<ExprPtr>>& lines) const {
    std::string out;
    for (const auto& line : lines) out += (out.empty() ? "" : "; ") + list(line);
    return out;
  }
  std::string parameters(const std::vector<Parameter>& params) const {
    std::string out;
    for (const Parameter& param : params) out += (out.empty() ? "" : ", ") + param.name.text;
    return "@(" + out + ")";
  }

  std::string operator()(const Number&) const { return std::string(sources.text(span)); }
  std::string operator()(const ImaginaryNumber&) const { return std::string(sources.text(span)); }
  std::string operator()(const IntegerNumber&) const { return std::string(sources.text(span)); }
  std::string operator()(const String& node) const {
    if (!node.double_quoted) return "'" + node.text + "'";
    return source_of(Expr{span, node});
  }
  std::string operator()(const Identifier& node) const { return node.name; }
  std::string operator()(const Colon&) const { return ":"; }
  std::string operator()(const End&) const { return "end"; }
  std::string operator()(const Range& node) const {
    return text(node.first) + ":" + (node.step ? text(node.step) + ":" : "") + text(node.last);
  }
  std::string operator()(const Unary& node) const { return std::string(spelling(node.op)) + text(node.operand); }
  std::string operator()(const Postfix& node) const { return text(node.operand) + std::string(spelling(node.op)); }
  std::string operator()(const Binary& node) const {
    return text(node.left) + " " + std::string(spelling(node.op)) + " " + text(node.right);
  }
  std::string operator()(const Index& node) const {
    return text(node.callee) + (in_brackets ? "(" : " (") + inside(false).list(node.args) + ")";
  }
  std::string operator()(const BraceIndex& node) const {
    return text(node.callee) + (in_brackets ? "{" : " {") + inside(false).list(node.args) + "}";
  }
  std::string operator()(const Field& node) const {
    return text(node.base) + (node.dynamic ? ".(" + text(node.dynamic) + ")" : "." + node.name.text);
  }
  std::string operator()(const Matrix& node) const { return "[" + inside(true).rows(node.rows) + "]"; }
  std::string operator()(const Cell& node) const { return "{" + inside(true).rows(node.rows) + "}"; }
  std::string operator()(const AnonymousFunction& node) const { return parameters(node.params) + text(node.body); }
  std::string operator()(const FunctionHandle& node) const { return "@" + node.name.text; }
  std::string operator()(const Assignment& node) const {
    return text(node.target) + " " + assignment_spelling(node.op) + " " + text(node.value);
  }
  std::string operator()(const Paren& node) const { return "(" + inside(false).text(node.inner) + ")"; }
};

}  // namespace

std::string display_of(const AnonymousFunction& function, const SourceManager& sources) {
  const DisplayWriter writer{sources, {}};
  return writer.parameters(function.params) + " " + writer.text(function.body);
}

std::string display_of(const ExprPtr& expr, const SourceManager& sources) {
  return DisplayWriter{sources, {}}.text(expr);
}

}  // namespace lac::frontend::ast
