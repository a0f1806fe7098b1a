#include "frontend/sema/values/ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* endless_range = "range with infinite number of elements cannot be stored";
constexpr double largest_exact = 9007199254740992.0;  // 2^53

/// What first:step:last is where a limit or the step is not finite (all of type real).
struct RangeKind {
  ValueId single;   ///< only `first`: the step is infinite and passes the limit
  ValueId unknown;  ///< one NaN: a NaN among the parts, or their quotient is none of numbers
  ValueId endless;  ///< infinitely many elements
};

RangeKind kind_of_range(Builder& b, ValueId first, ValueId step, ValueId last) {
  const auto apply = [&](ScalarOp op, auto... operands) { return b.map(op, {operands...}); };
  const auto both = [&](ValueId a, ValueId c) { return apply(ScalarOp::logical_and, a, c); };
  const auto either = [&](ValueId a, ValueId c) { return apply(ScalarOp::logical_or, a, c); };
  const ValueId zero = b.constant(0, Element::real);
  const ValueId falls = apply(ScalarOp::lt, last, first), rises = apply(ScalarOp::gt, last, first);
  const ValueId up = apply(ScalarOp::gt, step, zero), down = apply(ScalarOp::lt, step, zero);
  const ValueId empty = either(apply(ScalarOp::eq, step, zero), either(both(falls, up), both(rises, down)));
  const ValueId next = apply(ScalarOp::add, first, step);
  const ValueId passes = either(both(up, apply(ScalarOp::gt, next, last)), both(down, apply(ScalarOp::lt, next, last)));
  const ValueId proper = apply(ScalarOp::logical_not, empty);
  const ValueId single = both(proper, both(apply(ScalarOp::is_inf, step), passes));
  const ValueId longer = both(proper, apply(ScalarOp::logical_not, single));
  const ValueId quotient = apply(ScalarOp::div, apply(ScalarOp::sub, last, first), step);
  const ValueId any_nan =
      either(apply(ScalarOp::is_nan, first), either(apply(ScalarOp::is_nan, step), apply(ScalarOp::is_nan, last)));
  return {single, either(any_nan, both(longer, apply(ScalarOp::is_nan, quotient))),
          both(longer, apply(ScalarOp::is_inf, quotient))};
}

// The number of elements of first:step:last, counted in double with Octave's tolerance of three units in the last place
// (Range.cc: xnumel_internal, xtfloor).
ValueId range_count(Emitter& e, ValueId first, ValueId step, ValueId last, double tolerance) {
  const auto number = [&](double value) { return e.builder.constant(value, Element::real); };
  const auto apply = [&](ScalarOp op, auto... operands) { return e.builder.map(op, {operands...}); };
  const ValueId slack = number(tolerance), cap = number(1 / (2 - tolerance)), unit = number(1);
  const auto equal = [&](ValueId a, ValueId b) {
    const ValueId larger = apply(ScalarOp::max, apply(ScalarOp::abs, a), apply(ScalarOp::abs, b));
    return apply(ScalarOp::lt, apply(ScalarOp::abs, apply(ScalarOp::sub, a, b)), apply(ScalarOp::mul, larger, slack));
  };
  const auto element = [&](ValueId count) {  // the one after `count` elements
    return apply(ScalarOp::add, first, apply(ScalarOp::mul, count, step));
  };
  const ValueId distance = apply(ScalarOp::sub, last, first);
  const ValueId ratio = apply(ScalarOp::div, apply(ScalarOp::add, distance, step), step);
  // A floor that takes what is just below an integer for that integer.
  const ValueId size = apply(ScalarOp::abs, apply(ScalarOp::add, unit, apply(ScalarOp::floor, ratio)));
  const ValueId nudge = apply(ScalarOp::max, apply(ScalarOp::min, apply(ScalarOp::mul, size, slack), cap), slack);
  const ValueId nudged = apply(ScalarOp::floor, apply(ScalarOp::add, ratio, nudge));
  const ValueId exact = apply(ScalarOp::logical_or, apply(ScalarOp::le, ratio, number(0)),
                              apply(ScalarOp::lt, apply(ScalarOp::sub, nudged, ratio), cap));
  const ValueId floored = apply(ScalarOp::select, exact, nudged, apply(ScalarOp::sub, nudged, unit));
  const ValueId count = apply(ScalarOp::max, floored, number(0));
  // One more or one less where that element is the limit.
  const ValueId less = apply(ScalarOp::sub, count, unit), more = apply(ScalarOp::add, count, unit);
  const ValueId adjusted = apply(ScalarOp::select, equal(element(less), last), count,
                                 apply(ScalarOp::select, equal(element(apply(ScalarOp::sub, less, unit)), last), less,
                                       apply(ScalarOp::select, equal(element(count), last), more, count)));
  const ValueId towards = apply(ScalarOp::ge, apply(ScalarOp::mul, distance, step), number(0));
  const ValueId valid = apply(ScalarOp::logical_and, apply(ScalarOp::is_finite, ratio), towards);
  const RangeKind kind = kind_of_range(e.builder, first, step, last);
  return apply(ScalarOp::select, apply(ScalarOp::logical_or, kind.unknown, kind.single), unit,
               apply(ScalarOp::select, valid, adjusted, number(0)));
}

}  // namespace

namespace {

constexpr const char* not_a_number = "NaN is the limit of this range and its one element, and no integer";

}  // namespace

std::optional<RangeFact> exact_range(Emitter& e, const RangeParts& parts) {
  if (e.constant_of(parts.some) == 0.0) return RangeFact{1, 1, 0, 0};
  const auto exact = [&](ValueId part) -> std::optional<Size> {
    part = known_integer(e, part).value_or(part);
    if (is_floating(e.type(part).element)) return std::nullopt;
    return e.bounded_size(part);
  };
  if (e.constant_of(parts.some) != 1.0) return std::nullopt;
  const std::optional<Size> first = exact(parts.first), step = exact(parts.step), last = exact(parts.last);
  if (!first || !step || !last) return std::nullopt;
  for (const ValueId part : {parts.first, parts.step, parts.last}) e.require_number(part, not_a_number);
  if (step->is(0)) return RangeFact{*first, 0, 0, *last};
  if (step->is(1)) return RangeFact{*first, 1, e.max0(*last - *first + 1), *last};
  if (step->is(-1)) return RangeFact{*first, -1, e.max0(*first - *last + 1), *last};
  const Size distance = *last - *first;
  if (distance.is_constant() && step->is_constant()) {
    const std::int64_t d = distance.constant(), s = step->constant();
    return RangeFact{*first, *step, (d >= 0) == (s > 0) || d == 0 ? d / s + 1 : 0, *last};
  }
  // floor(distance / step) + 1, in double as Octave counts; a zero step gives an empty range
  const ValueId quotient = e.builder.map(
      ScalarOp::floor, e.builder.map(ScalarOp::div, e.builder.convert(e.builder.size(distance), Element::real),
                                     e.builder.convert(e.builder.size(*step), Element::real)));
  const ValueId known = e.builder.map(ScalarOp::select, e.builder.map(ScalarOp::is_finite, quotient), quotient,
                                      e.builder.constant(-1, Element::real));
  const Size count = as_size(e.graph, e.builder.convert(known, Element::integer));
  return RangeFact{*first, *step, e.max0(count + 1), *last};
}

std::optional<RangeFact> integer_range(Emitter& e, const RangeParts& parts) {
  const Element element = e.type(parts.last).element;
  if (e.constant_of(parts.some) != 1.0 || is_floating(e.type(parts.first).element) ||
      is_floating(e.type(parts.step).element) || element != e.graph.precision)  // singles make it a range of singles
    return std::nullopt;
  if (e.of_numbers.of(parts.last).nan) return std::nullopt;  // an integer that is NaN ends the run by name
  return subscript_range(e, parts, not_a_number);
}

void warn_of_rounded_range(Emitter& e, ValueId whole) {
  if (e.constant_of(whole) == 1.0) return;
  Message message;
  message.stream = Stream::err;
  message.id = "Octave:noninteger-range-as-index";
  message.format = "non-integer range used as index";
  e.builder.warn(whole, std::move(message), {});
}

void require_several_or(Emitter& e, ValueId whole, const Size& count, const std::string& invalid, ValueId first) {
  const ValueId several = e.builder.map(ScalarOp::logical_not, e.equal_sizes(count, 1));
  e.require(e.builder.map(ScalarOp::logical_or, whole, several), invalid, {first});
}

std::optional<RangeFact> subscript_range(Emitter& e, const RangeParts& parts, const std::string& invalid) {
  if (is_floating(e.type(parts.step).element)) return std::nullopt;
  const auto real = [&](ValueId value) { return e.builder.convert(value, Element::real); };
  const bool single = e.type(parts.first).element == Element::single || e.type(parts.last).element == Element::single;
  const ValueId first = real(parts.first), step = real(parts.step), last = real(parts.last);
  const RangeKind kind = kind_of_range(e.builder, first, step, last);
  e.require(e.builder.map(ScalarOp::logical_not, kind.endless), endless_range, {});
  ValueId counted = range_count(e, first, step, last, 3 * (single ? 0x1p-23 : 0x1p-52));
  if (e.constant_of(parts.some) != 1.0)
    counted = e.builder.map(ScalarOp::select, parts.some, counted, e.builder.constant(0, Element::real));
  const Size count = e.max0(as_size(e.graph, e.builder.convert(counted, Element::integer)));
  ValueId from = parts.first;
  if (is_floating(e.type(from).element)) {
    // NaN is one element, which no matrix has.
    const ValueId none = e.equal_sizes(count, 0), number = e.builder.map(ScalarOp::logical_not, kind.unknown);
    const ValueId shown = e.builder.map(ScalarOp::add, e.builder.map(ScalarOp::add, first, step), last);
    e.require(e.builder.map(ScalarOp::logical_or, none, number), invalid, {shown});
    const ValueId rounded = e.builder.map(ScalarOp::round, from);
    const ValueId fits = e.builder.map(ScalarOp::logical_or, none, e.builder.map(ScalarOp::eq, rounded, from));
    require_several_or(e, fits, count, invalid, first);
    warn_of_rounded_range(e, fits);
    from = e.builder.convert(e.builder.map(ScalarOp::select, e.builder.map(ScalarOp::is_finite, rounded), rounded,
                                           e.builder.constant(0, e.type(rounded).element)),
                             Element::integer);
  } else if (is_floating(e.type(parts.last).element)) {
    e.require(e.builder.map(ScalarOp::logical_not, kind.unknown), invalid, {parts.last});
  }
  const Size begin = as_size(e.graph, from), by = as_size(e.graph, parts.step);
  return RangeFact{begin, by, count, begin + by * (count - 1)};
}

// first + i * step; the last element never passes the limit. Where a limit or the step is NaN, so is the one element.
RealRange real_range(Emitter& e, const RangeParts& range, Span span) {
  const ValueId from = range.first, by = range.step, some = range.some;
  ValueId parts[3] = {from, by, range.last};
  bool single = false, floating = false;
  for (ValueId part : parts) {
    single = single || e.type(part).element == Element::single;
    floating = floating || is_floating(e.type(part).element);
  }
  const auto real = [&](ValueId value) { return e.builder.convert(value, Element::real); };
  const double tolerance = 3 * (single ? 0x1p-23 : 0x1p-52);
  ValueId counted = range_count(e, real(from), real(by), real(range.last), tolerance);
  if (e.constant_of(some) != 1.0)
    counted = e.builder.map(ScalarOp::select, some, counted, e.builder.constant(0, Element::real));
  const Size count = e.max0(as_size(e.graph, e.builder.convert(counted, Element::integer)));
  const RangeKind kind = kind_of_range(e.builder, real(from), real(by), real(range.last));
  ValueId whole = e.builder.constant(1, Element::logical);  // integers are rounded to, and the limit is no bound
  for (const ValueId part : {from, by})
    if (is_floating(e.type(part).element))
      whole = e.builder.map(ScalarOp::logical_and, whole,
                            e.builder.map(ScalarOp::eq, part, e.builder.map(ScalarOp::fix, part)));
  const auto constant = [&](double value) { return e.builder.constant(value, e.type(parts[1]).element); };
  if (floating) {
    e.require(e.builder.map(ScalarOp::logical_not, kind.endless), endless_range, {});
    for (ValueId& part : parts) part = e.builder.convert(part, single ? Element::single : e.graph.precision);
  }
  const ValueId rising = e.builder.map(ScalarOp::gt, parts[1], constant(0));
  if (floating && e.constant_of(kind.single) != 0.0) {  // 0 * Inf is no number, and the step counts for nothing
    parts[1] = e.builder.map(ScalarOp::select, e.builder.map(ScalarOp::is_inf, parts[1]), constant(1), parts[1]);
  }
  return {
      count, [=, &e, first = parts[0], step = parts[1], last = parts[2]](ValueId positions) {
        const auto constant = [&](double value) { return e.builder.constant(value, e.type(step).element); };
        const ValueId elements = elementwise(
            e, ScalarOp::add, {first, elementwise(e, ScalarOp::mul, {positions, step}, span, "*")}, span, "+");
        if (!floating) return elements;
        const auto limited = [&](ScalarOp op) {
          const ValueId beyond = constant(op == ScalarOp::min ? infinity : -infinity);
          const ValueId limit = e.builder.map(ScalarOp::select, whole, beyond, last);
          const ValueId inside = elementwise(e, op, {elements, limit}, span, ":");
          if (e.constant_of(kind.unknown) == 0.0 && e.constant_of(whole) == 1.0) return elements;
          if (e.constant_of(kind.unknown) == 0.0) return inside;
          return elementwise(e, ScalarOp::select,
                             {kind.unknown, constant(std::numeric_limits<double>::quiet_NaN()), inside}, span, ":");
        };
        if (const auto known = e.constant_of(rising)) return limited(*known != 0 ? ScalarOp::min : ScalarOp::max);
        return elementwise(e, ScalarOp::select, {rising, limited(ScalarOp::min), limited(ScalarOp::max)}, span, ":");
      }};
}

ValueId make_range(Emitter& e, const RangeParts& parts, Span span) {
  const RealRange range = real_range(e, parts, span);
  return range.elements(e.builder.iota(Axis::cols, 1, range.count));
}

ValueId integer_range_value(Emitter& e, const RangeFact& fact) {
  const ValueId first = e.builder.size(fact.first);
  if (fact.count.is(1)) return first;
  ValueId value = e.builder.iota(Axis::cols, 1, fact.count);
  if (!fact.step.is(1)) value = e.builder.map(ScalarOp::mul, value, e.builder.size(fact.step));
  if (!fact.first.is(0)) value = e.builder.map(ScalarOp::add, value, first);
  e.facts.ranges.insert_or_assign(value, fact);
  e.facts.written_ranges[value] = {first, e.builder.size(fact.step), e.builder.size(fact.last)};
  return value;
}

ValueId range_value(Emitter& e, const RangeParts& parts, Span span) {
  const ValueId value = make_range(e, parts, span);
  e.facts.written_ranges[value] = {parts.first, parts.step, parts.last};
  return value;
}

ValueId number_of_range(Emitter& e, double number) {
  const bool integer = std::trunc(number) == number && std::abs(number) <= largest_exact;
  return e.builder.constant(number, integer ? Element::integer : Element::real);
}

ValueId part_of_range(Emitter& e, ValueId value, Span span, const std::string& what, ValueId* some) {
  const Type t = e.type(value);
  if (t.element == Element::logical)
    e.fail(span, "invalid types found in range expression: a logical value is no part of a range; double(x) is one");
  const bool surely_some = e.facts.nonnegative(e.graph, t.rows - 1) && e.facts.nonnegative(e.graph, t.cols - 1);
  if (!some || surely_some) return as_scalar(e, value, span, what);
  const ValueId none = e.equal_sizes(t.count(), 0);
  *some = e.builder.map(ScalarOp::logical_and, *some, e.builder.map(ScalarOp::logical_not, none));
  if (e.constant_of(none) == 1.0) return e.builder.constant(0, Element::integer);
  const ValueId one = e.builder.map(ScalarOp::logical_and, e.equal_sizes(t.rows, 1), e.equal_sizes(t.cols, 1));
  e.require(e.builder.map(ScalarOp::logical_or, none, one), what + " must be a scalar, but is %dx%d",
            {e.builder.size(t.rows), e.builder.size(t.cols)});
  const ValueId resized = e.builder.resize(dense(e, value), t.rows + 1, t.cols + 1);  // of nothing, one zero
  return e.builder.index(resized, Subscripts{{{SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1);
}

}  // namespace lac::frontend
