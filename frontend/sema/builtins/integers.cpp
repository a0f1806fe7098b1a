// int8, ..., uint64, cast, intmax, intmin, flintmax, isinteger, isfloat, idivide: values of integer classes made and
// asked about.
#include "frontend/sema/integers/integers.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

ValueId truth(Call& call, bool value) { return call.emit.builder.constant(value ? 1 : 0, Element::logical); }

Binding converted(Call& call, IntegerClass integer_class) { return in_class(call.emit, integer_class, call.args[0]); }

std::vector<Binding> of_class(Call& call) { return {converted(call, integer_class_named(call.name))}; }

std::vector<Binding> cast(Call& call) {
  const std::string& name = call.text(1);
  if (const IntegerClass integer_class = integer_class_named(name); integer_class != IntegerClass::none)
    return {converted(call, integer_class)};
  if (name != "double" && name != "single" && name != "logical" && name != "char")
    call.fail("TYPE must name a numeric class, and \"" + name + "\" does not");
  return call.walk.call_by_name(name, {call.args[0]}, 1, call.span);
}

// Of int64 and uint64 doubles do not hold the largest.
std::vector<Binding> limit(Call& call) {
  const bool largest = call.name == "intmax";
  const bool by_value = call.count() == 1 && call.args[0].is_integer();
  if (call.count() == 1 && !by_value && !call.is_text(0)) call.fail("argument must be a string or integer variable");
  const std::string name = by_value            ? std::string(info(call.args[0].integer_class).name)
                           : call.count() == 0 ? "int32"
                                               : call.text(0);
  const IntegerClass integer_class = integer_class_named(name);
  if (integer_class == IntegerClass::none) call.fail("not defined for '" + name + "' objects");
  const IntegerClassInfo& of = info(integer_class);
  const double value = largest ? of.highest() : of.lowest();
  if (std::abs(value) >= exact_limit)
    call.fail("of " + name + " is outside the language: its numbers are exact up to 2^53, flintmax()");
  return {Binding::integer(integer_class, call.emit.builder.constant(value, Element::integer))};
}

std::vector<Binding> flintmax(Call& call) {
  const std::string name = call.count() == 0 ? "double" : call.text(0);
  if (name != "double" && name != "single") call.fail("not defined for class '" + name + "'");
  const bool single = name == "single";
  return one(call.emit.builder.constant(single ? 16777216.0 : exact_limit,
                                        single ? Element::single : call.emit.graph.precision));
}

std::vector<Binding> isinteger(Call& call) { return one(truth(call, call.args[0].is_integer())); }

std::vector<Binding> isfloat(Call& call) {
  const Binding& x = call.args[0];
  const bool number = x.is_matrix() && call.type(x.value).element != Element::logical;
  return one(truth(call, number || x.is_complex() || x.is_array()));
}

/// How far the nearest quotient z is off, by whether z * y lies above or below x: it is made smaller or larger by one
/// there, for divisors above zero and for others.
struct Rounding {
  std::string_view name;
  struct Step {
    ast::BinaryOp where, change;
  } positive, other;
};

constexpr Rounding roundings[] = {
    {"ceil", {ast::BinaryOp::less, ast::BinaryOp::add}, {ast::BinaryOp::greater, ast::BinaryOp::add}},
    {"fix", {ast::BinaryOp::greater, ast::BinaryOp::subtract}, {ast::BinaryOp::greater, ast::BinaryOp::add}},
    {"floor", {ast::BinaryOp::greater, ast::BinaryOp::subtract}, {ast::BinaryOp::less, ast::BinaryOp::subtract}},
};

// As Octave's, in the class throughout: fix(-7 / -2) is 4 there too.
std::vector<Binding> idivide(Call& call) {
  Emitter& e = call.emit;
  const Binding &x = call.args[0], &y = call.args[1];
  const auto name_of = [](const Binding& value) { return std::string(info(value.integer_class).name); };
  if (!x.is_integer() && !y.is_integer()) call.fail("at least one input (X or Y) must be an integer type");
  if (x.is_integer() && y.is_integer() && !x.has_class_of(y))
    call.fail("integer type of X (" + name_of(x) + ") must match integer type of Y (" + name_of(y) + ")");
  const auto apply = [&](ast::BinaryOp op, const Binding& a, const Binding& b) {
    return integer_binary(e, op, a, b, call.span);
  };
  const Binding nearest = apply(ast::BinaryOp::element_divide, x, y);
  const std::string option = call.count() == 3 ? call.text(2) : "fix";
  if (option == "round") return {nearest};
  const auto* rounding = std::ranges::find(roundings, option, &Rounding::name);
  if (rounding == std::end(roundings)) call.fail("unrecognized rounding type \"" + option + "\"");
  const Binding product = apply(ast::BinaryOp::times, nearest, y);
  const auto stepped = [&](const Rounding::Step& step) {
    return apply(step.change, nearest, apply(step.where, product, x)).value;
  };
  const Binding zero = Binding::integer(nearest.integer_class, e.builder.constant(0, Element::integer));
  const ValueId positive = apply(ast::BinaryOp::greater, y.is_integer() ? y : Binding::matrix(y.value), zero).value;
  const ValueId up = stepped(rounding->positive), down = stepped(rounding->other);
  return {Binding::integer(nearest.integer_class,
                           elementwise(e, ScalarOp::select, {positive, up, down}, call.span, call.name))};
}

}  // namespace

std::span<const Builtin> integer_builtins() {
  static constexpr Builtin entries[] = {
      {"int8", 1, 1, 1, of_class},       {"int16", 1, 1, 1, of_class},  {"int32", 1, 1, 1, of_class},
      {"int64", 1, 1, 1, of_class},      {"uint8", 1, 1, 1, of_class},  {"uint16", 1, 1, 1, of_class},
      {"uint32", 1, 1, 1, of_class},     {"uint64", 1, 1, 1, of_class}, {"cast", 2, 2, 1, cast},
      {"intmax", 0, 1, 1, limit},        {"intmin", 0, 1, 1, limit},    {"flintmax", 0, 1, 1, flintmax},
      {"isinteger", 1, 1, 1, isinteger}, {"isfloat", 1, 1, 1, isfloat}, {"idivide", 2, 3, 1, idivide},
  };
  return entries;
}

}  // namespace lac::frontend
