// Expressions: literals, ranges, matrix literals.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "frontend/sema/lowerer.h"

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

/// A number as written, with its sign; nothing for 0, whose sign counts.
std::optional<double> signed_number(const ast::Expr& expr) {
  if (const auto* number = std::get_if<ast::Number>(&expr.node)) return number->value;
  if (const auto* paren = std::get_if<ast::Paren>(&expr.node)) return signed_number(*paren->inner);
  const auto* unary = std::get_if<ast::Unary>(&expr.node);
  if (!unary || (unary->op != ast::UnaryOp::minus && unary->op != ast::UnaryOp::plus)) return std::nullopt;
  const std::optional<double> number = signed_number(*unary->operand);
  if (!number || *number == 0) return std::nullopt;
  return unary->op == ast::UnaryOp::minus ? -*number : *number;
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
  const ValueId resized = builder.resize(dense(value), 1, 1);
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

Binding Lowerer::lower_matrix(const ast::Matrix& node, Span span) {
  if (node.rows.empty()) return Binding::matrix(builder.fill(builder.constant(0, graph.precision), 0, 0));
  if (const auto table = table_of_numbers(node)) return Binding::matrix(*table);
  std::vector<std::vector<Binding>> elements;
  bool all_scalars = true, any_text = false;
  for (const auto& row : node.rows) {
    std::vector<Binding>& items = elements.emplace_back();
    for (const ast::ExprPtr& item : row) {
      items.push_back(lower_expr(*item));
      const Binding& value = items.back();
      any_text = any_text || value.is_text();
      if (value.is_function()) fail(item->span, "a function handle cannot be an element of a matrix");
      if (value.is_bytes()) fail(item->span, std::string(bytes_remedy));
      if (!value.is_matrix() && !value.is_text()) throw LowerError{};
      all_scalars = all_scalars && value.is_matrix() && type(value.value).is_scalar();
    }
  }
  builder.location = locate(span);
  if (any_text) {
    std::vector<Binding> lines;
    for (const auto& row : elements) lines.push_back(join_strings(row, span));
    return stack_strings(lines, span);
  }
  std::vector<ValueId> rows;
  std::vector<std::vector<ValueId>> scalars;
  for (const auto& row : elements) {
    std::vector<ValueId>& items = scalars.emplace_back();
    for (const Binding& item : row) items.push_back(item.value);
  }
  const std::size_t width = scalars.front().size();
  for (const auto& row : scalars) all_scalars = all_scalars && row.size() == width;
  if (all_scalars) {
    if (scalars.size() == 1 && width == 1) return elements[0][0];
    std::vector<ValueId> items;
    for (std::size_t j = 0; j < width; ++j)
      for (const auto& row : scalars) items.push_back(row[j]);
    return Binding::matrix(literal(items, static_cast<std::int64_t>(scalars.size()), static_cast<std::int64_t>(width)));
  }
  for (auto& row : scalars) rows.push_back(concatenate(std::move(row), Axis::cols, span));
  return Binding::matrix(concatenate(std::move(rows), Axis::rows, span));
}

namespace {

// Parts that all are 0x0, 1x0 or 0x1, as Octave joins them one after the other: a 0x0 gives way to what follows, two
// others that differ make a 0x0.
ValueId join_nothing(Lowerer& l, const std::vector<ValueId>& parts, bool along_cols) {
  Size rows = 0, cols = 0;
  Element element = l.graph.type(parts.front()).element;
  for (ValueId part : parts) {
    const Type t = l.graph.type(part);
    element = join(element, t.element);
    const ValueId skipped = l.equal_sizes(t.rows + t.cols, 0), first = l.equal_sizes(rows + cols, 0);
    const ValueId fits = along_cols ? l.equal_sizes(t.rows, rows) : l.equal_sizes(t.cols, cols);
    const ValueId clash = l.equal_sizes(rows + cols, 1);
    const auto next = [&](const Size& so_far, const Size& of_part, bool along) {
      const Size joined = along ? so_far + of_part : so_far;
      return l.chosen(skipped, so_far, l.chosen(first, of_part, l.chosen(fits, joined, l.chosen(clash, 0, so_far))));
    };
    std::tie(rows, cols) = std::pair(next(rows, t.rows, !along_cols), next(cols, t.cols, along_cols));
  }
  return l.builder.fill(l.builder.constant(0, element), rows, cols);
}

}  // namespace

// A literal of numbers and nothing else, as people paste data: no op for each of them.
std::optional<ValueId> Lowerer::table_of_numbers(const ast::Matrix& node) {
  const std::size_t width = node.rows.front().size();
  if (width == 0) return std::nullopt;
  std::vector<double> numbers(node.rows.size() * width);
  Element element = Element::integer;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    if (node.rows[i].size() != width) return std::nullopt;
    for (std::size_t j = 0; j < width; ++j) {
      const std::optional<double> number = signed_number(*node.rows[i][j]);
      if (!number) return std::nullopt;
      element = join(element, element_of_number(*number));
      numbers[j * node.rows.size() + i] = *number;
    }
  }
  return builder.table(std::move(numbers), element, static_cast<std::int64_t>(node.rows.size()),
                       static_cast<std::int64_t>(width));
}

// The step of a literal takes its operands one by one: many go to it in parts, and runs of constants as tables.
ValueId Lowerer::literal(const std::vector<ValueId>& items, std::int64_t rows, std::int64_t cols) {
  constexpr std::size_t most_operands = 64, table_pays = 8;
  Element element = type(items.front()).element;
  for (ValueId item : items) element = join(element, type(item).element);
  const auto table = [&](std::size_t first, std::size_t last, std::int64_t height, std::int64_t width) {
    std::vector<double> numbers;
    for (std::size_t i = first; i < last; ++i) numbers.push_back(*constant_of(items[i]));
    return builder.table(std::move(numbers), element, height, width);
  };
  const auto constants_from = [&](std::size_t first) {
    while (first < items.size() && constant_of(items[first])) ++first;
    return first;
  };
  if (constants_from(0) == items.size()) return table(0, items.size(), rows, cols);
  std::vector<ValueId> converted, parts, loose;
  for (ValueId item : items) converted.push_back(builder.convert(item, element));
  const auto step = [&](const std::vector<ValueId>& operands, const Size& height, const Size& width) {
    return builder.library(LibraryFn::literal, operands, {Type::matrix(element, height, width)})[0];
  };
  const auto column = [&](const std::vector<ValueId>& operands) {
    if (operands.size() == 1) return operands.front();
    Size count = 0;
    for (ValueId operand : operands) count = count + type(operand).count();
    return step(operands, count, 1);
  };
  const auto gather = [&] {
    if (!loose.empty()) parts.push_back(column(loose));
    loose.clear();
  };
  if (items.size() <= most_operands) parts = converted;
  for (std::size_t i = 0; items.size() > most_operands && i < items.size();) {
    if (const std::size_t end = constants_from(i); end - i >= table_pays) {
      gather();
      parts.push_back(table(i, end, static_cast<std::int64_t>(end - i), 1));
      i = end;
      continue;
    }
    loose.push_back(converted[i++]);
    if (loose.size() == most_operands) gather();
  }
  gather();
  while (parts.size() > most_operands) {
    std::vector<ValueId> fewer;
    for (std::size_t i = 0; i < parts.size(); i += most_operands)
      fewer.push_back(column({parts.begin() + static_cast<std::ptrdiff_t>(i),
                              parts.begin() + static_cast<std::ptrdiff_t>(std::min(i + most_operands, parts.size()))}));
    parts = std::move(fewer);
  }
  const ValueId value = step(parts, rows, cols);
  facts.literals[value] = converted;
  return value;
}

std::optional<std::vector<double>> Lowerer::numbers_of(ValueId value) const {
  const Op* op = graph.definition(value);
  while (op && op->kind == OpKind::transpose && type(value).is_vector()) {  // the order is the same
    value = op->operands[0];
    op = graph.definition(value);
  }
  const auto numbers = constant_elements(graph, value);
  if (!numbers) return std::nullopt;
  return std::vector<double>(numbers->begin(), numbers->end());
}

std::optional<std::vector<ValueId>> Lowerer::written_elements(ValueId value) {
  if (const auto known = facts.literals.find(value); known != facts.literals.end()) return known->second;
  if (type(value).is_scalar()) return std::nullopt;
  const auto numbers = numbers_of(value);
  if (!numbers) return std::nullopt;
  std::vector<ValueId> elements;
  for (double number : *numbers) elements.push_back(builder.constant(number, type(value).element));
  return elements;
}

ValueId Lowerer::concatenate(std::vector<ValueId> parts, Axis axis, Span span) {
  for (ValueId part : parts)
    if (type(part).is_sparse()) return sparse_concatenate(parts, axis, span);
  const bool along_cols = axis == Axis::cols;
  const auto across = [&](ValueId value) { return along_cols ? type(value).rows : type(value).cols; };
  // What has no elements and at most one extent of 1 disappears where it does not fit; [] always does.
  const auto surely_some = [&](ValueId value) {
    return facts.nonnegative(graph, type(value).rows + type(value).cols - 2);
  };
  std::vector<ValueId> kept;
  for (ValueId part : parts)
    if (!(type(part).rows.is(0) && type(part).cols.is(0))) kept.push_back(part);
  if (kept.empty()) return parts.front();
  // What disappears still has its class: [[] true] is numeric.
  const auto with_class_of_all = [&](ValueId joined) {
    const bool number = std::ranges::any_of(parts, [&](ValueId p) { return type(p).element != Element::logical; });
    return number && type(joined).element == Element::logical ? builder.convert(joined, Element::integer) : joined;
  };
  if (kept.size() == 1) return with_class_of_all(kept.front());
  const auto surely_none = [&](ValueId value) {
    return facts.nonnegative(graph, Size(1) - type(value).rows - type(value).cols);
  };
  if (std::ranges::all_of(kept, surely_none)) return with_class_of_all(join_nothing(*this, kept, along_cols));
  const auto first_sure = std::find_if(kept.begin(), kept.end(), surely_some);
  const Size extent = first_sure != kept.end() ? across(*first_sure) : extent_of_first(kept, along_cols);
  std::vector<ValueId> joined;
  const std::string kind = along_cols ? "horizontal" : "vertical";
  const ValueId shown = first_sure != kept.end() ? *first_sure : kept[0];
  for (ValueId& part : kept) {
    const Type t = type(part);
    if (!surely_some(part) && across(part) != extent) {
      const Size elements = t.rows + t.cols;
      const Size along = along_cols ? t.cols : t.rows;
      if (along.is(0) && facts.nonnegative(graph, Size(1) - elements)) continue;
      const ValueId fits =
          builder.map(ScalarOp::logical_or, equal_sizes(across(part), extent),
                      builder.map(ScalarOp::le, builder.size(elements), builder.constant(1, Element::integer)));
      require(
          fits, kind + " dimensions mismatch (%dx%d vs %dx%d)",
          {builder.size(type(shown).rows), builder.size(type(shown).cols), builder.size(t.rows), builder.size(t.cols)},
          "Octave:nonconformant-args");
      // A 0x1 that disappears in a row, or a 1x0 in a column, has an extent along the axis.
      const Size kept_along = chosen(equal_sizes(across(part), extent), along, 0);
      joined.push_back(builder.reshape(part, along_cols ? extent : kept_along, along_cols ? kept_along : extent));
      continue;
    }
    if (facts.distinct(graph, extent, across(part)))
      fail(span, kind + " dimensions mismatch (" + shape_text(shown) + " vs " + shape_text(part) + ")",
           shape_notes(span, shown, part));
    require_equal(extent, across(part), span,
                  kind + " dimensions mismatch (" + shape_text(shown) + " vs " + shape_text(part) + ")",
                  {type(shown).rows, type(shown).cols, t.rows, t.cols}, kind + " dimensions mismatch (%dx%d vs %dx%d)");
    joined.push_back(part);
  }
  if (joined.size() == 1) return with_class_of_all(joined.front());
  if (const auto table = joined_tables(joined, axis)) return with_class_of_all(*table);
  return with_class_of_all(builder.concat(joined, axis));
}

// Parts of a literal that are numbers themselves: one table, up to a size that a text may double its way to.
std::optional<ValueId> Lowerer::joined_tables(const std::vector<ValueId>& parts, Axis axis) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::vector<std::span<const double>> pieces;
  Element element = type(parts.front()).element;
  std::size_t count = 0;
  for (ValueId part : parts) {
    const auto numbers = constant_elements(graph, part);
    if (!numbers) return std::nullopt;
    pieces.push_back(*numbers);
    count += numbers->size();
    element = join(element, type(part).element);
  }
  if (count > most - tables_joined_) return std::nullopt;
  tables_joined_ += count;
  std::vector<double> joined;
  joined.reserve(count);
  std::size_t cols = 0, rows = 0;
  const auto rows_of = [&](std::size_t i) { return static_cast<std::size_t>(type(parts[i]).rows.constant()); };
  if (axis == Axis::cols) {
    rows = rows_of(0);
    for (std::span<const double> piece : pieces) joined.insert(joined.end(), piece.begin(), piece.end());
    cols = rows == 0 ? 0 : count / rows;
  } else {
    cols = static_cast<std::size_t>(type(parts.front()).cols.constant());
    rows = cols == 0 ? 0 : count / cols;
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto column = pieces[i].subspan(j * rows_of(i), rows_of(i));
        joined.insert(joined.end(), column.begin(), column.end());
      }
  }
  if (count == 0) return std::nullopt;
  return builder.table(std::move(joined), element, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols));
}

// Of values that may all be empty: the extent across the axis of the first with elements, else the largest.
Size Lowerer::extent_of_first(const std::vector<ValueId>& values, bool along_cols) {
  const auto across = [&](ValueId value) { return along_cols ? type(value).rows : type(value).cols; };
  bool alike = true;
  for (ValueId value : values) alike = alike && across(value) == across(values.front());
  if (alike) return across(values.front());
  ValueId extent = builder.constant(0, Element::integer);
  for (ValueId value : values) extent = builder.map(ScalarOp::max, extent, builder.size(across(value)));
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    const ValueId some = builder.map(ScalarOp::gt, builder.size(type(*value).rows + type(*value).cols),
                                     builder.constant(1, Element::integer));
    extent = builder.map(ScalarOp::select, some, builder.size(across(*value)), extent);
  }
  const Size size = as_size(graph, extent);
  if (const auto symbol = size.as_symbol()) graph.symbols[*symbol].lower = 0;
  return size;
}

}  // namespace lac::frontend
