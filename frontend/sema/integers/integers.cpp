#include "frontend/sema/integers/integers.h"

#include <algorithm>
#include <cmath>

#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

constexpr int deepest = 6;  ///< definitions followed one after the other

/// As far as their definitions tell: whole, Inf or NaN.
bool are_whole(const Emitter& e, ValueId numbers, int depth = deepest) {
  if (!is_floating(e.type(numbers).element)) return true;
  const Op* made = e.graph.definition(numbers);
  if (!made || depth == 0) return false;
  const auto whole = [&](ValueId operand) { return are_whole(e, operand, depth - 1); };
  if (made->kind == OpKind::convert) return whole(made->operands[0]);
  if (const auto number = e.constant_of(numbers)) return *number == std::trunc(*number);
  if (made->kind != OpKind::map) return false;
  switch (attribute<ScalarOp>(*made)) {
    case ScalarOp::floor:
    case ScalarOp::ceil:
    case ScalarOp::round:
    case ScalarOp::fix:
    case ScalarOp::bit_and:
    case ScalarOp::bit_or:
    case ScalarOp::bit_xor: return true;
    case ScalarOp::add:
    case ScalarOp::sub:
    case ScalarOp::mul:
    case ScalarOp::mod:
    case ScalarOp::min:
    case ScalarOp::max: return whole(made->operands[0]) && whole(made->operands[1]);
    case ScalarOp::select: return whole(made->operands[1]) && whole(made->operands[2]);
    default: return false;
  }
}

/// As far as their definitions tell: none of the numbers is -0.
bool are_plain(Emitter& e, ValueId numbers, int depth = deepest) {
  if (e.facts.plain_zeros.count(numbers) != 0 || e.type(numbers).element == Element::logical) return true;
  if (const auto number = e.constant_of(numbers)) return *number != 0 || !std::signbit(*number);
  const Op* made = e.graph.definition(numbers);
  if (!made || depth == 0) return false;
  const auto plain = [&](std::size_t n) { return are_plain(e, made->operands[n], depth - 1); };
  const auto positive = [&](std::size_t n) { return e.intervals.of(made->operands[n]).low >= 0; };
  if (made->kind == OpKind::size) return true;
  if (made->kind == OpKind::convert) return plain(0);
  if (made->kind != OpKind::map) return false;
  switch (attribute<ScalarOp>(*made)) {
    case ScalarOp::abs:
    case ScalarOp::bit_and:
    case ScalarOp::bit_or:
    case ScalarOp::bit_xor: return true;
    case ScalarOp::add: return plain(0) || plain(1);  // -0 is the sum of two of them
    case ScalarOp::sub:
    case ScalarOp::floor: return plain(0);
    case ScalarOp::round:
    case ScalarOp::fix: return plain(0) && positive(0);
    case ScalarOp::mul: return plain(0) && plain(1) && positive(0) && positive(1);
    case ScalarOp::div: return plain(0) && positive(0) && e.intervals.of(made->operands[1]).low > 0;
    case ScalarOp::mod: return e.intervals.of(made->operands[1]).low > 0;
    case ScalarOp::min:
    case ScalarOp::max: return plain(0) && plain(1);
    case ScalarOp::select: return plain(1) && plain(2);
    default: return false;
  }
}

/// Makes NaN and -0 the zero that an integer class has.
ValueId with_plain_zero(Emitter& e, ValueId numbers) {
  const Interval known = e.intervals.of(numbers);
  if (!known.nan && (known.low > 0 || are_plain(e, numbers))) return numbers;
  Builder& b = e.builder;
  const ValueId zero = b.constant(0, e.type(numbers).element);
  return b.map(ScalarOp::select, b.map(ScalarOp::gt, b.map(ScalarOp::abs, numbers), zero), numbers, zero);
}

void require_exact(Emitter& e, const IntegerClassInfo& to, ValueId numbers) {
  Builder& b = e.builder;
  const Interval known = e.intervals.of(numbers);
  if (known.high < exact_limit && known.low > -exact_limit) return;
  const ValueId limit = b.constant(exact_limit, e.type(numbers).element);
  // Of what is not signed, what lies below is 0 anyway.
  ValueId fine = b.map(ScalarOp::lt, to.is_signed ? b.map(ScalarOp::abs, numbers) : numbers, limit);
  if (!e.type(fine).is_scalar()) fine = b.reduce(fine, {ReduceOp::all, Axis::all});
  const std::string name(to.name);
  const std::string message =
      name + ": numbers of 2^53 and more are outside the language in this class: keep them in double";
  if (e.constant_of(fine) == 0.0 && !e.conditional()) e.fail(e.place(), message);
  e.refuse_unless(fine, message);
}

ValueId limited(Emitter& e, ScalarOp op, ValueId numbers, double limit) {
  const Interval known = e.intervals.of(numbers);
  if (op == ScalarOp::max ? known.low >= limit : known.high <= limit) return numbers;
  return e.builder.map(op, numbers, e.builder.constant(limit, e.type(numbers).element));
}

}  // namespace

namespace {

const Binding& elements_of(const Binding& value) {
  return value.is_array() ? value.aggregate->slots.front().items.front() : value;
}

/// A matrix or an array with other elements.
Binding with_elements(const Binding& value, Binding elements) {
  if (!value.is_array()) return elements;
  Aggregate made = *value.aggregate;
  made.slots.front().items.front() = std::move(elements);
  return Binding::of(Binding::Kind::array, std::move(made));
}

}  // namespace

IntegerClass element_class(const Binding& value) { return elements_of(value).integer_class; }

Binding numbers_of(const Binding& value) {
  if (element_class(value) == IntegerClass::none) return value;
  return with_elements(value, elements_of(value).numbers());
}

Binding with_class(const Binding& numbers, IntegerClass integer_class) {
  if (integer_class == IntegerClass::none) return numbers;
  return with_elements(numbers, Binding::integer(integer_class, elements_of(numbers).value));
}

IntegerClass integer_class_of(const std::vector<Binding>& values) {
  for (const Binding& value : values)
    if (const IntegerClass found = element_class(value); found != IntegerClass::none) return found;
  return IntegerClass::none;
}

void note_class(Emitter& e, const Binding& value) {
  if (!value.is_integer()) return;
  e.facts.plain_zeros.insert_or_assign(value.value, true);
  const IntegerClassInfo& of = info(value.integer_class);
  const double lowest = std::max(of.lowest(), -exact_limit), highest = std::min(of.highest(), exact_limit);
  e.intervals.note(value.value, {lowest, highest, false, false});
}

ValueId exact(Emitter& e, ValueId numbers) { return e.builder.convert(numbers, Element::real); }

Binding saturated(Emitter& e, IntegerClass integer_class, ValueId given) {
  const IntegerClassInfo& to = info(integer_class);
  ValueId numbers = dense(e, given);
  const Element element = e.type(numbers).element;
  if (element == Element::logical) return Binding::integer(integer_class, e.builder.convert(numbers, Element::integer));
  if (is_floating(element)) numbers = exact(e, numbers);
  if (!are_whole(e, numbers)) numbers = e.builder.map(ScalarOp::round, numbers);
  numbers = with_plain_zero(e, numbers);
  if (to.is_wide()) {
    require_exact(e, to, numbers);
    if (!to.is_signed) numbers = limited(e, ScalarOp::max, numbers, 0);
  } else {
    numbers = limited(e, ScalarOp::min, limited(e, ScalarOp::max, numbers, to.lowest()), to.highest());
  }
  return Binding::integer(integer_class, e.builder.convert(numbers, Element::integer));
}

ValueId whole_numbers(Emitter& e, IntegerClass integer_class, ValueId numbers) {
  const ValueId whole = with_plain_zero(e, e.builder.map(ScalarOp::round, exact(e, numbers)));
  require_exact(e, info(integer_class), e.builder.map(ScalarOp::abs, whole));
  return whole;
}

Binding in_class(Emitter& e, IntegerClass integer_class, const Binding& value) {
  if (value.is_array()) return with_elements(value, in_class(e, integer_class, elements_of(value)));
  if (value.is_integer() && value.integer_class == integer_class) return value;
  if (value.is_text()) return saturated(e, integer_class, characters(e, value));
  if (value.kind == Binding::Kind::poisoned) throw LowerError{};
  if (!value.is_matrix() && !value.is_integer())
    e.fail(e.place(),
           "invalid conversion from " + operand_name(e, value) + " to " + std::string(info(integer_class).name));
  return saturated(e, integer_class, value.value);
}

namespace {

/// Of one element as far as the text tells, or not: the words for both.
struct Words {
  std::string_view scalar, matrix;
};

Words words_of(Element element) {
  if (element == Element::logical) return {"bool", "bool matrix"};
  if (element == Element::single) return {"float scalar", "float matrix"};
  return {"scalar", "matrix"};
}

}  // namespace

std::string operand_name(const Emitter& e, const Binding& value) {
  if (value.is_array()) return operand_name(e, elements_of(value));
  const auto either = [&](ValueId of, const Words& words) {
    return std::string(e.type(of).is_scalar() ? words.scalar : words.matrix);
  };
  if (value.is_integer()) {
    const std::string name(info(value.integer_class).name);
    return name + (e.type(value.value).is_scalar() ? " scalar" : " matrix");
  }
  if (value.is_matrix() && e.type(value.value).is_sparse()) return "sparse matrix";
  if (value.is_matrix()) return either(value.value, words_of(e.type(value.value).element));
  if (value.is_complex()) return either(value.aggregate->slots[0].items[0].value, {"complex scalar", "complex matrix"});
  if (value.is_cell()) return "cell";
  if (value.is_record()) return value.aggregate->stacked || value.aggregate->count() != 1 ? "struct" : "scalar struct";
  if (value.is_text()) return "string";
  return value.is_function() ? "function handle" : "matrix";
}

}  // namespace lac::frontend
