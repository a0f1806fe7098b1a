#include "frontend/sema/values/elementwise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/domain.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/nothing.h"
#include "frontend/sema/values/sparse.h"
#include "ir/types/extent.h"
#include "ir/types/powers.h"

namespace lac::frontend {
namespace {

// A non-negative integer scalar as a size of its own.
Size runtime_size(Graph& graph, ValueId value) {
  const Size size = as_size(graph, value);
  if (const auto symbol = size.as_symbol()) graph.symbols[*symbol].lower = 0;
  return size;
}

Size extent_of(const Emitter& e, ValueId value, int axis) {
  return axis == 0 ? e.type(value).rows : e.type(value).cols;
}

/// The extent of a result along an axis, and the operand that has it. One that cannot be 1 is taken where there is one.
struct CommonExtent {
  Size size = 1;
  std::size_t owner = 0;
};

CommonExtent common_extent(const Emitter& e, const std::vector<ValueId>& operands, int axis) {
  CommonExtent common;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Size extent = extent_of(e, operands[i], axis);
    if (extent.is(1) || extent == common.size) continue;
    if (!common.size.is(1) && (e.facts.not_one(e.graph, common.size) || !e.facts.not_one(e.graph, extent))) continue;
    common = {extent, i};
  }
  return common;
}

// Extents that are not provably equal must be so when the program runs, or 1.
Size require_common(Emitter& e, const std::vector<ValueId>& operands, int axis, Span span, const std::string& name) {
  Builder& b = e.builder;
  auto [result, owner] = common_extent(e, operands, axis);
  const bool fixed = e.facts.not_one(e.graph, result);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Size extent = extent_of(e, operands[i], axis);
    if (extent.is(1) || extent == result) continue;
    const ValueId first = operands[std::min(i, owner)], second = operands[std::max(i, owner)];
    const bool spreads_never = e.facts.not_one(e.graph, extent);
    const Type x = e.type(first), y = e.type(second);
    if (fixed && spreads_never && e.facts.distinct(e.graph, extent, result) &&
        !e.is_caught_with({x.rows, x.cols, y.rows, y.cols}))
      e.fail(span, nonconformant(e, name, first, second), shape_notes(e, span));
    const auto either = [&](ValueId x, ValueId y) { return b.map(ScalarOp::logical_or, x, y); };
    const ValueId other = e.equal_sizes(result, 1);
    ValueId fits = e.equal_sizes(extent, result);
    if (!spreads_never) fits = either(fits, e.equal_sizes(extent, 1));
    if (!fixed) fits = either(fits, other);
    e.require(fits, nonconformant_format(e, name), {b.size(x.rows), b.size(x.cols), b.size(y.rows), b.size(y.cols)},
              "Octave:nonconformant-args");
    ++e.open_shapes;
    if (!fixed) result = runtime_size(e.graph, b.map(ScalarOp::select, other, b.size(extent), b.size(result)));
  }
  return result;
}

// What the run broadcasts: an operand that may have an extent of 1 is read as a view whose step is 0 then.
void broadcast(Emitter& e, std::vector<ValueId>& operands, Span span, const std::string& name) {
  Builder& b = e.builder;
  const std::vector<ValueId> given = operands;
  Size steps[3][2] = {{1, 1}, {1, 1}, {1, 1}};
  Size extents[2];
  for (int axis = 0; axis < 2; ++axis) {
    extents[axis] = require_common(e, given, axis, span, name);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Size extent = extent_of(e, given[i], axis);
      if (extent == extents[axis] || extent.is(1) || e.facts.not_one(e.graph, extent)) continue;
      const ValueId stays = b.map(ScalarOp::logical_or, e.equal_sizes(extent, extents[axis]),
                                  b.map(ScalarOp::ne, b.size(extent), b.constant(1, Element::integer)));
      steps[i][axis] = runtime_size(e.graph, b.convert(stays, Element::integer));
    }
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (steps[i][0].is(1) && steps[i][1].is(1)) continue;
    Subscripts view;
    for (int axis = 0; axis < 2; ++axis) {
      const Size extent = extent_of(e, given[i], axis);
      if (steps[i][axis].is(1)) view.axes.push_back({SubscriptKind::all, 0, 1, extent});
      else view.axes.push_back({SubscriptKind::range, 0, steps[i][axis], extents[axis]});
    }
    operands[i] = b.index(operands[i], view, {}, view.axes[0].count, view.axes[1].count);
  }
}

// mod(a, n) lies in 0..n-1 where nothing is rounded, and where n is a power of two. Beyond what doubles hold exactly
// mod(3436851255227800576, 86) is 512, in Octave too.
void note_rest(Emitter& e, SymbolId rest, ValueId dividend, const Size& modulus) {
  if (!e.facts.nonnegative(e.graph, modulus - 1)) return;
  e.graph.symbols[rest].lower = 0;
  const Interval number = e.intervals.of(dividend);
  constexpr auto exact = static_cast<double>(largest_extent);
  const bool is_exact = number.finite() && number.low >= -exact && number.high <= exact;
  const bool is_power = modulus.is_constant() && is_power_of_two(static_cast<double>(modulus.constant()));
  if (is_exact || is_power) e.facts.at_most(rest, modulus - 1);
  else e.facts.rests.insert_or_assign(rest, RestFact{dividend, modulus - 1});
}

/// Sizes that `size`, a symbol and a number, is at most.
std::vector<Size> sizes_above(const Emitter& e, const Size& size) {
  const std::int64_t shift = size.constant();
  const auto symbol = (size - shift).as_symbol();
  const Size* bound = symbol ? e.facts.upper_bound(*symbol) : nullptr;
  if (bound == nullptr) return {size};
  return {size, *bound + shift, *bound + std::max<std::int64_t>(shift, 0)};
}

/// max(a, b) is at most what bounds one of them and is no less than the other: max(k - 1, 1) <= n - 1 of k <= n - 1.
void note_largest(Emitter& e, SymbolId most, const Size& a, const Size& b) {
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
    for (const Size& bound : sizes_above(e, one))
      if (e.facts.nonnegative(e.graph, bound - other)) e.facts.at_most(most, bound);
}

// What is known of the scalar integer that `op` made: mod(a, n) lies in 0..n-1, min(a, b) below b. Of a NaN and a
// number the extremes are the number.
void note_bounds(Emitter& e, ScalarOp op, ValueId value, const std::vector<ValueId>& operands) {
  if (op != ScalarOp::mod && op != ScalarOp::min && op != ScalarOp::max) return;
  const Size a = as_size(e.graph, operands[0]), b = as_size(e.graph, operands[1]);
  const auto symbol = as_size(e.graph, value).as_symbol();
  if (!symbol || Size::symbol(*symbol) == a || Size::symbol(*symbol) == b) return;
  if (op == ScalarOp::mod) return note_rest(e, *symbol, operands[0], b);
  const auto low_a = a.lower_bound(e.graph.symbols), low_b = b.lower_bound(e.graph.symbols);
  const bool number_a = !e.intervals.of(operands[0]).nan, number_b = !e.intervals.of(operands[1]).nan;
  std::int64_t& low = e.graph.symbols[*symbol].lower;
  if (op == ScalarOp::min) {
    if (low_a && low_b) low = std::min(*low_a, *low_b);
    std::vector<Size> bounds;
    if (number_a) bounds.push_back(a);
    if (number_b) bounds.insert(b.is_constant() || !a.is_constant() ? bounds.begin() : bounds.end(), b);
    for (const Size& bound : bounds) e.facts.at_most(*symbol, bound);
    return;
  }
  if (low_a && number_a) low = std::max(low, *low_a);
  if (low_b && number_b) low = std::max(low, *low_b);
  if (number_a) e.facts.at_least(*symbol, a);
  if (number_b) e.facts.at_least(*symbol, b);
  note_largest(e, *symbol, a, b);
}

std::optional<bool> decided(Emitter& e, ScalarOp op, ValueId a, ValueId b) {
  for (ValueId operand : {a, b}) {
    const Op* made = e.graph.definition(operand);
    const bool affine = made && (made->kind == OpKind::size || made->kind == OpKind::constant);
    if (!affine || e.type(operand).element != Element::integer || !e.type(operand).is_scalar()) return std::nullopt;
  }
  const Size gap = as_size(e.graph, b) - as_size(e.graph, a);
  const bool never_above = e.facts.nonnegative(e.graph, gap), below = e.facts.nonnegative(e.graph, gap - 1);
  const bool never_below = e.facts.nonnegative(e.graph, Size(0) - gap),
             above = e.facts.nonnegative(e.graph, Size(0) - gap - 1);
  const auto answer = [](bool yes, bool no) {
    return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt;
  };
  switch (op) {
    case ScalarOp::eq: return answer(never_above && never_below, below || above);
    case ScalarOp::ne: return answer(below || above, never_above && never_below);
    case ScalarOp::lt: return answer(below, never_below);
    case ScalarOp::le: return answer(never_above, above);
    case ScalarOp::gt: return answer(above, never_above);
    case ScalarOp::ge: return answer(never_below, below);
    default: return std::nullopt;
  }
}

// Ranges stay known through sums and products with an integer scalar: (2:n-1) + 1.
void note_range(Emitter& e, ScalarOp op, ValueId value, const std::vector<ValueId>& operands) {
  const auto none = e.facts.ranges.end();
  if (op == ScalarOp::neg) {
    const auto range = e.facts.ranges.find(operands[0]);
    if (range == none) return;
    const RangeFact fact = range->second;
    e.facts.ranges.insert_or_assign(value, RangeFact{Size(0) - fact.first, Size(0) - fact.step, fact.count});
    return;
  }
  const bool keeps = op == ScalarOp::add || op == ScalarOp::sub || op == ScalarOp::mul;
  constexpr auto exact = static_cast<double>(largest_extent);
  const Element element = e.type(value).element;
  const auto is_whole = [&](ValueId operand) {
    const std::optional<double> number = e.constant_of(operand);
    return e.type(operand).element == Element::integer ||
           (number && *number == std::trunc(*number) && std::abs(*number) <= exact);
  };
  if (!keeps || (element != Element::integer && element != Element::real) || e.type(value).is_scalar()) return;
  const auto before_conversion = [&](ValueId operand) {
    const Op* made = e.graph.definition(operand);
    return made && made->kind == OpKind::convert ? made->operands[0] : operand;
  };
  for (int side = 0; side < 2; ++side) {
    const auto range = e.facts.ranges.find(before_conversion(operands[side]));
    if (range == none || !e.type(operands[1 - side]).is_scalar() || !is_whole(operands[1 - side])) continue;
    const Size other = as_size(e.graph, operands[1 - side]);
    RangeFact fact = range->second;
    if (op == ScalarOp::mul) fact = {fact.first * other, fact.step * other, fact.count};
    else if (op == ScalarOp::add) fact.first = fact.first + other;
    else if (side == 0) fact.first = fact.first - other;
    else fact = {other - fact.first, Size(0) - fact.step, fact.count};
    e.facts.ranges.insert_or_assign(value, fact);
    return;
  }
}

// The integer that a scalar or matrix of reals was converted from.
std::optional<ValueId> integer_behind(const Emitter& e, ValueId value) {
  const Op* made = e.graph.definition(value);
  const bool is_one = made && made->kind == OpKind::convert && e.type(made->operands[0]).element == Element::integer;
  return is_one ? std::optional(made->operands[0]) : std::nullopt;
}

// floor(n / 2) of an integer is one, and floor(n * 0.3). Only downwards: others make -0 of what is between -1 and 0,
// and an integer has no sign of zero to keep. Not of singles in a program of doubles, whose results are singles.
bool rounds_integer(const Emitter& e, ScalarOp op, ValueId rounded) {
  if (op != ScalarOp::floor || e.type(rounded).element != e.graph.precision) return false;
  if (const auto known = e.constant_of(rounded))
    return std::abs(*known) < 9e15 && !(std::signbit(*known) && *known == 0);
  const Op* made = e.graph.definition(rounded);
  if (!made || made->kind != OpKind::map || made->operands.size() != 2) return false;
  const std::optional<double> number = e.constant_of(made->operands[1]);
  if (!number || !integer_behind(e, made->operands[0])) return false;
  const ScalarOp function = attribute<ScalarOp>(*made);
  if (function == ScalarOp::mul) return *number > 0 && std::isfinite(*number);
  return function == ScalarOp::div && *number != 0 && std::trunc(*number) == *number;
}

// m / 2 where the program has asked whether mod(m, 2) == 0.
bool divides(const Emitter& e, ScalarOp op, ValueId value, const std::vector<ValueId>& operands) {
  if (op != ScalarOp::div || !e.type(value).is_scalar() || e.type(value).element != e.graph.precision) return false;
  const std::optional<double> divisor = e.constant_of(operands[1]);
  const auto number = divisor ? integer_behind(e, operands[0]) : std::nullopt;
  if (!number) return false;
  const auto known = e.facts.checked.multiples.find(*number);
  return known != e.facts.checked.multiples.end() && std::fmod(known->second, *divisor) == 0 && *divisor > 0;
}

}  // namespace

ValueId elementwise(Emitter& e, ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name) {
  for (ValueId operand : operands)
    if (e.type(operand).is_sparse()) return sparse_elementwise(e, op, std::move(operands), span, name);
  const bool nothing = std::ranges::any_of(operands, [&](ValueId operand) { return may_be_nothing(e, operand); });
  broadcast(e, operands, span, name);
  const ScalarOpInfo& entry = info(op);
  Element elements[3] = {};
  for (std::size_t i = 0; i < operands.size(); ++i) elements[i] = e.type(operands[i]).element;
  const Element result = result_element(op, elements, e.graph.precision);
  const bool is_logic = op == ScalarOp::logical_and || op == ScalarOp::logical_or || op == ScalarOp::logical_xor ||
                        op == ScalarOp::logical_not;
  if (entry.result == ScalarResult::arithmetic || entry.result == ScalarResult::floating) {
    for (ValueId& operand : operands) operand = e.builder.convert(operand, result);
  } else if (entry.result == ScalarResult::truth && !is_logic && operands.size() == 2) {
    const Element common = arithmetic_join(elements[0], elements[1]);
    for (ValueId& operand : operands) operand = e.builder.convert(operand, common);
    if (const auto known = decided(e, op, operands[0], operands[1]))
      return e.builder.constant(*known, Element::logical);
  } else if (is_logic) {
    for (const ValueId operand : operands) require_no_nan(e, operand);
  } else if (entry.result == ScalarResult::choice) {
    for (std::size_t i = 1; i < 3; ++i) operands[i] = e.builder.convert(operands[i], result);
  }
  guard_domain(e, op, operands, span);
  const ValueId value = e.builder.map(op, operands);
  if (result == Element::integer && operands.size() == 2 && e.type(value).is_scalar())
    note_bounds(e, op, value, operands);
  note_range(e, op, value, operands);
  const bool is_whole = rounds_integer(e, op, operands[0]) || divides(e, op, value, operands);
  const ValueId made = is_whole ? e.builder.convert(value, Element::integer) : value;
  if (nothing) note_nothing(e, made);
  return made;
}

}  // namespace lac::frontend
