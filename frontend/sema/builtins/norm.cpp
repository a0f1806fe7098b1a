// norm, rank, cond. Norms are sums and maxima of elements where p is a constant that allows it, else a library step.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct NormOptions {
  std::optional<double> p = 2;  ///< nothing: the run decides
  ValueId given = {};           ///< p as a value, where it was given as one
  bool frobenius = false;
  std::optional<Axis> each;  ///< rows: of each column; cols: of each row
};

void take_text(Call& call, std::size_t i, NormOptions& options) {
  const std::string name = lower_case(call.text(i));
  if (name == "fro") options.frobenius = true;
  else if (name == "inf") options.p = infinity;
  else if (name == "rows") options.each = Axis::cols;
  else if (name == "columns" || name == "cols") options.each = Axis::rows;
  else call.fail("unrecognized option: " + call.text(i));
}

NormOptions options_of(Call& call) {
  NormOptions options;
  if (call.count() < 2) return options;
  if (call.is_text(1)) {
    take_text(call, 1, options);
    if (call.count() > 2 && options.each) call.fail("invalid combination of options");
  } else if (!call.is_empty_literal(1)) {
    options.given = call.scalar(1);
    options.p = call.emit.constant_of(options.given);
  }
  if (call.count() > 2) {
    if (!call.is_text(2)) call.fail("invalid combination of options");
    take_text(call, 2, options);
    if (!options.each) call.fail("invalid combination of options");
  }
  return options;
}

/// Sums of squares between these are exact to rounding whatever they are the sum of. Beyond, elements are scaled:
/// `down` leaves room for the squares of 2^30 elements of any size, `up` lifts the square of the least subnormal number
/// into the normal ones and keeps that of `small`, which no element of a sum below the range exceeds, far from
/// overflow.
struct SquareRange {
  double least, greatest, down, up, small;
};
constexpr SquareRange single_range = {1e-30, 1e37, 0x1p-80, 0x1p+90, 2e-15};
constexpr SquareRange double_range = {1e-280, 1e300, 0x1p-537, 0x1p+600, 2e-140};

/// A norm of a whole matrix, or of each column or row.
class Norms {
 public:
  Norms(Call& call, ValueId value) : call_(call), emit_(call.emit), builder_(call.emit.builder), value_(value) {}

  ValueId sum(Axis axis) { return reduced(absolute(), ReduceOp::sum, axis); }

  /// max or min of |x| that keeps a NaN, as a norm must; 0 of nothing.
  ValueId extreme(ValueId x, ReduceOp op, Axis axis) {
    const Element element = call_.type(x).element;
    const ValueId nothing = builder_.constant(0, element);
    ValueId found = reduced(x, op, axis);
    if (!is_floating(element)) {
      const Size count = call_.type(x).count();
      if (emit_.facts.nonnegative(emit_.graph, count - 1)) return found;
      return builder_.map(ScalarOp::select, emit_.equal_sizes(count, 0), nothing, found);
    }
    found = builder_.map(ScalarOp::select, builder_.map(ScalarOp::is_nan, found), nothing, found);
    const ValueId nan = reduced(builder_.map(ScalarOp::is_nan, x), ReduceOp::any, axis);
    return builder_.map(ScalarOp::select, nan, builder_.constant(not_a_number, element), found);
  }

  /// The norm of a matrix of which these are the sums: as in Octave, a NaN counts only where it is the first.
  ValueId largest_sum(ValueId sums) {
    if (!emit_.facts.nonnegative(emit_.graph, call_.type(sums).count() - 1))  // perhaps there is no first
      return extreme(sums, ReduceOp::max, Axis::all);
    const ValueId found = reduced(sums, ReduceOp::max, Axis::all);
    if (!is_floating(call_.type(sums).element)) return found;
    const ValueId first = builder_.index(sums, Subscripts{{{SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1);
    return builder_.map(ScalarOp::select, builder_.map(ScalarOp::is_nan, first), first, found);
  }

  ValueId largest(Axis axis) { return extreme(absolute(), ReduceOp::max, axis); }
  ValueId least(Axis axis) { return extreme(absolute(), ReduceOp::min, axis); }

  ValueId nonzeros(Axis axis) {
    const ValueId nonzero = builder_.map(ScalarOp::ne, value_, builder_.constant(0, call_.type(value_).element));
    return builder_.convert(reduced(builder_.convert(nonzero, Element::integer), ReduceOp::sum, axis),
                            emit_.floating(call_.type(value_).element));
  }

  /// m * (sum (|x|/m)^p)^(1/p) with m = max |x|; for p < 0 Octave gives Inf.
  ValueId general(double p, Axis axis) {
    const ValueId x = builder_.convert(absolute(), emit_.floating(call_.type(value_).element));
    const Element element = call_.type(x).element;
    const auto constant = [&](double number) { return builder_.constant(number, element); };
    const ValueId top = extreme(x, ReduceOp::max, axis);
    if (p < 0 || std::isnan(p)) {
      const ValueId nan = builder_.map(ScalarOp::is_nan, top);
      return builder_.map(ScalarOp::select, nan, top, constant(p < 0 ? infinity : not_a_number));
    }
    const ValueId usable = builder_.map(ScalarOp::logical_and, builder_.map(ScalarOp::gt, top, constant(0)),
                                        builder_.map(ScalarOp::is_finite, top));
    const ValueId scale = builder_.map(ScalarOp::select, usable, top, constant(1));
    const ValueId scaled = builder_.map(ScalarOp::div, x, scale);
    const ValueId powers =
        p == 2 ? builder_.map(ScalarOp::mul, scaled, scaled) : builder_.map(ScalarOp::pow, scaled, constant(p));
    const ValueId sum = reduced(powers, ReduceOp::sum, axis);
    const ValueId root = p == 2 ? builder_.map(ScalarOp::sqrt, sum) : builder_.map(ScalarOp::pow, sum, constant(1 / p));
    return builder_.map(ScalarOp::mul, scale, root);
  }

  /// sqrt(sum(x.^2)); the scaled form is taken where the squares overflow or underflow, so that the sum of squares
  /// stays fusible with what produces x. (A device makes it at once: passes/select_scalars.)
  ValueId euclidean() {
    const Element element = emit_.floating(call_.type(value_).element);
    const ValueId x = builder_.convert(value_, element);
    if (call_.type(x).is_scalar()) return builder_.map(ScalarOp::abs, x);
    const SquareRange range = element == Element::single ? single_range : double_range;
    const ValueId squares = sum_of_squares(x);
    // Both are false of a NaN.
    const ValueId over = builder_.map(ScalarOp::ge, squares, builder_.constant(range.greatest, element));
    const ValueId under = builder_.map(ScalarOp::le, squares, builder_.constant(range.least, element));
    return branch_value(
        emit_, builder_.map(ScalarOp::logical_or, over, under), [&] { return scaled_euclidean(x, over, range); },
        [&] { return builder_.map(ScalarOp::sqrt, squares); });
  }

 private:
  ValueId absolute() { return elementwise(emit_, ScalarOp::abs, {value_}, call_.span, "norm"); }

  ValueId reduced(ValueId x, ReduceOp op, Axis axis) {
    const Type t = call_.type(x);
    if (axis == Axis::all && t.is_scalar()) return op == ReduceOp::any ? builder_.convert(x, Element::logical) : x;
    return builder_.reduce(x, {op, axis});
  }

  ValueId sum_of_squares(ValueId x) {
    return builder_.reduce(builder_.map(ScalarOp::mul, x, x), {ReduceOp::sum, Axis::all});
  }

  /// sqrt(sum((f*x).^2)) / f with a power of two for f, which rounds nothing. Both sums take one pass over x, and stand
  /// where one sum is wanted anyway at no more than their arithmetic.
  ValueId scaled_euclidean(ValueId x, ValueId over, const SquareRange& range) {
    const Element element = call_.type(x).element;
    const ValueId down = builder_.constant(range.down, element), up = builder_.constant(range.up, element);
    // Larger elements than those of a sum below the range are there where this sum is made in vain: Inf would be seen.
    const ValueId little =
        builder_.map(ScalarOp::min, builder_.map(ScalarOp::abs, x), builder_.constant(range.small, element));
    const ValueId sum = builder_.map(ScalarOp::select, over, sum_of_squares(builder_.map(ScalarOp::mul, x, down)),
                                     sum_of_squares(builder_.map(ScalarOp::mul, little, up)));
    return builder_.map(ScalarOp::div, builder_.map(ScalarOp::sqrt, sum),
                        builder_.map(ScalarOp::select, over, down, up));
  }

  Call& call_;
  Emitter& emit_;
  Builder& builder_;
  ValueId value_;
};

ValueId by_elements(Norms& norms, double p, Axis axis) {
  if (p == 1) return norms.sum(axis);
  if (p == infinity) return norms.largest(axis);
  if (p == -infinity) return norms.least(axis);
  if (p == 0) return norms.nonzeros(axis);
  return norms.general(p, axis);
}

ValueId by_step(Call& call, ValueId value, const NormOptions& options) {
  Builder& b = call.emit.builder;
  const Element element = call.type(value).element;
  const Element result = call.emit.floating(element);
  const ValueId p = options.p ? b.constant(*options.p, Element::real) : options.given;
  return b.library(LibraryFn::norm, {b.convert(value, result), p}, {Type::scalar(result)})[0];
}

ValueId of_each(Call& call, ValueId value, const NormOptions& options) {
  const double p = options.frobenius ? 2 : options.p.value_or(not_a_number);
  if (!options.p) call.fail("of rows or columns needs a constant P");
  const Type t = call.type(value);
  const Axis axis = *options.each;
  const Size& length = axis == Axis::rows ? t.rows : t.cols;
  if (length.is(0)) {
    const ValueId zero = call.emit.builder.constant(0, call.emit.graph.precision);
    return call.emit.builder.fill(zero, axis == Axis::rows ? Size(1) : t.rows, axis == Axis::rows ? t.cols : Size(1));
  }
  Norms norms(call, value);
  return by_elements(norms, p, axis);
}

std::vector<Binding> norm(Call& call) {
  Emitter& e = call.emit;
  if (call.is_text(0)) call.fail("X must be a numeric matrix, but is a string");
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  const NormOptions options = options_of(call);
  if (t.element == Element::logical)
    call.fail(t.is_scalar() ? "wrong type argument 'bool'" : "wrong type argument 'bool matrix'");
  if (options.each) return one(of_each(call, value, options));
  if (t.rows.is(0) || t.cols.is(0)) return one(e.builder.constant(0, e.graph.precision));
  Norms norms(call, value);
  if (options.frobenius) return one(norms.euclidean());
  if (!options.p) return one(by_step(call, value, options));
  if (t.is_vector()) return one(*options.p == 2 ? norms.euclidean() : by_elements(norms, *options.p, Axis::all));
  const bool certainly_not_a_row = e.facts.not_one(e.graph, t.rows);
  if (certainly_not_a_row && (*options.p == 1 || *options.p == infinity)) {
    const ValueId sums = norms.sum(*options.p == 1 ? Axis::rows : Axis::cols);
    return one(norms.largest_sum(sums));
  }
  return one(by_step(call, value, options));
}

ValueId singular_values(Call& call, ValueId a) {
  const Type t = call.type(a);
  const Type column = Type::matrix(t.element, call.emit.minimum(t.rows, t.cols), 1);
  return call.emit.builder.library(LibraryFn::singular_values, {a}, {column})[0];
}

/// Singular values descend, but there may be none: then no element is read.
ValueId extreme(Call& call, ValueId values, ReduceOp op) {
  return call.type(values).is_scalar() ? values : call.emit.builder.reduce(values, {op, Axis::all});
}

/// The number of singular values above the tolerance, by default max(size(A)) * s(1) * eps.
std::vector<Binding> rank(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId a = floating_matrix(call, 0);
  const Type t = call.type(a);
  if (t.rows.is(0) || t.cols.is(0)) return one(b.constant(0, Element::integer));
  const ValueId values = singular_values(call, a);
  ValueId tolerance;
  if (call.count() > 1) {
    tolerance = call.dense(1);
  } else {
    const double epsilon =
        t.element == Element::single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    const Size longer = t.rows + t.cols - e.minimum(t.rows, t.cols);
    const ValueId largest = extreme(call, values, ReduceOp::max);
    tolerance = b.map(ScalarOp::mul, b.convert(b.size(longer), t.element),
                      b.map(ScalarOp::mul, largest, b.constant(epsilon, t.element)));
  }
  const ValueId above =
      b.convert(elementwise(e, ScalarOp::gt, {values, tolerance}, call.span, "rank"), Element::integer);
  if (call.type(above).is_scalar()) return one(above);
  return one(b.reduce(above, {ReduceOp::sum, Axis::rows}));
}

ValueId called(Call& call, Builtin builtin, std::vector<Binding> args) {
  Call inner{call.emit, call.walk, std::string(builtin.name), std::move(args), 1, call.span};
  return builtin.handler(inner)[0].value;
}

/// The quotient of the outer singular values, Inf where the last is 0; for another p, norm(A, p) * norm(inv(A), p).
std::vector<Binding> cond(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId a = floating_matrix(call, 0);
  const Type t = call.type(a);
  if (t.rows.is(0) || t.cols.is(0)) return one(b.constant(0, e.graph.precision));
  const bool plain = call.count() < 2 || call.is_empty_literal(1) ||
                     (call.args[1].is_matrix() && e.constant_of(call.matrix(1)) == 2.0);
  if (!plain) {
    const ValueId inverse = called(call, *find_builtin("inv"), {call.args[0]});
    const Builtin* norm_builtin = find_builtin("norm");
    const ValueId size = called(call, *norm_builtin, {Binding::matrix(a), call.args[1]});
    return one(b.map(ScalarOp::mul, size, called(call, *norm_builtin, {Binding::matrix(inverse), call.args[1]})));
  }
  ValueId finite = b.map(ScalarOp::is_finite, a);
  if (!call.type(finite).is_scalar()) finite = b.reduce(finite, {ReduceOp::all, Axis::all});
  e.require(finite, "cond: A must not contain Inf or NaN values", {});
  const ValueId values = singular_values(call, a);
  const ValueId least = extreme(call, values, ReduceOp::min), largest = extreme(call, values, ReduceOp::max);
  const ValueId quotient = b.map(ScalarOp::select, b.map(ScalarOp::eq, least, b.constant(0, t.element)),
                                 b.constant(infinity, t.element), b.map(ScalarOp::div, largest, least));
  const ValueId none = e.equal_sizes(call.type(values).rows, 0);
  if (e.constant_of(none) == 0.0) return one(quotient);
  return one(b.map(ScalarOp::select, none, b.constant(0, t.element), quotient));
}

}  // namespace

std::span<const Builtin> norm_builtins() {
  static constexpr Builtin entries[] = {{"norm", 1, 3, 1, norm}, {"rank", 1, 2, 1, rank}, {"cond", 1, 2, 1, cond}};
  return entries;
}

}  // namespace lac::frontend
