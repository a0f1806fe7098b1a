// assert (cond, ...) and assert (observed, expected, tol).
#include <algorithm>
#include <cmath>

#include "frontend/ast/print.h"
#include "frontend/sema/arrays/array.h"
#include "frontend/sema/builtins/effect.h"
#include "frontend/sema/complex/arithmetic.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/mismatch.h"

namespace lac::frontend {
namespace {

void compare(Call& call);

// What a cell holds is compared by a call that Octave's own assert makes, and tells of.
constexpr std::string_view of_contents = "cond {i},expected {i},tol";

std::string written_arguments(Call& call) {
  std::string text;
  if (call.name == of_contents) return call.name;
  if (!call.written) return "cond";
  for (const ast::ExprPtr& arg : *call.written)
    text += (text.empty() ? "" : ",") + ast::display_of(arg, call.emit.sources);
  return text;
}

std::string escape_percent(std::string text) {
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2)) text.insert(at, "%");
  return text;
}

std::string headline(Call& call) { return "ASSERT errors for:  assert (" + written_arguments(call) + ")"; }

// Stops unless `holds`; the table has one row.
void require_row(Call& call, ValueId holds, const std::string& location, const std::string& observed,
                 const std::string& expected, std::string_view reason) {
  const std::string row = mismatch_row(location, observed, expected, reason);
  call.emit.require(holds, escape_percent(headline(call) + std::string(mismatch_head) + row), {});
  if (call.emit.constant_of(holds) == 0.0) throw Unreachable{};
}

[[noreturn]] void stop_with_row(Call& call, const std::string& location, const std::string& observed,
                                const std::string& expected, std::string_view reason) {
  require_row(call, call.emit.builder.constant(0, Element::logical), location, observed, expected, reason);
  throw Unreachable{};
}

const char* class_of(Call& call, const Binding& binding) {
  if (binding.is_text()) return "char";
  if (binding.is_function()) return "function_handle";
  if (binding.is_cell()) return "cell";
  if (binding.is_record()) return "struct";
  if (binding.is_array()) return class_of(call, Binding::matrix(array_of(call.emit, binding).elements));
  if (binding.is_complex()) return class_of(call, Binding::matrix(parts_of(call.emit, binding).re));
  if (!binding.is_matrix()) throw LowerError{};
  switch (call.type(binding.value).element) {
    case Element::logical: return "logical";
    case Element::single: return "single";
    default: return "double";
  }
}

// In a program of single precision nothing is certainly double.
bool of_other_classes(Call& call, const std::string& a, const std::string& b) {
  const bool blurred = call.emit.graph.precision == Element::single;
  const auto real = [&](const std::string& name) { return blurred && (name == "single" || name == "double"); };
  return a != b && !(real(a) && real(b));
}

bool same_function(const Closure& a, const Closure& b) {
  return &a == &b || (!a.anonymous && !b.anonymous && a.name == b.name);
}

void compare_with_function(Call& call) {
  const Binding &observed = call.args[0], &expected = call.args[1];
  if (!observed.is_function())
    stop_with_row(call, "@", "O", "E",
                  std::string("Expected function handle, but observed ") + class_of(call, observed));
  if (!same_function(*observed.function, *expected.function))
    stop_with_row(call, "@", "O", "E", "Function handles don't match");
}

void compare_with_text(Call& call) {
  Emitter& e = call.emit;
  const Binding &observed = call.args[0], &expected = call.args[1];
  const bool number = !observed.is_text() && !observed.is_cell() && !observed.is_record() && !observed.is_function();
  if (number) stop_with_row(call, ".", "O", "E", "Expected string, but observed number");
  if (!observed.is_text())
    stop_with_row(call, ".", "O", expected.is_known_text() ? expected.text : "E",
                  std::string("Expected string, but observed ") + class_of(call, observed));
  const bool known = observed.is_known_text() && expected.is_known_text();
  require_row(call, same_strings(e, observed, expected), "[]", known ? observed.text : "O", known ? expected.text : "E",
              "Strings don't match");
}

constexpr std::string_view dimensions = "Dimensions don't match", structure_sizes = "Structure sizes don't match";

void require_same_shape(Call& call, const std::vector<Size>& observed, const std::vector<Size>& expected,
                        std::string_view reason = dimensions) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const std::vector<Size> x = padded(observed, expected.size()), y = padded(expected, observed.size());
  ValueId same = e.equal_sizes(x[0], y[0]);
  for (std::size_t k = 1; k < x.size(); ++k) same = b.map(ScalarOp::logical_and, same, e.equal_sizes(x[k], y[k]));
  const auto known = [](const Size& size) { return size.is_constant(); };
  if (std::ranges::all_of(observed, known) && std::ranges::all_of(expected, known))
    return require_row(call, same, ".", "O(" + extents_text(e, observed) + ")", "E(" + extents_text(e, expected) + ")",
                       reason);
  const std::string row = mismatch_row(".", "O(" + extents_format(observed.size()) + ")",
                                       "E(" + extents_format(expected.size()) + ")", reason);
  std::vector<ValueId> sizes;
  for (const auto* extents : {&observed, &expected})
    for (const Size& size : *extents) sizes.push_back(b.size(size));
  e.require(same, escape_percent(headline(call)) + std::string(mismatch_head) + row, sizes);
}

std::vector<Size> extents_of_type(const Type& t) { return {t.rows, t.cols}; }

// Places of elements that differ count down the columns.
void compare_arrays(Call& call) {
  Emitter& e = call.emit;
  require_same_shape(call, extents_of(e, call.args[0]), extents_of(e, call.args[1]));
  for (Binding& arg : call.args)
    if (arg.is_array() || (arg.is_matrix() && !call.type(arg.value).is_scalar()))
      arg = Binding::matrix(as_column(e, arg));
}

std::vector<Size> extents_of_aggregate(Call& call, const Aggregate& a) {
  const auto [rows, cols] = lac::frontend::extents_of(call.emit, a);
  return {rows, cols};
}

bool same_names(const Aggregate& a, const Aggregate& b) {
  return std::ranges::all_of(a.slots, [&](const Slot& slot) { return b.find(slot.name) != nullptr; });
}

// |observed - expected| <= tol, or <= |tol * expected| for a negative tol (|tol| where expected is 0); a NaN belongs to
// a NaN, an infinity to the same one, and a NaN or [] as tol allows every other difference.
ValueId agreement(Call& call, ValueId observed, ValueId expected, std::optional<ValueId> tolerance) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const auto apply = [&](ScalarOp op, std::vector<ValueId> operands) {
    return elementwise(e, op, std::move(operands), call.span, "assert");
  };
  const ValueId zero = b.constant(0, Element::integer);
  const ValueId error = apply(ScalarOp::abs, {apply(ScalarOp::sub, {observed, expected})});
  ValueId wrong =
      apply(ScalarOp::logical_or,
            {apply(ScalarOp::is_inf, {error}),
             apply(ScalarOp::ne, {apply(ScalarOp::is_nan, {observed}), apply(ScalarOp::is_nan, {expected})})});
  if (tolerance) {
    const ValueId size = apply(ScalarOp::abs, {*tolerance});
    const ValueId relative = apply(ScalarOp::mul, {size, apply(ScalarOp::abs, {expected})});
    const ValueId is_relative =
        apply(ScalarOp::logical_and, {apply(ScalarOp::lt, {*tolerance, zero}), apply(ScalarOp::ne, {expected, zero})});
    const ValueId bound = apply(ScalarOp::select, {is_relative, relative, size});
    wrong = apply(ScalarOp::logical_or, {wrong, apply(ScalarOp::gt, {error, bound})});
  }
  return all_true(call, apply(ScalarOp::logical_not, {wrong}));
}

void compare_numbers(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const auto matrix = [&](std::size_t i) { return call.is_text(i) ? call.array(i) : call.matrix(i); };
  const bool sparse[2] = {call.type(matrix(0)).is_sparse(), call.type(matrix(1)).is_sparse()};
  const ValueId observed = dense(e, matrix(0)), expected = dense(e, matrix(1));
  require_same_shape(call, extents_of_type(call.type(observed)), extents_of_type(call.type(expected)));
  const bool exact = call.count() == 2;
  const std::string given = class_of(call, call.args[0]), wanted = class_of(call, call.args[1]);
  if (exact && of_other_classes(call, given, wanted))
    stop_with_row(call, "()", "O", "E", "Class " + given + " != " + wanted);
  if (exact && sparse[0] != sparse[1])
    stop_with_row(call, "()", "O", "E", sparse[0] ? "sparse != non-sparse" : "non-sparse != sparse");
  std::optional<ValueId> tolerance;
  if (exact) tolerance = b.constant(0, Element::integer);
  else if (!call.is_text(2) && !call.is_empty_literal(2)) tolerance = call.dense(2);
  const ValueId fine = agreement(call, observed, expected, tolerance);
  const auto require = [&](ValueId holds) {
    const std::vector<ValueId> compared = {holds, b.text(headline(call)), observed, expected,
                                           tolerance ? *tolerance : e.nothing()};
    e.require(holds, "%s",
              {text_step(e, LibraryFn::assert_text, LibraryFn::assert_text_length, compared, 1, true).value});
  };
  if (e.errors) return require(fine);  // a try goes on behind its checks, which stand in no arm
  const auto fail = [&] {
    require(b.constant(0, Element::logical));
    throw Unreachable{};
  };
  branch_effects(
      e, fine, [] {}, fail, call.span);
}

// Classes of numbers do not count in cells and structs: there a tolerance is given.
void compare_contents(Call& call, const Binding& observed, const Binding& expected) {
  const ValueId none = call.emit.builder.constant(0, Element::integer);
  const Binding tolerance = call.count() > 2 ? call.args[2] : Binding::matrix(none);
  Call inner{call.emit,     call.walk,   std::string(of_contents), {observed, expected, tolerance}, 0, call.span,
             call.function, call.written};
  compare(inner);
}

void compare_slots(Call& call, const Aggregate& observed, const Aggregate& expected) {
  for (const Slot& slot : observed.slots) {
    const Slot& other = *expected.find(slot.name);
    if (observed.stacked && slot.ragged != other.ragged)
      call.fail(
          "elements have one shape in one of these arrays and extents of their own in the other: compare them one "
          "by one");
    if (observed.stacked && slot.ragged) compare_contents(call, slot.places, other.places);
    if (observed.stacked) compare_contents(call, slot.stack, other.stack);
    for (std::size_t k = 0; k < slot.items.size(); ++k) compare_contents(call, slot.items[k], other.items[k]);
  }
}

void compare_aggregates(Call& call) {
  Emitter& e = call.emit;
  const Binding &observed = call.args[0], &expected = call.args[1];
  const bool cell = expected.is_cell(), record = expected.is_record();
  if ((cell || record) && observed.kind != expected.kind)
    stop_with_row(call, ".", "O", "E",
                  std::string("Expected ") + class_of(call, expected) + ", but observed " + class_of(call, observed));
  const auto sizes = [&](const Binding& of) {
    return of.is_cell() || of.is_record() ? extents_of_aggregate(call, *of.aggregate) : extents_of(e, of);
  };
  if (!cell && !record) {
    require_same_shape(call, sizes(observed), sizes(expected));
    stop_with_row(call, "()", "O", "E",
                  std::string("Class ") + class_of(call, observed) + " != " + class_of(call, expected));
  }
  const Aggregate &a = *observed.aggregate, &b = *expected.aggregate;
  if (record && a.slots.size() != b.slots.size())
    stop_with_row(call, ".", "O(" + extents_text(e, sizes(observed)) + ")",
                  "E(" + extents_text(e, sizes(expected)) + ")", structure_sizes);
  require_same_shape(call, sizes(observed), sizes(expected), cell ? dimensions : structure_sizes);
  if (!same_names(a, b)) stop_with_row(call, ".", "O", "E", "Structure fieldname mismatch");
  if (a.stacked != b.stacked)
    call.fail("the run finds how many elements one of these arrays has, the other is known: compare them one by one");
  compare_slots(call, a, b);
}

/// What is exceptional in both alike counts as 0.
ValueId without_exceptions(const ComplexArithmetic& c, ValueId part, ValueId other) {
  const ValueId alike =
      c.real(ScalarOp::logical_and, {c.real(ScalarOp::is_inf, {part}), c.real(ScalarOp::eq, {part, other})});
  const ValueId gone = c.real(
      ScalarOp::logical_or,
      {alike, c.real(ScalarOp::logical_and, {c.real(ScalarOp::is_nan, {part}), c.real(ScalarOp::is_nan, {other})})});
  return c.real(ScalarOp::select, {gone, c.number(0, part), part});
}

// Both parts; with a tolerance what is exceptional in both, and how far they are apart.
void compare_complex(Call& call) {
  const auto parts = [&](std::size_t i) {
    const Complex z = parts_of(call.emit, call.args[i]);
    return Complex{z.re, imaginary_part(call.emit, z)};
  };
  const Complex observed = parts(0), expected = parts(1);
  const auto check = [&](ValueId x, ValueId y, std::optional<Binding> tolerance) {
    Call inner = call;
    inner.args = {Binding::matrix(x), Binding::matrix(y)};
    if (tolerance) inner.args.push_back(*tolerance);
    compare_numbers(inner);
  };
  if (call.count() == 2) {
    check(observed.re, expected.re, {});
    return check(observed.im, expected.im, {});
  }
  const Binding only_exceptions = Binding::matrix(call.emit.builder.constant(std::nan(""), Element::real));
  check(observed.re, expected.re, only_exceptions);
  check(observed.im, expected.im, only_exceptions);
  const ComplexArithmetic c(call.emit, call.span, "assert");
  const auto full = [&](const Complex& z) { return Complex{dense(call.emit, z.re), dense(call.emit, z.im)}; };
  const Complex o = full(observed), x = full(expected);
  const Complex a{without_exceptions(c, o.re, x.re), without_exceptions(c, o.im, x.im)};
  const Complex b{without_exceptions(c, x.re, o.re), without_exceptions(c, x.im, o.im)};
  const ValueId size = c.magnitude(b);
  check(c.real(ScalarOp::add, {size, c.magnitude(c.subtract(a, b))}), size, call.args[2]);
}

void check_condition(Call& call) {
  Emitter& e = call.emit;
  const Binding& condition = call.args[0];
  const ValueId holds = condition.is_matrix() ? truth(e, call.dense(0)) : e.builder.constant(0, Element::logical);
  if (call.count() == 1) {
    e.require(holds, escape_percent("assert (" + written_arguments(call) + ") failed"), {});
    return;
  }
  if (e.constant_of(holds).value_or(0) != 0) return;
  Said said = said_by(call, 1);
  said.message.stream = Stream::err;
  e.check(holds, said.message, said.operands);
}

void compare(Call& call) {
  const Binding &observed = call.args[0], &expected = call.args[1];
  const auto made_of_parts = [](const Binding& b) { return b.is_cell() || b.is_record(); };
  if (expected.is_function()) return compare_with_function(call);
  if (call.is_text(1)) return compare_with_text(call);
  const bool function = observed.is_function() && !made_of_parts(expected);
  if (function && !expected.is_complex()) require_same_shape(call, {1, 1}, extents_of(call.emit, expected));
  if (function)
    stop_with_row(call, "()", "O", "E", std::string("Class function_handle != ") + class_of(call, expected));
  if (made_of_parts(observed) || made_of_parts(expected)) return compare_aggregates(call);
  if (observed.is_complex() || expected.is_complex()) return compare_complex(call);
  if (observed.is_array() || expected.is_array()) compare_arrays(call);
  compare_numbers(call);
}

}  // namespace

std::vector<Binding> assertion(Call& call) {
  if (std::ranges::any_of(call.args, [](const Binding& arg) { return arg.kind == Binding::Kind::poisoned; }))
    throw LowerError{};
  for (Binding& arg : call.args)
    if (call.count() == 1 && arg.is_array()) arg = Binding::matrix(as_column(call.emit, arg));
  const Binding& first = call.args[0];
  const bool logical = first.is_matrix() && call.type(first.value).element == Element::logical;
  if (call.count() == 1 || (logical && call.is_text(1))) check_condition(call);
  else if (call.count() > 3) call.emit.fail(call.span, "Invalid call to assert");
  else compare(call);
  return {};
}

std::span<const Builtin> assert_builtins() {
  static constexpr Builtin entries[] = {{"assert", 1, -1, 0, assertion}};
  return entries;
}

}  // namespace lac::frontend
