// Functions of one element at a time: a table of names and scalar functions.
#include "frontend/sema/values/elementwise.h"

#include <cmath>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/domain.h"
#include "frontend/sema/values/integer_class.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

Element floating(Call& call, ValueId value) {
  const Element element[1] = {call.type(value).element};
  return result_element(call.function, element, call.emit.graph.precision);
}

std::vector<Binding> unary(Call& call) {
  Emitter& e = call.emit;
  const ValueId x = call.matrix(0);
  const bool keeps_diagonal =
      call.function == ScalarOp::abs || call.function == ScalarOp::sqrt;  // as Octave's type does
  if (const auto diagonal = keeps_diagonal ? diagonal_of(e, x) : std::nullopt) {
    const Type t = e.type(x);
    return one(diagonal_matrix(e, elementwise(e, call.function, {*diagonal}, call.span, call.name), t.rows, t.cols));
  }
  return one(elementwise(e, call.function, {x}, call.span, call.name));
}

// realsqrt, reallog: an error where the result would be complex.
std::vector<Binding> real_valued(Call& call) {
  const ValueId x = call.emit.builder.convert(call.dense(0), floating(call, call.dense(0)));
  require_real(call.emit, call.function, x, call.name);
  return one(call.emit.builder.map(call.function, x));
}

// The library gives the logarithm of |gamma|.
std::vector<Binding> log_gamma(Call& call) {
  Emitter& e = call.emit;
  const ValueId x = e.builder.convert(call.dense(0), floating(call, call.dense(0)));
  const ValueId value = elementwise(e, ScalarOp::lgamma, {x}, call.span, call.name);
  const auto apply = [&](ScalarOp op, std::vector<ValueId> operands) {
    return elementwise(e, op, std::move(operands), call.span, call.name);
  };
  const auto number = [&](double constant) { return e.builder.constant(constant, call.type(x).element); };
  const ValueId below = apply(ScalarOp::floor, {x});
  const ValueId odd = apply(ScalarOp::eq, {apply(ScalarOp::mod, {below, number(2)}), number(1)});
  const ValueId between = apply(ScalarOp::logical_and, {apply(ScalarOp::ne, {x, below}), odd});
  const ValueId complex = apply(ScalarOp::logical_and, {apply(ScalarOp::lt, {x, number(0)}), between});
  return one(apply(ScalarOp::select, {complex, number(std::nan("")), value}));
}

std::vector<Binding> binary(Call& call) {
  return one(elementwise(call.emit, call.function, {call.matrix(0), call.matrix(1)}, call.span, call.name));
}

// Of numbers alone: functions that Octave does not define for logical operands.
void refuse_logical(const Call& call) {
  for (std::size_t i = 0; i < call.count(); ++i) {
    const Type t = call.type(call.matrix(i));
    if (t.element == Element::logical)
      call.fail(std::string("wrong type argument '") + (t.is_scalar() ? "bool'" : "bool matrix'"));
  }
}

std::vector<Binding> numeric_binary(Call& call) {
  refuse_logical(call);
  return binary(call);
}

// rem(x, 0) is NaN, so the remainder of integers is one only where the divisor is known not to be zero.
std::vector<Binding> remainder(Call& call) {
  Emitter& e = call.emit;
  const ValueId divisor = call.matrix(1);
  const auto known = e.constant_of(divisor);
  if (call.type(divisor).is_dense() && call.type(divisor).element == Element::integer && !(known && *known != 0))
    call.args[1] = Binding::matrix(e.builder.convert(divisor, e.graph.precision));
  return numeric_binary(call);
}

// 1 / f(x)
std::vector<Binding> reciprocal(Call& call) {
  Emitter& e = call.emit;
  const ValueId value = elementwise(e, call.function, {call.matrix(0)}, call.span, call.name);
  return one(elementwise(e, ScalarOp::div, {e.builder.constant(1, Element::integer), value}, call.span, call.name));
}

// Any number of operands, from the left: and(a, b, c).
std::vector<Binding> chain(Call& call) {
  ValueId value = call.matrix(0);
  for (std::size_t i = 1; i < call.count(); ++i)
    value = elementwise(call.emit, call.function, {value, call.matrix(i)}, call.span, call.name);
  return one(value);
}

// What Octave says of operands that do not fit, where the shapes are known.
std::vector<Binding> exclusive_or(Call& call) {
  Emitter& e = call.emit;
  const auto clash = [&](const Size& a, const Size& b) {
    return e.facts.distinct(e.graph, a, b) && e.facts.not_one(e.graph, a) && e.facts.not_one(e.graph, b);
  };
  for (std::size_t i = 1; i < call.count(); ++i) {
    const Type a = call.type(call.matrix(0)), b = call.type(call.matrix(i));
    if (clash(a.rows, b.rows) || clash(a.cols, b.cols)) call.fail("X and Y must be of compatible size or scalars");
  }
  return chain(call);
}

// bitand, bitor, bitxor: nothing is spread out, and fractions are rounded.
std::vector<Binding> of_bits(Call& call) {
  Emitter& e = call.emit;
  const ValueId a = call.dense(0), b = call.dense(1);
  const Type ta = call.type(a), tb = call.type(b);
  if (ta.element == Element::logical && tb.element == Element::logical) {
    const ScalarOp op = call.function == ScalarOp::bit_and  ? ScalarOp::logical_and
                        : call.function == ScalarOp::bit_or ? ScalarOp::logical_or
                                                            : ScalarOp::logical_xor;
    return one(elementwise(e, op, {a, b}, call.span, call.name));
  }
  if (!ta.is_scalar() && !tb.is_scalar()) {
    const auto both = [&](ValueId x, ValueId y) { return e.builder.map(ScalarOp::logical_and, x, y); };
    const auto either = [&](ValueId x, ValueId y) { return e.builder.map(ScalarOp::logical_or, x, y); };
    const ValueId same = both(e.equal_sizes(ta.rows, tb.rows), e.equal_sizes(ta.cols, tb.cols));
    const ValueId fits = either(same, either(e.equal_sizes(ta.count(), 1), e.equal_sizes(tb.count(), 1)));
    const std::string message = "size of X and Y must match, or one operand must be a scalar";
    if (e.constant_of(fits) == 0.0 && !e.errors) call.fail(message);
    if (e.constant_of(fits) != 1.0) e.require(fits, call.name + ": " + message, {});
  }
  const auto whole = [&](ValueId x) {
    return is_floating(call.type(x).element) ? elementwise(e, ScalarOp::round, {x}, call.span, call.name) : x;
  };
  return one(elementwise(e, call.function, {whole(a), whole(b)}, call.span, call.name));
}

// [f, e] = log2(x): x = f * 2^e with 0.5 <= |f| < 1, and e = 0 where x is 0 or not finite.
std::vector<Binding> log2(Call& call) {
  if (call.nargout < 2) return unary(call);
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId given = call.dense(0);
  const Element element = e.floating(call.type(given).element);
  const bool single = element == Element::single;
  const ValueId value = b.convert(given, element);
  const auto number = [&](double x) { return b.constant(x, element); };
  const auto apply = [&](ScalarOp op, ValueId x, ValueId y) { return b.map(op, x, y); };
  // Subnormal numbers are raised; the power of two below |x| is its spacing times 2^(digits - 1).
  const ValueId subnormal = apply(ScalarOp::lt, b.map(ScalarOp::abs, value), number(single ? 0x1p-126 : 0x1p-1022));
  const ValueId raise = b.map(ScalarOp::select, subnormal, number(single ? 25 : 54), number(0));
  const ValueId factor = b.map(ScalarOp::select, subnormal, number(single ? 0x1p25 : 0x1p54), number(1));
  const ValueId raised = apply(ScalarOp::mul, value, factor);
  const ValueId spacing = call.walk.call_by_name("eps", {Binding::matrix(raised)}, 1, call.span)[0].value;
  const ValueId power = apply(ScalarOp::mul, spacing, number(single ? 0x1p23 : 0x1p52));
  const ValueId usual =
      apply(ScalarOp::logical_and, b.map(ScalarOp::is_finite, value), apply(ScalarOp::ne, value, number(0)));
  const ValueId fraction = apply(ScalarOp::div, apply(ScalarOp::div, raised, power), number(2));
  const ValueId whole = b.map(ScalarOp::round, b.map(ScalarOp::log2, power));
  const ValueId exponent = apply(ScalarOp::sub, apply(ScalarOp::add, whole, number(1)), raise);
  return {Binding::matrix(b.map(ScalarOp::select, usual, fraction, value)),
          Binding::matrix(b.convert(b.map(ScalarOp::select, usual, exponent, number(0)), Element::integer))};
}

std::vector<Binding> hypot(Call& call) {
  refuse_logical(call);
  return chain(call);
}

/// One of two values, of which one is a string at least.
Binding merge_texts(Call& call, ValueId mask) {
  Emitter& e = call.emit;
  const Binding &yes = call.args[1], &no = call.args[2];
  if (!call.type(mask).is_scalar()) call.fail("elements of strings are outside the language: choose with positions");
  if (const auto known = e.constant_of(mask)) return *known != 0 ? yes : no;
  if (!yes.is_text() || !no.is_text())
    call.fail("one is a string and the other is none: which it is must be known while the program is compiled");
  const auto arm = [&](const Binding& text) {
    return [&] { return e.builder.convert(characters(e, text), Element::integer); };
  };
  return Binding::computed_text(branch_value(e, mask, arm(yes), arm(no)), yes.double_quoted && no.double_quoted);
}

std::vector<Binding> merge(Call& call) {
  ValueId mask = call.dense(0);
  if (const Element element = call.type(mask).element; element != Element::logical)
    mask = call.emit.builder.map(ScalarOp::ne, mask, call.emit.builder.constant(0, element));
  Emitter& e = call.emit;
  if (call.is_text(1) || call.is_text(2)) return {merge_texts(call, mask)};
  ValueId yes = call.dense(1), no = call.dense(2);
  if (call.type(mask).is_scalar()) {  // one of the two, each with its own shape
    if (call.type(yes).same_shape(call.type(no)))
      return one(elementwise(e, ScalarOp::select, {mask, yes, no}, call.span, call.name));
    return one(branch_value(
        e, mask, [&] { return yes; }, [&] { return no; }));
  }
  if (call.type(yes).element == Element::logical || call.type(no).element == Element::logical)
    call.fail("cannot merge " + std::string(class_name(call.type(yes).element)) + " with " +
              std::string(class_name(call.type(no).element)) + " with array mask; write 0 + TVAL and 0 + FVAL");
  const Type m = call.type(mask);
  for (ValueId* value : {&yes, &no}) {
    const Type t = call.type(*value);
    const std::string message = "merge: MASK, TVAL, and FVAL dimensions must match";
    const bool never = e.facts.distinct(e.graph, t.rows, m.rows) || e.facts.distinct(e.graph, t.cols, m.cols);
    const Misfit misfit = {never, message, {}, {}, {{t.rows, m.rows}, {t.cols, m.cols}}};
    *value = filling(e, *value, m.rows, m.cols, misfit, [&] {
      require_equal(e, t.rows, m.rows, call.span, message, {}, message);
      require_equal(e, t.cols, m.cols, call.span, message, {}, message);
      return e.builder.reshape(*value, m.rows, m.cols);
    });
  }
  return one(elementwise(e, ScalarOp::select, {mask, yes, no}, call.span, call.name));
}

std::vector<Binding> power(Call& call) {
  return one(power(call.emit, call.matrix(0), call.matrix(1), false, call.span));
}
std::vector<Binding> mtimes(Call& call) {
  ValueId value = call.matrix(0);
  for (std::size_t i = 1; i < call.count(); ++i)
    value = binary(call.emit, ast::BinaryOp::multiply, value, call.matrix(i), call.span);
  return one(value);
}
std::vector<Binding> transpose(Call& call) { return one(transpose(call.emit, call.matrix(0))); }

std::vector<Binding> minus(Call& call) {
  return one(binary(call.emit, ast::BinaryOp::subtract, call.matrix(0), call.matrix(1), call.span));
}

std::vector<Binding> same(Call& call) { return one(call.matrix(0)); }

// The characters of a string are finite numbers.
std::vector<Binding> classify(Call& call) {
  if (call.is_text(0)) call.args[0] = Binding::matrix(call.array(0));
  return unary(call);
}

}  // namespace

std::span<const Builtin> elementwise_builtins() {
  static constexpr Builtin entries[] = {
      {"abs", 1, 1, 1, unary, ScalarOp::abs},
      {"sign", 1, 1, 1, unary, ScalarOp::sign},
      {"sqrt", 1, 1, 1, unary, ScalarOp::sqrt},
      {"realsqrt", 1, 1, 1, real_valued, ScalarOp::sqrt},
      {"cbrt", 1, 1, 1, unary, ScalarOp::cbrt},
      {"exp", 1, 1, 1, unary, ScalarOp::exp},
      {"expm1", 1, 1, 1, unary, ScalarOp::expm1},
      {"log", 1, 1, 1, unary, ScalarOp::log},
      {"reallog", 1, 1, 1, real_valued, ScalarOp::log},
      {"log1p", 1, 1, 1, unary, ScalarOp::log1p},
      {"log2", 1, 1, 2, log2, ScalarOp::log2},
      {"log10", 1, 1, 1, unary, ScalarOp::log10},
      {"sin", 1, 1, 1, unary, ScalarOp::sin},
      {"cos", 1, 1, 1, unary, ScalarOp::cos},
      {"tan", 1, 1, 1, unary, ScalarOp::tan},
      {"sec", 1, 1, 1, reciprocal, ScalarOp::cos},
      {"csc", 1, 1, 1, reciprocal, ScalarOp::sin},
      {"cot", 1, 1, 1, reciprocal, ScalarOp::tan},
      {"asin", 1, 1, 1, unary, ScalarOp::asin},
      {"acos", 1, 1, 1, unary, ScalarOp::acos},
      {"atan", 1, 1, 1, unary, ScalarOp::atan},
      {"sinh", 1, 1, 1, unary, ScalarOp::sinh},
      {"cosh", 1, 1, 1, unary, ScalarOp::cosh},
      {"tanh", 1, 1, 1, unary, ScalarOp::tanh},
      {"asinh", 1, 1, 1, unary, ScalarOp::asinh},
      {"acosh", 1, 1, 1, unary, ScalarOp::acosh},
      {"atanh", 1, 1, 1, unary, ScalarOp::atanh},
      {"floor", 1, 1, 1, unary, ScalarOp::floor},
      {"ceil", 1, 1, 1, unary, ScalarOp::ceil},
      {"round", 1, 1, 1, unary, ScalarOp::round},
      {"fix", 1, 1, 1, unary, ScalarOp::fix},
      {"erf", 1, 1, 1, unary, ScalarOp::erf},
      {"erfc", 1, 1, 1, unary, ScalarOp::erfc},
      {"gamma", 1, 1, 1, unary, ScalarOp::gamma},
      {"lgamma", 1, 1, 1, log_gamma, ScalarOp::lgamma},
      {"gammaln", 1, 1, 1, log_gamma, ScalarOp::lgamma},
      {"isnan", 1, 1, 1, classify, ScalarOp::is_nan},
      {"isinf", 1, 1, 1, classify, ScalarOp::is_inf},
      {"isfinite", 1, 1, 1, classify, ScalarOp::is_finite},
      {"not", 1, 1, 1, unary, ScalarOp::logical_not},
      {"uplus", 1, 1, 1, same},
      {"uminus", 1, 1, 1, unary, ScalarOp::neg},
      {"mod", 2, 2, 1, numeric_binary, ScalarOp::mod},
      {"rem", 2, 2, 1, remainder, ScalarOp::rem},
      {"hypot", 2, -1, 1, hypot, ScalarOp::hypot},
      {"atan2", 2, 2, 1, numeric_binary, ScalarOp::atan2},
      {"rdivide", 2, 2, 1, binary, ScalarOp::div},
      {"minus", 2, 2, 1, minus},
      {"plus", 2, -1, 1, chain, ScalarOp::add},
      {"times", 2, -1, 1, chain, ScalarOp::mul},
      {"and", 2, -1, 1, chain, ScalarOp::logical_and},
      {"or", 2, -1, 1, chain, ScalarOp::logical_or},
      {"xor", 2, -1, 1, exclusive_or, ScalarOp::logical_xor},
      {"bitand", 2, 2, 1, of_bits, ScalarOp::bit_and},
      {"bitor", 2, 2, 1, of_bits, ScalarOp::bit_or},
      {"bitxor", 2, 2, 1, of_bits, ScalarOp::bit_xor},
      {"eq", 2, 2, 1, binary, ScalarOp::eq},
      {"ne", 2, 2, 1, binary, ScalarOp::ne},
      {"lt", 2, 2, 1, binary, ScalarOp::lt},
      {"le", 2, 2, 1, binary, ScalarOp::le},
      {"gt", 2, 2, 1, binary, ScalarOp::gt},
      {"ge", 2, 2, 1, binary, ScalarOp::ge},
      {"power", 2, 2, 1, power},
      {"mtimes", 2, -1, 1, mtimes},
      {"transpose", 1, 1, 1, transpose},
      {"ctranspose", 1, 1, 1, transpose},
      {"merge", 3, 3, 1, merge},
      {"ifelse", 3, 3, 1, merge},
  };
  return entries;
}

}  // namespace lac::frontend
