// The grammar of expressions: one rule for each level of Octave's precedence, loosest first.
//
//   expression  := anonymous | or_else
//   assignable  := expression [('=' | '+=' | ...) assignable]
//   or_else     := and_also ('||' and_also)*          and_also  := or_bits ('&&' or_bits)*
//   or_bits     := and_bits ('|' and_bits)*           and_bits  := comparison ('&' comparison)*
//   comparison  := range (('<' | '<=' | '==' | '!=' | '>=' | '>') range)*
//   range       := sum [':' sum [':' sum]]
//   sum         := product (('+' | '-') product)*
//   product     := prefix (('*' | '/' | '\' | '.*' | './' | '.\') prefix)*
//   prefix      := ('+' | '-' | '!' | '++' | '--') prefix | postfix
//   postfix     := primary (accessor | ''' | '.'' | '++' | '--' | ('^' | '.^') exponent)*
//   accessor    := arguments | braces | '.' name | '.' '(' expression ')'
//   exponent    := ('+' | '-' | '!' | '++' | '--') exponent | primary (accessor | '++' | '--')*
//   primary     := number | string | name | 'end' | '(' assignable ')' | '[' rows ']' | '{' rows '}' | '@' name
#pragma once

#include <boost/spirit/home/x3/directive/omit.hpp>

#include "frontend/grammar/directives.h"

namespace lac::frontend::grammar {

using ast::BinaryOp;
using ast::ExprPtr;
using ast::PostfixOp;
using ast::UnaryOp;
using Exprs = std::vector<ExprPtr>;
using Kind = TokenKind;
using CompoundOp = std::optional<BinaryOp>;

// --- Operators -------------------------------------------------------------------------------------------------------

inline constexpr Operator<BinaryOp> or_else_ops[] = {{Kind::or_or, BinaryOp::short_or}};
inline constexpr Operator<BinaryOp> and_also_ops[] = {{Kind::and_and, BinaryOp::short_and}};
inline constexpr Operator<BinaryOp> or_bits_ops[] = {{Kind::bar, BinaryOp::logical_or}};
inline constexpr Operator<BinaryOp> and_bits_ops[] = {{Kind::ampersand, BinaryOp::logical_and}};
inline constexpr Operator<BinaryOp> comparison_ops[] = {{Kind::less, BinaryOp::less},
                                                        {Kind::less_equal, BinaryOp::less_equal},
                                                        {Kind::equal, BinaryOp::equal},
                                                        {Kind::not_equal, BinaryOp::not_equal},
                                                        {Kind::greater_equal, BinaryOp::greater_equal},
                                                        {Kind::greater, BinaryOp::greater}};
inline constexpr Operator<BinaryOp> sum_ops[] = {{Kind::plus, BinaryOp::add}, {Kind::minus, BinaryOp::subtract}};
inline constexpr Operator<BinaryOp> product_ops[] = {{Kind::star, BinaryOp::multiply},
                                                     {Kind::slash, BinaryOp::divide},
                                                     {Kind::backslash, BinaryOp::left_divide},
                                                     {Kind::dot_star, BinaryOp::times},
                                                     {Kind::dot_slash, BinaryOp::element_divide},
                                                     {Kind::dot_backslash, BinaryOp::element_left_divide}};
inline constexpr Operator<BinaryOp> power_ops[] = {{Kind::caret, BinaryOp::power},
                                                   {Kind::dot_caret, BinaryOp::element_power}};
inline constexpr Operator<UnaryOp> prefix_ops[] = {{Kind::plus, UnaryOp::plus},
                                                   {Kind::minus, UnaryOp::minus},
                                                   {Kind::bang, UnaryOp::logical_not},
                                                   {Kind::increment, UnaryOp::increment},
                                                   {Kind::decrement, UnaryOp::decrement}};

inline constexpr Operator<CompoundOp> assign_ops[] = {
    {Kind::assign, std::nullopt},
    {Kind::add_assign, BinaryOp::add},
    {Kind::subtract_assign, BinaryOp::subtract},
    {Kind::multiply_assign, BinaryOp::multiply},
    {Kind::divide_assign, BinaryOp::divide},
    {Kind::left_divide_assign, BinaryOp::left_divide},
    {Kind::times_assign, BinaryOp::times},
    {Kind::element_divide_assign, BinaryOp::element_divide},
    {Kind::element_left_divide_assign, BinaryOp::element_left_divide},
    {Kind::power_assign, BinaryOp::power},
    {Kind::element_power_assign, BinaryOp::element_power},
    {Kind::and_assign, BinaryOp::logical_and},
    {Kind::or_assign, BinaryOp::logical_or},
};

// --- Actions ---------------------------------------------------------------------------------------------------------

/// The rule's value becomes the attribute.
inline constexpr auto take = [](auto& ctx) { x3::_val(ctx) = std::move(x3::_attr(ctx)); };
/// The attribute is appended to the rule's value.
inline constexpr auto push = [](auto& ctx) { x3::_val(ctx).push_back(std::move(x3::_attr(ctx))); };

/// The rule's value is made from the token.
template <auto make>
constexpr auto from_token = [](auto& ctx) { x3::_val(ctx) = make(*x3::_attr(ctx)); };
/// The rule's value is made from the attribute.
template <auto make>
constexpr auto from = [](auto& ctx) { x3::_val(ctx) = make(std::move(x3::_attr(ctx))); };
/// The rule's value becomes the left part of a larger one.
template <auto make>
constexpr auto extend = [](auto& ctx) { x3::_val(ctx) = make(std::move(x3::_val(ctx)), std::move(x3::_attr(ctx))); };
template <PostfixOp op>
constexpr auto postfix_by =
    [](auto& ctx) { x3::_val(ctx) = make_postfix(std::move(x3::_val(ctx)), op, *x3::_attr(ctx)); };

// --- Rules -----------------------------------------------------------------------------------------------------------

x3::rule<struct expression_tag, ExprPtr> const expression = "expression";
x3::rule<struct assignable_tag, ExprPtr> const assignable = "assignable";
x3::rule<struct anonymous_tag, ExprPtr> const anonymous = "anonymous";
x3::rule<struct or_else_tag, ExprPtr> const or_else = "or_else";
x3::rule<struct and_also_tag, ExprPtr> const and_also = "and_also";
x3::rule<struct or_bits_tag, ExprPtr> const or_bits = "or_bits";
x3::rule<struct and_bits_tag, ExprPtr> const and_bits = "and_bits";
x3::rule<struct comparison_tag, ExprPtr> const comparison = "comparison";
x3::rule<struct range_tag, ExprPtr> const range = "range";
x3::rule<struct range_parts_tag, Exprs> const range_parts = "range_parts";
x3::rule<struct sum_tag, ExprPtr> const sum = "sum";
x3::rule<struct product_tag, ExprPtr> const product = "product";
x3::rule<struct prefix_tag, ExprPtr> const prefix = "prefix";
x3::rule<struct postfix_tag, ExprPtr> const postfix = "postfix";
x3::rule<struct exponent_tag, ExprPtr> const exponent = "exponent";
x3::rule<struct exponent_base_tag, ExprPtr> const exponent_base = "exponent_base";
x3::rule<struct primary_tag, ExprPtr> const primary = "primary";
x3::rule<struct number_tag, ExprPtr> const number = "number";
x3::rule<struct string_tag, ExprPtr> const string = "string";
x3::rule<struct name_tag, ExprPtr> const name = "name";
x3::rule<struct magic_end_tag, ExprPtr> const magic_end = "magic_end";
x3::rule<struct magic_colon_tag, ExprPtr> const magic_colon = "magic_colon";
x3::rule<struct paren_tag, ExprPtr> const paren = "paren";
x3::rule<struct matrix_tag, ExprPtr> const matrix = "matrix";
x3::rule<struct cell_tag, ExprPtr> const cell = "cell";
x3::rule<struct handle_tag, ExprPtr> const handle = "handle";
x3::rule<struct argument_tag, ExprPtr> const argument = "argument";
x3::rule<struct argument_list_tag, Exprs> const argument_list = "argument_list";
x3::rule<struct row_tag, Exprs> const row = "row";
x3::rule<struct rows_tag, std::vector<Exprs>> const rows = "rows";
x3::rule<struct parameter_tag, ast::Parameter> const parameter = "parameter";
x3::rule<struct parameter_list_tag, std::vector<ast::Parameter>> const parameter_list = "parameter_list";

inline auto const arguments = enclosed<Exprs>(Kind::left_paren, indexing(argument_list), Kind::right_paren);
inline auto const braces = enclosed<Exprs>(Kind::left_brace, indexing(argument_list), Kind::right_brace);
inline auto const parameters =
    enclosed<std::vector<ast::Parameter>>(Kind::left_paren, parameter_list, Kind::right_paren);

inline constexpr auto push_row = [](auto& ctx) {
  if (!x3::_attr(ctx).empty()) x3::_val(ctx).push_back(std::move(x3::_attr(ctx)));
};

// `@name` and `@(params) body` are put together from parts.
struct AtParts {
  const Token* at = nullptr;
  Parameters params = {};
  ExprPtr body = nullptr;
  const Token* name = nullptr;
};
x3::rule<struct anonymous_parts_tag, AtParts> const anonymous_parts = "anonymous_parts";
x3::rule<struct handle_parts_tag, AtParts> const handle_parts = "handle_parts";

inline constexpr auto set_at = [](auto& ctx) { x3::_val(ctx).at = x3::_attr(ctx); };
inline constexpr auto set_params = [](auto& ctx) { x3::_val(ctx).params = std::move(x3::_attr(ctx)); };
inline constexpr auto set_body = [](auto& ctx) { x3::_val(ctx).body = std::move(x3::_attr(ctx)); };
inline constexpr auto set_name = [](auto& ctx) { x3::_val(ctx).name = x3::_attr(ctx); };
inline constexpr auto finish_anonymous = [](auto& ctx) {
  AtParts& parts = x3::_attr(ctx);
  x3::_val(ctx) = make_anonymous(*parts.at, std::move(parts.params), std::move(parts.body));
};
inline constexpr auto finish_handle = [](auto& ctx) {
  x3::_val(ctx) = make_handle(*x3::_attr(ctx).at, *x3::_attr(ctx).name);
};

inline constexpr auto end_of_index = [](auto& ctx) {
  const Token* token = x3::_attr(ctx);
  if (state_of(ctx).indices == 0) throw SyntaxError{token, "'end' outside the index of a variable", {}, {}};
  x3::_val(ctx) = make_end(*token);
};

inline auto const expression_def = nested(anonymous | or_else);
inline auto const assignable_def = expression[take] >> -tail(assign_ops, nested(assignable))[extend<make_assignment>];

inline auto const anonymous_parts_def = tok(Kind::at)[set_at] >> parameters[set_params] >>
                                        must(expression, "the body of the function")[set_body];
inline auto const anonymous_def = anonymous_parts[finish_anonymous];

inline auto const or_else_def = and_also[take] >> *tail(or_else_ops, and_also)[extend<make_binary>];
inline auto const and_also_def = or_bits[take] >> *tail(and_also_ops, or_bits)[extend<make_binary>];
inline auto const or_bits_def = and_bits[take] >> *tail(or_bits_ops, and_bits)[extend<make_binary>];
inline auto const and_bits_def = comparison[take] >> *tail(and_bits_ops, comparison)[extend<make_binary>];
inline auto const comparison_def = range[take] >> *tail(comparison_ops, range)[extend<make_binary>];

inline constexpr auto finish_range = [](auto& ctx) {
  auto& parts = x3::_attr(ctx);
  x3::_val(ctx) = parts.size() == 1 ? parts.front() : make_range(parts);
};
inline auto const range_part = tok(Kind::colon) >> sum[push];
inline auto const range_parts_def = sum[push] >> -(range_part >> -range_part);
inline auto const range_def = range_parts[finish_range];

inline auto const sum_def = product[take] >> *tail(sum_ops, product)[extend<make_binary>];
inline auto const product_def = prefix[take] >> *tail(product_ops, prefix)[extend<make_binary>];
inline auto const prefix_def = tail(prefix_ops, nested(prefix))[from<make_unary>] | postfix[take];

inline auto const counting =
    tok(Kind::increment)[postfix_by<PostfixOp::increment>] | tok(Kind::decrement)[postfix_by<PostfixOp::decrement>];
inline auto const transposing =
    tok(Kind::hermitian)[postfix_by<PostfixOp::hermitian>] | tok(Kind::transpose)[postfix_by<PostfixOp::transpose>];
inline constexpr auto take_field = [](auto& ctx) {
  x3::_val(ctx) = make_field(std::move(x3::_val(ctx)), *x3::_attr(ctx));
};
inline auto const must_expression = must(expression, "an expression");
inline auto const dynamic_name = enclosed<ExprPtr>(Kind::left_paren, must_expression, Kind::right_paren);
inline auto const accessor = arguments[extend<make_index>] | braces[extend<make_brace_index>] |
                             tok(Kind::field)[take_field] |
                             x3::omit[tok(Kind::point)] >> dynamic_name[extend<make_dynamic_field>];
inline auto const postfix_def = primary[take] >>
                                *(accessor | transposing | counting | tail(power_ops, exponent)[extend<make_binary>]);
inline auto const exponent_base_def = primary[take] >> *(accessor | counting);
inline auto const exponent_def = tail(prefix_ops, nested(exponent))[from<make_unary>] | exponent_base[take];

inline auto const primary_def = number | string | name | magic_end | paren | matrix | cell | handle;
inline auto const number_def = tok(Kind::number)[from_token<make_number>];
inline auto const string_def = tok(Kind::string)[from_token<make_string>];
inline auto const name_def = tok(Kind::identifier)[from_token<make_identifier>];
inline auto const magic_end_def = tok(Kind::magic_end)[end_of_index];
inline auto const magic_colon_def = tok(Kind::colon)[from_token<make_colon>];

inline auto const handle_parts_def = tok(Kind::at)[set_at] >> tok(Kind::identifier)[set_name];
inline auto const handle_def = handle_parts[finish_handle];

inline auto const paren_def =
    enclosed<ExprPtr>(Kind::left_paren, must(assignable, "an expression"), Kind::right_paren)[from<make_paren>];

inline auto const argument_def = magic_colon | assignable;
inline auto const argument_list_def =
    -(argument[push] >> *(tok(Kind::comma) >> must(argument, "an argument after ','")[push]));

inline auto const row_def = -tok(Kind::comma) >> -(expression[push] >> *(tok(Kind::comma) >> expression[push])) >>
                            -tok(Kind::comma);
inline auto const rows_def = row[push_row] >> *(tok(Kind::semicolon) >> row[push_row]);
inline auto const matrix_def =
    enclosed<std::vector<Exprs>>(Kind::left_bracket, rows, Kind::right_bracket)[from<make_matrix>];
inline auto const cell_def = enclosed<std::vector<Exprs>>(Kind::left_brace, rows, Kind::right_brace)[from<make_cell>];

inline auto const parameter_def =
    tok(Kind::identifier)[from_token<make_parameter>] | tok(Kind::bang)[from_token<make_parameter>];
inline auto const parameter_list_def =
    -(parameter[push] >> *(tok(Kind::comma) >> must(parameter, "a name after ','")[push]));

BOOST_SPIRIT_DEFINE(expression, assignable, anonymous, anonymous_parts, or_else, and_also, or_bits, and_bits,
                    comparison, range, range_parts, sum, product, prefix, postfix, exponent, exponent_base, primary)
BOOST_SPIRIT_DEFINE(number, string, name, magic_end, magic_colon, handle, handle_parts, paren, argument, argument_list,
                    row, rows, matrix, cell, parameter, parameter_list)

}  // namespace lac::frontend::grammar
