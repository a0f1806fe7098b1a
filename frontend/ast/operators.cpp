#include "frontend/ast/operators.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lac::frontend::ast {
namespace {

constexpr std::array<std::string_view, 20> binary_spelling = {
    "+", "-", "*", "/", "\\", ".*", "./", ".\\", "^", ".^", "<", "<=", "==", "!=", ">=", ">", "&", "|", "&&", "||"};
constexpr std::array<std::string_view, 5> unary_spelling = {"+", "-", "!", "++", "--"};
constexpr std::array<std::string_view, 4> postfix_spelling = {"'", ".'", "++", "--"};

static_assert(binary_spelling.size() == static_cast<std::size_t>(BinaryOp::short_or) + 1);
static_assert(unary_spelling.size() == static_cast<std::size_t>(UnaryOp::decrement) + 1);
static_assert(postfix_spelling.size() == static_cast<std::size_t>(PostfixOp::decrement) + 1);

struct NamedOperator {
  std::string_view name;
  BinaryOp op;
};

constexpr NamedOperator named_operators[] = {
    {"plus", BinaryOp::add},
    {"minus", BinaryOp::subtract},
    {"times", BinaryOp::times},
    {"rdivide", BinaryOp::element_divide},
    {"ldivide", BinaryOp::element_left_divide},
    {"power", BinaryOp::element_power},
    {"mtimes", BinaryOp::multiply},
    {"mrdivide", BinaryOp::divide},
    {"mldivide", BinaryOp::left_divide},
    {"mpower", BinaryOp::power},
    {"eq", BinaryOp::equal},
    {"ne", BinaryOp::not_equal},
    {"lt", BinaryOp::less},
    {"le", BinaryOp::less_equal},
    {"gt", BinaryOp::greater},
    {"ge", BinaryOp::greater_equal},
};

}  // namespace

std::string_view spelling(BinaryOp op) { return binary_spelling[static_cast<std::size_t>(op)]; }
std::string_view spelling(UnaryOp op) { return unary_spelling[static_cast<std::size_t>(op)]; }
std::string_view spelling(PostfixOp op) { return postfix_spelling[static_cast<std::size_t>(op)]; }

std::string assignment_spelling(std::optional<BinaryOp> op) {
  return (op ? std::string(spelling(*op)) : std::string()) + "=";
}

BinaryOp operator_named(std::string_view name) {
  return std::ranges::find(named_operators, name, &NamedOperator::name)->op;
}

std::string_view function_of_operator(std::string_view written) {
  constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"&", "and"}, {"|", "or"},  {"'", "ctranspose"}, {".'", "transpose"}, {"!", "not"},
      {"~", "not"}, {"~=", "ne"}, {"**", "mpower"},    {".**", "power"},
  };
  for (const auto& [spelled, name] : others)
    if (spelled == written) return name;
  for (const NamedOperator& named : named_operators)
    if (spelling(named.op) == written) return named.name;
  return written;
}

}  // namespace lac::frontend::ast
