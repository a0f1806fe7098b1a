// Expressions: numbers, names, ranges, and what is asked of their values.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_exact = 9007199254740992.0;  // 2^53

// The value of an expression of numbers alone.
std::optional<double> literal_number(const ast::Expr& expr) {
  if (const auto* number = std::get_if<ast::Number>(&expr.node)) return number->value;
  if (const auto* paren = std::get_if<ast::Paren>(&expr.node)) return literal_number(*paren->inner);
  if (const auto* unary = std::get_if<ast::Unary>(&expr.node)) {
    const auto value = literal_number(*unary->operand);
    if (!value) return std::nullopt;
    if (unary->op == ast::UnaryOp::minus) return -*value;
    if (unary->op == ast::UnaryOp::plus) return value;
  }
  if (const auto* binary = std::get_if<ast::Binary>(&expr.node)) {
    const auto left = literal_number(*binary->left), right = literal_number(*binary->right);
    if (!left || !right) return std::nullopt;
    switch (binary->op) {
      case ast::BinaryOp::add: return *left + *right;
      case ast::BinaryOp::subtract: return *left - *right;
      case ast::BinaryOp::multiply: return *left * *right;
      case ast::BinaryOp::divide: return *left / *right;
      default: break;
    }
  }
  return std::nullopt;
}

/// What first:step:last is where a limit or the step is not finite (all of type real).
struct RangeKind {
  ValueId single;   ///< only `first`: the step is infinite and passes the limit
  ValueId unknown;  ///< one NaN: a NaN among the parts, or their quotient is none of numbers
  ValueId endless;  ///< infinitely many elements
};

RangeKind kind_of_range(Builder& b, ValueId first, ValueId step, ValueId last) {
  const auto apply = [&](ScalarOp op, auto... operands) { return b.map(op, {operands...}); };
  const auto both = [&](ValueId a, ValueId c) { return apply(ScalarOp::logical_and, a, c); };
  const auto either = [&](ValueId a, ValueId c) { return apply(ScalarOp::logical_or, a, c); };
  const ValueId zero = b.constant(0, Element::real);
  const ValueId falls = apply(ScalarOp::lt, last, first), rises = apply(ScalarOp::gt, last, first);
  const ValueId up = apply(ScalarOp::gt, step, zero), down = apply(ScalarOp::lt, step, zero);
  const ValueId empty = either(apply(ScalarOp::eq, step, zero), either(both(falls, up), both(rises, down)));
  const ValueId next = apply(ScalarOp::add, first, step);
  const ValueId passes = either(both(up, apply(ScalarOp::gt, next, last)), both(down, apply(ScalarOp::lt, next, last)));
  const ValueId proper = apply(ScalarOp::logical_not, empty);
  const ValueId single = both(proper, both(apply(ScalarOp::is_inf, step), passes));
  const ValueId longer = both(proper, apply(ScalarOp::logical_not, single));
  const ValueId quotient = apply(ScalarOp::div, apply(ScalarOp::sub, last, first), step);
  const ValueId any_nan =
      either(apply(ScalarOp::is_nan, first), either(apply(ScalarOp::is_nan, step), apply(ScalarOp::is_nan, last)));
  return {single, either(any_nan, both(longer, apply(ScalarOp::is_nan, quotient))),
          both(longer, apply(ScalarOp::is_inf, quotient))};
}

void refuse_logical_part(Lowerer& l, ValueId value, Span span) {
  if (l.type(value).element == Element::logical)
    l.fail(span, "invalid types found in range expression: a logical value is no part of a range; double(x) is one");
}

}  // namespace

Element Lowerer::element_of_number(double value) const {
  return std::trunc(value) == value && std::abs(value) <= largest_exact ? Element::integer : graph.precision;
}

ValueId Lowerer::lower_number(double value) { return builder.constant(value, element_of_number(value)); }

ValueId Lowerer::lower_value(const ast::Expr& expr) { return as_value(lower_expr(expr), expr); }

ValueId Lowerer::as_value(const Binding& value, const ast::Expr& expr) {
  if (value.is_text())
    fail(expr.span, "a string cannot be used as a matrix here: compare strings with strcmp, read codes with double");
  if (value.is_function()) fail(expr.span, "a function handle cannot be used as a matrix here");
  if (value.is_bytes()) fail(expr.span, std::string(bytes_remedy));
  if (!value.is_matrix()) throw LowerError{};
  return value.value;
}

Binding Lowerer::lower_expr(const ast::Expr& expr) {
  const std::vector<Binding> values = lower_multi(expr, 1);
  if (values.empty()) fail(expr.span, "value on the right hand side of the assignment not defined");
  return values.front();
}

std::vector<Binding> Lowerer::lower_multi(const ast::Expr& expr, int nargout) {
  const LocationId outer = builder.location;
  const auto one = [&](ValueId value) {
    builder.location = outer;
    return std::vector<Binding>{Binding::matrix(value)};
  };
  if (const auto* node = std::get_if<ast::Paren>(&expr.node)) return lower_multi(*node->inner, nargout);
  if (const auto* node = std::get_if<ast::Number>(&expr.node)) return one(lower_number(node->value));
  if (const auto* node = std::get_if<ast::String>(&expr.node))
    return {Binding::string(node->text, node->double_quoted)};
  if (const auto* node = std::get_if<ast::Identifier>(&expr.node)) {
    if (frame->env.count(node->name) != 0 || frame->assigned.count(node->name) != 0)
      return {lookup(node->name, expr.span)};
    return call_named(node->name, {}, nargout, expr.span, expr.span);
  }
  if (const auto* node = std::get_if<ast::Index>(&expr.node)) {
    std::vector<Binding> values = call(*node->callee, node->args, nargout, expr.span);
    builder.location = outer;
    return values;
  }
  if (const auto* node = std::get_if<ast::AnonymousFunction>(&expr.node)) {
    auto closure = std::make_shared<Closure>();
    closure->anonymous = node;
    closure->span = expr.span;
    std::set<std::string> names;
    read_names(*node->body, names);
    for (const ast::Parameter& parameter : node->params) names.erase(parameter.name.text);
    for (const std::string& name : names)
      if (frame->env.count(name)) closure->captured[name] = lookup(name, expr.span);
    return {Binding::handle(closure)};
  }
  if (const auto* node = std::get_if<ast::FunctionHandle>(&expr.node)) {
    auto closure = std::make_shared<Closure>();
    closure->name = node->name.text;
    closure->span = expr.span;
    return {Binding::handle(closure)};
  }
  if (const auto* node = std::get_if<ast::Range>(&expr.node)) {
    const RangeParts parts = range_parts(*node);
    builder.location = locate(expr.span);
    if (const auto fact = exact_range(parts)) {
      const ValueId first = builder.size(fact->first);
      if (fact->count.is(1)) return one(first);
      ValueId value = builder.iota(Axis::cols, 1, fact->count);
      if (!fact->step.is(1)) value = builder.map(ScalarOp::mul, value, builder.size(fact->step));
      if (!fact->first.is(0)) value = builder.map(ScalarOp::add, value, first);
      facts.ranges.insert_or_assign(value, *fact);
      facts.written_ranges[value] = {first, builder.size(fact->step), builder.size(fact->last)};
      return one(value);
    }
    return one(range_value(parts, expr.span));
  }
  if (const auto* node = std::get_if<ast::Unary>(&expr.node)) {
    if (node->op == ast::UnaryOp::increment || node->op == ast::UnaryOp::decrement)
      return one(step_variable(*node->operand, node->op == ast::UnaryOp::increment, true, node->op_span));
    const ValueId operand = lower_value(*node->operand);
    builder.location = locate(expr.span);
    if (node->op == ast::UnaryOp::plus) {
      const bool logical = type(operand).element == Element::logical && type(operand).is_dense();
      return one(logical ? builder.convert(operand, Element::integer) : operand);
    }
    if (node->op == ast::UnaryOp::minus) return one(negate(operand, expr.span));
    return one(elementwise(ScalarOp::logical_not, {operand}, expr.span, "!"));
  }
  if (const auto* node = std::get_if<ast::Postfix>(&expr.node)) {
    if (node->op == ast::PostfixOp::increment || node->op == ast::PostfixOp::decrement)
      return one(step_variable(*node->operand, node->op == ast::PostfixOp::increment, false, node->op_span));
    const ValueId operand = lower_value(*node->operand);
    builder.location = locate(expr.span);
    return one(transpose(operand));
  }
  if (const auto* node = std::get_if<ast::Binary>(&expr.node)) {
    builder.location = locate(expr.span);
    if (node->op == ast::BinaryOp::short_and || node->op == ast::BinaryOp::short_or)
      return one(short_circuit(*node, condition(*node->left), &Lowerer::condition));
    const ValueId left = lower_value(*node->left);
    const ValueId right = lower_value(*node->right);
    builder.location = locate(expr.span);
    operands_ = {node->left->span, node->right->span, node->op_span, expr.span, left, right};
    return one(binary(node->op, left, right, expr.span));
  }
  if (const auto* node = std::get_if<ast::Matrix>(&expr.node)) {
    builder.location = locate(expr.span);
    const Binding value = lower_matrix(*node, expr.span);
    builder.location = outer;
    return {value};
  }
  if (std::holds_alternative<ast::End>(expr.node)) {
    if (ends.empty()) fail(expr.span, "'end' outside of an index");
    const EndContext& context = ends.back();
    const Type& t = type(context.value);
    return one(builder.size(context.count == 1      ? t.count()
                            : context.position == 0 ? t.rows
                            : context.position == 1 ? t.cols
                                                    : Size(1)));
  }
  fail(expr.span, "':' can only be used as an index");
}

// ++x and x++: the variable, or elements of it, after and before the step.
ValueId Lowerer::step_variable(const ast::LValue& target, bool up, bool after, Span op_span) {
  if (!names_stepped_in(target).empty())
    fail(target.span,
         "++ and -- in the subscripts of what ++ or -- steps are not supported: write a statement of its own");
  const auto name = std::make_shared<ast::Expr>(ast::Expr{target.name.span, ast::Identifier{target.name.text}});
  const ValueId old =
      lower_value(target.args ? ast::Expr{target.span, ast::Index{name, *target.args, target.span}, 2} : *name);
  builder.location = locate(op_span);
  const ValueId next =
      binary(up ? ast::BinaryOp::add : ast::BinaryOp::subtract, old, builder.constant(1, Element::integer), op_span);
  assign(target, Binding::matrix(next), false);
  return after ? next : old;
}

ValueId Lowerer::step_variable(const ast::Expr& operand, bool up, bool after, Span op_span) {
  const ast::Expr& bare = strip_parens(operand);
  const auto* index = std::get_if<ast::Index>(&bare.node);
  const ast::Expr& named = index ? strip_parens(*index->callee) : bare;
  const auto* identifier = std::get_if<ast::Identifier>(&named.node);
  if (!identifier) fail(op_span, "++ and -- need a variable or elements of one");
  ast::LValue target;
  target.name = {identifier->name, named.span};
  target.span = bare.span;
  if (index) target.args = index->args;
  return step_variable(target, up, after, op_span);
}

Lowerer::RangeParts Lowerer::range_parts(const ast::Range& node) {
  RangeParts parts;
  parts.some = builder.constant(1, Element::logical);
  parts.first = range_part(*node.first, "the base of a range", &parts.some);
  parts.step = node.step ? range_part(*node.step, "the increment of a range", &parts.some)
                         : builder.constant(1, Element::integer);
  parts.last = range_part(*node.last, "the limit of a range", &parts.some);
  return parts;
}

std::optional<RangeFact> Lowerer::exact_range(const RangeParts& parts) {
  if (constant_of(parts.some) == 0.0) return RangeFact{1, 1, 0, 0};
  const auto exact = [&](ValueId part) -> std::optional<Size> {
    if (is_floating(type(part).element)) return std::nullopt;
    return as_size(graph, part);
  };
  if (constant_of(parts.some) != 1.0) return std::nullopt;
  const std::optional<Size> first = exact(parts.first), step = exact(parts.step), last = exact(parts.last);
  if (!first || !step || !last) return std::nullopt;
  if (step->is(0)) return RangeFact{*first, 0, 0, *last};
  if (step->is(1)) return RangeFact{*first, 1, max0(*last - *first + 1), *last};
  if (step->is(-1)) return RangeFact{*first, -1, max0(*first - *last + 1), *last};
  const Size distance = *last - *first;
  if (distance.is_constant() && step->is_constant()) {
    const std::int64_t d = distance.constant(), s = step->constant();
    return RangeFact{*first, *step, (d >= 0) == (s > 0) || d == 0 ? d / s + 1 : 0, *last};
  }
  // floor(distance / step) + 1, in double as Octave counts; a zero step gives an empty range
  const ValueId quotient =
      builder.map(ScalarOp::floor, builder.map(ScalarOp::div, builder.convert(builder.size(distance), Element::real),
                                               builder.convert(builder.size(*step), Element::real)));
  const ValueId known = builder.map(ScalarOp::select, builder.map(ScalarOp::is_finite, quotient), quotient,
                                    builder.constant(-1, Element::real));
  const Size count = as_size(graph, builder.convert(known, Element::integer));
  return RangeFact{*first, *step, max0(count + 1), *last};
}

void Lowerer::warn_of_rounded_range(ValueId whole) {
  if (constant_of(whole) == 1.0) return;
  Message message;
  message.stream = Stream::err;
  message.id = "Octave:noninteger-range-as-index";
  message.format = "non-integer range used as index";
  builder.warn(whole, std::move(message), {});
}

std::optional<RangeFact> Lowerer::subscript_range(const RangeParts& parts, const std::string& invalid) {
  if (is_floating(type(parts.step).element)) return std::nullopt;
  const auto real = [&](ValueId value) { return builder.convert(value, Element::real); };
  const bool single = type(parts.first).element == Element::single || type(parts.last).element == Element::single;
  const ValueId first = real(parts.first), step = real(parts.step), last = real(parts.last);
  const RangeKind kind = kind_of_range(builder, first, step, last);
  require(builder.map(ScalarOp::logical_not, kind.endless), "range with infinite number of elements cannot be stored",
          {});
  ValueId counted = range_count(first, step, last, 3 * (single ? 0x1p-23 : 0x1p-52));
  if (constant_of(parts.some) != 1.0)
    counted = builder.map(ScalarOp::select, parts.some, counted, builder.constant(0, Element::real));
  const Size count = max0(as_size(graph, builder.convert(counted, Element::integer)));
  ValueId from = parts.first;
  if (is_floating(type(from).element)) {
    // NaN is one element, which no matrix has.
    const ValueId none = equal_sizes(count, 0), number = builder.map(ScalarOp::logical_not, kind.unknown);
    const ValueId shown = builder.map(ScalarOp::add, builder.map(ScalarOp::add, first, step), last);
    require(builder.map(ScalarOp::logical_or, none, number), invalid, {shown});
    const ValueId rounded = builder.map(ScalarOp::round, from);
    warn_of_rounded_range(builder.map(ScalarOp::logical_or, none, builder.map(ScalarOp::eq, rounded, from)));
    from = builder.convert(builder.map(ScalarOp::select, builder.map(ScalarOp::is_finite, rounded), rounded,
                                       builder.constant(0, type(rounded).element)),
                           Element::integer);
  } else if (is_floating(type(parts.last).element)) {
    require(builder.map(ScalarOp::logical_not, kind.unknown), invalid, {parts.last});
  }
  const Size begin = as_size(graph, from), by = as_size(graph, parts.step);
  return RangeFact{begin, by, count, begin + by * (count - 1)};
}

ValueId Lowerer::range_value(const RangeParts& parts, Span span) {
  const ValueId value = make_range(parts, span);
  facts.written_ranges[value] = {parts.first, parts.step, parts.last};
  return value;
}

// Literals stay double here, whatever the precision: 0:0.1:0.5 has six elements in single too. What may have no
// elements is read as 0 then.
ValueId Lowerer::range_part(const ast::Expr& expr, const std::string& what, ValueId* some) {
  if (const auto number = literal_number(expr)) {
    const bool integer = std::trunc(*number) == *number && std::abs(*number) <= largest_exact;
    return builder.constant(*number, integer ? Element::integer : Element::real);
  }
  const ValueId value = lower_value(expr);
  refuse_logical_part(*this, value, expr.span);
  const Type t = type(value);
  const bool surely_some = facts.nonnegative(graph, t.rows - 1) && facts.nonnegative(graph, t.cols - 1);
  if (!some || surely_some) return as_scalar(value, expr.span, what);
  const ValueId none = equal_sizes(t.count(), 0);
  *some = builder.map(ScalarOp::logical_and, *some, builder.map(ScalarOp::logical_not, none));
  if (constant_of(none) == 1.0) return builder.constant(0, Element::integer);
  const ValueId one = builder.map(ScalarOp::logical_and, equal_sizes(t.rows, 1), equal_sizes(t.cols, 1));
  require(builder.map(ScalarOp::logical_or, none, one), what + " must be a scalar, but is %dx%d",
          {builder.size(t.rows), builder.size(t.cols)});
  const ValueId resized = builder.resize(dense(value), t.rows + 1, t.cols + 1);  // of nothing, one zero
  return builder.index(resized, Subscripts{{{SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1);
}

// The number of elements of first:step:last, counted in double with Octave's tolerance of three units in the last place
// (Range.cc: xnumel_internal, xtfloor).
ValueId Lowerer::range_count(ValueId first, ValueId step, ValueId last, double tolerance) {
  const auto number = [&](double value) { return builder.constant(value, Element::real); };
  const auto apply = [&](ScalarOp op, auto... operands) { return builder.map(op, {operands...}); };
  const ValueId slack = number(tolerance), cap = number(1 / (2 - tolerance)), unit = number(1);
  const auto equal = [&](ValueId a, ValueId b) {
    const ValueId larger = apply(ScalarOp::max, apply(ScalarOp::abs, a), apply(ScalarOp::abs, b));
    return apply(ScalarOp::lt, apply(ScalarOp::abs, apply(ScalarOp::sub, a, b)), apply(ScalarOp::mul, larger, slack));
  };
  const auto element = [&](ValueId count) {  // the one after `count` elements
    return apply(ScalarOp::add, first, apply(ScalarOp::mul, count, step));
  };
  const ValueId distance = apply(ScalarOp::sub, last, first);
  const ValueId ratio = apply(ScalarOp::div, apply(ScalarOp::add, distance, step), step);
  // A floor that takes what is just below an integer for that integer.
  const ValueId size = apply(ScalarOp::abs, apply(ScalarOp::add, unit, apply(ScalarOp::floor, ratio)));
  const ValueId nudge = apply(ScalarOp::max, apply(ScalarOp::min, apply(ScalarOp::mul, size, slack), cap), slack);
  const ValueId nudged = apply(ScalarOp::floor, apply(ScalarOp::add, ratio, nudge));
  const ValueId exact = apply(ScalarOp::logical_or, apply(ScalarOp::le, ratio, number(0)),
                              apply(ScalarOp::lt, apply(ScalarOp::sub, nudged, ratio), cap));
  const ValueId floored = apply(ScalarOp::select, exact, nudged, apply(ScalarOp::sub, nudged, unit));
  const ValueId count = apply(ScalarOp::max, floored, number(0));
  // One more or one less where that element is the limit.
  const ValueId less = apply(ScalarOp::sub, count, unit), more = apply(ScalarOp::add, count, unit);
  const ValueId adjusted = apply(ScalarOp::select, equal(element(less), last), count,
                                 apply(ScalarOp::select, equal(element(apply(ScalarOp::sub, less, unit)), last), less,
                                       apply(ScalarOp::select, equal(element(count), last), more, count)));
  const ValueId towards = apply(ScalarOp::ge, apply(ScalarOp::mul, distance, step), number(0));
  const ValueId valid = apply(ScalarOp::logical_and, apply(ScalarOp::is_finite, ratio), towards);
  const RangeKind kind = kind_of_range(builder, first, step, last);
  return apply(ScalarOp::select, apply(ScalarOp::logical_or, kind.unknown, kind.single), unit,
               apply(ScalarOp::select, valid, adjusted, number(0)));
}

// first + i * step; the last element never passes the limit. Where a limit or the step is NaN, so is the one element.
ValueId Lowerer::make_range(const RangeParts& range, Span span) {
  const auto [first, step, last, some] = range;
  ValueId parts[3] = {first, step, last};
  bool single = false, floating = false;
  for (ValueId part : parts) {
    single = single || type(part).element == Element::single;
    floating = floating || is_floating(type(part).element);
  }
  const auto real = [&](ValueId value) { return builder.convert(value, Element::real); };
  const double tolerance = 3 * (single ? 0x1p-23 : 0x1p-52);
  ValueId counted = range_count(real(first), real(step), real(last), tolerance);
  if (constant_of(some) != 1.0)
    counted = builder.map(ScalarOp::select, some, counted, builder.constant(0, Element::real));
  const Size count = max0(as_size(graph, builder.convert(counted, Element::integer)));
  const RangeKind kind = kind_of_range(builder, real(first), real(step), real(last));
  ValueId whole = builder.constant(1, Element::logical);  // integers are rounded to, and the limit is no bound
  for (const ValueId part : {first, step})
    if (is_floating(type(part).element))
      whole =
          builder.map(ScalarOp::logical_and, whole, builder.map(ScalarOp::eq, part, builder.map(ScalarOp::fix, part)));
  const auto constant = [&](double value) { return builder.constant(value, type(parts[1]).element); };
  if (floating) {
    require(builder.map(ScalarOp::logical_not, kind.endless), "range with infinite number of elements cannot be stored",
            {});
    for (ValueId& part : parts) part = builder.convert(part, single ? Element::single : graph.precision);
  }
  const ValueId rising = builder.map(ScalarOp::gt, parts[1], constant(0));
  if (floating && constant_of(kind.single) != 0.0) {  // 0 * Inf is no number, and the step counts for nothing
    parts[1] = builder.map(ScalarOp::select, builder.map(ScalarOp::is_inf, parts[1]), constant(1), parts[1]);
  }
  const ValueId positions = builder.iota(Axis::cols, 1, count);
  const ValueId elements =
      elementwise(ScalarOp::add, {parts[0], elementwise(ScalarOp::mul, {positions, parts[1]}, span, "*")}, span, "+");
  if (!floating) return elements;
  const auto limited = [&](ScalarOp op) {
    const ValueId beyond = constant(op == ScalarOp::min ? infinity : -infinity);
    const ValueId limit = builder.map(ScalarOp::select, whole, beyond, parts[2]);
    const ValueId inside = elementwise(op, {elements, limit}, span, ":");
    if (constant_of(kind.unknown) == 0.0 && constant_of(whole) == 1.0) return elements;
    if (constant_of(kind.unknown) == 0.0) return inside;
    return elementwise(ScalarOp::select, {kind.unknown, constant(std::numeric_limits<double>::quiet_NaN()), inside},
                       span, ":");
  };
  if (const auto known = constant_of(rising)) return limited(*known != 0 ? ScalarOp::min : ScalarOp::max);
  return elementwise(ScalarOp::select, {rising, limited(ScalarOp::min), limited(ScalarOp::max)}, span, ":");
}

}  // namespace lac::frontend
