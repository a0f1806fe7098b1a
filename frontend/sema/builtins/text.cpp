// sprintf, num2str, mat2str, int2str, strcat, strcmp: strings made of numbers and of strings.
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/integer_class.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

std::vector<Binding> sprintf_of(Call& call) {
  if (!call.is_text(0)) call.fail("format TEMPLATE must be a string");
  if (auto known = known_format(call.emit, call.args, 0))
    return {Binding::string(*std::move(known), call.args[0].double_quoted)};
  return {formatted(call.emit, "sprintf", call.args, 0)};
}

ValueId no_text(Call& call) { return call.emit.builder.text(""); }

// num2str of a matrix with the rows of `x`; none of a matrix without elements.
Binding number_text(Call& call, ValueId x, ValueId precision, ValueId format) {
  Emitter& e = call.emit;
  const Type t = call.type(x);
  if (t.rows.is(0) || t.cols.is(0)) return Binding::string("", true);
  const Size rows = e.chosen(e.equal_sizes(t.count(), 0), 0, t.rows);
  return text_step(e, LibraryFn::num2str, LibraryFn::num2str_length, {x, precision, format}, rows, true);
}

std::vector<Binding> num2str(Call& call) {
  if (call.is_text(0)) return {call.args[0]};
  if (auto digits = call.count() == 1 ? known_digits(call.emit, call.args[0]) : std::nullopt)
    return {Binding::string(*std::move(digits), true)};
  const ValueId x = call.dense(0);
  if (call.is_text(1)) {
    return {number_text(call, x, no_text(call), codes(call.emit, escapes_expanded(call.args[1])))};
  }
  if (call.count() == 1) return {number_text(call, x, no_text(call), no_text(call))};
  if (!call.type(call.dense(1)).is_scalar()) call.fail("PRECISION must be a scalar integer >= 0");
  const ValueId precision = call.scalar(1);
  Emitter& e = call.emit;
  const ValueId fine =
      e.builder.map(ScalarOp::logical_and,
                    e.builder.map(ScalarOp::ge, precision, e.builder.constant(0, call.type(precision).element)),
                    e.builder.map(ScalarOp::eq, precision, e.builder.map(ScalarOp::fix, precision)));
  e.require(fine, "num2str: PRECISION must be a scalar integer >= 0", {});
  return {number_text(call, x, e.builder.convert(precision, Element::integer), no_text(call))};
}

std::vector<Binding> int2str(Call& call) {
  Emitter& e = call.emit;
  if (call.is_text(0)) call.fail("N must be a numeric, logical, or character array");
  if (auto digits = known_digits(call.emit, call.args[0])) return {Binding::string(*std::move(digits), true)};
  const ValueId x = call.dense(0);
  const bool exact = !is_floating(call.type(x).element);
  const ValueId all_digits = e.builder.constant(-1, Element::integer);
  return {number_text(call, exact ? x : e.builder.map(ScalarOp::round, x), all_digits, no_text(call))};
}

std::vector<Binding> mat2str(Call& call) {
  Emitter& e = call.emit;
  const ValueId x = call.dense(0);
  ValueId digits = e.builder.constant(15, Element::integer);
  std::string named;
  for (std::size_t i = 1; i < call.count(); ++i) {
    if (call.is_text(i)) {
      if (call.text(i) != "class") call.fail("the option must be \"class\"");
      named = class_name(call.type(x).element);
    } else {
      const ValueId given = call.dense(i);
      const Size count = call.type(given).count();
      if (!count.is(1) && !count.is(2)) call.fail("N must have only 1 or 2 elements");
      const Subscripts one_element{{{SubscriptKind::range, 0, 1, 1}}};
      const ValueId first = count.is(1) ? given : e.builder.index(given, one_element, {}, 1, 1);
      digits = e.builder.convert(first, Element::integer);  // the second counts for imaginary parts
    }
  }
  return {text_step(e, LibraryFn::mat2str, LibraryFn::mat2str_length, {x, digits, e.builder.text(named)}, 1, true)};
}

// Rows beside rows, the sums filled with blanks; an argument of one row stands in all.
Binding rows_joined(Call& call) {
  Emitter& e = call.emit;
  std::vector<ValueId> parts;
  Size rows = 1;
  bool double_quoted = true;
  for (const Binding& part : call.args) {
    parts.push_back(codes(e, part));
    double_quoted = double_quoted && part.double_quoted;
    const Size own = e.larger(call.type(parts.back()).rows, 1);  // without rows it is an empty string
    if (own.is(1)) continue;
    const std::string message = "strcat: arguments must be the same size, or be scalars";
    if (!rows.is(1)) require_equal(e, rows, own, call.span, message, {}, message);
    rows = own;
  }
  return text_step(e, LibraryFn::text_trim, LibraryFn::text_trim_length, parts, rows, double_quoted);
}

// Blanks at the end of each argument are left out.
std::vector<Binding> strcat_of(Call& call) {
  Emitter& e = call.emit;
  std::vector<Binding> parts;
  if (call.count() == 0) return {Binding::string("", true)};
  bool matrices = false;
  for (std::size_t i = 0; i < call.count(); ++i) {
    if (call.args[i].is_matrix())
      call.args[i] = Binding::computed_text(e.builder.convert(call.dense(i), Element::integer), false);
    if (!call.is_text(i)) call.fail("inputs must be strings or cells of strings");
    matrices = matrices || !e.facts.less_equal(e.graph, call.type(codes(e, call.args[i])).rows, 1);
  }
  if (matrices) return {rows_joined(call)};
  for (std::size_t i = 0; i < call.count(); ++i) {
    const Binding& part = call.args[i];
    if (part.is_known_text()) {
      parts.push_back(Binding::string(part.text.substr(0, part.text.find_last_not_of(' ') + 1), part.double_quoted));
    } else {
      parts.push_back(
          text_step(e, LibraryFn::text_trim, LibraryFn::text_trim_length, {part.value}, 1, part.double_quoted));
    }
  }
  return {join_strings(e, parts, call.span)};
}

// do_string_escapes(s) of a string that is known
std::vector<Binding> do_string_escapes(Call& call) {
  if (!call.is_text(0)) call.fail("STRING argument must be of type string");
  return {Binding::string(expand_escapes(call.text(0)), true)};
}

std::vector<Binding> strcmp_of(Call& call) {
  if (!call.is_text(0) || !call.is_text(1)) return one(call.emit.builder.constant(0, Element::logical));
  return one(same_strings(call.emit, call.args[0], call.args[1]));
}

}  // namespace

std::span<const Builtin> text_builtins() {
  static constexpr Builtin entries[] = {
      {"sprintf", 1, -1, 1, sprintf_of},
      {"num2str", 1, 2, 1, num2str},
      {"mat2str", 1, 3, 1, mat2str},
      {"int2str", 1, 1, 1, int2str},
      {"strcat", 0, -1, 1, strcat_of},
      {"strcmp", 2, 2, 1, strcmp_of},
      {"do_string_escapes", 1, 1, 1, do_string_escapes},
  };
  return entries;
}

}  // namespace lac::frontend
