// What functions of matrices are where an argument is complex.
#include <algorithm>
#include <limits>
#include <map>
#include <numbers>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/effect.h"
#include "frontend/sema/builtins/stacked.h"
#include "frontend/sema/complex/arithmetic.h"
#include "frontend/sema/complex/functions.h"
#include "frontend/sema/complex/matrices.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/show.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

using Bindings = std::vector<Binding>;

ComplexArithmetic arithmetic(Call& call) { return {call.emit, call.span, call.name}; }

/// The function of real values, with these arguments.
Binding of_real(Call& call, Bindings args, const std::string& name) {
  return call.walk.call_by_name(name, std::move(args), 1, call.span).front();
}
Binding of_real(Call& call, Bindings args) { return of_real(call, std::move(args), call.name); }

/// The arguments with one part of each that is complex.
Bindings with_parts(Call& call, bool imaginary) {
  Bindings args = call.args;
  for (Binding& arg : args) {
    if (!arg.is_complex()) continue;
    const Complex parts = parts_of(call.emit, arg);
    arg = Binding::matrix(imaginary ? parts.im : parts.re);
  }
  return args;
}

ValueId kept_sparse(Emitter& e, ValueId value) { return e.type(value).is_sparse() ? value : to_csr(e, value); }

/// Sparse where an argument is, as Octave keeps what it makes of the elements of sparse values.
Bindings stored_as_arguments(Call& call, Bindings results) {
  const bool sparse = std::ranges::any_of(call.args, [&](const Binding& arg) {
    return (arg.is_matrix() || arg.is_complex()) && call.type(parts_of(call.emit, arg).re).is_sparse();
  });
  if (!sparse) return results;
  const auto keep = [&](ValueId part) { return kept_sparse(call.emit, part); };
  results[0] = complex_binding(call.emit, lac::frontend::each_part(parts_of(call.emit, results[0]), keep));
  return results;
}

Bindings elementwise_function(Call& call) {
  return stored_as_arguments(call,
                             one(call, find_complex_function(call.name)(arithmetic(call), complex_argument(call, 0))));
}

// Linear in the arguments that are complex: the function of the real parts and that of the imaginary ones.
Bindings each_part(Call& call) {
  const Binding re = of_real(call, with_parts(call, false)), im = of_real(call, with_parts(call, true));
  return one(call, {re.value, im.value});
}

// Linear in the first argument: the others say what to do, and are real.
Bindings each_part_of_first(Call& call) {
  for (std::size_t i = 1; i < call.count(); ++i)
    if (call.args[i].is_complex()) call.args[i] = Binding::matrix(call.matrix(i));
  return call.args[0].is_complex() ? each_part(call) : Bindings{of_real(call, call.args)};
}

// What is asked of the shape or the class alone.
Bindings of_shape(Call& call) {
  return call.walk.call_by_name(call.name, with_parts(call, false), call.nargout, call.span);
}

// What looks at which elements are zero.
Bindings of_mask(Call& call) {
  for (Binding& arg : call.args)
    if (arg.is_complex()) arg = Binding::matrix(nonzero(call.emit, parts_of(call.emit, arg), call.span));
  return call.walk.call_by_name(call.name, call.args, call.nargout, call.span);
}

Bindings of_magnitude(Call& call) {
  for (Binding& arg : call.args)
    if (arg.is_complex()) arg = Binding::matrix(arithmetic(call).magnitude(parts_of(call.emit, arg)));
  return call.walk.call_by_name(call.name, call.args, call.nargout, call.span);
}

// f(a + ib, c + id) = f(a, c) - f(b, d) + i (f(a, d) + f(b, c))
Bindings bilinear(Call& call) {
  const Complex a = complex_argument(call, 0), b = complex_argument(call, 1);
  const ComplexArithmetic c = arithmetic(call);
  const auto apply = [&](ValueId x, ValueId y) {
    Bindings args = call.args;
    args[0] = Binding::matrix(x);
    args[1] = Binding::matrix(y);
    return of_real(call, std::move(args)).value;
  };
  const auto combined = [&](ast::BinaryOp op, ValueId x, ValueId y) {
    return binary(call.emit, op, Binding::matrix(x), Binding::matrix(y), call.span).value;
  };
  if (b.is_real()) return one(call, each_part(a, [&](ValueId part) { return apply(part, b.re); }));
  if (a.is_real()) return one(call, each_part(b, [&](ValueId part) { return apply(a.re, part); }));
  const ValueId re = combined(ast::BinaryOp::subtract, apply(a.re, b.re), apply(a.im, b.im));
  return one(call, {re, combined(ast::BinaryOp::add, apply(a.re, b.im), apply(a.im, b.re))});
}

Complex imaginary_unit(Call& call) {
  Builder& b = call.emit.builder;
  return {b.constant(0, call.emit.graph.precision), b.constant(1, call.emit.graph.precision)};
}

// filter(b, a, x) is linear in b and in x, and not in a.
Bindings filter(Call& call) {
  if (call.args[1].is_complex()) call.fail("complex A is not there: write the recurrence as a loop");
  if (!call.args[0].is_complex() || !call.args[2].is_complex()) return each_part(call);
  if (call.count() > 3 || call.nargout > 1) call.fail("of complex B and X takes B, A and X, and has one result");
  const Complex b = complex_argument(call, 0);
  const auto of = [&](ValueId part) {
    Call one_part = call;
    one_part.args[0] = Binding::matrix(part);
    return each_part(one_part).front();
  };
  const Binding turned =
      binary(call.emit, ast::BinaryOp::times, of(b.im), complex_binding(call.emit, imaginary_unit(call)), call.span);
  return {binary(call.emit, ast::BinaryOp::add, of(b.re), turned, call.span)};
}

// dot(x, y) = sum(conj(x) .* y)
Bindings dot(Call& call) {
  call.args[0] = complex_binding(call.emit, conjugate(call.emit, complex_argument(call, 0), call.span));
  return bilinear(call);
}

Bindings isreal(Call& call) { return one(is_narrow(call.emit, complex_argument(call, 0))); }

Bindings iscomplex(Call& call) {
  return one(call.emit.builder.map(ScalarOp::logical_not, is_narrow(call.emit, complex_argument(call, 0))));
}

Bindings transposed(Call& call) { return {transpose(call.emit, call.args[0], call.name == "ctranspose", call.span)}; }

Bindings operation(Call& call) {
  const ast::BinaryOp op = ast::operator_named(call.name);
  Binding result = call.args[0];
  for (std::size_t i = 1; i < call.count(); ++i)
    result = is_power_by_loop(call.emit, op, result, call.args[i])
                 ? of_real(call, {result, call.args[i]}, "power_by_squaring")
                 : binary(call.emit, op, result, call.args[i], call.span);
  return {result};
}

Bindings uminus(Call& call) { return {negate(call.emit, call.args[0], call.span)}; }

// horzcat, vertcat, cat: of real values beside complex ones the imaginary parts are zero.
Bindings joined(Call& call) {
  const std::size_t first = call.name == "cat" ? 1 : 0;
  for (std::size_t i = first; i < call.count(); ++i) call.args[i] = widened(call.emit, call.args[i]);
  return each_part(call);
}

// Linear in B and A together. Which diagonals a matrix has both of its parts tell.
/// The real part of an argument, of which the imaginary part must be zero.
ValueId real_alone(Call& call, std::size_t i) {
  Emitter& e = call.emit;
  const Complex parts = complex_argument(call, i);
  const ValueId zero = e.builder.map(ScalarOp::eq, imaginary_part(e, parts), e.builder.constant(0, Element::integer));
  e.require(all_true(call, zero), call.name + ": subscripts must be real (forgot to initialize i or j?)", {});
  return parts.re;
}

Bindings spdiags(Call& call) {
  const bool into = call.count() == 3;  // spdiags(B, d, A)
  for (std::size_t i = 1; i < call.count(); ++i)
    if (call.args[i].is_complex() && !(into && i == 2)) call.args[i] = Binding::matrix(real_alone(call, i));
  if (into && (call.args[0].is_complex() || call.args[2].is_complex()))
    for (const std::size_t i : {0, 2}) call.args[i] = widened(call.emit, call.args[i]);
  if (!call.args[0].is_complex()) return call.walk.call_by_name(call.name, call.args, call.nargout, call.span);
  if (call.count() > 1) return each_part(call);
  const Binding mask = Binding::matrix(nonzero(call.emit, complex_argument(call, 0), call.span));
  const Binding which = call.walk.call_by_name(call.name, {mask}, 2, call.span)[1];
  call.args.push_back(which);
  return {each_part(call).front(), which};
}

Bindings merge(Call& call) {
  const Complex yes = complex_argument(call, 1), no = complex_argument(call, 2);
  const auto part = [&](ValueId a, ValueId b) {
    return of_real(call, {call.args[0], Binding::matrix(a), Binding::matrix(b)}).value;
  };
  const ValueId re = part(yes.re, no.re);
  return one(call, {re, part(imaginary_part(call.emit, yes), imaginary_part(call.emit, no))});
}

Bindings isequal(Call& call) {
  Emitter& e = call.emit;
  Bindings re, im;
  for (const Binding& arg : call.args) {
    if (!arg.is_complex() && !arg.is_matrix()) return one(e.builder.constant(0, Element::logical));
    const Complex parts = widened(e, parts_of(e, arg));
    re.push_back(Binding::matrix(parts.re));
    im.push_back(Binding::matrix(parts.im));
  }
  return one(e.builder.map(ScalarOp::logical_and, of_real(call, re).value, of_real(call, im).value));
}

// Elements of complex values at linear positions.
Complex picked(Call& call, const Complex& z, ValueId positions) {
  const Type t = call.type(positions);
  return lac::frontend::each_part(z, [&](ValueId part) {
    if (t.is_scalar() && call.type(part).is_scalar()) return part;
    const Subscript at{SubscriptKind::vector, 0, 1, t.count()};
    const ValueId column = call.emit.builder.reshape(positions, t.count(), 1);
    const ValueId taken = call.emit.builder.index(part, Subscripts{{at}}, {column}, t.count(), 1);
    return call.emit.builder.reshape(taken, t.rows, t.cols);
  });
}

/// Positions within columns or rows as positions in the whole matrix; `axis` is the one that they run along.
ValueId linear_positions(Call& call, ValueId positions, const Type& of, Axis axis) {
  Emitter& e = call.emit;
  const Type t = call.type(positions);
  const auto apply = [&](ScalarOp op, ValueId a, ValueId b) {
    return elementwise(e, op, {a, b}, call.span, call.name);
  };
  const ValueId one = e.builder.constant(1, Element::integer), rows = e.builder.size(of.rows);
  if (axis == Axis::all) return positions;
  if (axis == Axis::rows)
    return apply(ScalarOp::add, positions, apply(ScalarOp::mul, e.builder.iota(Axis::cols, t.rows, t.cols), rows));
  return apply(ScalarOp::add, apply(ScalarOp::mul, apply(ScalarOp::sub, positions, one), rows),
               apply(ScalarOp::add, e.builder.iota(Axis::rows, t.rows, t.cols), one));
}

/// By what values are ordered: magnitudes, or the values where the run finds them all real.
ValueId sort_key(Call& call, const Complex& z) {
  const ComplexArithmetic c = arithmetic(call);
  if (z.is_real()) return z.re;
  return c.real(ScalarOp::select, {is_narrow(call.emit, z), z.re, c.magnitude(z)});
}

/// And where magnitudes are equal: arguments, where -pi counts as pi.
ValueId second_key(Call& call, const Complex& z) {
  const ComplexArithmetic c = arithmetic(call);
  const ValueId angle = c.argument(z), pi = c.number(std::numbers::pi, angle);
  const ValueId turned =
      c.real(ScalarOp::select, {c.real(ScalarOp::eq, {angle, c.real(ScalarOp::neg, {pi})}), pi, angle});
  return c.real(ScalarOp::select, {is_narrow(call.emit, z), c.number(0, angle), turned});
}

/// The argument without sparse storage.
Complex full_argument(Call& call, std::size_t i) {
  return lac::frontend::each_part(complex_argument(call, i), [&](ValueId part) { return dense(call.emit, part); });
}

// By magnitude; of equal ones the first argument wins.
Bindings extreme_of_two(Call& call) {
  Emitter& e = call.emit;
  const Complex a = full_argument(call, 0), b = full_argument(call, 1);
  const ComplexArithmetic c = arithmetic(call);
  const ValueId both = e.builder.map(ScalarOp::logical_and, is_narrow(e, a), is_narrow(e, b));
  const auto key = [&](const Complex& z) { return c.real(ScalarOp::select, {both, z.re, c.magnitude(z)}); };
  const ScalarOp wins = call.name == "max" ? ScalarOp::ge : ScalarOp::le;
  return stored_as_arguments(call, one(call, c.select(c.real(wins, {key(a), key(b)}), a, b)));
}

Bindings extreme(Call& call) {
  Emitter& e = call.emit;
  if (call.count() > 1 && !call.is_empty_literal(1)) return extreme_of_two(call);
  Complex z = full_argument(call, 0);
  ValueId model = z.re;
  const Axis axis = call.count() > 2 ? dimension_axis(call, 2) : default_axis(call, model);
  const Type t = call.type(model);
  if (!t.same_shape(call.type(z.re)))
    z = lac::frontend::each_part(z, [&](ValueId part) { return e.builder.reshape(part, t.rows, t.cols); });
  const ComplexArithmetic c = arithmetic(call);
  const auto of = [&](ValueId key, int results) {
    Bindings args{Binding::matrix(key)};
    for (std::size_t i = 1; i < call.count(); ++i) args.push_back(call.args[i]);
    return call.walk.call_by_name(call.name, std::move(args), results, call.span);
  };
  const ValueId key = sort_key(call, z), best = of(key, 1)[0].value;
  const ValueId angle = second_key(call, z);
  const double never =
      call.name == "max" ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  const ValueId among = c.real(ScalarOp::select, {c.real(ScalarOp::eq, {key, best}), angle, c.number(never, angle)});
  const Binding place = of(among, 2)[1];
  return stored_as_arguments(
      call, {complex_binding(e, picked(call, z, linear_positions(call, place.value, t, axis))), place});
}

// find with the values as third result, and nonzeros.
Bindings found(Call& call) {
  if (call.name == "find" && (call.nargout < 3 || !call.args[0].is_complex())) return of_mask(call);
  Emitter& e = call.emit;
  const Complex z = full_argument(call, 0);
  const ValueId mask = nonzero(e, z, call.span);
  const auto places = [&](int results) {
    Bindings args = call.args;
    args[0] = Binding::matrix(mask);
    return call.walk.call_by_name("find", std::move(args), results, call.span);
  };
  if (call.name == "nonzeros") {
    const ValueId at = places(1)[0].value;
    return one(call, picked(call, z, e.builder.reshape(at, call.type(at).count(), 1)));
  }
  Bindings results = places(2);
  results.push_back(complex_binding(e, picked(call, z, places(1)[0].value)));
  const Type t = call.type(z.re);
  if (call.nargout > 3 && call.type(complex_argument(call, 0).re).is_dense())
    call.fail("of full matrices has three results");
  if (call.nargout > 3)
    for (const Size& extent : {t.rows, t.cols}) results.push_back(Binding::matrix(e.builder.size(extent)));
  return results;
}

Complex in_shape(Call& call, const Complex& z, const Type& t) {
  return lac::frontend::each_part(z, [&](ValueId part) { return call.emit.builder.reshape(part, t.rows, t.cols); });
}

// A stable sort by the second key, then one by the first. Where only the run knows whether X is a row, it is sorted as
// a column.
Bindings sort(Call& call) {
  Emitter& e = call.emit;
  Bindings options;
  Axis axis = Axis::rows;
  Complex z = full_argument(call, 0);
  const Type given = call.type(z.re);
  const bool names_dim = call.count() > 1 && !call.is_text(1);
  const bool may_turn = !names_dim && !given.is_vector() && !e.facts.not_one(e.graph, given.rows);
  if (may_turn) {
    ValueId turned = z.re;
    default_axis(call, turned);
    z = in_shape(call, z, call.type(turned));
  }
  const Type t = call.type(z.re);
  if (t.rows.is(1)) axis = Axis::cols;
  for (std::size_t i = 1; i < call.count(); ++i) {
    options.push_back(call.args[i]);
    if (!call.is_text(i)) axis = dimension_axis(call, i);
  }
  if ((t.rows.is(1) && axis == Axis::cols) || (t.cols.is(1) && axis == Axis::rows)) axis = Axis::all;
  const auto ordered_by = [&](ValueId key) {
    Bindings args{Binding::matrix(key)};
    args.insert(args.end(), options.begin(), options.end());
    const ValueId places = call.walk.call_by_name("sort", std::move(args), 2, call.span)[1].value;
    return std::pair(places, linear_positions(call, places, t, axis));
  };
  const auto [by_angle, at_angle] = ordered_by(second_key(call, z));
  const Complex half = picked(call, z, at_angle);
  const auto [by_size, at_size] = ordered_by(sort_key(call, half));
  Complex sorted = picked(call, half, at_size);
  ValueId places = picked(call, {by_angle}, at_size).re;
  if (may_turn) {
    sorted = in_shape(call, sorted, given);
    places = e.builder.reshape(places, given.rows, given.cols);
  }
  return stored_as_arguments(call, {complex_binding(e, sorted), Binding::matrix(places)});
}

// Magnitudes tell all norms but the 2-norm of a matrix, which is its largest singular value.
Bindings norm(Call& call) {
  Emitter& e = call.emit;
  const Type t = call.type(complex_argument(call, 0).re);
  const bool of_two = call.count() < 2 || (call.args[1].is_matrix() && e.constant_of(call.args[1].value) == 2.0);
  if (!of_two || t.rows.is(1) || t.cols.is(1)) return of_magnitude(call);
  const ValueId values = call.walk.call_by_name("svd", {call.args[0]}, 1, call.span)[0].value;
  return {of_real(call, {Binding::matrix(values)}, "max")};
}

Bindings display(Call& call) {
  print_binding(call.emit, "", call.args[0]);
  return {};
}

// prod(z, "double") computes in double what is single; in the class of z it computes anyway.
Bindings by_loop(Call& call) {
  if (call.is_text(call.count() - 1)) {
    const bool widens = call.text(call.count() - 1) == "double";
    call.args.pop_back();
    if (widens) call.args[0] = of_real(call, {call.args[0]}, "double");
  }
  return call.walk.call_by_name(call.name + "_by_loop", call.args, call.nargout, call.span);
}

// By singular values, which are real.
Bindings by_svd(Call& call) {
  return call.walk.call_by_name(call.name + "_by_svd", call.args, call.nargout, call.span);
}

Bindings by_parts(Call& call) {
  return call.walk.call_by_name(call.name + "_by_parts", call.args, call.nargout, call.span);
}

// The sum of what the function gives of both parts.
Bindings sum_of_parts(Call& call) {
  const Binding re = of_real(call, with_parts(call, false)), im = of_real(call, with_parts(call, true));
  return {of_real(call, {re, im}, "plus")};
}

// linspace(a, b, n): between the real parts, and between the imaginary ones
Bindings linspace(Call& call) {
  const Complex a = widened(call.emit, complex_argument(call, 0)), b = widened(call.emit, complex_argument(call, 1));
  const auto between = [&](ValueId from, ValueId to) {
    Bindings args = call.args;
    args[0] = Binding::matrix(from);
    args[1] = Binding::matrix(to);
    return of_real(call, std::move(args)).value;
  };
  Builder& build = call.emit.builder;
  // What is 0 in the middle between -Inf and Inf is no number where the other parts are not opposite as well.
  const auto between_of = [&](ValueId from, ValueId to, ValueId other_from, ValueId other_to) {
    const ValueId value = between(from, to);
    if (!call.type(from).is_scalar() || !call.type(other_from).is_scalar()) return value;
    const ValueId opposite = build.map(ScalarOp::eq, other_from, build.map(ScalarOp::neg, other_to));
    const ValueId endless = build.map(ScalarOp::logical_and, build.map(ScalarOp::is_inf, from),
                                      build.map(ScalarOp::eq, from, build.map(ScalarOp::neg, to)));
    const ValueId lost = build.map(ScalarOp::logical_and, endless, build.map(ScalarOp::logical_not, opposite));
    const Element element = call.type(value).element;
    const ValueId middle = build.map(ScalarOp::eq, value, build.constant(0, element));
    return build.map(ScalarOp::select, build.map(ScalarOp::logical_and, middle, lost),
                     build.constant(std::numeric_limits<double>::quiet_NaN(), element), value);
  };
  return one(call, {between_of(a.re, b.re, a.im, b.im), between_of(a.im, b.im, a.re, b.re)});
}

// Each cell one value.
Bindings num2cell(Call& call) {
  const Complex z = complex_argument(call, 0);
  const Binding re = of_real(call, {Binding::matrix(z.re)}), im = of_real(call, {Binding::matrix(z.im)});
  if (re.aggregate->stacked) return {cells_of_elements(call, call.args[0])};
  Aggregate made = *re.aggregate;
  std::vector<Binding>& items = made.slots.front().items;
  for (std::size_t k = 0; k < items.size(); ++k)
    items[k] = complex_binding(call.emit, {items[k].value, im.aggregate->slots.front().items[k].value});
  return {Binding::of(re.kind, std::move(made))};
}

Bindings polyval(Call& call) {
  if (call.count() > 2) call.fail("of complex values takes P and X alone");
  return call.walk.call_by_name("polyval_by_loop", call.args, 1, call.span);
}

Bindings assert_complex(Call& call) { return call.count() == 1 ? of_mask(call) : assertion(call); }

const Builtin overloads[] = {
    {"assert", 1, -1, 0, assert_complex},
    {"find", 1, 3, 5, found},
    {"nonzeros", 1, 1, 1, found},
    {"num2cell", 1, 1, 1, num2cell},
    {"polyval", 2, 4, 1, polyval},
    {"dot", 2, 3, 1, dot},
    {"isreal", 1, 1, 1, isreal},
    {"iscomplex", 1, 1, 1, iscomplex},
    {"transpose", 1, 1, 1, transposed},
    {"ctranspose", 1, 1, 1, transposed},
    {"uminus", 1, 1, 1, uminus},
    {"horzcat", 0, -1, 1, joined},
    {"vertcat", 0, -1, 1, joined},
    {"cat", 1, -1, 1, joined},
    {"spdiags", 1, 4, 2, spdiags},
    {"merge", 3, 3, 1, merge},
    {"ifelse", 3, 3, 1, merge},
    {"isequal", 2, -1, 1, isequal},
    {"max", 1, 3, 2, extreme},
    {"min", 1, 3, 2, extreme},
    {"sort", 1, 3, 2, sort},
    {"norm", 1, 3, 1, norm},
    {"disp", 1, 1, 1, shown_or_kept<display>},
    {"display", 1, 1, 0, display},
    {"prod", 1, 3, 1, by_loop},
    {"cumprod", 1, 2, 1, by_loop},
    {"sumsq", 1, 2, 1, sum_of_parts},
    {"linspace", 2, 3, 1, linspace},
    {"rank", 1, 2, 1, by_svd},
    {"cond", 1, 2, 1, by_svd},
    {"pinv", 1, 2, 1, by_svd},
    {"mat2str", 1, 2, 1, by_parts},
    {"num2str", 1, 2, 1, by_parts},
    {"filter", 3, 5, 2, filter},
};

struct Family {
  std::string_view names;  ///< each between blanks
  Handler handler;
};

constexpr Family families[] = {
    {" sum cumsum mean diff repmat reshape vec fliplr flipud flip rot90 circshift diag tril triu trace full double "
     "single permute squeeze ",
     each_part_of_first},
    {" sparse accumarray ", each_part},
    {" size numel rows columns ndims isempty length isvector isscalar isrow iscolumn ismatrix issquare isnumeric "
     "isfloat "
     "class isa ischar islogical isbool issparse iscell isstruct is_function_handle iscellstr printf "
     "fprintf sprintf isargout size_equal isdiag istril istriu isbanded ",
     of_shape},
    {" any all nnz not and or xor ", of_mask},
    {" hypot ", of_magnitude},
    {" kron conv conv2 ", bilinear},
    {" plus minus times rdivide ldivide power mtimes mrdivide mldivide mpower eq ne lt le gt ge ", operation},
};

bool names_it(std::string_view names, std::string_view name) {
  return names.find(" " + std::string(name) + " ") != std::string_view::npos;
}

std::map<std::string_view, Builtin> all_overloads() {
  std::map<std::string_view, Builtin> all;
  for (const std::string& name : builtin_names()) {
    const Builtin* builtin = find_builtin(name);
    if (find_complex_function(name)) all.emplace(builtin->name, Builtin{builtin->name, 1, 1, 1, elementwise_function});
    for (const Family& family : families)
      if (names_it(family.names, name))
        all.emplace(builtin->name,
                    Builtin{builtin->name, builtin->fewest, builtin->most, builtin->results, family.handler});
  }
  for (const Builtin& overload : overloads) all.insert_or_assign(overload.name, overload);
  for (const Builtin& overload : complex_factor_overloads()) all.insert_or_assign(overload.name, overload);
  return all;
}

}  // namespace

const Builtin* find_complex_overload(std::string_view name) {
  static const std::map<std::string_view, Builtin> all = all_overloads();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace lac::frontend
