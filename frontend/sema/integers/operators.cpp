// Operators where an operand is of an integer class.
#include "frontend/sema/values/operators.h"

#include <cmath>

#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
std::string not_implemented(const Emitter& e, ast::BinaryOp op, const Binding& a, const Binding& b) {
  return "binary operator '" + std::string(ast::spelling(op)) + "' not implemented for '" + operand_name(e, a) +
         "' by '" + operand_name(e, b) + "' operations";
}

namespace {

using ast::BinaryOp;

/// What an operator computes for two numbers. Those of matrices exist where one operand, of a quotient the divisor, of
/// a power both, is 1x1.
struct IntegerOperator {
  BinaryOp op;
  ScalarOp function;
  enum class Scalars : std::uint8_t { none, either, left, right, both } needs;
  bool turned = false;  ///< a \ b is b / a
};

constexpr IntegerOperator operators[] = {
    {BinaryOp::add, ScalarOp::add, IntegerOperator::Scalars::none},
    {BinaryOp::subtract, ScalarOp::sub, IntegerOperator::Scalars::none},
    {BinaryOp::times, ScalarOp::mul, IntegerOperator::Scalars::none},
    {BinaryOp::element_divide, ScalarOp::div, IntegerOperator::Scalars::none},
    {BinaryOp::element_left_divide, ScalarOp::div, IntegerOperator::Scalars::none, true},
    {BinaryOp::element_power, ScalarOp::pow, IntegerOperator::Scalars::none},
    {BinaryOp::multiply, ScalarOp::mul, IntegerOperator::Scalars::either},
    {BinaryOp::divide, ScalarOp::div, IntegerOperator::Scalars::right},
    {BinaryOp::left_divide, ScalarOp::div, IntegerOperator::Scalars::left, true},
    {BinaryOp::power, ScalarOp::pow, IntegerOperator::Scalars::both},
};

const IntegerOperator* arithmetic_of(BinaryOp op) {
  for (const IntegerOperator& entry : operators)
    if (entry.op == op) return &entry;
  return nullptr;
}

void require_scalars(Emitter& e, const IntegerOperator& entry, const Binding& a, const Binding& b, Span span) {
  using Scalars = IntegerOperator::Scalars;
  if (entry.needs == Scalars::none) return;
  const auto is_scalar = [&](const Binding& value) {
    const Type t = e.type(value.value);
    return e.builder.map(ScalarOp::logical_and, e.equal_sizes(t.rows, 1), e.equal_sizes(t.cols, 1));
  };
  const ValueId left = is_scalar(a), right = is_scalar(b);
  const ValueId fine =
      entry.needs == Scalars::left ? left
      : entry.needs == Scalars::right
          ? right
          : e.builder.map(entry.needs == Scalars::both ? ScalarOp::logical_and : ScalarOp::logical_or, left, right);
  const auto known = e.constant_of(fine);
  if (known == 1.0) return;
  const std::string message = not_implemented(e, entry.op, a, b);
  if (known == 0.0) e.fail(span, message);
  e.require(fine, message, {}, "Octave:undefined-function");
}

/// The numbers of an operand in double. Next to a 64-bit class a number is whole, as Octave reckons in more digits
/// there than a double has.
ValueId operand(Emitter& e, IntegerClass result, ScalarOp function, const Binding& value) {
  const IntegerClassInfo& to = info(result);
  if (value.is_integer()) return value.value;
  const ValueId numbers = dense(e, value.value);
  if (!is_floating(e.type(numbers).element)) return numbers;
  const ValueId doubles = exact(e, numbers);
  if (!to.is_wide() || function == ScalarOp::pow) return doubles;
  if (function == ScalarOp::add || function == ScalarOp::sub) return whole_numbers(e, result, doubles);
  ValueId whole = e.builder.map(ScalarOp::eq, doubles, e.builder.map(ScalarOp::round, doubles));
  if (!e.type(whole).is_scalar()) whole = e.builder.reduce(whole, {ReduceOp::all, Axis::all});
  e.refuse_unless(whole, std::string(to.name) +
                             ": products and quotients with a number that is not whole are outside the language: " +
                             "compute with double(x)");
  return doubles;
}

/// Quotients of 64-bit classes round right up to here.
constexpr double widest_quotient = 2251799813685248.0;  // 2^51

void require_narrow(Emitter& e, IntegerClass result, ValueId numbers) {
  const Interval known = e.intervals.of(numbers);
  if (known.low >= -widest_quotient && known.high <= widest_quotient) return;
  Builder& b = e.builder;
  ValueId fine =
      b.map(ScalarOp::le, b.map(ScalarOp::abs, numbers), b.constant(widest_quotient, e.type(numbers).element));
  if (!e.type(fine).is_scalar()) fine = b.reduce(fine, {ReduceOp::all, Axis::all});
  e.refuse_unless(fine, std::string(info(result).name) + ": quotients of numbers beyond 2^51 are outside the language");
}

Binding as_numbers(Emitter& e, const Binding& value) {
  return value.is_text() ? Binding::matrix(characters(e, value)) : value.numbers();
}

/// A power of numbers in double. Of a negative number to what is not whole it is 0, what a class makes of NaN.
ValueId power_of_numbers(Emitter& e, ValueId x, ValueId y, Span span, const std::string& name) {
  const auto number = [&](double value) { return e.builder.constant(value, Element::real); };
  const auto apply = [&](ScalarOp op, std::vector<ValueId> operands) {
    return elementwise(e, op, std::move(operands), span, name);
  };
  const Op* made = e.graph.definition(y);
  const auto exponent = e.constant_of(y);
  const bool whole = (exponent && std::trunc(*exponent) == *exponent) ||
                     (made && made->kind == OpKind::convert && !is_floating(e.type(made->operands[0]).element));
  if (whole || e.intervals.of(x).low >= 0) return apply(ScalarOp::pow, {x, y});
  const ValueId size = apply(ScalarOp::pow, {e.builder.map(ScalarOp::abs, x), y});
  const ValueId negative = e.builder.map(ScalarOp::lt, x, number(0));
  const ValueId broken = e.builder.map(ScalarOp::ne, y, e.builder.map(ScalarOp::fix, y));
  const ValueId odd = e.builder.map(ScalarOp::eq, e.builder.map(ScalarOp::mod, y, number(2)), number(1));
  const ValueId of_negative = apply(
      ScalarOp::select, {broken, number(0), apply(ScalarOp::select, {odd, e.builder.map(ScalarOp::neg, size), size})});
  return apply(ScalarOp::select, {negative, of_negative, size});
}

Binding arithmetic(Emitter& e, const IntegerOperator& entry, const Binding& a, const Binding& b, Span span) {
  const bool both = a.is_integer() && b.is_integer();
  const bool fits = (a.is_integer() || a.is_matrix()) && (b.is_integer() || b.is_matrix());
  if (!fits || (both && a.integer_class != b.integer_class)) e.fail(span, not_implemented(e, entry.op, a, b));
  for (const Binding* each : {&a, &b})
    if (each->is_matrix() && e.type(each->value).is_sparse()) e.fail(span, not_implemented(e, entry.op, a, b));
  require_scalars(e, entry, a, b, span);
  note_class(e, a);
  note_class(e, b);
  const IntegerClass result = integer_class_of({a, b});
  const std::string name(ast::spelling(entry.op));
  ValueId x = operand(e, result, entry.function, entry.turned ? b : a);
  ValueId y = operand(e, result, entry.function, entry.turned ? a : b);
  if (entry.function == ScalarOp::pow) {
    const auto exponent = e.constant_of(y);
    if (exponent == 2.0) return saturated(e, result, elementwise(e, ScalarOp::mul, {x, x}, span, name));
  }
  const bool in_double = entry.function == ScalarOp::div || entry.function == ScalarOp::pow ||
                         is_floating(e.type(x).element) || is_floating(e.type(y).element);
  if (in_double) {
    if (info(result).is_wide() && entry.function == ScalarOp::div) require_narrow(e, result, x);
    x = exact(e, x);
    y = exact(e, y);
  }
  if (entry.function == ScalarOp::pow) return saturated(e, result, power_of_numbers(e, x, y, span, name));
  return saturated(e, result, elementwise(e, entry.function, {x, y}, span, name));
}

}  // namespace

Binding integer_binary(Emitter& e, BinaryOp op, const Binding& given_a, const Binding& given_b, Span span) {
  const Binding a = given_a.is_text() ? as_numbers(e, given_a) : given_a;
  const Binding b = given_b.is_text() ? as_numbers(e, given_b) : given_b;
  if (const IntegerOperator* entry = arithmetic_of(op)) return arithmetic(e, *entry, a, b, span);
  const bool fits = (a.is_integer() || a.is_matrix()) && (b.is_integer() || b.is_matrix());
  if (!fits) e.fail(span, not_implemented(e, op, a, b));
  return Binding::matrix(binary(e, op, dense(e, a.value), dense(e, b.value), span));
}

Binding integer_negate(Emitter& e, const Binding& value, Span span) {
  return saturated(e, value.integer_class, elementwise(e, ScalarOp::neg, {value.value}, span, "-"));
}

}  // namespace lac::frontend
