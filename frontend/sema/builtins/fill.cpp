// zeros, Inf, eye, eps, rand, ...: matrices out of a shape alone, and the shape arguments that they share.
#include "frontend/sema/builtins/fill.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "frontend/sema/complex/complex.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"
#include "ir/support/missing.h"

namespace lac::frontend {
namespace {

Element precision(const Call& call) { return call.emit.graph.precision; }

// The element that a trailing "single", "double" or "like", X asks for; `count` becomes the number of other arguments.
std::optional<Element> class_of(Call& call, std::size_t& count, bool& sparse) {
  const bool logical = call.name == "true" || call.name == "false";
  if (count >= 2 && call.is_text(count - 2) && call.text(count - 2) == "like") {
    const Binding& like = call.args[count - 1];  // of a complex one all imaginary parts would be 0
    const Type model = call.type(like.is_complex() ? parts_of(call.emit, like).re : call.matrix(count - 1));
    sparse = model.is_sparse();
    count -= 2;
    if (logical != (model.element == Element::logical) && call.name != "zeros" && call.name != "ones")
      call.fail(std::string("input followed by \"like\" must be ") + (logical ? "logical" : "floating point"));
    return model.element == Element::integer ? precision(call) : model.element;
  }
  if (count == 0 || !call.is_text(count - 1)) return std::nullopt;
  const std::string& name = call.text(--count);
  if (name == "logical" && (logical || call.name == "zeros" || call.name == "ones" || call.name == "eye"))
    return Element::logical;
  if (logical) call.fail("invalid data type '" + name + "'");
  if (name == "double") return Element::real;
  if (name == "single") return Element::single;
  call.fail("class '" + name + "' is outside the language: \"double\" and \"single\" are the classes of matrices");
}

Shape shape_of_elements(Call& call, ValueId vector) {
  Emitter& e = call.emit;
  const auto whole = [&](ValueId size) {
    const auto number = e.constant_of(size);
    if (call.name.starts_with("rand") && number && *number != std::trunc(*number))
      call.fail("dimensions must be a scalar or array of integers");
    return to_size(e, size, call.span, true);
  };
  const auto written = written_elements(e, vector);
  std::vector<ValueId> sizes = written.value_or(std::vector<ValueId>());
  while (sizes.size() > 2 && e.constant_of(sizes.back()) == 1.0) sizes.pop_back();
  if (call.name == "rand" || call.name == "randn")
    for (const ValueId size : sizes)
      if (const auto number = e.constant_of(size); number && *number != std::trunc(*number))
        call.fail("dimensions must be a scalar or array of integers");
  if (sizes.size() == 2) {
    return {whole(sizes[0]), whole(sizes[1])};
  }
  const Size count = call.type(vector).count();
  if (count.is(0)) call.fail("use " + call.name + " (size (A)) instead");
  if (written || e.facts.distinct(e.graph, count, 2)) call.fail("more than two dimensions");
  require_equal(e, count, 2, call.span, "", {count}, call.name + ": the dimensions must be a vector [m n], not of %d");
  const auto element = [&](std::int64_t k) {
    return e.builder.index(vector, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1);
  };
  const Size rows = to_size(e, element(0), call.span, true);
  return {rows, to_size(e, element(1), call.span, true)};
}

std::vector<Binding> filled(Call& call, double number, Element element) {
  const ShapeAndClass asked = shape_and_class(call);
  Builder& b = call.emit.builder;
  const ValueId value = b.constant(number, asked.element.value_or(element));
  const ValueId all = asked.shape.is_scalar() ? value : b.fill(value, asked.shape.rows, asked.shape.cols);
  return one(asked.sparse ? to_csr(call.emit, all) : all);
}

// A number that differs between the classes.
std::vector<Binding> filled(Call& call, double of_double, double of_single) {
  const ShapeAndClass asked = shape_and_class(call);
  Builder& b = call.emit.builder;
  const Element element = asked.element.value_or(precision(call));
  const ValueId value = b.constant(element == Element::single ? of_single : of_double, element);
  return one(asked.shape.is_scalar() ? value : b.fill(value, asked.shape.rows, asked.shape.cols));
}

using Double = std::numeric_limits<double>;
using Single = std::numeric_limits<float>;

std::vector<Binding> zeros(Call& call) { return filled(call, 0, precision(call)); }
std::vector<Binding> ones(Call& call) { return filled(call, 1, precision(call)); }
std::vector<Binding> infinity(Call& call) { return filled(call, Double::infinity(), precision(call)); }
std::vector<Binding> not_a_number(Call& call) { return filled(call, Double::quiet_NaN(), precision(call)); }
std::vector<Binding> missing(Call& call) { return filled(call, missing_value(), precision(call)); }
std::vector<Binding> true_value(Call& call) { return filled(call, 1, Element::logical); }
std::vector<Binding> false_value(Call& call) { return filled(call, 0, Element::logical); }
std::vector<Binding> pi_value(Call& call) { return filled(call, std::numbers::pi, precision(call)); }
std::vector<Binding> e_value(Call& call) { return filled(call, std::numbers::e, precision(call)); }
std::vector<Binding> realmax_value(Call& call) { return filled(call, Double::max(), Single::max()); }
std::vector<Binding> realmin_value(Call& call) { return filled(call, Double::min(), Single::min()); }

// The distance from |x| to the next larger number: 2^-52 times the power of two below |x|, which is |q - (1 - u) q|
// with u = 2^-53 and q = (2^52 + 1) |x| (S. M. Rump, T. Ogita, S. Oishi, Accurate floating-point summation I, 2008);
// large numbers are scaled so that q does not overflow.
ValueId spacing(Call& call, ValueId value) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  value = b.convert(value, e.floating(call.type(value).element));
  const Element element = call.type(value).element;
  const bool single = element == Element::single;
  const int digits = single ? 24 : 53;
  const auto number = [&](double x) { return b.constant(x, element); };
  const auto apply = [&](ScalarOp op, ValueId x, ValueId y) { return b.map(op, x, y); };
  const ValueId magnitude = b.map(ScalarOp::abs, value);
  const ValueId large = apply(ScalarOp::gt, magnitude, number(single ? 0x1p90 : 0x1p900));
  const double down = single ? 0x1p-60 : 0x1p-500;
  const ValueId scaled = apply(ScalarOp::mul, magnitude, b.map(ScalarOp::select, large, number(down), number(1)));
  const ValueId q = apply(ScalarOp::mul, scaled, number(std::ldexp(1, digits - 1) + 1));
  const ValueId below = apply(ScalarOp::mul, q, number(1 - std::ldexp(1, -digits)));
  const ValueId power = b.map(ScalarOp::abs, apply(ScalarOp::sub, q, below));
  const ValueId unit =
      b.map(ScalarOp::select, large, number(std::ldexp(1 / down, 1 - digits)), number(std::ldexp(1, 1 - digits)));
  const double tiny = single ? double(Single::min()) : Double::min();
  const double least = single ? double(Single::denorm_min()) : Double::denorm_min();
  const ValueId normal = b.map(ScalarOp::select, apply(ScalarOp::lt, magnitude, number(tiny)), number(least),
                               apply(ScalarOp::mul, power, unit));
  return b.map(ScalarOp::select, b.map(ScalarOp::is_finite, value), normal, number(Double::quiet_NaN()));
}

std::vector<Binding> eps(Call& call) {
  if (call.count() == 1 && call.args[0].is_matrix()) return one(spacing(call, call.dense(0)));
  return filled(call, Double::epsilon(), Single::epsilon());
}

std::vector<Binding> eye(Call& call) {
  const ShapeAndClass asked = shape_and_class(call);
  Builder& b = call.emit.builder;
  const auto& [rows, cols] = asked.shape;
  const Element element = asked.element.value_or(precision(call));
  if (asked.shape.is_scalar()) return one(b.constant(1, element));
  const ValueId ones = b.fill(b.constant(1, element), call.emit.minimum(rows, cols), 1);
  return one(diagonal_matrix(call.emit, ones, rows, cols));
}

// rand("seed", s): the draws that follow, of rand, randn and randperm alike, are those of seed s from the first on.
std::vector<Binding> seed(Call& call) {
  const std::string& word = call.text(0);
  if (word == "double" || word == "single") return {};
  if (word != "seed" && word != "state" && word != "twister") call.fail("unrecognized string argument");
  if (call.count() != 2) call.fail("reading the state of the generator is outside the language");
  if (!call.is_text(1) && !call.type(call.dense(1)).is_scalar()) call.fail("seed must be a real scalar");
  if (call.is_text(1)) call.fail("a reset from the clock is outside the language: give a number");
  call.emit.builder.seed(as_integer(call.emit, call.scalar(1), call.name + ": the seed must be an integer, not %g"));
  return {};
}

std::vector<Binding> random(Call& call) {
  if (call.is_text(0) && call.text(0) != "double" && call.text(0) != "single") return seed(call);
  const ShapeAndClass asked = shape_and_class(call);
  Builder& b = call.emit.builder;
  const ValueId value =
      b.random(call.name == "randn" ? Distribution::normal : Distribution::uniform, asked.shape.rows, asked.shape.cols);
  return one(b.convert(value, asked.element.value_or(precision(call))));
}

}  // namespace

Shape shape_of(Call& call, std::size_t first, std::size_t end) {
  while (end - first > 2 && !call.is_text(end - 1) && call.emit.constant_of(call.matrix(end - 1)) == 1.0) --end;
  const std::size_t count = end - first;
  if (count == 0) return {1, 1};
  if (count > 2) call.fail("more than two dimensions");
  if (count == 2) {
    const auto extent = [&](std::size_t i) { return call.is_empty_literal(i) ? Size(0) : call.size(i); };
    const Size rows = extent(first);
    return {rows, extent(first + 1)};
  }
  const ValueId value = call.dense(first);
  if (!call.type(value).is_scalar()) return shape_of_elements(call, value);
  const Size n = call.size(first);
  return {n, n};
}

// An empty matrix does not count, and of one matrix alone the first two elements.
Shape repetitions(Call& call) {
  Emitter& e = call.emit;
  bool plain = true;
  for (std::size_t i = 1; i < call.count(); ++i) plain = plain && call.type(call.matrix(i)).is_scalar();
  if (plain) return shape_of(call, 1, call.count());
  std::vector<ValueId> times;
  for (std::size_t i = 1; i < call.count(); ++i) {
    const ValueId value = call.dense(i);
    const Type t = call.type(value);
    if (call.is_empty_literal(i)) continue;
    if (t.is_scalar()) {
      times.push_back(value);
    } else if (const auto written = written_elements(e, value)) {
      times.insert(times.end(), written->begin(), written->end());
      if (call.count() == 2 && !t.is_vector()) {  // its first column
        if (t.rows.constant() > 2) call.fail("more than two numbers must be a vector");
        times.resize(2);
      }
    } else if (call.count() > 2) {
      times.push_back(call.scalar(i));
    } else {
      return shape_of(call, 1, call.count());
    }
  }
  while (times.size() > 2 && e.constant_of(times.back()) == 1.0) times.pop_back();
  if (times.size() > 2) call.fail("more than two dimensions");
  const Size rows = times.empty() ? Size(1) : to_size(e, times[0], call.span, true);
  return {rows, times.size() < 2 ? Size(1) : to_size(e, times[1], call.span, true)};
}

ShapeAndClass shape_and_class(Call& call) {
  std::size_t count = call.count();
  bool sparse = false;
  const std::optional<Element> element = class_of(call, count, sparse);
  return {shape_of(call, 0, count), element, sparse};
}

std::span<const Builtin> fill_builtins() {
  static constexpr Builtin entries[] = {
      {"zeros", 0, -1, 1, zeros},
      {"ones", 0, -1, 1, ones},
      {"Inf", 0, -1, 1, infinity},
      {"inf", 0, -1, 1, infinity},
      {"NaN", 0, -1, 1, not_a_number},
      {"nan", 0, -1, 1, not_a_number},
      {"NA", 0, -1, 1, missing},
      {"true", 0, -1, 1, true_value},
      {"false", 0, -1, 1, false_value},
      {"pi", 0, 3, 1, pi_value},
      {"e", 0, 3, 1, e_value},
      {"eps", 0, 3, 1, eps},
      {"realmax", 0, 3, 1, realmax_value},
      {"realmin", 0, 3, 1, realmin_value},
      {"eye", 0, 3, 1, eye},
      {"rand", 0, -1, 1, random},
      {"randn", 0, -1, 1, random},
  };
  return entries;
}

}  // namespace lac::frontend
