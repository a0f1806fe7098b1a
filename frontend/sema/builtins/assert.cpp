// assert (cond, ...) and assert (observed, expected, tol).
#include "frontend/sema/builtins/effect.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/mismatch.h"

namespace lac::frontend {
namespace {

std::string written_arguments(Call& call) {
  std::string text;
  if (!call.written) return "cond";
  for (const ast::ExprPtr& arg : *call.written)
    text += (text.empty() ? "" : ",") + std::string(call.emit.sources.text(arg->span));
  return text;
}

std::string escape_percent(std::string text) {
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2)) text.insert(at, "%");
  return text;
}

std::string headline(Call& call) { return "ASSERT errors for:  assert (" + written_arguments(call) + ")"; }

// Stops unless `holds`; the table has one row.
void require_row(Call& call, ValueId holds, const std::string& location, const std::string& observed,
                 const std::string& expected, const std::string& reason) {
  const std::string row = mismatch_row(location, observed, expected, reason);
  call.emit.require(holds, escape_percent(headline(call) + std::string(mismatch_head) + row), {});
  if (call.emit.constant_of(holds) == 0.0) throw Unreachable{};
}

[[noreturn]] void stop_with_row(Call& call, const std::string& location, const std::string& observed,
                                const std::string& expected, const std::string& reason) {
  require_row(call, call.emit.builder.constant(0, Element::logical), location, observed, expected, reason);
  throw Unreachable{};
}

const char* class_of(Call& call, const Binding& binding) {
  if (binding.is_text()) return "char";
  if (binding.is_function()) return "function_handle";
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
  if (!observed.is_text()) stop_with_row(call, ".", "O", "E", "Expected string, but observed number");
  const bool known = observed.is_known_text() && expected.is_known_text();
  require_row(call, same_strings(e, observed, expected), "[]", known ? observed.text : "O", known ? expected.text : "E",
              "Strings don't match");
}

void require_same_shape(Call& call, Type observed, Type expected) {
  Emitter& e = call.emit;
  const auto known = [](const Type& t) { return t.rows.is_constant() && t.cols.is_constant(); };
  const auto shape = [&](char who, const Type& t) {
    return std::string(1, who) + "(" + e.graph.text(t.rows) + "x" + e.graph.text(t.cols) + ")";
  };
  Builder& b = e.builder;
  const ValueId same = b.map(ScalarOp::logical_and, e.equal_sizes(observed.rows, expected.rows),
                             e.equal_sizes(observed.cols, expected.cols));
  const std::string reason = "Dimensions don't match";
  if (known(observed) && known(expected))
    return require_row(call, same, ".", shape('O', observed), shape('E', expected), reason);
  const std::string row = mismatch_row(".", "O(%dx%d)", "E(%dx%d)", reason);
  e.require(same, escape_percent(headline(call)) + std::string(mismatch_head) + row,
            {b.size(observed.rows), b.size(observed.cols), b.size(expected.rows), b.size(expected.cols)});
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
  const bool sparse[2] = {!call.args[0].is_function() && call.type(matrix(0)).is_sparse(),
                          call.type(matrix(1)).is_sparse()};
  if (call.args[0].is_function())
    stop_with_row(call, "()", "O", "E", std::string("Class function_handle != ") + class_of(call, call.args[1]));
  const ValueId observed = dense(e, matrix(0)), expected = dense(e, matrix(1));
  require_same_shape(call, call.type(observed), call.type(expected));
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
  const auto fail = [&] {
    b.library(LibraryFn::assert_failure,
              {b.text(headline(call)), observed, expected, tolerance ? *tolerance : e.nothing()}, {});
    throw Unreachable{};
  };
  branch_effects(
      e, fine, [] {}, fail, call.span);
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

std::vector<Binding> assertion(Call& call) {
  const Binding& first = call.args[0];
  const bool logical = first.is_matrix() && call.type(first.value).element == Element::logical;
  if (call.count() == 1 || (logical && call.is_text(1))) check_condition(call);
  else if (call.count() > 3) call.emit.fail(call.span, "Invalid call to assert");
  else if (call.args[1].is_function()) compare_with_function(call);
  else if (call.is_text(1)) compare_with_text(call);
  else compare_numbers(call);
  return {};
}

constexpr Builtin entries[] = {{"assert", 1, -1, 0, assertion}};

}  // namespace

std::span<const Builtin> assert_builtins() { return entries; }

}  // namespace lac::frontend
