// Indexing and indexed assignment: subscripts become affine ranges wherever the text allows, index vectors otherwise;
// positions that are not provably inside are checked at run time.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "frontend/sema/lowerer.h"

namespace lac::frontend {

/// Subscripts with everything that the result's shape and the checks need.
struct Lowerer::ResolvedSubscripts {
  Subscripts subscripts;
  std::vector<ValueId> vectors;
  /// Per subscript: the shape of the index itself (a range is 1 x count) and its largest position + 1 for growth.
  struct Axis {
    bool scalar = false, colon = false;
    Size rows = 1, cols = 1;
    Size past_end = 0;   ///< where it grows: one past the largest position
    bool grows = false;  ///< assigning: what is beyond the extent is made
  };
  std::vector<Axis> axes;
};

namespace {

// "a(_,%d)": how Octave names position `axis` of `count`.
std::string place(const std::string& name, std::size_t axis, std::size_t count, const std::string& shown) {
  std::string text = (name.empty() ? "index " : name) + "(";
  for (std::size_t i = 0; i < count; ++i) text += (i ? "," : "") + (i == axis ? shown : std::string("_"));
  return text + ")";
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
    std::optional<RangeFact> range;
    ValueId index;
    ends.push_back({value, i, args.size()});
    if (const auto* literal = std::get_if<ast::Range>(&arg.node)) range = range_of(*literal);
    if (!range) index = lower_value(arg);
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
        if (!fits) require_below(index, extent, place(name, i, args.size(), "%d"), t);  // trailing false is no matter
        const Type found = type(index);
        subscript = {SubscriptKind::vector, 0, 1, found.count()};
        axis.rows = found.rows;
        axis.cols = found.cols;
        resolved.vectors.push_back(index);
      } else if (!range) {
        const Size beyond = assigning ? growth_by(index, extent) : Size(0);
        axis.grows = !beyond.is(0);
        if (axis.grows) axis.past_end = beyond;
        check_positions(index, axis.grows ? larger(extent, beyond) : extent, name, i, args.size(), t);
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
      if (!rising && !falling)
        require(builder.map(ScalarOp::ge, builder.size(range->step), builder.constant(0, Element::integer)),
                "an index range whose increment may have either sign must rise here", {});
      const Size low = falling && !rising ? last : first, high = falling && !rising ? first : last;
      subscript = {SubscriptKind::range, first, range->step, range->count};
      axis.cols = range->count;
      axis.past_end = high + 1;
      const bool inside = facts.nonnegative(graph, extent - 1 - high);
      axis.grows = assigning && !inside;
      const ValueId none = builder.map(ScalarOp::eq, builder.size(range->count), builder.constant(0, Element::integer));
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

void Lowerer::require_below(ValueId index, const Size& extent, const std::string& where, const Type& t) {
  const auto whole = [&](ValueId value, ReduceOp op) {
    return type(value).is_scalar() ? value : builder.reduce(value, {op, Axis::all});
  };
  require(whole(elementwise(ScalarOp::le, {index, builder.size(extent)}, {}, "<="), ReduceOp::all),
          where + ": out of bound %d (dimensions are %dx%d)",
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
  const ValueId one = builder.constant(1, Element::integer);
  const auto chosen = [&](ValueId as_row, ValueId as_column) {
    const Size size = as_size(graph, builder.map(ScalarOp::select, is_row, as_row, as_column));
    if (const auto symbol = size.as_symbol()) graph.symbols[*symbol].lower = 0;
    return size;
  };
  const Size rows = chosen(one, builder.size(count));
  return {rows, chosen(builder.size(count), one)};
}

void Lowerer::check_positions(ValueId index, const Size& extent, const std::string& name, std::size_t axis,
                              std::size_t count, const Type& t) {
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
  require_below(index, extent, place(name, axis, count, "%d"), t);
}

// The extent that x(index) = v needs where an index vector makes x grow, else 0: where the positions are known, and
// where x has no elements yet. Other matrices keep their extents, so that a shape does not depend on an index.
Size Lowerer::growth_by(ValueId index, const Size& extent) {
  if (const auto literal = facts.literals.find(index); literal != facts.literals.end()) {
    double most = 0;
    for (const ValueId element : literal->second) {
      const auto position = constant_of(element);
      if (!position || !(std::abs(*position) < 9e15)) return 0;
      most = std::max(most, *position);
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

ValueId Lowerer::index_value(ValueId value, const std::string& name, const std::vector<ast::ExprPtr>& args, Span span) {
  builder.location = locate(span);
  if (args.empty()) return value;
  const Type t = type(value);
  const ResolvedSubscripts resolved = resolve(value, name, args, false, span);
  const Subscripts& subscripts = resolved.subscripts;
  const std::vector<Positions> positions = t.is_sparse() ? positions_of(resolved) : std::vector<Positions>();
  if (subscripts.axes.size() == 2) {
    if (t.is_sparse()) return sparse_region(value, positions[0], positions[1]);
    if (const auto known = permuted_identity(value, subscripts, resolved.vectors)) return *known;
    if (const auto block = structured_block(value, subscripts)) return *block;
    return builder.index(value, subscripts, resolved.vectors, subscripts.axes[0].count, subscripts.axes[1].count);
  }
  const ResolvedSubscripts::Axis& axis = resolved.axes[0];
  const Size count = subscripts.axes[0].count;
  const auto picked = [&](const Size& rows, const Size& cols) {
    if (t.is_sparse()) return sparse_elements(value, positions[0], rows, cols);
    return builder.index(value, subscripts, resolved.vectors, rows, cols);
  };
  if (axis.colon) return t.is_sparse() ? sparse_reshape(value, count, 1) : builder.reshape(value, count, 1);
  if (axis.scalar) return picked(1, 1);
  const auto [rows, cols] = shape_of_picked(t, axis.rows, axis.cols, count);
  return picked(rows, cols);
}

// The shape of x(i): a vector keeps its orientation when the index is a vector too; else the index gives the shape.
std::pair<Size, Size> Lowerer::shape_of_picked(const Type& t, const Size& index_rows, const Size& index_cols,
                                               const Size& count) {
  const auto never_one = [&](const Size& rows, const Size& cols) {
    return facts.not_one(graph, rows) && facts.not_one(graph, cols);
  };
  const bool index_is_vector = index_rows.is(1) || index_cols.is(1);
  const bool row = t.rows.is(1), column = t.cols.is(1);
  if ((row && column) || never_one(t.rows, t.cols) || (!index_is_vector && never_one(index_rows, index_cols)))
    return {index_rows, index_cols};
  if (index_is_vector) {
    // Of a 1x1, x(i) has the shape of i: no difference where i lies as x does, or has as many elements.
    const auto lies_as_x = [&](const Size& length, const Size& across) {
      return facts.not_one(graph, length) || across.is(1) || count == length;
    };
    if (row && lies_as_x(t.cols, index_rows)) return {1, count};
    if (column && lies_as_x(t.rows, index_cols)) return {count, 1};
  }
  // Decided at run time.
  const auto one = [&](const Size& size) { return equal_sizes(size, 1); };
  const auto no = [&](ValueId truth) { return builder.map(ScalarOp::logical_not, truth); };
  const auto both = [&](ValueId a, ValueId b) { return builder.map(ScalarOp::logical_and, a, b); };
  const ValueId vector = builder.map(ScalarOp::logical_or, one(index_rows), one(index_cols));
  const ValueId is_row = both(vector, both(one(t.rows), no(one(t.cols))));
  const ValueId is_column = both(vector, both(one(t.cols), no(one(t.rows))));
  const auto choose = [&](const Size& as_row, const Size& as_column, const Size& otherwise) {
    const ValueId unless_row =
        builder.map(ScalarOp::select, is_column, builder.size(as_column), builder.size(otherwise));
    const Size chosen = as_size(graph, builder.map(ScalarOp::select, is_row, builder.size(as_row), unless_row));
    if (const auto symbol = chosen.as_symbol()) graph.symbols[*symbol].lower = 0;
    return chosen;
  };
  const Size rows = choose(1, count, index_rows);
  return {rows, choose(count, 1, index_cols)};
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

// max(a, b) of sizes.
Size Lowerer::larger(const Size& a, const Size& b) {
  if (facts.less_equal(graph, b, a)) return a;
  if (facts.less_equal(graph, a, b)) return b;
  return a + max0(b - a);
}

// The shape that x(i) = v with positions below `wanted` leaves behind: [] and rows grow to a row, columns to a column,
// other matrices must not grow.
std::pair<Size, Size> Lowerer::grown_by_one_index(const Type& t, const std::string& name, const Size& wanted) {
  if (t.rows.is(1) || (t.rows.is(0) && t.cols.is(0))) return {1, larger(t.cols, wanted)};
  if (t.cols.is(1) && facts.not_one(graph, t.rows) && facts.nonnegative(graph, t.rows - 1))
    return {larger(t.rows, wanted), 1};
  const auto apply = [&](ScalarOp op, ValueId a, ValueId b) { return builder.map(op, a, b); };
  const auto choose = [&](ValueId condition, ValueId yes, ValueId no) {
    return builder.map(ScalarOp::select, condition, yes, no);
  };
  const ValueId rows = builder.size(t.rows), cols = builder.size(t.cols), end = builder.size(wanted);
  const ValueId one = builder.constant(1, Element::integer), none = builder.constant(0, Element::integer);
  const ValueId grows = apply(ScalarOp::gt, end, builder.size(t.count()));
  const ValueId empty = apply(ScalarOp::logical_and, apply(ScalarOp::eq, rows, none), apply(ScalarOp::eq, cols, none));
  const ValueId as_row = apply(ScalarOp::logical_or, apply(ScalarOp::eq, rows, one), empty);
  const ValueId as_column = apply(ScalarOp::eq, cols, one);
  const ValueId fine = apply(ScalarOp::logical_or, apply(ScalarOp::logical_or, as_row, as_column),
                             builder.map(ScalarOp::logical_not, grows));
  if (constant_of(fine) == 0.0)
    fail(graph.locations[builder.location].span,
         "Invalid resizing operation or ambiguous assignment to an out-of-bounds array element: " + name + "(" +
             graph.text(wanted) + ") of a " + graph.text(t.rows) + "x" + graph.text(t.cols) + " matrix");
  require(fine,
          "Invalid resizing operation or ambiguous assignment to an out-of-bounds array element: " + name +
              "(%d) of a %dx%d matrix",
          {end, rows, cols}, "Octave:index-out-of-bounds");
  const auto symbol = [&](ValueId value) {
    const Size size = as_size(graph, value);
    if (const auto id = size.as_symbol()) graph.symbols[*id].lower = 0;
    return size;
  };
  return {symbol(choose(grows, choose(as_row, one, end), rows)), symbol(choose(grows, choose(as_row, end, one), cols))};
}

// What ':' means beside a subscript that grows: `extent`, or `across` where the matrix turns out to be 0x0.
Size Lowerer::unless_empty(const Type& t, const Size& extent, const Size& across) {
  const auto surely_some = [&](const Size& size) { return facts.nonnegative(graph, size - 1); };
  if (extent == across || surely_some(t.rows) || surely_some(t.cols)) return extent;
  const ValueId none = builder.constant(0, Element::integer);
  const ValueId empty = builder.map(ScalarOp::logical_and, builder.map(ScalarOp::eq, builder.size(t.rows), none),
                                    builder.map(ScalarOp::eq, builder.size(t.cols), none));
  const Size chosen = as_size(graph, builder.map(ScalarOp::select, empty, builder.size(across), builder.size(extent)));
  if (const auto symbol = chosen.as_symbol()) graph.symbols[*symbol].lower = 0;
  return chosen;
}

// What elements of a logical matrix become when numbers are assigned to them.
ValueId Lowerer::as_truth(ValueId value) {
  const Type t = type(value);
  if (t.element == Element::logical || (t.element == Element::single && graph.precision != Element::single))
    return value;
  const auto all = [&](ValueId truth) {
    return t.is_scalar() ? truth : builder.reduce(truth, {ReduceOp::all, Axis::all});
  };
  const ValueId zero = builder.constant(0, t.element), one = builder.constant(1, t.element);
  require_no_nan(value);
  const ValueId exact = all(
      builder.map(ScalarOp::logical_or, builder.map(ScalarOp::eq, value, zero), builder.map(ScalarOp::eq, value, one)));
  if (constant_of(exact) != 1.0) {
    Message message;
    message.stream = Stream::err;
    message.format = "value not equal to 1 or 0 converted to logical 1";
    builder.warn(exact, std::move(message), {});
  }
  return builder.map(ScalarOp::ne, value, zero);
}

namespace {

/// The elements that an assignment replaces: of a linear subscript as a column.
struct Region {
  Size rows, cols;
  bool linear = false;
  bool is_scalar() const { return rows.is(1) && cols.is(1); }
};

/// `value` in the shape of the region that it is assigned to; it fills the region where it turns out to be 1x1.
ValueId fitted(Lowerer& l, ValueId value, const Region& region, Span span) {
  const Type given = l.type(value);
  const Size op1[2] = {region.linear ? Size(1) : region.rows, region.linear ? region.rows : region.cols};
  const std::string text = "=: nonconformant arguments (op1 is " + l.graph.text(op1[0]) + "x" + l.graph.text(op1[1]) +
                           ", op2 is " + l.shape_text(value) + ")";
  const std::string format = "=: nonconformant arguments (op1 is %dx%d, op2 is %dx%d)";
  const std::vector<Size> shown = {op1[0], op1[1], given.rows, given.cols};
  const bool by_count = region.linear;
  const bool as_row =
      !by_count && region.rows.is(1) && given.cols.is(1);  // a row fits a column and the other way round
  const bool as_column = !by_count && !as_row && region.cols.is(1) && given.rows.is(1);
  const Size rows = by_count ? given.count() : as_row ? Size(1) : as_column ? given.cols : given.rows;
  const Size cols = by_count || as_column ? Size(1) : as_row ? given.rows : given.cols;
  const auto of_region = [&] {
    l.require_equal(region.rows, rows, span, text, shown, format);
    l.require_equal(region.cols, cols, span, text, shown, format);
    return by_count || as_row || as_column ? l.builder.reshape(value, region.rows, region.cols) : value;
  };
  const Facts& facts = l.facts;
  const bool surely_fits = region.is_scalar() || (region.rows == rows && region.cols == cols);
  if (surely_fits || facts.not_one(l.graph, given.rows) || facts.not_one(l.graph, given.cols)) return of_region();
  const auto everywhere = [&] {
    const Subscripts first{{{SubscriptKind::range, 0, 1, 1}, {SubscriptKind::range, 0, 1, 1}}};
    return l.builder.fill(l.builder.index(value, first, {}, 1, 1), region.rows, region.cols);
  };
  const ValueId scalar =
      l.builder.map(ScalarOp::logical_and, l.equal_sizes(given.rows, 1), l.equal_sizes(given.cols, 1));
  if (!facts.distinct(l.graph, region.rows, rows) && !facts.distinct(l.graph, region.cols, cols))
    return l.branch_value(scalar, everywhere, of_region);
  std::vector<ValueId> sizes;
  for (const Size& size : shown) sizes.push_back(l.builder.size(size));
  l.require(scalar, format, sizes, "Octave:nonconformant-args");
  return everywhere();
}

}  // namespace

Binding Lowerer::assign_index(const Binding& base_binding, const std::string& name,
                              const std::vector<ast::ExprPtr>& args, const Binding& value_binding, Span span) {
  if (base_binding.is_text() && value_binding.is_text()) {
    const Binding base = Binding::matrix(codes(base_binding)), value = Binding::matrix(codes(value_binding));
    return Binding::computed_text(assign_index(base, name, args, value, span).value, base_binding.double_quoted);
  }
  if (!base_binding.is_matrix()) fail(span, "'" + name + "' is not a matrix, so its elements cannot be assigned");
  if (!value_binding.is_matrix()) {
    if (value_binding.kind == Binding::Kind::poisoned) throw LowerError{};
    fail(span, "only a matrix can be assigned to elements of '" + name + "'");
  }
  ValueId base = base_binding.value, value = value_binding.value;
  const auto diagonal = diagonal_of(base);
  value = dense(value);
  if (type(base).element == Element::logical) value = as_truth(value);
  const Element element = join(type(base).element, type(value).element);
  base = builder.convert(base, element);
  value = builder.convert(value, element);
  const Type t = type(base), vt = type(value);
  ResolvedSubscripts resolved = resolve(base, name, args, true, span);
  Subscripts& subscripts = resolved.subscripts;
  const bool linear = subscripts.linear();

  // Growth, and what ':' means on an empty base.
  Size rows = t.rows, cols = t.cols;
  if (!linear) {
    for (std::size_t i = 0; i < 2; ++i) {
      Size& extent = i == 0 ? rows : cols;
      const bool of_vector = vt.is_vector() && subscripts.axes[1 - i].count.is(1);  // it may lie either way
      const Size across = vt.is_scalar() ? Size(1) : of_vector ? vt.count() : i == 0 ? vt.rows : vt.cols;
      if (resolved.axes[i].colon && t.rows.is(0) && t.cols.is(0)) extent = subscripts.axes[i].count = across;
      else if (resolved.axes[i].colon && resolved.axes[1 - i].grows)
        extent = subscripts.axes[i].count = unless_empty(t, extent, across);
      else if (resolved.axes[i].grows) extent = larger(extent, resolved.axes[i].past_end);
    }
  } else if (resolved.axes[0].grows) {
    std::tie(rows, cols) = grown_by_one_index(t, name, resolved.axes[0].past_end);
  }
  const bool grows = rows != t.rows || cols != t.cols;
  if (grows && t.is_dense()) base = builder.resize(base, rows, cols);

  const Region region{subscripts.axes[0].count, linear ? Size(1) : subscripts.axes[1].count, linear};
  if (!vt.is_scalar()) value = fitted(*this, value, region, span);
  else if (t.is_dense() && !region.is_scalar()) value = builder.fill(value, region.rows, region.cols);
  if (t.is_sparse()) {
    std::vector<ValueId> operands = {base};
    std::vector<Positions> positions = positions_of(resolved);
    for (Positions& p : positions)
      operands.push_back(p.value ? p.value
                                 : builder.map(ScalarOp::add, builder.iota(Axis::rows, p.count, 1),
                                               builder.constant(1, Element::integer)));
    operands.push_back(value);
    return Binding::matrix(builder.library(LibraryFn::sparse_update, operands, {csr_type(element, rows, cols)})[0]);
  }
  const bool on_diagonal = diagonal && !linear && !grows && vt.is_scalar() && resolved.axes[0].scalar &&
                           resolved.axes[1].scalar && subscripts.axes[0].first == subscripts.axes[1].first;
  if (on_diagonal) {
    const Subscripts there{{subscripts.axes[0]}};
    const ValueId changed = builder.update(builder.convert(*diagonal, element), there, {}, value);
    return Binding::matrix(diagonal_matrix(changed, rows, cols));
  }
  // A(:, :) = v and x(:) = v replace everything.
  if (linear && resolved.axes[0].colon) return Binding::matrix(builder.reshape(value, rows, cols));
  return Binding::matrix(builder.update(base, subscripts, resolved.vectors, value));
}

}  // namespace lac::frontend
