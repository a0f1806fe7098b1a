// Subscripts become affine ranges wherever the text allows, index vectors otherwise; positions that are not provably
// inside are checked at run time.
#include "frontend/sema/values/subscripts.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/ranges.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/value_text.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

// "a(_,%d)": how Octave names position `axis` of `count`.
std::string position_text(const std::string& name, std::size_t axis, std::size_t count, const std::string& shown) {
  std::string text = (name.empty() ? "index " : name) + "(";
  for (std::size_t i = 0; i < count; ++i) text += (i ? "," : "") + (i == axis ? shown : std::string("_"));
  return text + ")";
}

/// What to do where a store is past the end at positions that the run finds.
std::string no_growth(const std::string& name, std::size_t axis, std::size_t count) {
  const std::string grown = count == 1 ? "(end+1:max(p))" : axis == 0 ? "(end+1:max(p), :)" : "(:, end+1:max(p))";
  return "; positions p that the run finds do not make " + name + " larger: grow it before, " + name + grown + " = 0";
}

constexpr const char* invalid_index = ": subscripts must be either integers 1 to (2^63)-1 or logicals";

/// "%dx%d", for as many dimensions.
std::string dimensions_format(std::size_t count) {
  std::string format = "%d";
  while (--count > 0) format += "x%d";
  return format;
}

std::vector<Size> extents_of(const Type& t, std::size_t count) {
  return count == 1 ? std::vector<Size>{t.count()} : std::vector<Size>{t.rows, t.cols};
}

void require_below(Emitter& e, ValueId index, const Size& extent, const std::string& where,
                   const std::vector<Size>& dimensions, const std::string& remedy) {
  const auto whole = [&](ValueId value, ReduceOp op) {
    return e.type(value).is_scalar() ? value : e.builder.reduce(value, {op, Axis::all});
  };
  std::vector<ValueId> shown = {whole(index, ReduceOp::max), e.builder.size(extent)};
  for (const Size& dimension : dimensions) shown.push_back(e.builder.size(dimension));
  e.require(whole(elementwise(e, ScalarOp::le, {index, e.builder.size(extent)}, {}, "<="), ReduceOp::all),
            where + ": out of bound %d (dimensions are " + dimensions_format(dimensions.size()) + ")" + remedy, shown,
            "Octave:index-out-of-bounds");
}

/// The largest of the positions, 0 of none.
Size past_largest(Emitter& e, ValueId index) {
  const Size count = e.type(index).count();
  if (count.is(0)) return 0;
  const ValueId none = e.builder.map(ScalarOp::eq, e.builder.size(count), e.builder.constant(0, Element::integer));
  const ValueId largest = e.type(index).is_scalar() ? index : e.builder.reduce(index, {ReduceOp::max, Axis::all});
  const ValueId beyond = e.builder.map(ScalarOp::select, none, e.builder.constant(0, Element::integer),
                                       e.builder.convert(largest, Element::integer));
  return e.max0(as_size(e.graph, beyond));
}

// The extent that x(index) = v needs where an index vector makes x grow, else 0: where the positions are known, and
// where x has no elements yet. Other matrices keep their extents, so that a shape does not depend on an index.
Size growth_by(Emitter& e, ValueId index, const Size& extent) {
  if (const auto numbers = numbers_of(e, index); numbers && !e.type(index).is_scalar()) {
    double most = 0;
    for (double position : *numbers) {
      if (!(std::abs(position) < 9e15)) return 0;
      most = std::max(most, position);
    }
    const Size beyond = static_cast<std::int64_t>(most);
    return e.facts.less_equal(e.graph, beyond, extent) ? Size(0) : beyond;
  }
  return extent.is(0) ? past_largest(e, index) : Size(0);
}

}  // namespace

SubscriptResolver::SubscriptResolver(Emitter& e, ValueId value, std::string name, std::size_t count, SubscriptUse use)
    : SubscriptResolver(e, extents_of(e.type(value), count), extents_of(e.type(value), 2), std::move(name), use) {}

SubscriptResolver::SubscriptResolver(Emitter& e, std::vector<Size> extents, std::vector<Size> dimensions,
                                     std::string name, SubscriptUse use)
    : e_(e), extents_(std::move(extents)), dimensions_(std::move(dimensions)), name_(std::move(name)), use_(use) {}

std::string SubscriptResolver::place(const std::string& shown) const {
  if (use_ == SubscriptUse::remove) return name_ + shown;  // Octave leaves the brackets out
  return position_text(name_, axis(), extents_.size(), shown);
}

std::string SubscriptResolver::remedy() const {
  return use_ == SubscriptUse::assign ? no_growth(name_, axis(), extents_.size()) : std::string();
}

void SubscriptResolver::add(const Subscript& subscript, const ResolvedSubscripts::Axis& shape) {
  resolved_.subscripts.axes.push_back(subscript);
  resolved_.axes.push_back(shape);
}

void SubscriptResolver::add_all() {
  ResolvedSubscripts::Axis shape;
  shape.colon = true;
  shape.rows = extent();
  add({SubscriptKind::all, 0, 1, extent()}, shape);
}

void SubscriptResolver::add_range(const RangeParts& parts, Span span) {
  std::optional<RangeFact> range = exact_range(e_, parts);
  if (!range) range = subscript_range(e_, parts, place("%~g") + invalid_index);
  if (range) return add_affine(*range, false);
  const ValueId given = range_value(e_, parts, span);
  const ValueId index = e_.builder.map(ScalarOp::round, given);
  const ValueId whole = e_.builder.map(ScalarOp::eq, index, given);
  const ValueId nan = e_.builder.map(ScalarOp::is_nan, given);
  const ValueId fine = e_.builder.map(ScalarOp::logical_or, whole, nan);
  const ValueId all_fine = e_.type(fine).is_scalar() ? fine : e_.builder.reduce(fine, {ReduceOp::all, Axis::all});
  require_several_or(e_, all_fine, e_.type(given).count(), place("%~g") + invalid_index, parts.first);
  warn_of_rounded_range(e_, all_fine);
  add_value(index);
}

namespace {

/// [i-1 i] is i-1:i. Nothing where the steps are not known to be equal.
std::optional<RangeFact> written_range(const Emitter& e, ValueId index) {
  const auto literal = e.facts.literals.find(index);
  const Type type = e.type(index);
  if (literal == e.facts.literals.end() || !type.rows.is(1) || is_floating(type.element)) return std::nullopt;
  std::vector<Size> positions;
  for (ValueId element : literal->second) {
    const std::optional<Size> position = known_size(e.graph, element);
    if (!position) return std::nullopt;
    positions.push_back(*position);
  }
  const Size step = positions[1] - positions[0];
  if (!step.is_constant() || step.is(0)) return std::nullopt;
  for (std::size_t n = 2; n < positions.size(); ++n)
    if (positions[n] - positions[n - 1] != step) return std::nullopt;
  return RangeFact{positions[0], step, static_cast<std::int64_t>(positions.size())};
}

}  // namespace

void SubscriptResolver::add_value(ValueId index) {
  if (e_.type(index).is_sparse() && e_.type(index).element != Element::logical) index = dense(e_, index);
  const Type it = e_.type(index);
  if (it.element == Element::logical) return add_mask(index);
  require_one_kind(e_, index);
  if (it.is_scalar()) {
    refuse_what_nothing_holds(index);
    const ValueId integer = as_integer(e_, index, place("%~g") + invalid_index);
    const Size position = e_.bounded_size(integer);
    // No other check asks then: mod(q, n) lies in 0..n-1, or is NaN.
    if (!is_floating(it.element) && e_.facts.nonnegative_here(e_.graph, position - 1))
      e_.require_number(integer, place("%~g") + invalid_index, "Octave:invalid-index");
    return add_affine(RangeFact{position, 1, 1}, true);
  }
  const auto known = e_.facts.ranges.find(index);
  if (known != e_.facts.ranges.end()) return add_affine(known->second, false);
  if (const auto written = written_range(e_, index)) {
    const Size last = written->first + written->step * (written->count - 1);
    const Size& low = written->step.constant() > 0 ? written->first : last;
    const Size& high = written->step.constant() > 0 ? last : written->first;
    const bool inside = e_.facts.nonnegative_here(e_.graph, extent() - high);
    if (inside && e_.facts.nonnegative_here(e_.graph, low - 1))  // no other check asks then
      e_.require_number(e_.facts.literals.find(index)->second.front(), place("%~g") + invalid_index,
                        "Octave:invalid-index");
    if (inside || use_ == SubscriptUse::read) return add_affine(*written, false);
  }
  add_vector(index);
}

// Positions that are known and so large that Size does not count them.
void SubscriptResolver::refuse_what_nothing_holds(ValueId index) {
  const auto number = e_.constant_of(index);
  if (!number || !std::isfinite(*number) || *number <= static_cast<double>(largest_extent)) return;
  const ValueId never = e_.builder.constant(0, Element::logical);
  if (*number >= 0x1p63) e_.require(never, place("%~g") + invalid_index, {index}, "Octave:invalid-index");
  else if (use_ == SubscriptUse::assign) e_.require(never, std::string(too_large_text), {}, "Octave:bad-alloc");
}

void SubscriptResolver::add_mask(ValueId mask) {
  const bool fits = e_.facts.less_equal(e_.graph, e_.type(mask).count(), extent());
  const ValueId index = find_positions(e_, mask);
  if (!fits && use_ != SubscriptUse::remove)
    require_below(e_, index, extent(), place("%d"), dimensions_, remedy());  // trailing false is no matter
  const Type found = e_.type(index);
  resolved_.vectors.push_back(index);
  ResolvedSubscripts::Axis shape;
  shape.rows = found.rows;
  shape.cols = found.cols;
  if (use_ == SubscriptUse::remove) {
    shape.mask = mask;
    shape.past_end = past_largest(e_, index);
  }
  add({SubscriptKind::vector, 0, 1, found.count()}, shape);
}

void SubscriptResolver::add_vector(ValueId index) {
  const Type it = e_.type(index);
  const Size beyond = use_ == SubscriptUse::assign ? growth_by(e_, index, extent()) : Size(0);
  ResolvedSubscripts::Axis shape;
  shape.rows = it.rows;
  shape.cols = it.cols;
  shape.grows = !beyond.is(0);
  if (shape.grows) shape.past_end = beyond;
  if (use_ == SubscriptUse::remove) {
    check_whole_positions(e_, index, name_, axis(), extents_.size());
    shape.past_end = past_largest(e_, index);
  } else {
    check_whole_positions(e_, index, name_, axis(), extents_.size());
    const Size limit = shape.grows ? e_.larger(extent(), beyond) : extent();
    const bool none = it.rows.is(0) || it.cols.is(0);
    if (!none) require_below(e_, index, limit, place("%d"), dimensions_, remedy());
  }
  resolved_.vectors.push_back(e_.builder.convert(index, Element::integer));
  add({SubscriptKind::vector, 0, 1, it.count()}, shape);
}

void SubscriptResolver::add_affine(const RangeFact& range, bool scalar) {
  Builder& b = e_.builder;
  const auto surely = [&](const Size& size) { return e_.facts.nonnegative(e_.graph, size); };
  const Size first = range.first - 1, last = first + range.step * (range.count - 1);
  const bool rising = surely(range.step), falling = surely(Size(0) - range.step);
  const ValueId none = b.map(ScalarOp::eq, b.size(range.count), b.constant(0, Element::integer));
  Size low = falling && !rising ? last : first, high = falling && !rising ? first : last;
  if (!rising && !falling) {  // the run decides
    const ValueId up = b.map(ScalarOp::ge, b.size(range.step), b.constant(0, Element::integer));
    low = e_.chosen_any(up, first, last);
    high = e_.chosen_any(up, last, first);
  }
  ResolvedSubscripts::Axis shape;
  shape.scalar = scalar;
  shape.cols = range.count;
  const bool inside = e_.facts.nonnegative_here(e_.graph, extent() - 1 - high) || require_inside_by_rests(none, high);
  shape.grows = use_ == SubscriptUse::assign && !inside && e_.constant_of(none) != 1.0;
  // A range without elements makes nothing grow, wherever it would begin.
  const bool harmless =
      surely(range.count - 1) || (rising && surely(extent() - first)) || (falling && surely(extent() - first - 1));
  shape.past_end = shape.grows && !harmless ? e_.chosen(none, 0, high + 1) : high + 1;
  require_inside(none, low, high, !inside && use_ == SubscriptUse::read);
  add({SubscriptKind::range, first, range.step, range.count}, shape);
}

// From `low` to `high`, counted from 0, unless there are no positions.
void SubscriptResolver::require_inside(ValueId none, const Size& low, const Size& high, bool check_high) {
  Builder& b = e_.builder;
  if (!e_.facts.nonnegative_here(e_.graph, low)) {
    const ValueId fine = b.map(ScalarOp::ge, b.size(low), b.constant(0, Element::integer));
    e_.require(b.map(ScalarOp::logical_or, none, fine), place("%d") + invalid_index, {b.size(low + 1)},
               "Octave:invalid-index");
    if (e_.constant_of(none) == 0.0) e_.facts.note_nonnegative(low);
  }
  if (!check_high) return;
  require_below_extent(none, high);
  if (e_.constant_of(none) == 0.0) e_.facts.note_nonnegative(extent() - 1 - high);
}

// high < extent, or one of `otherwise` holds.
void SubscriptResolver::require_below_extent(ValueId otherwise, const Size& high) {
  Builder& b = e_.builder;
  const ValueId fine = b.map(ScalarOp::lt, b.size(high), b.size(extent()));
  std::vector<ValueId> shown = {b.size(high + 1), b.size(extent())};
  for (const Size& dimension : dimensions_) shown.push_back(b.size(dimension));
  e_.require(
      b.map(ScalarOp::logical_or, otherwise, fine),
      place("%d") + ": out of bound %d (dimensions are " + dimensions_format(dimensions_.size()) + ")" + remedy(),
      shown, "Octave:index-out-of-bounds");
}

// Whether `high`, with mod(a, n) in it, is below the extent where each `a` is exact: where it is not, the run asks.
// That it is passes see (silent_checks), so that most of these checks go.
bool SubscriptResolver::require_inside_by_rests(ValueId none, const Size& high) {
  Builder& b = e_.builder;
  Facts facts = e_.facts;
  std::vector<ValueId> dividends;
  const Size room = extent() - 1 - high;
  room.for_each_symbol([&](SymbolId id) {
    const auto rest = e_.facts.rests.find(id);
    if (rest == e_.facts.rests.end()) return;
    facts.checked.bounds.add(id, rest->second.most, true);
    dividends.push_back(rest->second.dividend);
  });
  if (dividends.empty() || !facts.nonnegative_here(e_.graph, room)) return false;
  ValueId exact = b.constant(1, Element::logical);
  for (const ValueId dividend : dividends) {
    const ValueId most = b.constant(static_cast<double>(largest_extent), Element::integer);
    exact = b.map(ScalarOp::logical_and, exact, b.map(ScalarOp::le, b.map(ScalarOp::abs, dividend), most));
  }
  require_below_extent(b.map(ScalarOp::logical_or, none, exact), high);
  if (e_.constant_of(none) == 0.0) e_.facts.note_nonnegative(room);  // the rest itself may be as large as ever
  return true;
}

namespace {

/// The operand whose elements the result of an op holds, in another order or shape.
std::optional<ValueId> rearranged(const Op& op) {
  switch (op.kind) {
    case OpKind::transpose:
    case OpKind::reshape:
    case OpKind::resize:
    case OpKind::index: return op.operands[0];  // m', m(:), m(2:3)
    case OpKind::library:
      return attribute<LibraryFn>(op) == LibraryFn::sort ? std::optional(op.operands[0]) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

bool may_be_mask(const Emitter& e, ValueId value) {
  for (;;) {
    if (e.type(value).element == Element::logical || e.facts.maybe_masks.count(value) != 0) return true;
    const Op* op = e.graph.definition(value);
    const auto from = op && op->results.front() == value ? rearranged(*op) : std::nullopt;
    if (!from) return false;
    value = *from;
  }
}

void note_maybe_mask(Emitter& e, const std::vector<ValueId>& parts, ValueId made) {
  if (e.type(made).element == Element::logical) return;
  if (std::ranges::all_of(parts, [&](ValueId part) { return may_be_mask(e, part); }))
    e.facts.maybe_masks.insert_or_assign(made, true);
}

void require_one_kind(Emitter& e, ValueId subscript) {
  const Type type = e.type(subscript);
  if (type.element == Element::logical || type.is_scalar() || !may_be_mask(e, subscript)) return;
  e.fail(e.place(),
         "this subscript is logical on one path and holds positions on another: make it find(m) where it is "
         "logical, or logical(m) where it holds truth values");
}

void require_one_class(Emitter& e, ValueId value, const std::string& what) {
  if (e.type(value).element == Element::logical || !may_be_mask(e, value)) return;
  e.fail(e.place(),
         what +
             " is logical on one path and a number on another, which the run finds: give it one class, as false "
             "for 0 or double(x) for x");
}

// The library step fills a buffer of as many positions as there are elements; its leading part, a runtime size, is the
// result.
ValueId find_positions(Emitter& e, ValueId mask) {
  if (e.type(mask).is_sparse()) return sparse_positions(e, mask);
  const Type t = e.type(mask);
  if (t.is_scalar()) {  // false selects 0x0
    const Size count = as_size(e.graph, e.builder.convert(mask, Element::integer));
    if (const auto symbol = count.as_symbol()) {
      e.graph.symbols[*symbol].lower = 0;
      e.facts.at_most(*symbol, 1);
    }
    return e.builder.fill(e.builder.constant(1, Element::integer), count, count);
  }
  const std::string text = text_of_value(e, mask);
  if (const auto known = e.facts.checked.found.find(text); known != e.facts.checked.found.end()) return known->second;
  const bool row = t.rows.is(1) && !t.cols.is(1);
  const Type bound = row ? Type::matrix(Element::integer, 1, t.cols) : Type::matrix(Element::integer, t.count(), 1);
  const auto found = e.builder.library(LibraryFn::find, {mask}, {bound, Type::scalar(Element::integer)});
  const SymbolId symbol = symbol_of(e.graph, found[1]);
  e.graph.symbols[symbol].lower = 0;
  e.facts.at_most(symbol, t.count());
  const Size count = Size::symbol(symbol);
  const Subscripts leading{{{SubscriptKind::range, 0, 1, count}}};
  const auto [rows, cols] = laid_like(e, t, count);
  const ValueId positions = e.builder.index(found[0], leading, {}, rows, cols);
  if (!text.empty()) e.facts.checked.found.insert_or_assign(text, positions);
  return positions;
}

std::pair<Size, Size> laid_like(Emitter& e, const Type& t, const Size& count) {
  if (t.cols.is(1) || e.facts.not_one(e.graph, t.rows)) return {count, 1};
  if (t.rows.is(1)) return {1, count};
  const ValueId is_row = e.builder.map(ScalarOp::logical_and, e.equal_sizes(t.rows, 1),
                                       e.builder.map(ScalarOp::logical_not, e.equal_sizes(t.cols, 1)));
  return {e.chosen(is_row, 1, count), e.chosen(is_row, count, 1)};
}

void check_whole_positions(Emitter& e, ValueId index, const std::string& name, std::size_t axis, std::size_t count) {
  const Type it = e.type(index);
  if (it.rows.is(0) || it.cols.is(0)) return;
  const auto all = [&](ValueId truth) { return e.builder.reduce(truth, {ReduceOp::all, Axis::all}); };
  const ValueId smallest = e.builder.reduce(index, {ReduceOp::min, Axis::all});
  const ValueId largest = e.builder.reduce(index, {ReduceOp::max, Axis::all});
  const ValueId one = e.builder.constant(1, e.type(smallest).element);
  e.require(all(elementwise(e, ScalarOp::ge, {index, one}, {}, ">=")),
            position_text(name, axis, count, "%d") + invalid_index, {smallest}, "Octave:invalid-index");
  if (is_floating(it.element))
    e.require(all(elementwise(e, ScalarOp::eq, {index, e.builder.map(ScalarOp::fix, index)}, {}, "==")),
              position_text(name, axis, count, "%~g") + invalid_index, {largest}, "Octave:invalid-index");
}

void check_positions(Emitter& e, ValueId index, const Size& extent, const std::string& name, std::size_t axis,
                     std::size_t count, const Type& t, const std::string& remedy) {
  check_whole_positions(e, index, name, axis, count);
  if (e.type(index).rows.is(0) || e.type(index).cols.is(0)) return;
  require_below(e, index, extent, position_text(name, axis, count, "%d"), extents_of(t, 2), remedy);
}

std::vector<Positions> positions_of(Emitter& e, const ResolvedSubscripts& resolved) {
  std::vector<Positions> positions;
  auto vector = resolved.vectors.begin();
  for (std::size_t i = 0; i < resolved.axes.size(); ++i) {
    const Subscript& subscript = resolved.subscripts.axes[i];
    if (resolved.axes[i].colon) {
      positions.push_back({{}, subscript.count});
    } else if (subscript.kind == SubscriptKind::vector) {
      positions.push_back({*vector++, subscript.count});
    } else if (subscript.count.is(1)) {
      positions.push_back({e.builder.size(subscript.first + 1), 1});
    } else {
      const ValueId steps =
          e.builder.map(ScalarOp::mul, e.builder.iota(Axis::cols, 1, subscript.count), e.builder.size(subscript.step));
      positions.push_back({e.builder.map(ScalarOp::add, steps, e.builder.size(subscript.first + 1)), subscript.count});
    }
  }
  return positions;
}

}  // namespace lac::frontend
