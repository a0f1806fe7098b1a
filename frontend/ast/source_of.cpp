#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "frontend/ast/print.h"

namespace lac::frontend::ast {
namespace {

std::string list(const std::vector<ExprPtr>& exprs) {
  std::string out;
  for (const ExprPtr& expr : exprs) out += (out.empty() ? "" : ", ") + source_of(*expr);
  return out;
}

std::string rows_of(const std::vector<std::vector<ExprPtr>>& rows) {
  std::string out;
  for (const auto& row : rows) out += (out.empty() ? "" : "; ") + list(row);
  return out;
}

std::string field_of(const Name& name, const ExprPtr& dynamic) {
  return dynamic ? ".(" + source_of(*dynamic) + ")" : "." + name.text;
}

std::string based(const IntegerNumber& number) {
  constexpr double beyond = 0x1p64;  // a number of all ones was rounded to it
  std::uint64_t bits = ~std::uint64_t{0};
  if (number.value < 0) bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(number.value));
  else if (number.value < beyond) bits = static_cast<std::uint64_t>(number.value);
  if (number.bits < 64) bits &= (std::uint64_t{1} << number.bits) - 1;
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), bits, 16).ptr;
  return "0x" + std::string(digits.begin(), end) + (number.is_signed ? "s" : "u") + std::to_string(number.bits);
}

std::string quoted(const String& string) {
  constexpr std::string_view letters = "\\\\\"\"\nn\tt\rr\aa\bb\ff\vv";  // pairs: character, letter of its escape
  std::string out;
  for (const char c : string.text) {
    if (!string.double_quoted) {
      out += c == '\'' ? "''" : std::string(1, c);
      continue;
    }
    std::size_t pair = 0;
    while (pair < letters.size() && letters[pair] != c) pair += 2;
    if (pair < letters.size()) {
      out += {'\\', letters[pair + 1]};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += {'\\', '0', static_cast<char>('0' + c / 8), static_cast<char>('0' + c % 8)};
    } else {
      out += c;
    }
  }
  const char quote = string.double_quoted ? '"' : '\'';
  return quote + out + quote;
}

struct SourceWriter {
  std::string operator()(const Number& node) const { return source_of(node.value); }
  std::string operator()(const ImaginaryNumber& node) const { return source_of(node.value) + "i"; }
  std::string operator()(const IntegerNumber& node) const { return based(node); }
  std::string operator()(const String& node) const { return quoted(node); }
  std::string operator()(const Identifier& node) const { return node.name; }
  std::string operator()(const Colon&) const { return ":"; }
  std::string operator()(const End&) const { return "end"; }
  std::string operator()(const Range& node) const {
    const std::string step = node.step ? source_of(*node.step) + ":" : "";
    return "(" + source_of(*node.first) + ":" + step + source_of(*node.last) + ")";
  }
  std::string operator()(const Unary& node) const {
    return "(" + std::string(spelling(node.op)) + source_of(*node.operand) + ")";
  }
  std::string operator()(const Postfix& node) const {
    return "(" + source_of(*node.operand) + std::string(spelling(node.op)) + ")";
  }
  std::string operator()(const Binary& node) const {
    return "(" + source_of(*node.left) + " " + std::string(spelling(node.op)) + " " + source_of(*node.right) + ")";
  }
  std::string operator()(const Index& node) const { return source_of(*node.callee) + "(" + list(node.args) + ")"; }
  std::string operator()(const BraceIndex& node) const { return source_of(*node.callee) + "{" + list(node.args) + "}"; }
  std::string operator()(const Field& node) const { return source_of(*node.base) + field_of(node.name, node.dynamic); }
  std::string operator()(const Matrix& node) const { return "[" + rows_of(node.rows) + "]"; }
  std::string operator()(const Cell& node) const { return "{" + rows_of(node.rows) + "}"; }
  std::string operator()(const AnonymousFunction& node) const {
    std::string params;
    for (const Parameter& param : node.params) params += (params.empty() ? "" : ", ") + param.name.text;
    return "(@(" + params + ") " + source_of(*node.body) + ")";
  }
  std::string operator()(const FunctionHandle& node) const { return "@" + node.name.text; }
  std::string operator()(const Assignment& node) const {
    return "(" + source_of(*node.target) + " " + assignment_spelling(node.op) + " " + source_of(*node.value) + ")";
  }
  std::string operator()(const Paren& node) const {
    const Expr& inner = strip_parens(*node.inner);
    const std::string text = source_of(inner);
    return text.front() == '(' ? text : "(" + text + ")";
  }
};

}  // namespace

std::string source_of(double value) {
  if (std::isinf(value)) return value < 0 ? "-Inf" : "Inf";
  if (std::isnan(value)) return "NaN";
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string source_of(const Expr& expr) { return std::visit(SourceWriter{}, expr.node); }

std::string source_of(const LValue& target) {
  std::string out = target.name.text;
  if (target.args) out += "(" + list(*target.args) + ")";
  for (const Accessor& step : target.path) {
    if (step.kind == Accessor::Kind::parens) out += "(" + list(step.args) + ")";
    if (step.kind == Accessor::Kind::braces) out += "{" + list(step.args) + "}";
    if (step.kind == Accessor::Kind::field) out += field_of(step.field, step.dynamic);
  }
  return out;
}

}  // namespace lac::frontend::ast
