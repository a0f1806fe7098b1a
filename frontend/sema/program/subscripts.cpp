// Subscripts become affine ranges wherever the text allows, index vectors otherwise; positions that are not provably
// inside are checked at run time.
#include "frontend/sema/program/subscripts.h"

#include <algorithm>
#include <cmath>

namespace lac::frontend {
namespace {

// "a(_,%d)": how Octave names position `axis` of `count`.
std::string place(const std::string& name, std::size_t axis, std::size_t count, const std::string& shown) {
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

}  // namespace

Lowerer::ResolvedSubscripts Lowerer::resolve(ValueId value, const std::string& name,
                                             const std::vector<ast::ExprPtr>& args, bool assigning, Span span) {
  if (args.empty()) fail(span, "an index is missing: write " + (name.empty() ? "x" : name) + "(:) for all elements");
  if (args.size() > 2) fail(span, "more than two subscripts: N-d arrays are outside the language");
  ResolvedSubscripts resolved;
  const Type t = type(value);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ast::Expr& arg = strip_parens(*args[i]);
    const Size extent = args.size() == 1 ? t.count() : i == 0 ? t.rows : t.cols;
    Subscript subscript;
    ResolvedSubscripts::Axis axis;
    const auto* text = std::get_if<ast::String>(&arg.node);
    if (std::holds_alternative<ast::Colon>(arg.node) || (text && text->text == ":")) {
      subscript = {SubscriptKind::all, 0, 1, extent};
      axis.colon = true;
      axis.rows = extent;
      resolved.subscripts.axes.push_back(subscript);
      resolved.axes.push_back(axis);
      continue;
    }
    const std::string remedy = assigning ? no_growth(name, i, args.size()) : std::string();
    std::optional<RangeFact> range;
    ValueId index;
    ends.push_back({value, i, args.size()});
    if (const auto* literal = std::get_if<ast::Range>(&arg.node)) {
      const RangeParts parts = range_parts(*literal);
      builder.location = locate(arg.span);
      range = exact_range(parts);
      if (!range) range = subscript_range(parts, place(name, i, args.size(), "%g") + invalid_index);
      if (!range) {
        const ValueId given = range_value(parts, arg.span);
        index = builder.map(ScalarOp::round, given);
        const ValueId whole = builder.map(ScalarOp::eq, index, given);
        const ValueId nan = builder.map(ScalarOp::is_nan, given);
        const ValueId fine = builder.map(ScalarOp::logical_or, whole, nan);
        warn_of_rounded_range(type(fine).is_scalar() ? fine : builder.reduce(fine, {ReduceOp::all, Axis::all}));
      }
    } else {
      index = lower_value(arg);
    }
    ends.pop_back();
    builder.location = locate(arg.span);
    if (index) {
      if (type(index).is_sparse() && type(index).element != Element::logical) index = dense(index);
      const Type it = type(index);
      const auto known = facts.ranges.find(index);
      if (known != facts.ranges.end()) range = known->second;
      const bool mask = it.element == Element::logical;
      if (it.is_scalar() && !mask) {
        const ValueId integer = as_integer(index, place(name, i, args.size(), "%g") + invalid_index);
        range = RangeFact{as_size(graph, integer), 1, 1};
        axis.scalar = true;
      } else if (mask) {
        const bool fits = facts.less_equal(graph, it.count(), extent);
        index = find_positions(index);
        if (!fits)
          require_below(index, extent, place(name, i, args.size(), "%d"), t, remedy);  // trailing false is no matter
        const Type found = type(index);
        subscript = {SubscriptKind::vector, 0, 1, found.count()};
        axis.rows = found.rows;
        axis.cols = found.cols;
        resolved.vectors.push_back(index);
      } else if (!range) {
        const Size beyond = assigning ? growth_by(index, extent) : Size(0);
        axis.grows = !beyond.is(0);
        if (axis.grows) axis.past_end = beyond;
        check_positions(index, axis.grows ? larger(extent, beyond) : extent, name, i, args.size(), t, remedy);
        subscript = {SubscriptKind::vector, 0, 1, it.count()};
        axis.rows = it.rows;
        axis.cols = it.cols;
        resolved.vectors.push_back(builder.convert(index, Element::integer));
      }
    }
    if (range) {
      const Size first = range->first - 1;
      const Size last = first + range->step * (range->count - 1);
      const bool rising = facts.nonnegative(graph, range->step);
      const bool falling = facts.nonnegative(graph, Size(0) - range->step);
      const ValueId none = builder.map(ScalarOp::eq, builder.size(range->count), builder.constant(0, Element::integer));
      Size low = falling && !rising ? last : first, high = falling && !rising ? first : last;
      if (!rising && !falling) {  // the run decides
        const ValueId up = builder.map(ScalarOp::ge, builder.size(range->step), builder.constant(0, Element::integer));
        low = chosen_any(up, first, last);
        high = chosen_any(up, last, first);
      }
      subscript = {SubscriptKind::range, first, range->step, range->count};
      axis.cols = range->count;
      const bool inside = facts.nonnegative(graph, extent - 1 - high);
      axis.grows = assigning && !inside && constant_of(none) != 1.0;
      // A range without elements makes nothing grow, wherever it would begin.
      const bool harmless = facts.nonnegative(graph, range->count - 1) ||
                            (rising && facts.less_equal(graph, first, extent)) ||
                            (falling && facts.less_equal(graph, first + 1, extent));
      axis.past_end = axis.grows && !harmless ? chosen(none, 0, high + 1) : high + 1;
      if (!facts.nonnegative(graph, low)) {
        const ValueId fine = builder.map(ScalarOp::ge, builder.size(low), builder.constant(0, Element::integer));
        require(builder.map(ScalarOp::logical_or, none, fine), place(name, i, args.size(), "%d") + invalid_index,
                {builder.size(low + 1)}, "Octave:invalid-index");
      }
      if (!inside && !assigning) {
        const ValueId fine = builder.map(ScalarOp::lt, builder.size(high), builder.size(extent));
        require(builder.map(ScalarOp::logical_or, none, fine),
                place(name, i, args.size(), "%d") + ": out of bound %d (dimensions are %dx%d)",
                {builder.size(high + 1), builder.size(extent), builder.size(t.rows), builder.size(t.cols)},
                "Octave:index-out-of-bounds");
      }
    }
    resolved.subscripts.axes.push_back(subscript);
    resolved.axes.push_back(axis);
  }
  builder.location = locate(span);
  return resolved;
}

void Lowerer::require_below(ValueId index, const Size& extent, const std::string& where, const Type& t,
                            const std::string& remedy) {
  const auto whole = [&](ValueId value, ReduceOp op) {
    return type(value).is_scalar() ? value : builder.reduce(value, {op, Axis::all});
  };
  require(whole(elementwise(ScalarOp::le, {index, builder.size(extent)}, {}, "<="), ReduceOp::all),
          where + ": out of bound %d (dimensions are %dx%d)" + remedy,
          {whole(index, ReduceOp::max), builder.size(extent), builder.size(t.rows), builder.size(t.cols)},
          "Octave:index-out-of-bounds");
}

// Positions of the true elements, 1-based: a row for a row, else a column. The library step fills a buffer of as many
// positions as there are elements; its leading part, a runtime size, is the result.
ValueId Lowerer::find_positions(ValueId mask) {
  if (type(mask).is_sparse()) return sparse_positions(mask);
  const Type t = type(mask);
  if (t.is_scalar()) {  // false selects 0x0
    const Size count = as_size(graph, builder.convert(mask, Element::integer));
    if (const auto symbol = count.as_symbol()) {
      graph.symbols[*symbol].lower = 0;
      facts.upper[*symbol] = 1;
    }
    return builder.fill(builder.constant(1, Element::integer), count, count);
  }
  const bool row = t.rows.is(1) && !t.cols.is(1);
  const Type bound = row ? Type::matrix(Element::integer, 1, t.cols) : Type::matrix(Element::integer, t.count(), 1);
  const auto found = builder.library(LibraryFn::find, {mask}, {bound, Type::scalar(Element::integer)});
  const SymbolId symbol = symbol_of(graph, found[1]);
  graph.symbols[symbol].lower = 0;
  facts.upper[symbol] = t.count();
  const Size count = Size::symbol(symbol);
  const Subscripts leading{{{SubscriptKind::range, 0, 1, count}}};
  const auto [rows, cols] = laid_like(t, count);
  return builder.index(found[0], leading, {}, rows, cols);
}

std::pair<Size, Size> Lowerer::laid_like(const Type& t, const Size& count) {
  if (t.cols.is(1) || facts.not_one(graph, t.rows)) return {count, 1};
  if (t.rows.is(1)) return {1, count};
  const ValueId is_row = builder.map(ScalarOp::logical_and, equal_sizes(t.rows, 1),
                                     builder.map(ScalarOp::logical_not, equal_sizes(t.cols, 1)));
  return {chosen(is_row, 1, count), chosen(is_row, count, 1)};
}

void Lowerer::check_positions(ValueId index, const Size& extent, const std::string& name, std::size_t axis,
                              std::size_t count, const Type& t, const std::string& remedy) {
  const Type it = type(index);
  if (it.rows.is(0) || it.cols.is(0)) return;
  const auto all = [&](ValueId truth) { return builder.reduce(truth, {ReduceOp::all, Axis::all}); };
  const ValueId smallest = builder.reduce(index, {ReduceOp::min, Axis::all});
  const ValueId largest = builder.reduce(index, {ReduceOp::max, Axis::all});
  const ValueId one = builder.constant(1, type(smallest).element);
  require(all(elementwise(ScalarOp::ge, {index, one}, {}, ">=")), place(name, axis, count, "%d") + invalid_index,
          {smallest}, "Octave:invalid-index");
  if (is_floating(it.element))
    require(all(elementwise(ScalarOp::eq, {index, builder.map(ScalarOp::fix, index)}, {}, "==")),
            place(name, axis, count, "%g") + invalid_index, {largest}, "Octave:invalid-index");
  require_below(index, extent, place(name, axis, count, "%d"), t, remedy);
}

// The extent that x(index) = v needs where an index vector makes x grow, else 0: where the positions are known, and
// where x has no elements yet. Other matrices keep their extents, so that a shape does not depend on an index.
Size Lowerer::growth_by(ValueId index, const Size& extent) {
  if (const auto numbers = numbers_of(index); numbers && !type(index).is_scalar()) {
    double most = 0;
    for (double position : *numbers) {
      if (!(std::abs(position) < 9e15)) return 0;
      most = std::max(most, position);
    }
    const Size beyond = static_cast<std::int64_t>(most);
    return facts.less_equal(graph, beyond, extent) ? Size(0) : beyond;
  }
  if (!extent.is(0)) return 0;
  const Size count = type(index).count();
  const ValueId none = builder.map(ScalarOp::eq, builder.size(count), builder.constant(0, Element::integer));
  const ValueId largest = builder.reduce(index, {ReduceOp::max, Axis::all});
  const ValueId beyond = builder.map(ScalarOp::select, none, builder.constant(0, Element::integer),
                                     builder.convert(largest, Element::integer));
  return max0(as_size(graph, beyond));
}

// The subscripts as values: positions from 1.
std::vector<Lowerer::Positions> Lowerer::positions_of(const ResolvedSubscripts& resolved) {
  std::vector<Positions> positions;
  auto vector = resolved.vectors.begin();
  for (std::size_t i = 0; i < resolved.axes.size(); ++i) {
    const Subscript& subscript = resolved.subscripts.axes[i];
    if (resolved.axes[i].colon) {
      positions.push_back({{}, subscript.count});
    } else if (subscript.kind == SubscriptKind::vector) {
      positions.push_back({*vector++, subscript.count});
    } else if (subscript.count.is(1)) {
      positions.push_back({builder.size(subscript.first + 1), 1});
    } else {
      const ValueId steps =
          builder.map(ScalarOp::mul, builder.iota(Axis::cols, 1, subscript.count), builder.size(subscript.step));
      positions.push_back({builder.map(ScalarOp::add, steps, builder.size(subscript.first + 1)), subscript.count});
    }
  }
  return positions;
}

}  // namespace lac::frontend
