#include "frontend/sema/values/checks.h"

#include <cmath>

#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/value_text.h"
#include "ir/graph/warning_ids.h"
#include "ir/types/extent.h"

namespace lac::frontend {

void require_equal(Emitter& e, const Size& a, const Size& b, Span span, const std::string& what,
                   const std::vector<Size>& shown, const std::string& format) {
  if (a == b) return;
  if (e.facts.distinct(e.graph, a, b) && !e.is_caught_with(shown)) e.fail(span, what, shape_notes(e, span));
  ++e.open_shapes;
  std::vector<ValueId> arguments;
  for (const Size& size : shown) arguments.push_back(e.builder.size(size));
  e.require(e.equal_sizes(a, b), format, arguments, "Octave:nonconformant-args");
}

ValueId as_scalar(Emitter& e, ValueId value, Span span, const std::string& what) {
  if (e.type(value).is_sparse() && is_one(e.type(value))) value = dense(e, value);
  const Type t = e.type(value);
  if (t.is_scalar()) return value;
  if (t.is_sparse()) e.fail(span, what + " must be a scalar, but is a " + shape_text(e, value) + " sparse matrix");
  if (e.facts.distinct(e.graph, t.rows, 1) || e.facts.distinct(e.graph, t.cols, 1))
    e.fail(span, what + " must be a scalar, but is " + shape_text(e, value));
  const Size rows = t.rows, cols = t.cols;
  const ValueId one = e.builder.map(ScalarOp::logical_and, e.equal_sizes(rows, 1), e.equal_sizes(cols, 1));
  e.require(one, what + " must be a scalar, but is %dx%d", {e.builder.size(rows), e.builder.size(cols)});
  return e.builder.index(value, Subscripts{{{SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1);
}

namespace {

std::string key_of(const Emitter& e, ValueId scalar) {
  const std::string text = text_of_value(e, scalar);
  return text.empty() ? "%" + std::to_string(scalar.index) : text;
}

// What is known of one position is known of the same text as well: of t(floor(x / w) + 1) where it is stored to.
ValueId first_of_equals(Emitter& e, ValueId integer) {
  if (const auto known = known_integer(e, integer)) return *known;
  e.facts.checked.integers.insert_or_assign(key_of(e, integer), integer);
  return integer;
}

}  // namespace

std::optional<ValueId> known_integer(const Emitter& e, ValueId scalar) {
  const auto known = e.facts.checked.integers.find(key_of(e, scalar));
  return known == e.facts.checked.integers.end() ? std::nullopt : std::optional(known->second);
}

ValueId as_integer(Emitter& e, ValueId scalar, const std::string& format) {
  const Element element = e.type(scalar).element;
  if (element == Element::integer) return first_of_equals(e, scalar);
  if (element == Element::logical) return e.builder.convert(scalar, Element::integer);
  if (const auto number = e.constant_of(scalar)) {
    if (std::trunc(*number) == *number && std::abs(*number) < 9e15)
      return e.builder.constant(*number, Element::integer);
  }
  if (const auto known = known_integer(e, scalar)) return *known;
  const ValueId rounded = e.builder.map(ScalarOp::fix, scalar);
  const ValueId exact = e.builder.map(ScalarOp::logical_and, e.builder.map(ScalarOp::eq, rounded, scalar),
                                      e.builder.map(ScalarOp::is_finite, scalar));
  e.require(exact, format, {scalar});
  const ValueId integer = e.builder.convert(rounded, Element::integer);
  e.facts.checked.integers.insert_or_assign(key_of(e, scalar), integer);
  return integer;
}

bool too_many_elements(const Size& rows, const Size& cols) {
  if (!rows.is_constant() || !cols.is_constant()) return false;
  const auto count = static_cast<double>(rows.constant()) * static_cast<double>(cols.constant());
  return count > static_cast<double>(largest_extent);
}

Size to_size(Emitter& e, ValueId value, Span span, bool clamp) {
  const ValueId scalar = as_scalar(e, value, span, "a size");
  const ValueId integer = as_integer(e, scalar, "conversion of %g to int64_t value failed");
  const Size size = as_size(e.graph, integer);
  return clamp ? e.max0(size) : size;
}

void require_no_nan(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  if (!is_floating(t.element) || t.is_sparse()) return;
  const ValueId numbers = e.builder.map(ScalarOp::logical_not, e.builder.map(ScalarOp::is_nan, value));
  e.require(t.is_scalar() ? numbers : e.builder.reduce(numbers, {ReduceOp::all, Axis::all}),
            "invalid conversion from NaN to logical", {});
}

void warn_of_rounding(Emitter& e, ValueId value, const std::string& what) {
  const Type t = e.type(value);
  if (t.element != Element::real || t.is_sparse()) return;
  const ValueId single = e.builder.convert(value, Element::single);
  const ValueId kept = e.builder.map(ScalarOp::eq, e.builder.convert(single, t.element), value);
  const ValueId exact = e.builder.map(ScalarOp::logical_or, kept, e.builder.map(ScalarOp::is_nan, value));
  const ValueId all = t.is_scalar() ? exact : e.builder.reduce(exact, {ReduceOp::all, Axis::all});
  if (e.constant_of(all) == 1.0) return;
  Message message;
  message.stream = Stream::err;
  message.format = what + " is rounded to single: it is double here, single in the other branch, and has one class";
  e.builder.warn(all, std::move(message), {});
}

ValueId truth(Emitter& e, ValueId value) {
  if (e.type(value).is_sparse()) {
    if (!is_one(e.type(value))) return sparse_truth(e, value);
    value = dense(e, value);
  }
  const Type t = e.type(value);
  if (t.is_scalar()) {
    if (t.element == Element::logical) return value;
    require_no_nan(e, value);
    return e.builder.map(ScalarOp::ne, value, e.builder.constant(0, t.element));
  }
  if (t.rows.is(0) || t.cols.is(0)) return e.builder.constant(0, Element::logical);
  if (e.arrays_warn) {
    Message message;
    message.stream = Stream::err;
    message.id = array_as_logical;
    message.format = "Using an object of size %dx%d as a boolean value implies all().";
    message.arguments.resize(2);
    e.builder.warn(e.builder.constant(0, Element::logical), std::move(message),
                   {e.builder.size(t.rows), e.builder.size(t.cols)});
  }
  require_no_nan(e, value);
  const ValueId all = e.builder.reduce(e.builder.map(ScalarOp::ne, value, e.builder.constant(0, t.element)),
                                       {ReduceOp::all, Axis::all});
  if (e.facts.nonnegative(e.graph, t.rows - 1) && e.facts.nonnegative(e.graph, t.cols - 1)) return all;
  const ValueId some =
      e.builder.map(ScalarOp::gt, e.builder.size(t.rows * t.cols), e.builder.constant(0, Element::integer));
  return e.builder.map(ScalarOp::logical_and, all, some);
}

}  // namespace lac::frontend
