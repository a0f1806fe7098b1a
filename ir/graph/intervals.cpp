#include "ir/graph/intervals.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "ir/types/extent.h"
#include "ir/types/powers.h"

namespace lac {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int deepest = 400;  ///< definitions followed one after the other
constexpr Interval anything = {};
constexpr Interval truth = {0, 1, false, false};
constexpr Interval at_least_zero = {0, infinite, true, true};
constexpr double most_counted = 0x1p53;  ///< elements, trips: sums and products of a few of them are far from overflow
constexpr Interval counted = {0, most_counted, false, false};
constexpr Interval some_number = {-infinite, infinite, false, false};

Interval between(double low, double high) { return {low, high, true, true}; }
Interval decided(bool yes, bool no) { return yes ? Interval::number(1) : no ? Interval::number(0) : truth; }
bool has_bounds(const Interval& x) { return std::isfinite(x.low) && std::isfinite(x.high); }
bool has_zero(const Interval& x) { return x.low <= 0 && x.high >= 0; }
/// No run adds it so often that the sum overflows.
bool is_step(const Interval& x) { return x.low >= -0x1p200 && x.high <= 0x1p200; }

// A product of bounds, where 0 * Inf is the limit that counts: 0.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval hull(std::initializer_list<double> numbers, bool nan, bool infinite) {
  return {std::min(numbers), std::max(numbers), nan, infinite};
}

Interval add(const Interval& a, const Interval& b) {
  const double low = a.low + b.low, high = a.high + b.high;
  const bool opposite = (a.high == infinite && b.low == -infinite) || (a.low == -infinite && b.high == infinite);
  const bool bounded = has_bounds(a) && has_bounds(b) && std::isfinite(low) && std::isfinite(high);
  const bool overflows = !bounded && !is_step(a) && !is_step(b);
  return {std::isnan(low) ? -infinite : low, std::isnan(high) ? infinite : high,
          a.nan || b.nan || (opposite && a.infinite && b.infinite), a.infinite || b.infinite || overflows};
}

Interval negate(const Interval& x) { return {-x.high, -x.low, x.nan, x.infinite}; }

Interval multiply(const Interval& a, const Interval& b) {
  const bool nan = a.nan || b.nan || (a.infinite && has_zero(b)) || (b.infinite && has_zero(a));
  Interval result = hull(
      {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)}, nan, false);
  result.infinite = a.infinite || b.infinite || !has_bounds(result);
  return result;
}

// Quotients by what has a sign; 0/0 and Inf/Inf are NaN and no bound. A zero has one as well, of integers too: k*0 is
// -0 where k is negative, and 1/-0 is -Inf.
Interval divide(const Interval& a, const Interval& b) {
  if (b.high < 0) return divide(negate(a), negate(b));
  if (b.low > 0 && std::isfinite(b.high))
    return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high}, a.nan || b.nan,
                a.infinite || b.low < 1);
  if (b.low <= 0) return anything;
  if (a.low >= 0) return at_least_zero;
  if (a.high <= 0) return between(-infinite, 0);
  return anything;
}

Interval magnitude(const Interval& x) {
  const double high = std::max(std::abs(x.low), std::abs(x.high));
  return {x.low >= 0 ? x.low : x.high <= 0 ? -x.high : 0, high, x.nan, x.infinite};
}

Interval power(const Interval& base, const Interval& exponent) {
  if (exponent.known() && std::fmod(exponent.low, 2) == 0) return at_least_zero;
  if (base.low > 0 || (base.low == 0 && exponent.low >= 0)) return at_least_zero;  // (-0)^-1 is -Inf
  return anything;
}

// The operand that is not NaN wins.
Interval larger(const Interval& a, const Interval& b) {
  double low = std::max(a.low, b.low);
  if (a.nan) low = std::min(low, b.low);
  if (b.nan) low = std::min(low, a.low);
  return {low, std::max(a.high, b.high), a.nan && b.nan, a.infinite || b.infinite};
}

Interval compare(ScalarOp op, const Interval& a, const Interval& b) {
  const bool nan = a.nan || b.nan;
  switch (op) {
    case ScalarOp::lt: return decided(!nan && a.high < b.low, a.low >= b.high);
    case ScalarOp::le: return decided(!nan && a.high <= b.low, a.low > b.high);
    case ScalarOp::gt: return compare(ScalarOp::lt, b, a);
    case ScalarOp::ge: return compare(ScalarOp::le, b, a);
    case ScalarOp::eq: return decided(a.known() && a == b, a.high < b.low || a.low > b.high);
    default: return decided(a.high < b.low || a.low > b.high, a.known() && a == b);  // ne
  }
}

bool is_true(const Interval& x) { return !x.nan && (x.low > 0 || x.high < 0); }
bool is_false(const Interval& x) { return x.known() && x.low == 0; }

template <class F>
Interval rising(const Interval& x, const F& f) {
  return {f(x.low), f(x.high), x.nan, x.infinite};
}

Interval of_one(ScalarOp op, const Interval& x) {
  const auto above = [&](double bound) { return std::max(x.low, bound); };
  switch (op) {
    case ScalarOp::neg: return negate(x);
    case ScalarOp::abs: return magnitude(x);
    case ScalarOp::sign: return {x.low > 0 ? 1.0 : x.low == 0 ? 0.0 : -1.0, x.high > 0 ? 1.0 : 0.0, x.nan, false};
    case ScalarOp::floor: return rising(x, [](double v) { return std::floor(v); });
    case ScalarOp::ceil: return rising(x, [](double v) { return std::ceil(v); });
    case ScalarOp::round: return rising(x, [](double v) { return std::round(v); });
    case ScalarOp::fix: return rising(x, [](double v) { return std::trunc(v); });
    // Library functions are monotone but for their last bits: only signs and limits are kept.
    case ScalarOp::sqrt: return {0, x.high <= 1 ? 1 : infinite, x.nan || x.low < 0};
    case ScalarOp::exp: return {0, x.high <= 0 ? 1 : infinite, x.nan};
    case ScalarOp::expm1: return {x.low >= 0 ? 0.0 : -1.0, x.high <= 0 ? 0 : infinite, x.nan};
    case ScalarOp::cosh: return {1, infinite, x.nan};
    case ScalarOp::log:
    case ScalarOp::log2:
    case ScalarOp::log10: return {above(0) >= 1 ? 0 : -infinite, x.high <= 1 ? 0 : infinite, x.nan || x.low < 0};
    case ScalarOp::log1p:
    case ScalarOp::cbrt:
    case ScalarOp::sinh:
    case ScalarOp::asinh:
    case ScalarOp::atan: return {x.low >= 0 ? 0 : -infinite, x.high <= 0 ? 0 : infinite, true};
    case ScalarOp::sin:
    case ScalarOp::cos: return between(-1, 1);
    case ScalarOp::tanh:
    case ScalarOp::erf: return {x.low >= 0 ? 0.0 : -1.0, x.high <= 0 ? 0.0 : 1.0, x.nan};
    case ScalarOp::erfc: return {0, x.low >= 0 ? 1.0 : 2.0, x.nan};
    case ScalarOp::acos:
    case ScalarOp::acosh: return at_least_zero;
    case ScalarOp::logical_not: return decided(is_false(x), is_true(x));
    case ScalarOp::is_nan: return decided(false, !x.nan);
    case ScalarOp::is_inf: return decided(false, !x.infinite);
    case ScalarOp::is_finite: return decided(x.finite(), false);
    default: return anything;
  }
}

constexpr auto exact = static_cast<double>(largest_extent);
bool is_exact(const Interval& x) { return x.finite() && x.low >= -exact && x.high <= exact; }

// Of whole numbers that doubles hold exactly, and by a power of two of all, the rest has the sign of the modulus and is
// smaller; of 0 it is the number itself. Else it is x - y * floor(x / y) in rounded steps, with that sign, and as much
// beyond the modulus as is rounded off: mod(3436851255227800576, 86) is 512.
Interval modulo(const Interval& a, const Interval& b, bool of_integers) {
  Interval rest = {std::min(b.low, 0.0), std::max(b.high, 0.0), !a.finite() || !b.finite(), false};
  if (of_integers && (is_exact(a) || (b.known() && is_power_of_two(b.low)))) {
    if (b.low >= 1) rest.high -= 1;
    if (a.low >= 0 && b.low > 0) rest.high = std::min(rest.high, a.high);
  } else {
    const double size = magnitude(a).high, least = has_zero(b) ? 0 : magnitude(b).low;
    const double slack = least > 0 && size / least < 0x1p1000 ? size * 0x1p-51 : infinite;
    if (rest.low < 0) rest.low -= slack;
    if (rest.high > 0) rest.high += slack;
    rest.infinite = !has_bounds(rest);
  }
  if (!has_zero(b)) return rest;
  return {std::min(rest.low, a.low), std::max(rest.high, a.high), rest.nan, rest.infinite || a.infinite};
}

// What has no more bits than a number up to `high`.
Interval below_power_of_two(double high) {
  constexpr double largest = 0x1p64;
  double power = 1;
  while (power <= high && power < largest) power *= 2;
  return {0, power < 0x1p53 ? power - 1 : power, false, false};
}

Interval of_two(ScalarOp op, const Interval& a, const Interval& b) {
  switch (op) {
    case ScalarOp::add: return add(a, b);
    case ScalarOp::sub: return add(a, negate(b));
    case ScalarOp::mul: return multiply(a, b);
    case ScalarOp::pow: return power(a, b);
    case ScalarOp::hypot: return at_least_zero;
    case ScalarOp::max: return larger(a, b);
    case ScalarOp::min: return negate(larger(negate(a), negate(b)));
    case ScalarOp::rem: {  // of 0 it is NaN
      const bool nan = !a.finite() || !b.finite() || has_zero(b);
      return {std::min(a.low, 0.0), std::max(a.high, 0.0), nan, nan};
    }
    case ScalarOp::logical_and: return decided(is_true(a) && is_true(b), is_false(a) || is_false(b));
    case ScalarOp::logical_or: return decided(is_true(a) || is_true(b), is_false(a) && is_false(b));
    case ScalarOp::logical_xor: return truth;
    case ScalarOp::bit_and: return {0, std::max(std::min(a.high, b.high), 0.0), false, false};
    case ScalarOp::bit_or:
    case ScalarOp::bit_xor: return below_power_of_two(std::max(a.high, b.high));
    case ScalarOp::eq:
    case ScalarOp::ne:
    case ScalarOp::lt:
    case ScalarOp::le:
    case ScalarOp::gt:
    case ScalarOp::ge: return compare(op, a, b);
    default: return anything;
  }
}

}  // namespace

Interval Interval::number(double value) {
  return std::isnan(value) ? Interval{} : Interval{value, value, false, std::isinf(value)};
}
bool Interval::known() const { return low == high && !nan; }

Interval join(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.nan || b.nan, a.infinite || b.infinite};
}

Interval Intervals::of(ValueId id) {
  if (id.index < found_.size() && found_[id.index]) return *found_[id.index];
  if (depth_ == deepest) return anything;
  ++depth_;
  const Value& value = graph_.values[id];
  Interval interval = value.op ? defined(graph_.ops[value.op], value) : of_argument(value, id);
  --depth_;
  if (integers_are_numbers_ && value.type.element == Element::integer) interval.nan = interval.infinite = false;
  if (value.type.element == Element::logical)
    interval = interval.low < 0 || interval.high > 1 ? truth : Interval{interval.low, interval.high, false, false};
  if (id.index >= found_.size()) found_.resize(graph_.values.size());
  found_[id.index] = interval;
  return interval;
}

Interval Intervals::defined(const Op& op, const Value& value) {
  switch (op.kind) {
    case OpKind::constant: return Interval::number(attribute<double>(op));
    case OpKind::size: return of_size(attribute<Size>(op));
    case OpKind::iota: return {0, static_cast<double>(most_trips_counted), false, false};  // no run gets further
    case OpKind::random:
      return attribute<Distribution>(op) == Distribution::uniform ? Interval{0, 1, false, false} : anything;
    case OpKind::map: return of_map(op);
    case OpKind::fill:
    case OpKind::convert:
    case OpKind::transpose:
    case OpKind::reshape:
    case OpKind::diagonal: return of(op.operands[0]);
    case OpKind::index: return of(op.operands[0]);
    case OpKind::shift: return anything;
    case OpKind::resize: return join(of(op.operands[0]), Interval::number(0));
    case OpKind::update: return join(of(op.operands.front()), of(op.operands.back()));
    case OpKind::table: return of_table(op);
    case OpKind::concat: return of_operands(op, 0);
    case OpKind::reduce:
    case OpKind::scan: return of_reduction(op);
    case OpKind::arg_reduce: {
      return value.index == 0 ? of_extreme(op) : counted;
    }
    case OpKind::matmul: return of_product(op);
    case OpKind::library:
      switch (attribute<LibraryFn>(op)) {
        case LibraryFn::literal: return of_operands(op, 0);
        case LibraryFn::sparse_convert: return join(of(op.operands[0]), Interval::number(0));
        case LibraryFn::find: return value.type.element == Element::integer ? counted : at_least_zero;
        default: return of_step(op, value.type.element);
      }
    case OpKind::loop:
    case OpKind::branch: return of_result(value.op, value.index);
    default: return anything;
  }
}

Interval Intervals::of_map(const Op& op) {
  const ScalarOp function = attribute<ScalarOp>(op);
  const Interval first = of(op.operands[0]);
  if (op.operands.size() == 1) return of_one(function, first);
  if (function == ScalarOp::mul && op.operands[0] == op.operands[1]) {  // a square
    const Interval size = magnitude(first);
    const double high = product(size.high, size.high);
    return {product(size.low, size.low), high, first.nan, first.infinite || !std::isfinite(high)};
  }
  if (function == ScalarOp::div) return divide(first, of(op.operands[1]));
  if (function == ScalarOp::select) return join(of(op.operands[1]), of(op.operands[2]));
  const Interval second = of(op.operands[1]);
  if (function != ScalarOp::mod) return of_two(function, first, second);
  return modulo(first, second, is_integer_made(op.operands[0]) && is_integer_made(op.operands[1]));
}

// Whether it is of integers, or was converted from such.
bool Intervals::is_integer_made(ValueId value) const {
  const auto is_converted = [&] {
    const OpId op = graph_.values[value].op;
    return op && graph_.ops[op].kind == OpKind::convert;
  };
  while (is_floating(graph_.type(value).element) && is_converted())
    value = graph_.ops[graph_.values[value].op].operands[0];
  return !is_floating(graph_.type(value).element);
}

// By the values that its symbols stand for, and the bounds that are known of it.
Interval Intervals::of_size(const Size& size) {
  Interval sum = Interval::number(0);
  for (const Size::Term& term : size.terms()) {
    Interval product = Interval::number(static_cast<double>(term.coefficient));
    for (const SymbolId id : term.factors) product = multiply(product, of_symbol(graph_.symbols[id]));
    sum = add(sum, product);
  }
  const auto low = size.lower_bound(graph_.symbols), negated = (Size(0) - size).lower_bound(graph_.symbols);
  if (low) sum.low = std::max(sum.low, static_cast<double>(*low));
  if (negated) sum.high = std::min(sum.high, -static_cast<double>(*negated));
  sum.nan = sum.infinite = false;  // sums and products of few integers of 61 bits
  return sum;
}

// As size_of_number has it: NaN counts as 0, and what is infinite as a number beyond all extents.
Interval Intervals::of_symbol(const SizeSymbol& symbol) {
  if (symbol.origin != SymbolOrigin::value) return counted;
  Interval number = of(symbol.value);
  if (number.nan) number = join(number, Interval::number(0));
  number.nan = number.infinite = false;
  return number;
}

// Sums and choices of what is bounded; what else steps of the library make of integers is not looked at.
Interval Intervals::of_step(const Op& op, Element element) {
  const auto bounded = [&](ValueId operand) { return of(operand).finite() && is_step(of(operand)); };
  return !is_floating(element) && std::ranges::all_of(op.operands, bounded) ? some_number : anything;
}

Interval Intervals::of_extreme(const Op& op) {
  Interval result = of(op.operands[0]);
  if (is_floating(graph_.type(op.results[0]).element)) result.nan = result.infinite = true;
  return result;
}

Interval Intervals::of_table(const Op& op) {
  const std::vector<double>& numbers = *attribute<Numbers>(op).values;
  if (numbers.empty()) return anything;
  Interval result = Interval::number(numbers.front());
  for (double number : numbers) result = join(result, Interval::number(number));
  return result;
}

Interval Intervals::of_operands(const Op& op, std::size_t from) {
  if (from >= op.operands.size()) return anything;
  Interval result = of(op.operands[from]);
  for (std::size_t i = from + 1; i < op.operands.size(); ++i) result = join(result, of(op.operands[i]));
  return result;
}

Interval Intervals::of_reduction(const Op& op) {
  const Interval x = of(op.operands[0]);
  const bool bounded = x.finite() && is_step(x);
  switch (attribute<Reduction>(op).op) {
    case ReduceOp::sum: return {x.low >= 0 ? 0 : -infinite, x.high <= 0 ? 0 : infinite, !bounded, !bounded};
    case ReduceOp::prod: return x.low >= 0 ? at_least_zero : anything;
    case ReduceOp::min:
    case ReduceOp::max: return of_extreme(op);
    case ReduceOp::any: return decided(false, is_false(x));
    case ReduceOp::all: return decided(is_true(x), false);
  }
  return anything;
}

// Sums of products; of squares where the factors are one value.
Interval Intervals::of_product(const Op& op) {
  const auto transposes = attribute<Transposes>(op);
  const auto plain = [&](ValueId id, bool transposed) {
    const Op* made = graph_.definition(id);
    const bool turned = made && made->kind == OpKind::transpose;
    return std::pair(turned ? made->operands[0] : id, turned != transposed);
  };
  const auto left = plain(op.operands[0], transposes.left), right = plain(op.operands[1], transposes.right);
  const Type& type = graph_.type(op.operands[0]);
  const Type& result = graph_.type(op.results[0]);
  const bool number = result.rows.is(1) && result.cols.is(1);
  if (number && type.is_dense() && left.first == right.first && left.second != right.second) return at_least_zero;
  const Interval a = of(op.operands[0]), b = of(op.operands[1]);
  const bool positive = (a.low >= 0 && b.low >= 0) || (a.high <= 0 && b.high <= 0);
  Interval sum = positive ? at_least_zero : anything;
  if (a.finite() && b.finite() && is_step(a) && is_step(b)) sum.nan = sum.infinite = false;
  return sum;
}

/// From 0 to the limit, where that is known already.
Interval Intervals::of_trips(OpId loop) {
  Interval trips = {0, static_cast<double>(most_trips_counted), false, false};
  if (!graph_.ops.contains(loop)) return trips;
  if (const Interval limit = of(graph_.ops[loop].operands[0]); !limit.nan && limit.high < trips.high)
    trips.high = std::max(std::ceil(limit.high), 0.0);
  return trips;
}

Interval Intervals::of_argument(const Value& value, ValueId id) {
  const Block& block = graph_.blocks[value.block];
  if (value.index == 0 && !block.arguments.empty()) return of_trips(block.parent);  // the trip
  const auto carried = carried_.find(id);
  return carried == carried_.end() ? anything : carried->second;
}

Interval Intervals::of_result(OpId id, std::uint32_t index) {
  const Op& op = graph_.ops[id];
  if (op.kind == OpKind::branch)
    return join(of(graph_.blocks[op.blocks[0]].yields[index]), of(graph_.blocks[op.blocks[1]].yields[index]));
  if (index == 0) return of_trips(id);  // that were made
  return of(graph_.blocks[op.blocks[0]].arguments[index]);
}

bool Intervals::widen(const Op& loop, bool first) {
  const Block& body = graph_.blocks[loop.blocks[0]];
  bool changed = false;
  for (std::size_t k = 1; k < body.arguments.size(); ++k) {
    const ValueId argument = body.arguments[k];
    const Interval initial = of(loop.operands[k + 1]);
    if (first) {
      carried_[argument] = initial;
      continue;
    }
    const Interval old = carried_[argument];
    Interval next = join(join(old, initial), of(body.yields[k]));
    if (next == old) continue;
    if (round_ > 2) {
      if (next.low < old.low) next.low = next.low >= 0 ? 0 : -infinite;
      if (next.high > old.high) next.high = threshold_above(next.high);
    }
    carried_[argument] = next;
    changed = true;
  }
  return changed;
}

// What rests are below and bits are chosen from: s = mod(s * 16807, 2147483647) keeps to it from any start below.
void Intervals::find_thresholds(const std::vector<OpId>& rests) {
  constexpr std::size_t most = 4;  // each may take a round
  thresholds_ = {0};
  for (const OpId id : rests) {
    const ScalarOp function = attribute<ScalarOp>(graph_.ops[id]);
    const auto number = constant_value(graph_, graph_.ops[id].operands[1]);
    if (!number || !(*number > 1) || !(*number <= exact)) continue;
    const double bound = function == ScalarOp::bit_and ? *number : *number - 1;
    if (thresholds_.size() <= most && std::ranges::find(thresholds_, bound) == thresholds_.end())
      thresholds_.push_back(bound);
  }
  std::ranges::sort(thresholds_);
}

double Intervals::threshold_above(double bound) const {
  const auto found = std::ranges::lower_bound(thresholds_, bound);
  return found == thresholds_.end() ? infinite : *found;
}

// Rounds over all loops. A bound moves freely in the first rounds and then to a threshold or infinity, so the rounds
// end.
void Intervals::settle() {
  std::vector<OpId> loops, rests;
  for_each_op(graph_, graph_.body, [&](OpId id) {
    const Op& op = graph_.ops[id];
    if (op.kind == OpKind::loop) loops.push_back(id);
    const ScalarOp function = op.kind == OpKind::map ? attribute<ScalarOp>(op) : ScalarOp::add;
    if (function == ScalarOp::mod || function == ScalarOp::bit_and) rests.push_back(id);
  });
  find_thresholds(rests);
  for (OpId id : loops) widen(graph_.ops[id], true);
  bool changed = true;
  for (round_ = 0; changed; ++round_) {
    changed = false;
    found_.clear();
    for (OpId id : loops) changed = widen(graph_.ops[id], false) || changed;
    constexpr int most_rounds = 100;         // some nests of loops whose bounds stop at all thresholds
    if (round_ == most_rounds && changed) {  // deep nests: give up what is not settled
      carried_.clear();
      break;
    }
  }
  found_.clear();
}

void Intervals::note(ValueId value, const Interval& interval) {
  const Interval known = of(value);
  const Interval both{std::max(known.low, interval.low), std::min(known.high, interval.high), known.nan && interval.nan,
                      known.infinite && interval.infinite};
  if (both.low > both.high) return;  // where no run gets
  if (value.index >= found_.size()) found_.resize(graph_.values.size());
  found_[value.index] = both;
}

void Intervals::assume(ValueId argument, const Interval& interval) {
  carried_[argument] = interval;
  found_.clear();
}

}  // namespace lac
