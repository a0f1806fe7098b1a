#include "frontend/ast/operators.h"

#include <array>

namespace lac::frontend::ast {
namespace {

constexpr std::array<std::string_view, 20> binary_spelling = {
    "+", "-", "*", "/", "\\", ".*", "./", ".\\", "^", ".^", "<", "<=", "==", "!=", ">=", ">", "&", "|", "&&", "||"};
constexpr std::array<std::string_view, 5> unary_spelling = {"+", "-", "!", "++", "--"};
constexpr std::array<std::string_view, 4> postfix_spelling = {"'", ".'", "++", "--"};

static_assert(binary_spelling.size() == static_cast<std::size_t>(BinaryOp::short_or) + 1);
static_assert(unary_spelling.size() == static_cast<std::size_t>(UnaryOp::decrement) + 1);
static_assert(postfix_spelling.size() == static_cast<std::size_t>(PostfixOp::decrement) + 1);

}  // namespace

std::string_view spelling(BinaryOp op) { return binary_spelling[static_cast<std::size_t>(op)]; }
std::string_view spelling(UnaryOp op) { return unary_spelling[static_cast<std::size_t>(op)]; }
std::string_view spelling(PostfixOp op) { return postfix_spelling[static_cast<std::size_t>(op)]; }

}  // namespace lac::frontend::ast
