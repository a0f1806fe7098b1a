// The grammar of statements and functions.
//
//   statement := if | switch | try | while | do | for | jump | param | output | precision | several | simple
//   if        := 'if' condition block ('elseif' condition block)* ['else' block] 'end'
//   while     := 'while' condition block 'end'          do := 'do' block 'until' condition
//   for       := 'for' (binding | '(' binding ')') block 'end'          binding := (target | '[' target ',' target ']')
//   '=' expression several   := '[' [target (',' target)*] ']' '=' expression simple    := expression [('=' | '+=' |
//   ...) expression ('=' expression)*] switch    := 'switch' expression ('case' expression block)* ['otherwise' block]
//   'end' try       := 'try' block ['catch' [name] block] 'end'
//              | 'unwind_protect' block 'unwind_protect_cleanup' block 'end'
//   target    := (name | '~') accessor*
//   param     := 'param' name [arguments] name* ['=' expression]
//   function  := 'function' [(name | '[' name (',' name)* ']') '='] name [parameters] block 'end'
#pragma once

#include "frontend/grammar/block.h"
#include "frontend/grammar/expression_grammar.h"

namespace lac::frontend::grammar {

using AssignTail = Tail<CompoundOp>;

inline constexpr Operator<CompoundOp> plain_assign_ops[] = {{Kind::assign, std::nullopt}};

x3::rule<struct statement_tag, ast::Statement> const statement = "statement";
x3::rule<struct function_tag, ast::Function> const function = "function";

struct Statements {
  template <class Context>
  static bool parse_one(Iterator& first, const Iterator& last, const Context& context, ast::Statement& attribute) {
    return statement.parse(first, last, context, x3::unused, attribute);
  }

  template <class Context>
  static bool parse_function(Iterator& first, const Iterator& last, const Context& context) {
    if (first->kind != Kind::kw_function) return false;
    const Iterator begin = first;
    ast::Function parsed;
    function.parse(first, last, context, x3::unused, parsed);
    parsed.span = join(begin->span, (first - 1)->span);
    state_of(context).functions.push_back(std::move(parsed));
    return true;
  }
};

inline BlockParser<Statements> const block;

// --- Assignments -----------------------------------------------------------------------------------------------------

struct Binding {
  ast::LValue target;
  std::optional<ast::LValue> key;
  ExprPtr value;
};
struct Several {
  std::vector<ast::LValue> targets;
  ast::Assign assign;
};
struct Simple {
  ExprPtr expr;
  ast::Statement::Node node;
};

x3::rule<struct target_tag, ast::LValue> const target = "target";
x3::rule<struct targets_tag, std::vector<ast::LValue>> const targets = "targets";
x3::rule<struct several_tag, Several> const several = "several";
x3::rule<struct simple_tag, Simple> const simple = "simple";

inline constexpr auto begin_target = [](auto& ctx) { x3::_val(ctx) = make_target(*x3::_attr(ctx)); };
inline constexpr auto extend_field = [](auto& ctx) {
  x3::_val(ctx) = with_field(std::move(x3::_val(ctx)), *x3::_attr(ctx));
};
inline constexpr auto set_targets = [](auto& ctx) {
  if (x3::_attr(ctx).inner.empty()) throw SyntaxError{x3::_attr(ctx).open, "'[ ]' names no target", {}, {}};
  x3::_val(ctx).targets = std::move(x3::_attr(ctx).inner);
};
inline constexpr auto assign_several = [](auto& ctx) {
  x3::_val(ctx).assign = make_assign(std::move(x3::_val(ctx).targets), true, x3::_attr(ctx));
};
inline constexpr auto set_expr = [](auto& ctx) {
  x3::_val(ctx).expr = std::move(x3::_attr(ctx));
  x3::_val(ctx).node = make_expression_statement(x3::_val(ctx).expr, *x3::_where(ctx).begin());
};
inline constexpr auto assign_simple = [](auto& ctx) {
  const AssignTail& assign = x3::_attr(ctx);
  x3::_val(ctx).node = make_assign({make_target(*x3::_val(ctx).expr, *assign.token)}, false, assign);
};

inline constexpr auto extend_chain = [](auto& ctx) {
  chain_assign(std::get<ast::Assign>(x3::_val(ctx).node), x3::_attr(ctx));
};

inline auto const target_def = (tok(Kind::identifier)[begin_target] | tok(Kind::bang)[begin_target]) >>
                               *(arguments[extend<with_args>] | braces[extend<with_braces>] |
                                 tok(Kind::field)[extend_field] |
                                 x3::omit[tok(Kind::point)] >> dynamic_name[extend<with_dynamic_field>]);
inline auto const targets_def = -tok(Kind::comma) >> -(target[push] >> *(tok(Kind::comma) >> target[push])) >>
                                -tok(Kind::comma);
inline auto const several_def = enclosed<std::vector<ast::LValue>>(Kind::targets_open, targets,
                                                                   Kind::right_bracket)[set_targets] >>
                                tail(plain_assign_ops, expression)[assign_several];
inline auto const simple_def = expression[set_expr] >> -(tail(assign_ops, expression)[assign_simple] >>
                                                         *tail(plain_assign_ops, expression)[extend_chain]);

// --- Control flow ----------------------------------------------------------------------------------------------------

x3::rule<struct if_arm_tag, ast::IfArm> const if_arm = "if_arm";
x3::rule<struct elseif_arm_tag, ast::IfArm> const elseif_arm = "elseif_arm";
x3::rule<struct else_arm_tag, ast::IfArm> const else_arm = "else_arm";
x3::rule<struct if_tag, ast::If> const if_statement = "if";
x3::rule<struct case_tag, ast::SwitchCase> const case_arm = "case";
x3::rule<struct otherwise_tag, ast::SwitchCase> const otherwise_arm = "otherwise";
x3::rule<struct switch_tag, ast::Switch> const switch_statement = "switch";
x3::rule<struct try_tag, ast::Try> const try_statement = "try";
x3::rule<struct unwind_tag, ast::Try> const unwind_statement = "unwind_protect";
x3::rule<struct while_tag, ast::While> const while_statement = "while";
x3::rule<struct do_tag, ast::DoUntil> const do_statement = "do";
x3::rule<struct binding_tag, Binding> const binding = "binding";
x3::rule<struct for_header_tag, Binding> const for_header = "for_header";
x3::rule<struct for_tag, ast::For> const for_statement = "for";
x3::rule<struct jump_tag, ast::Statement::Node> const jump = "jump";

inline constexpr auto set_span = [](auto& ctx) { x3::_val(ctx).span = x3::_attr(ctx)->span; };
inline constexpr auto set_condition = [](auto& ctx) { x3::_val(ctx).condition = std::move(x3::_attr(ctx)); };
inline constexpr auto set_block = [](auto& ctx) { x3::_val(ctx).body = std::move(x3::_attr(ctx)); };
inline constexpr auto push_arm = [](auto& ctx) { x3::_val(ctx).arms.push_back(std::move(x3::_attr(ctx))); };
inline constexpr auto set_target = [](auto& ctx) { x3::_val(ctx).target = std::move(x3::_attr(ctx)); };
inline constexpr auto set_value = [](auto& ctx) { x3::_val(ctx).value = std::move(x3::_attr(ctx).operand); };
inline constexpr auto set_binding = [](auto& ctx) {
  x3::_val(ctx).variable = std::move(x3::_attr(ctx).target);
  x3::_val(ctx).key = std::move(x3::_attr(ctx).key);
  x3::_val(ctx).range = std::move(x3::_attr(ctx).value);
};
inline constexpr auto set_enclosed_binding = [](auto& ctx) { x3::_val(ctx) = std::move(x3::_attr(ctx).inner); };
inline constexpr auto leave_block = [](auto& ctx) { state_of(ctx).open_blocks.pop_back(); };
template <class Node>
constexpr auto set_jump = [](auto& ctx) {
  if constexpr (!std::is_same_v<Node, ast::Return>) require_loop(state_of(ctx), *x3::_attr(ctx));
  x3::_val(ctx) = Node{};
};

inline auto const condition = header(expression, "a condition");

inline auto const if_arm_def = begins(Kind::kw_if)[set_span] >> condition[set_condition] >> block[set_block];
inline auto const elseif_arm_def = tok(Kind::kw_elseif)[set_span] >> condition[set_condition] >> block[set_block];
inline auto const else_arm_def = tok(Kind::kw_else)[set_span] >> block[set_block];
inline auto const if_statement_def = if_arm[push_arm] >> *elseif_arm[push_arm] >> -else_arm[push_arm] >> block_end;

inline constexpr auto set_label = [](auto& ctx) { x3::_val(ctx).label = std::move(x3::_attr(ctx)); };
inline constexpr auto set_switched = [](auto& ctx) { x3::_val(ctx).value = std::move(x3::_attr(ctx)); };
inline constexpr auto push_case = [](auto& ctx) { x3::_val(ctx).cases.push_back(std::move(x3::_attr(ctx))); };
inline constexpr auto refuse_statements = [](auto& ctx) {
  if (const ast::Block& block = x3::_attr(ctx); !block.empty())
    throw SyntaxError{
        state_of(ctx).open_blocks.back(), "statements stand before the first 'case'", {}, block.front().span};
};
inline auto const case_arm_def = tok(Kind::kw_case)[set_span] >>
                                 header(expression, "a label")[set_label] >> block[set_block];
inline auto const otherwise_arm_def = tok(Kind::kw_otherwise)[set_span] >> block[set_block];
inline auto const switch_statement_def = begins(Kind::kw_switch) >>
                                         header(expression, "a value")[set_switched] >> block[refuse_statements] >>
                                         *case_arm[push_case] >> -otherwise_arm[push_case] >> block_end;

inline constexpr auto set_caught = [](auto& ctx) { x3::_val(ctx).error = make_name(*x3::_attr(ctx)); };
inline constexpr auto set_handler = [](auto& ctx) { x3::_val(ctx).handler = std::move(x3::_attr(ctx)); };
// The name behind a catch stands alone on its line; what is longer is the first statement of the handler.
inline auto const ends_name = tok(Kind::newline) | tok(Kind::semicolon) | tok(Kind::comma);
inline auto const caught = &(tok(Kind::identifier) >> ends_name) >> tok(Kind::identifier);
inline auto const try_statement_def = begins(Kind::kw_try) >> block[set_block] >>
                                      -(tok(Kind::kw_catch) >> -caught[set_caught] >> block[set_handler]) >> block_end;

inline constexpr auto set_cleanup = [](auto& ctx) {
  x3::_val(ctx).handler = std::move(x3::_attr(ctx));
  x3::_val(ctx).cleans_up = true;
};
inline auto const unwind_statement_def = begins(Kind::kw_unwind_protect) >> block[set_block] >>
                                         x3::omit[must(Kind::kw_unwind_protect_cleanup)] >> block[set_cleanup] >>
                                         block_end;

inline auto const while_statement_def =
    begins(Kind::kw_while) >> condition[set_condition] >> block[set_block] >> block_end;
inline auto const do_statement_def = begins(Kind::kw_do) >> block[set_block] >>
                                     (tok(Kind::kw_until)[leave_block] >> condition[set_condition] | block_end);

inline constexpr auto set_pair = [](auto& ctx) {
  auto& pair = x3::_attr(ctx).inner;
  if (pair.size() != 2)
    throw SyntaxError{
        x3::_attr(ctx).open, "'for [value, key] = s' takes two variables, for the fields of a struct", {}, {}};
  x3::_val(ctx).target = std::move(pair[0]);
  x3::_val(ctx).key = std::move(pair[1]);
};
inline auto const pair = enclosed<std::vector<ast::LValue>>(Kind::targets_open, targets, Kind::right_bracket);
inline auto const binding_def = (pair[set_pair] | must(target, "a variable")[set_target]) >>
                                must(tail(plain_assign_ops, expression), "'='")[set_value];
inline auto const for_header_def =
    enclosed<Binding>(Kind::left_paren, binding, Kind::right_paren)[set_enclosed_binding] | binding[take];
inline auto const for_statement_def = begins(Kind::kw_for) >>
                                      header(for_header, "a variable")[set_binding] >> block[set_block] >> block_end;

inline auto const jump_def = tok(Kind::kw_break)[set_jump<ast::Break>] |
                             tok(Kind::kw_continue)[set_jump<ast::Continue>] |
                             tok(Kind::kw_return)[set_jump<ast::Return>];

// --- The three added words -------------------------------------------------------------------------------------------

x3::rule<struct param_tag, ast::Param> const param = "param";
x3::rule<struct output_tag, ast::Output> const output = "output";
x3::rule<struct precision_tag, ast::Precision> const precision = "precision";

inline constexpr auto at_top_level = [](auto& ctx) { require_top_level(state_of(ctx), *x3::_attr(ctx)); };
inline constexpr auto set_word = [](auto& ctx) { x3::_val(ctx).name = make_name(*x3::_attr(ctx)); };
inline constexpr auto set_dims = [](auto& ctx) {
  for (const ExprPtr& size : x3::_attr(ctx).inner) {
    if (std::holds_alternative<ast::Colon>(size->node)) {
      throw SyntaxError{x3::_attr(ctx).open, "a size of a 'param' is a name or a constant expression", {}, size->span};
    }
  }
  if (x3::_attr(ctx).inner.empty()) throw SyntaxError{x3::_attr(ctx).close, "expected a size, found ')'", {}, {}};
  x3::_val(ctx).dims = std::move(x3::_attr(ctx).inner);
};
inline constexpr auto push_property = [](auto& ctx) { x3::_val(ctx).properties.push_back(make_name(*x3::_attr(ctx))); };
inline constexpr auto set_default = [](auto& ctx) { x3::_val(ctx).default_value = std::move(x3::_attr(ctx).operand); };
inline constexpr auto push_output = [](auto& ctx) { x3::_val(ctx).names.push_back(make_name(*x3::_attr(ctx))); };

inline auto const param_def = tok(Kind::kw_param)[at_top_level] >> must(Kind::identifier)[set_word] >>
                              -arguments[set_dims] >> *tok(Kind::identifier)[push_property] >>
                              -tail(plain_assign_ops, expression)[set_default];
inline auto const output_def = tok(Kind::kw_output)[at_top_level] >> +tok(Kind::identifier)[push_output];
inline auto const precision_def = tok(Kind::kw_precision)[at_top_level] >> must(Kind::identifier)[set_word];

x3::rule<struct declared_tag, ast::Declaration::Variable> const declared = "declared";
x3::rule<struct declaration_tag, ast::Declaration> const declaration = "declaration";

inline constexpr auto set_declared_name = [](auto& ctx) { x3::_val(ctx).name = make_name(*x3::_attr(ctx)); };
inline constexpr auto set_declared_value = [](auto& ctx) { x3::_val(ctx).value = std::move(x3::_attr(ctx).operand); };
inline constexpr auto push_declared = [](auto& ctx) { x3::_val(ctx).variables.push_back(std::move(x3::_attr(ctx))); };
inline constexpr auto set_global = [](auto& ctx) { x3::_val(ctx).is_global = true; };

inline auto const declared_def = tok(Kind::identifier)[set_declared_name] >>
                                 -tail(plain_assign_ops, expression)[set_declared_value];
inline auto const declaration_def = (tok(Kind::kw_global)[set_global] | x3::omit[tok(Kind::kw_persistent)]) >>
                                    must(declared, "the name of a variable")[push_declared] >> *declared[push_declared];

// --- Statements and functions ----------------------------------------------------------------------------------------

inline constexpr auto set_node = [](auto& ctx) { x3::_val(ctx).node = std::move(x3::_attr(ctx)); };
inline constexpr auto set_simple = [](auto& ctx) { x3::_val(ctx).node = std::move(x3::_attr(ctx).node); };
inline constexpr auto set_several = [](auto& ctx) { x3::_val(ctx).node = std::move(x3::_attr(ctx).assign); };

inline auto const statement_def =
    if_statement[set_node] | switch_statement[set_node] | try_statement[set_node] | unwind_statement[set_node] |
    while_statement[set_node] | do_statement[set_node] | for_statement[set_node] | jump[set_node] | param[set_node] |
    output[set_node] | precision[set_node] | declaration[set_node] | several[set_several] | simple[set_simple];

struct Signature {
  std::vector<ast::Name> outs;
  ast::Name name;
  std::vector<ast::Parameter> params;
  Span span;
};
x3::rule<struct one_out_tag, ast::Name> const one_out = "one_out";
x3::rule<struct out_names_tag, std::vector<ast::Name>> const out_names = "out_names";
x3::rule<struct signature_tag, Signature> const signature = "signature";

inline constexpr auto take_name = [](auto& ctx) { x3::_val(ctx) = make_parameter(*x3::_attr(ctx)).name; };
inline constexpr auto push_name = [](auto& ctx) { x3::_val(ctx).push_back(make_parameter(*x3::_attr(ctx)).name); };
inline constexpr auto set_one_out = [](auto& ctx) { x3::_val(ctx).outs = {std::move(x3::_attr(ctx))}; };
inline constexpr auto set_outs = [](auto& ctx) { x3::_val(ctx).outs = std::move(x3::_attr(ctx).inner); };
inline constexpr auto set_function_name = [](auto& ctx) {
  x3::_val(ctx).name = make_name(*x3::_attr(ctx));
  const std::vector<ast::Name>& outs = x3::_val(ctx).outs;
  x3::_val(ctx).span = join(outs.empty() ? Span{} : outs.front().span, x3::_attr(ctx)->span);
};
inline constexpr auto set_function_params = [](auto& ctx) {
  x3::_val(ctx).span = join(x3::_val(ctx).span, x3::_attr(ctx).close->span);
  x3::_val(ctx).params = std::move(x3::_attr(ctx).inner);
};
inline constexpr auto set_signature = [](auto& ctx) {
  Signature& parts = x3::_attr(ctx);
  x3::_val(ctx).signature = parts.span;
  x3::_val(ctx).name = std::move(parts.name);
  x3::_val(ctx).params = std::move(parts.params);
  x3::_val(ctx).outs = std::move(parts.outs);
};

x3::rule<struct function_parameter_tag, ast::Parameter> const function_parameter = "function_parameter";
x3::rule<struct function_parameter_list_tag, std::vector<ast::Parameter>> const function_parameter_list =
    "function_parameter_list";
inline constexpr auto set_parameter = [](auto& ctx) { x3::_val(ctx) = std::move(x3::_attr(ctx)); };
inline constexpr auto set_parameter_default = [](auto& ctx) {
  x3::_val(ctx).default_value = std::move(x3::_attr(ctx).operand);
};
inline auto const function_parameter_def = parameter[set_parameter] >>
                                           -tail(plain_assign_ops, expression)[set_parameter_default];
inline auto const function_parameter_list_def =
    -(function_parameter[push] >> *(tok(Kind::comma) >> must(function_parameter, "a name after ','")[push]));
inline auto const function_parameters =
    enclosed<std::vector<ast::Parameter>>(Kind::left_paren, function_parameter_list, Kind::right_paren);

inline auto const one_out_def = tok(Kind::identifier)[take_name] >> tok(Kind::assign);
inline auto const out_names_def =
    -(tok(Kind::identifier)[push_name] >> *(tok(Kind::comma) >> tok(Kind::identifier)[push_name]));
inline auto const several_outs = enclosed<std::vector<ast::Name>>(Kind::targets_open, out_names, Kind::right_bracket);
inline auto const signature_def = -(several_outs[set_outs] >> must(Kind::assign) | one_out[set_one_out]) >>
                                  must(tok(Kind::identifier), "the name of the function")[set_function_name] >>
                                  -function_parameters[set_function_params];
inline auto const function_def = begins(Kind::kw_function) >>
                                 header(signature, "a function")[set_signature] >> block[set_block] >> block_end;

BOOST_SPIRIT_DEFINE(target, targets, several, simple, if_arm, elseif_arm, else_arm, if_statement, case_arm,
                    otherwise_arm, switch_statement, try_statement, unwind_statement, while_statement, do_statement,
                    binding, for_header, for_statement, jump)
BOOST_SPIRIT_DEFINE(declared, declaration)
BOOST_SPIRIT_DEFINE(param, output, precision, function_parameter, function_parameter_list, statement, one_out,
                    out_names, signature, function)

}  // namespace lac::frontend::grammar
