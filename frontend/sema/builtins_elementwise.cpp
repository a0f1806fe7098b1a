// Functions of one element at a time: a table of names and scalar functions.
#include "frontend/sema/builtins.h"

namespace lac::frontend {
namespace {

std::vector<Binding> unary(Call& call) {
  return one(call.lower.elementwise(call.function, {call.dense(0)}, call.span, call.name));
}

std::vector<Binding> binary(Call& call) {
  return one(call.lower.elementwise(call.function, {call.dense(0), call.dense(1)}, call.span, call.name));
}

// Functions that Octave does not define for logical operands.
std::vector<Binding> numeric_binary(Call& call) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Type& type = call.type(call.matrix(i));
    if (type.element == Element::logical)
      call.fail(std::string("wrong type argument '") + (type.is_scalar() ? "bool'" : "bool matrix'"));
  }
  return binary(call);
}

// rem(x, 0) is NaN, so the remainder of integers is one only where the divisor is known not to be zero.
std::vector<Binding> remainder(Call& call) {
  Lowerer& l = call.lower;
  const ValueId divisor = call.dense(1);
  const auto known = l.constant_of(divisor);
  if (call.type(divisor).element == Element::integer && !(known && *known != 0))
    call.args[1] = Binding::matrix(l.builder.convert(divisor, l.graph.precision));
  return numeric_binary(call);
}

// 1 / f(x)
std::vector<Binding> reciprocal(Call& call) {
  Lowerer& l = call.lower;
  const ValueId value = l.elementwise(call.function, {call.dense(0)}, call.span, call.name);
  return one(l.elementwise(ScalarOp::div, {l.builder.constant(1, Element::integer), value}, call.span, call.name));
}

// Any number of operands, from the left: and(a, b, c).
std::vector<Binding> chain(Call& call) {
  ValueId value = call.dense(0);
  for (std::size_t i = 1; i < call.count(); ++i)
    value = call.lower.elementwise(call.function, {value, call.dense(i)}, call.span, call.name);
  return one(value);
}

std::vector<Binding> merge(Call& call) {
  const ValueId mask = call.dense(0);
  if (call.type(mask).element != Element::logical) call.fail("first argument MASK must be logical");
  return one(call.lower.elementwise(ScalarOp::select, {mask, call.dense(1), call.dense(2)}, call.span, call.name));
}

std::vector<Binding> power(Call& call) { return one(call.lower.power(call.dense(0), call.dense(1), false, call.span)); }
std::vector<Binding> mtimes(Call& call) { return one(call.lower.multiply(call.matrix(0), call.matrix(1), call.span)); }
std::vector<Binding> transpose(Call& call) { return one(call.lower.transpose(call.matrix(0))); }

std::vector<Binding> minus(Call& call) {
  return one(call.lower.binary(ast::BinaryOp::subtract, call.matrix(0), call.matrix(1), call.span));
}

constexpr Builtin entries[] = {
    {"abs", 1, 1, 1, unary, ScalarOp::abs},
    {"sign", 1, 1, 1, unary, ScalarOp::sign},
    {"sqrt", 1, 1, 1, unary, ScalarOp::sqrt},
    {"realsqrt", 1, 1, 1, unary, ScalarOp::sqrt},
    {"cbrt", 1, 1, 1, unary, ScalarOp::cbrt},
    {"exp", 1, 1, 1, unary, ScalarOp::exp},
    {"expm1", 1, 1, 1, unary, ScalarOp::expm1},
    {"log", 1, 1, 1, unary, ScalarOp::log},
    {"reallog", 1, 1, 1, unary, ScalarOp::log},
    {"log1p", 1, 1, 1, unary, ScalarOp::log1p},
    {"log2", 1, 1, 1, unary, ScalarOp::log2},
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
    {"lgamma", 1, 1, 1, unary, ScalarOp::lgamma},
    {"gammaln", 1, 1, 1, unary, ScalarOp::lgamma},
    {"isnan", 1, 1, 1, unary, ScalarOp::is_nan},
    {"isinf", 1, 1, 1, unary, ScalarOp::is_inf},
    {"isfinite", 1, 1, 1, unary, ScalarOp::is_finite},
    {"not", 1, 1, 1, unary, ScalarOp::logical_not},
    {"uminus", 1, 1, 1, unary, ScalarOp::neg},
    {"mod", 2, 2, 1, numeric_binary, ScalarOp::mod},
    {"rem", 2, 2, 1, remainder, ScalarOp::rem},
    {"hypot", 2, 2, 1, numeric_binary, ScalarOp::hypot},
    {"atan2", 2, 2, 1, numeric_binary, ScalarOp::atan2},
    {"rdivide", 2, 2, 1, binary, ScalarOp::div},
    {"minus", 2, 2, 1, minus},
    {"plus", 2, -1, 1, chain, ScalarOp::add},
    {"times", 2, -1, 1, chain, ScalarOp::mul},
    {"and", 2, -1, 1, chain, ScalarOp::logical_and},
    {"or", 2, -1, 1, chain, ScalarOp::logical_or},
    {"xor", 2, 2, 1, binary, ScalarOp::logical_xor},
    {"eq", 2, 2, 1, binary, ScalarOp::eq},
    {"ne", 2, 2, 1, binary, ScalarOp::ne},
    {"lt", 2, 2, 1, binary, ScalarOp::lt},
    {"le", 2, 2, 1, binary, ScalarOp::le},
    {"gt", 2, 2, 1, binary, ScalarOp::gt},
    {"ge", 2, 2, 1, binary, ScalarOp::ge},
    {"power", 2, 2, 1, power},
    {"mtimes", 2, 2, 1, mtimes},
    {"transpose", 1, 1, 1, transpose},
    {"ctranspose", 1, 1, 1, transpose},
    {"merge", 3, 3, 1, merge},
    {"ifelse", 3, 3, 1, merge},
};

}  // namespace

std::span<const Builtin> elementwise_builtins() { return entries; }

}  // namespace lac::frontend
