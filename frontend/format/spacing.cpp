#include "frontend/format/spacing.h"

#include <algorithm>

namespace lac::frontend {
namespace {

using Kind = TokenKind;

bool is_operand_end(Kind kind) {
  switch (kind) {
    case Kind::number:
    case Kind::string:
    case Kind::identifier:
    case Kind::field:
    case Kind::magic_end:
    case Kind::right_paren:
    case Kind::right_bracket:
    case Kind::right_brace:
    case Kind::hermitian:
    case Kind::transpose:
    case Kind::increment:
    case Kind::decrement: return true;
    default: return false;
  }
}

/// Operators that always stand between blanks.
bool is_wide(Kind kind) {
  return (kind >= Kind::assign && kind <= Kind::or_assign) || (kind >= Kind::less && kind <= Kind::greater) ||
         kind == Kind::and_and || kind == Kind::or_or;
}

bool is_operator(Kind kind) { return kind == Kind::colon || (kind >= Kind::assign && kind <= Kind::bang); }

bool may_be_unary(Kind kind) { return kind == Kind::plus || kind == Kind::minus || kind == Kind::bang; }

bool is_increment(Kind kind) { return kind == Kind::increment || kind == Kind::decrement; }

bool is_postfix(Kind kind) { return kind == Kind::hermitian || kind == Kind::transpose; }

bool opens(Kind kind) {
  return kind == Kind::left_paren || kind == Kind::left_bracket || kind == Kind::left_brace ||
         kind == Kind::targets_open;
}

bool closes(Kind kind) { return kind == Kind::right_paren || kind == Kind::right_bracket || kind == Kind::right_brace; }

std::string_view one_blank_at_most(std::string_view gap) { return gap.empty() ? "" : " "; }

/// `+ +x` must not become the operator `++x`, nor `1 .'` and `1 .x` the number `1.`.
bool would_join(const SpacedToken& before, const SpacedToken& next) {
  const char last = before.written.back(), first = next.written.front();
  if (before.token->kind == Kind::number) return first == '.';
  return (last == '+' || last == '-') && last == first;
}

/// Whether a binary operator at `i` that is not wide stands between blanks: where either side has one.
bool is_spaced_operator(const std::vector<SpacedToken>& line, std::size_t i) {
  if (is_wide(line[i].token->kind)) return true;
  const bool after = i + 1 < line.size() && !line[i + 1].gap.empty();
  return (i > 0 && !line[i].gap.empty()) || after;
}

std::string_view gap_before(const std::vector<SpacedToken>& line, std::size_t i) {
  const SpacedToken &before = line[i - 1], &next = line[i];
  const Kind left = before.token->kind, right = next.token->kind;
  if (next.in_matrix) return next.gap;
  if (right == Kind::comma || right == Kind::semicolon) return "";
  if (left == Kind::comma || left == Kind::semicolon) return " ";
  if (left == Kind::left_paren || right == Kind::right_paren) return "";
  if (before.is_unary) return would_join(before, next) ? " " : "";
  if (next.is_binary) return is_spaced_operator(line, i) ? " " : "";
  if (before.is_binary) return is_spaced_operator(line, i - 1) || would_join(before, next) ? " " : "";
  if (left == Kind::point) return "";
  if (right == Kind::field || right == Kind::point) return would_join(before, next) ? " " : "";
  if (is_keyword(left) || is_keyword(right) || before.closes_params) return " ";
  if (left == Kind::at) return "";
  if (is_increment(right) && is_operand_end(left))
    return "";  // `m ++ (k)` with a blank less is a command and its words
  if (is_postfix(right)) return would_join(before, next) ? " " : "";
  if (right == Kind::left_paren && is_operand_end(left)) return "";
  return one_blank_at_most(next.gap);
}

}  // namespace

void Roles::assign(SpacedToken& next) {
  const Kind kind = next.token->kind;
  next.in_matrix = !open_.empty() && open_.back().matrix;
  const bool operand_before = after_operand_;
  if (may_be_unary(kind) && !operand_before) next.is_unary = true;
  else if (is_operator(kind) && kind != Kind::bang) next.is_binary = operand_before;
  // inside a matrix a sign after a blank and before none begins an element; those blanks are kept anyway
  if (opens(kind)) open_.push_back({kind != Kind::left_paren, kind == Kind::left_paren && last_ == Kind::at});
  if (closes(kind) && !open_.empty()) {
    next.closes_params = open_.back().params;
    open_.pop_back();
  }
  after_operand_ = is_operand_end(kind) && !next.closes_params;
  last_ = kind;
}

std::string spaced(const std::vector<SpacedToken>& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) text += gap_before(line, i);
    text += line[i].written;
  }
  return text;
}

}  // namespace lac::frontend
