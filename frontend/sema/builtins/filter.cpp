// conv2, filter, polyval: weighted sums of neighbours and of powers.
#include <algorithm>
#include <cmath>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/operators.h"

namespace lac::frontend {
namespace {

constexpr std::int64_t most_taps = 49;          // stencils up to 7 x 7 are written out as sums of slices
constexpr std::int64_t most_coefficients = 32;  // polynomials up to this length are written out by Horner's rule

Element floating_element(Call& call, std::initializer_list<ValueId> values) {
  const Element precision = call.emit.graph.precision;
  Element element = precision;
  bool any = false;
  for (ValueId value : values) {
    const Element own = call.type(value).element;
    if (!is_floating(own)) continue;
    element = any ? arithmetic_join(element, own) : own;
    any = true;
  }
  return element;
}

/// The elements of a matrix literal of finite constants, column-major, where the value is one.
std::optional<std::vector<double>> finite_numbers(Call& call, ValueId value) {
  if (call.type(value).is_scalar()) return std::nullopt;
  auto elements = numbers_of(call.emit, value);
  const auto finite = [](double number) { return std::isfinite(number); };
  if (!elements || !std::ranges::all_of(*elements, finite)) return std::nullopt;
  return elements;
}

/// y(i, j) = sum of k(p, q) x(i - p, j - q) over the shape of `x` with a frame: one kernel that reads slices of x in a
/// frame of zeros, so that stencils fuse with what surrounds them. The sum starts at +0: a lone -0 becomes 0.
ValueId stencil(Call& call, ValueId x, const Type& tk, const std::vector<double>& taps, const Size& first_row,
                const Size& first_col, const Size& rows, const Size& cols) {
  Builder& b = call.emit.builder;
  const Type t = call.type(x);
  const std::int64_t m = tk.rows.constant(), n = tk.cols.constant();
  const Subscripts inner{{{SubscriptKind::range, m - 1, 1, t.rows}, {SubscriptKind::range, n - 1, 1, t.cols}}};
  const ValueId zero = b.fill(b.constant(0, t.element), t.rows + 2 * (m - 1), t.cols + 2 * (n - 1));
  const ValueId framed = m == 1 && n == 1 ? x : b.update(zero, inner, {}, x);
  const ValueId none = b.constant(0, t.element);
  ValueId sum;
  for (std::int64_t q = 0; q < n; ++q)
    for (std::int64_t p = 0; p < m; ++p) {
      const double tap = taps[static_cast<std::size_t>(q * m + p)];
      if (tap == 0) continue;
      const Subscripts slice{{{SubscriptKind::range, first_row + (m - 1 - p), 1, rows},
                              {SubscriptKind::range, first_col + (n - 1 - q), 1, cols}}};
      const ValueId shifted = b.index(framed, slice, {}, rows, cols);
      const ValueId term = tap == 1 ? shifted : b.map(ScalarOp::mul, b.constant(tap, t.element), shifted);
      sum = b.map(ScalarOp::add, sum ? sum : none, term);
    }
  return sum ? sum : b.fill(none, rows, cols);
}

struct Part {
  Size first, count;
};

/// Which part of the full convolution along one axis: of extents a (the operand) and k (the kernel).
Part part_of(Call& call, const std::string& shape, const Size& a, const Size& k) {
  Emitter& e = call.emit;
  if (shape == "full") return {0, a.is(0) || k.is(0) ? e.max0(a + k - 1) : a + k - 1};
  if (shape == "valid") return {k - 1, e.max0(a - k + 1)};
  if (shape != "same") call.fail("SHAPE type not valid");
  if (k.is_constant()) return {k.constant() / 2, a};
  const ValueId half = e.builder.map(ScalarOp::div, e.builder.convert(e.builder.size(k), Element::real),
                                     e.builder.constant(2, Element::real));
  return {as_size(e.graph, e.builder.convert(e.builder.map(ScalarOp::floor, half), Element::integer)), a};
}

ValueId convolution(Call& call, ValueId x, ValueId kernel, const std::string& shape) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Element element = floating_element(call, {x, kernel});
  const auto taps = finite_numbers(call, kernel);
  x = b.convert(x, element);
  kernel = b.convert(kernel, element);
  const Type tx = call.type(x), tk = call.type(kernel);
  const auto nothing = [](const Type& t) { return t.rows.is(0) || t.cols.is(0); };
  if (nothing(tx) || nothing(tk)) return b.fill(b.constant(0, element), 0, 0);
  const Part rows = part_of(call, shape, tx.rows, tk.rows), cols = part_of(call, shape, tx.cols, tk.cols);
  const bool some = e.facts.nonnegative(e.graph, tx.rows - 1) && e.facts.nonnegative(e.graph, tx.cols - 1);
  if (taps && some && tk.count().is_constant() && tk.count().constant() <= most_taps && !tx.is_scalar())
    return stencil(call, x, tk, *taps, rows.first, cols.first, rows.count, cols.count);
  const Size full_rows = e.max0(tx.rows + tk.rows - 1), full_cols = e.max0(tx.cols + tk.cols - 1);
  const ValueId full = b.library(LibraryFn::convolve, {x, kernel}, {Type::matrix(element, full_rows, full_cols)})[0];
  const bool surely_some = e.facts.nonnegative(e.graph, tx.count() - 1) && e.facts.nonnegative(e.graph, tk.count() - 1);
  if (shape == "full" && surely_some) return full;
  // With nothing there is nothing: 0x0.
  Size kept_rows = rows.count, kept_cols = cols.count;
  if (!surely_some) {
    const ValueId none = b.map(ScalarOp::logical_or, e.equal_sizes(tx.count(), 0), e.equal_sizes(tk.count(), 0));
    kept_rows = e.chosen(none, 0, kept_rows);
    kept_cols = e.chosen(none, 0, kept_cols);
  }
  const Subscripts part{
      {{SubscriptKind::range, rows.first, 1, kept_rows}, {SubscriptKind::range, cols.first, 1, kept_cols}}};
  return b.index(full, part, {}, kept_rows, kept_cols);
}

// conv2(A, B[, shape]); conv2(v1, v2, M[, shape]): columns with v1, rows with v2
std::vector<Binding> conv2(Call& call) {
  Emitter& e = call.emit;
  std::size_t given = call.count();
  const std::string shape = call.is_text(given - 1) ? call.text(--given) : "full";
  if (given == 2) return one(convolution(call, call.dense(0), call.dense(1), shape));
  if (given != 3) call.fail("Invalid call to conv2");
  const std::string no_vectors = "both first two arguments must be vectors if 3 arguments";
  const ValueId column = vector_argument(call, 0, no_vectors), row = transpose(e, vector_argument(call, 1, no_vectors));
  const ValueId kernel = elementwise(e, ScalarOp::mul, {column, row}, call.span, "*");
  return one(convolution(call, call.dense(2), kernel, shape));
}

// [y, sf] = filter(b, a, x[, si[, dim]])
std::vector<Binding> filter(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const std::string no_vectors = "a and b must be vectors";
  const ValueId numerator = vector_argument(call, 0, no_vectors), denominator = vector_argument(call, 1, no_vectors);
  ValueId x = call.dense(2);
  const Type t = call.type(x);
  const Axis axis = call.count() > 4 ? dimension_axis(call, 4) : t.rows.is(1) ? Axis::cols : Axis::rows;
  if (call.count() <= 4 && !t.rows.is(1) && !t.cols.is(1)) {  // a row as a column, where the run finds one
    const ValueId row = e.equal_sizes(t.rows, 1);
    x = b.reshape(x, e.chosen(row, t.cols, t.rows), e.chosen(row, 1, t.cols));
  }
  const Element element = floating_element(call, {numerator, denominator, x});
  ValueId signals = b.convert(x, element);
  if (axis == Axis::cols) signals = transpose(e, signals);
  const Type ts = call.type(signals);
  const Size order = e.larger(call.type(numerator).count(), call.type(denominator).count()) - 1;
  ValueId state = b.fill(b.constant(0, element), e.max0(order), ts.cols);
  if (call.count() > 3 && !call.is_empty_literal(3)) {
    state = b.convert(call.dense(3), element);
    const Type given = call.type(state);
    const std::string wrong = "filter: first dimension of SI must be of length max (length (a), length (b)) - 1";
    const bool vector = given.is_vector() && ts.cols.is(1);
    require_equal(e, vector ? given.count() : given.rows, order, call.span, wrong, {}, wrong);
    if (vector) state = b.reshape(state, given.count(), 1);
    else
      require_equal(e, given.cols, ts.cols, call.span, "filter: dimensionality of SI and X must agree", {},
                    "filter: dimensionality of SI and X must agree");
  }
  const Type shown = call.type(state);
  const auto results =
      b.library(LibraryFn::filter, {numerator, denominator, signals, state},
                {Type::matrix(element, ts.rows, ts.cols), Type::matrix(element, shown.rows, shown.cols)});
  const ValueId filtered = axis == Axis::cols ? transpose(e, results[0]) : results[0];
  return {Binding::matrix(b.reshape(filtered, t.rows, t.cols)), Binding::matrix(results[1])};
}

// polyval(p, x[, [], mu]): Horner's rule, written out for few coefficients; for many a loop
// (library/polyval_by_loop.la)
std::vector<Binding> polyval(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId p = vector_argument(call, 0, "P must be a numeric floating point vector");
  ValueId x = call.dense(1);
  const Type tp = call.type(p);
  if (call.nargout > 1) {
    if (call.count() < 3) call.fail("Invalid call to polyval");
    if (call.is_empty_literal(2)) call.fail("S input is required for DY output argument");
    call.fail("S input must be a structure; write [] and take one result");
  }
  if (call.count() > 3) {
    const ValueId mu = call.dense(3);
    const auto element = [&](std::int64_t k) {
      return b.index(mu, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1);
    };
    if (call.type(mu).count().is(0) || call.type(mu).count().is(1))
      call.fail("MU must be numeric floating point with 2 values");
    x = elementwise(e, ScalarOp::div, {elementwise(e, ScalarOp::sub, {x, element(0)}, call.span, "-"), element(1)},
                    call.span, "/");
  }
  const Type tx = call.type(x);
  const Element elements[2] = {tp.element, tx.element};
  const Element element = result_element(ScalarOp::mul, elements, e.graph.precision);
  if (tp.count().is(0)) return one(b.fill(b.constant(0, e.floating(element)), tx.rows, tx.cols));
  if (!tp.count().is_constant() || tp.count().constant() > most_coefficients) {
    const auto& find = e.options.find_function;
    if (!find || !find("polyval_by_loop")) call.fail("more than 32 coefficients need the library folder");
    return call.walk.call_by_name("polyval_by_loop", {Binding::matrix(p), Binding::matrix(x)}, 1, call.span);
  }
  const auto coefficient = [&](std::int64_t k) {
    return tp.is_scalar() ? p : b.index(p, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1);
  };
  ValueId y = b.convert(coefficient(0), element);
  if (!tx.is_scalar()) y = b.fill(y, tx.rows, tx.cols);
  for (std::int64_t k = 1; k < tp.count().constant(); ++k)
    y = elementwise(e, ScalarOp::add, {elementwise(e, ScalarOp::mul, {y, x}, call.span, "*"), coefficient(k)},
                    call.span, "+");
  return one(y);
}

}  // namespace

std::span<const Builtin> filter_builtins() {
  static constexpr Builtin entries[] = {
      {"conv2", 2, 4, 1, conv2},
      {"filter", 3, 5, 2, filter},
      {"polyval", 2, 4, 2, polyval},
  };
  return entries;
}

}  // namespace lac::frontend
