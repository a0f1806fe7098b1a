#include "frontend/ast/print.h"

namespace lac::frontend::ast {
namespace {

/// One line for each node; children are indented by two more blanks.
class TreePrinter {
 public:
  std::string take() { return std::move(out_); }

  void line(const std::string& text) { out_ += std::string(2 * level_, ' ') + text + "\n"; }

  template <class Body>
  void indented(const Body& body) {
    ++level_;
    body();
    --level_;
  }

  void expr(const Expr& node) {
    std::visit([&](const auto& item) { (*this)(item); }, node.node);
  }

  void block(const Block& statements) {
    indented([&] {
      for (const Statement& statement : statements)
        std::visit([&](const auto& item) { (*this)(item); }, statement.node);
    });
  }

  void function(const Function& node) {
    std::string outs;
    for (const Name& out : node.outs) outs += (outs.empty() ? "" : ", ") + out.text;
    line("function [" + outs + "] = " + node.name.text + "(" + names(node.params) + ")");
    block(node.body);
  }

  // Expressions
  void operator()(const Number& node) { line("number " + source_of(node.value)); }
  void operator()(const ImaginaryNumber& node) { line("number " + source_of(node.value) + "i"); }
  void operator()(const IntegerNumber& node) { line("number " + source_of(Expr{{}, node, 1})); }
  void operator()(const String& node) { line("string " + source_of(Expr{{}, node, 1})); }
  void operator()(const Identifier& node) { line("name " + node.name); }
  void operator()(const Colon&) { line("colon"); }
  void operator()(const End&) { line("end"); }
  void operator()(const Range& node) {
    line("range");
    indented([&] {
      expr(*node.first);
      if (node.step) expr(*node.step);
      expr(*node.last);
    });
  }
  void operator()(const Unary& node) { operation("unary " + std::string(spelling(node.op)), {node.operand}); }
  void operator()(const Postfix& node) { operation("postfix " + std::string(spelling(node.op)), {node.operand}); }
  void operator()(const Binary& node) {
    operation("binary " + std::string(spelling(node.op)), {node.left, node.right});
  }
  void operator()(const Index& node) {
    line("index");
    indented([&] {
      expr(*node.callee);
      line("args");
      indented([&] { children(node.args); });
    });
  }
  void operator()(const Matrix& node) {
    line("matrix");
    indented([&] {
      for (const auto& row : node.rows) operation("row", row);
    });
  }
  void operator()(const BraceIndex& node) {
    line("brace index");
    indented([&] {
      expr(*node.callee);
      line("args");
      indented([&] { children(node.args); });
    });
  }
  void operator()(const Field& node) {
    line("field " + node.name.text);
    indented([&] {
      expr(*node.base);
      if (node.dynamic) expr(*node.dynamic);
    });
  }
  void operator()(const Cell& node) {
    line("cell");
    indented([&] {
      for (const auto& row : node.rows) operation("row", row);
    });
  }
  void operator()(const AnonymousFunction& node) { operation("anonymous (" + names(node.params) + ")", {node.body}); }
  void operator()(const FunctionHandle& node) { line("handle " + node.name.text); }
  void operator()(const Assignment& node) {
    operation("assignment " + assignment_spelling(node.op), {node.target, node.value});
  }
  void operator()(const Paren& node) { operation("paren", {node.inner}); }

  // Statements
  void operator()(const ExprStatement& node) { operation("expression" + printed(node.print), {node.expr}); }
  void operator()(const Assign& node) {
    line("assign " + assignment_spelling(node.op) + printed(node.print));
    indented([&] {
      for (const LValue& item : node.targets) target(item);
      for (const LValue& item : node.chained) target(item);
      expr(*node.value);
    });
  }
  void operator()(const IncDec& node) {
    line(std::string(node.prefix ? "prefix " : "postfix ") + (node.increment ? "++" : "--") + printed(node.print));
    indented([&] { target(node.target); });
  }
  void operator()(const If& node) {
    line("if");
    indented([&] {
      for (const IfArm& arm : node.arms) {
        line(arm.condition ? "arm" : "else");
        if (arm.condition) indented([&] { expr(*arm.condition); });
        line("then");
        block(arm.body);
      }
    });
  }
  void operator()(const Switch& node) {
    operation("switch", {node.value});
    indented([&] {
      for (const SwitchCase& each : node.cases) {
        line(each.label ? "case" : "otherwise");
        if (each.label) indented([&] { expr(*each.label); });
        line("then");
        block(each.body);
      }
    });
  }
  void operator()(const Declaration& node) {
    line(node.is_global ? "global" : "persistent");
    indented([&] {
      for (const Declaration::Variable& variable : node.variables) {
        line("name " + variable.name.text);
        if (variable.value) indented([&] { expr(*variable.value); });
      }
    });
  }
  void operator()(const Try& node) {
    line(node.cleans_up ? "unwind_protect" : "try");
    block(node.body);
    if (node.cleans_up) line("unwind_protect_cleanup");
    else line(node.error.text.empty() ? "catch" : "catch " + node.error.text);
    block(node.handler);
  }
  void operator()(const While& node) {
    operation("while", {node.condition});
    line("do");
    block(node.body);
  }
  void operator()(const DoUntil& node) {
    line("do");
    block(node.body);
    operation("until", {node.condition});
  }
  void operator()(const For& node) {
    line("for");
    indented([&] {
      target(node.variable);
      if (node.key) target(*node.key);
      expr(*node.range);
    });
    line("do");
    block(node.body);
  }
  void operator()(const Break&) { line("break"); }
  void operator()(const Continue&) { line("continue"); }
  void operator()(const Return&) { line("return"); }
  void operator()(const Param& node) {
    std::string words = "param " + node.name.text;
    for (const Name& property : node.properties) words += " " + property.text;
    line(node.comment.empty() ? words : words + "  % " + node.comment);
    indented([&] {
      if (node.dims) operation("size", *node.dims);
      if (node.default_value) operation("default", {node.default_value});
    });
  }
  void operator()(const Output& node) {
    std::string words = "output";
    for (const Name& name : node.names) words += " " + name.text;
    line(words);
  }
  void operator()(const Precision& node) { line("precision " + node.name.text); }

 private:
  static std::string printed(bool print) { return print ? " (printed)" : ""; }

  static std::string names(const std::vector<Parameter>& params) {
    std::string out;
    for (const Parameter& param : params) out += (out.empty() ? "" : ", ") + param.name.text;
    return out;
  }

  void target(const LValue& node) {
    line("target " + node.name.text);
    if (node.args) indented([&] { operation("args", *node.args); });
    indented([&] {
      for (const Accessor& step : node.path) {
        const bool braces = step.kind == Accessor::Kind::braces;
        if (step.kind != Accessor::Kind::field) operation(braces ? "braces" : "args", step.args);
        else if (step.dynamic) operation("field", {step.dynamic});
        else line("field " + step.field.text);
      }
    });
  }

  void children(const std::vector<ExprPtr>& exprs) {
    for (const ExprPtr& item : exprs) expr(*item);
  }

  void operation(const std::string& text, const std::vector<ExprPtr>& operands) {
    line(text);
    indented([&] { children(operands); });
  }

  std::string out_;
  std::size_t level_ = 0;
};

}  // namespace

std::string print(const Program& program) {
  TreePrinter printer;
  printer.line("program");
  printer.block(program.statements);
  for (const Function& function : program.functions) printer.function(function);
  return printer.take();
}

std::string print(const Expr& expr) {
  TreePrinter printer;
  printer.expr(expr);
  return printer.take();
}

}  // namespace lac::frontend::ast
