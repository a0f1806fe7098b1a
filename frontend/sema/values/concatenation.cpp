#include "frontend/sema/values/concatenation.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

namespace {

constexpr double largest_exact = 9007199254740992.0;  // 2^53

}  // namespace

Element element_of_number(const Emitter& e, double value) {
  return std::trunc(value) == value && std::abs(value) <= largest_exact ? Element::integer : e.graph.precision;
}

// The step of a literal takes its operands one by one: many go to it in parts, and runs of constants as tables.
ValueId literal(Emitter& e, const std::vector<ValueId>& items, std::int64_t rows, std::int64_t cols) {
  constexpr std::size_t most_operands = 64, table_pays = 8;
  Element element = e.type(items.front()).element;
  for (ValueId item : items) element = join(element, e.type(item).element);
  const auto table = [&](std::size_t first, std::size_t last, std::int64_t height, std::int64_t width) {
    std::vector<double> numbers;
    for (std::size_t i = first; i < last; ++i) numbers.push_back(*e.constant_of(items[i]));
    return e.builder.table(std::move(numbers), element, height, width);
  };
  const auto constants_from = [&](std::size_t first) {
    while (first < items.size() && e.constant_of(items[first])) ++first;
    return first;
  };
  if (constants_from(0) == items.size()) return table(0, items.size(), rows, cols);
  std::vector<ValueId> converted, parts, loose;
  for (ValueId item : items) converted.push_back(e.builder.convert(item, element));
  const auto step = [&](const std::vector<ValueId>& operands, const Size& height, const Size& width) {
    return e.builder.library(LibraryFn::literal, operands, {Type::matrix(element, height, width)})[0];
  };
  const auto column = [&](const std::vector<ValueId>& operands) {
    if (operands.size() == 1) return operands.front();
    Size count = 0;
    for (ValueId operand : operands) count = count + e.type(operand).count();
    return step(operands, count, 1);
  };
  const auto gather = [&] {
    if (!loose.empty()) parts.push_back(column(loose));
    loose.clear();
  };
  if (items.size() <= most_operands) parts = converted;
  for (std::size_t i = 0; items.size() > most_operands && i < items.size();) {
    if (const std::size_t end = constants_from(i); end - i >= table_pays) {
      gather();
      parts.push_back(table(i, end, static_cast<std::int64_t>(end - i), 1));
      i = end;
      continue;
    }
    loose.push_back(converted[i++]);
    if (loose.size() == most_operands) gather();
  }
  gather();
  while (parts.size() > most_operands) {
    std::vector<ValueId> fewer;
    for (std::size_t i = 0; i < parts.size(); i += most_operands)
      fewer.push_back(column({parts.begin() + static_cast<std::ptrdiff_t>(i),
                              parts.begin() + static_cast<std::ptrdiff_t>(std::min(i + most_operands, parts.size()))}));
    parts = std::move(fewer);
  }
  const ValueId value = step(parts, rows, cols);
  e.facts.literals[value] = converted;
  return value;
}

std::optional<std::vector<double>> numbers_of(const Emitter& e, ValueId value) {
  const Op* op = e.graph.definition(value);
  while (op && op->kind == OpKind::transpose && e.type(value).is_vector()) {  // the order is the same
    value = op->operands[0];
    op = e.graph.definition(value);
  }
  const auto numbers = constant_elements(e.graph, value);
  if (!numbers) return std::nullopt;
  return std::vector<double>(numbers->begin(), numbers->end());
}

std::optional<std::vector<ValueId>> written_elements(Emitter& e, ValueId value) {
  if (const auto known = e.facts.literals.find(value); known != e.facts.literals.end()) return known->second;
  if (e.type(value).is_scalar()) return std::nullopt;
  const auto numbers = numbers_of(e, value);
  if (!numbers) return std::nullopt;
  std::vector<ValueId> elements;
  for (double number : *numbers) elements.push_back(e.builder.constant(number, e.type(value).element));
  return elements;
}

namespace {

// Parts that all are 0x0, 1x0 or 0x1, as Octave joins them one after the other: a 0x0 gives way to what follows, two
// others that differ make a 0x0.
ValueId join_nothing(Emitter& e, const std::vector<ValueId>& parts, bool along_cols) {
  Size rows = 0, cols = 0;
  Element element = e.graph.type(parts.front()).element;
  for (ValueId part : parts) {
    const Type t = e.graph.type(part);
    element = join(element, t.element);
    const ValueId skipped = e.equal_sizes(t.rows + t.cols, 0), first = e.equal_sizes(rows + cols, 0);
    const ValueId fits = along_cols ? e.equal_sizes(t.rows, rows) : e.equal_sizes(t.cols, cols);
    const ValueId clash = e.equal_sizes(rows + cols, 1);
    const auto next = [&](const Size& so_far, const Size& of_part, bool along) {
      const Size joined = along ? so_far + of_part : so_far;
      return e.chosen(skipped, so_far, e.chosen(first, of_part, e.chosen(fits, joined, e.chosen(clash, 0, so_far))));
    };
    std::tie(rows, cols) = std::pair(next(rows, t.rows, !along_cols), next(cols, t.cols, along_cols));
  }
  return e.builder.fill(e.builder.constant(0, element), rows, cols);
}

/// The elements of a table, or of a short range of known numbers: [d, 1:d-1, d+1:n].
std::optional<std::vector<double>> numbers_of_part(const Emitter& e, ValueId part) {
  constexpr std::int64_t longest_range = 64;
  if (const auto numbers = constant_elements(e.graph, part))
    return std::vector<double>(numbers->begin(), numbers->end());
  const auto range = e.facts.ranges.find(part);
  if (range == e.facts.ranges.end()) return std::nullopt;
  const auto& [first, step, count, last] = range->second;
  if (!first.is_constant() || !step.is_constant() || !count.is_constant() || count.constant() > longest_range)
    return std::nullopt;
  std::vector<double> numbers;
  for (std::int64_t k = 0; k < count.constant(); ++k)
    numbers.push_back(static_cast<double>(first.constant() + k * step.constant()));
  if (std::ranges::find(numbers, 0.0) != numbers.end()) return std::nullopt;  // which may be -0
  return numbers;
}

// Parts of a literal that are numbers themselves: one table, up to a size that a text may double its way to.
std::optional<ValueId> joined_tables(Emitter& e, const std::vector<ValueId>& parts, Axis axis) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::vector<std::vector<double>> pieces;
  Element element = e.type(parts.front()).element;
  std::size_t count = 0;
  for (ValueId part : parts) {
    auto numbers = numbers_of_part(e, part);
    if (!numbers) return std::nullopt;
    count += numbers->size();
    pieces.push_back(*std::move(numbers));
    element = join(element, e.type(part).element);
  }
  if (count > most - e.tables_joined) return std::nullopt;
  e.tables_joined += count;
  std::vector<double> joined;
  joined.reserve(count);
  std::size_t cols = 0, rows = 0;
  const auto rows_of = [&](std::size_t i) { return static_cast<std::size_t>(e.type(parts[i]).rows.constant()); };
  if (axis == Axis::cols) {
    rows = rows_of(0);
    for (const std::vector<double>& piece : pieces) joined.insert(joined.end(), piece.begin(), piece.end());
    cols = rows == 0 ? 0 : count / rows;
  } else {
    cols = static_cast<std::size_t>(e.type(parts.front()).cols.constant());
    rows = cols == 0 ? 0 : count / cols;
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto column = std::span(pieces[i]).subspan(j * rows_of(i), rows_of(i));
        joined.insert(joined.end(), column.begin(), column.end());
      }
  }
  if (count == 0) return std::nullopt;
  return e.builder.table(std::move(joined), element, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols));
}

// Of values that may all be empty: the extent across the axis of the first with elements, else the largest.
Size extent_of_first(Emitter& e, const std::vector<ValueId>& values, bool along_cols) {
  const auto across = [&](ValueId value) { return along_cols ? e.type(value).rows : e.type(value).cols; };
  bool alike = true;
  for (ValueId value : values) alike = alike && across(value) == across(values.front());
  if (alike) return across(values.front());
  ValueId extent = e.builder.constant(0, Element::integer);
  for (ValueId value : values) extent = e.builder.map(ScalarOp::max, extent, e.builder.size(across(value)));
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    const ValueId some = e.builder.map(ScalarOp::gt, e.builder.size(e.type(*value).rows + e.type(*value).cols),
                                       e.builder.constant(1, Element::integer));
    extent = e.builder.map(ScalarOp::select, some, e.builder.size(across(*value)), extent);
  }
  const Size size = as_size(e.graph, extent);
  if (const auto symbol = size.as_symbol()) e.graph.symbols[*symbol].lower = 0;
  return size;
}

/// What is joined along an axis, and what all parts must have across it.
struct Joint {
  bool along_cols;
  Size extent;
  ValueId shown;  ///< in messages: the part that the others must fit
  const char* kind() const { return along_cols ? "horizontal" : "vertical"; }
};

Size across(const Emitter& e, const Joint& joint, ValueId part) {
  return joint.along_cols ? e.type(part).rows : e.type(part).cols;
}

// A part that has no elements and at most one extent of 1 disappears where it does not fit; nothing where it is certain
// to.
std::optional<ValueId> unless_nothing(Emitter& e, const Joint& joint, ValueId part) {
  Builder& b = e.builder;
  const Type t = e.type(part), shown = e.type(joint.shown);
  const Size elements = t.rows + t.cols, along = joint.along_cols ? t.cols : t.rows;
  if (along.is(0) && e.facts.nonnegative(e.graph, Size(1) - elements)) return std::nullopt;
  const ValueId fits = b.map(ScalarOp::logical_or, e.equal_sizes(across(e, joint, part), joint.extent),
                             b.map(ScalarOp::le, b.size(elements), b.constant(1, Element::integer)));
  e.require(fits, std::string(joint.kind()) + " dimensions mismatch (%dx%d vs %dx%d)",
            {b.size(shown.rows), b.size(shown.cols), b.size(t.rows), b.size(t.cols)}, "Octave:nonconformant-args");
  // A 0x1 that disappears in a row, or a 1x0 in a column, has an extent along the axis.
  const Size kept = e.chosen(e.equal_sizes(across(e, joint, part), joint.extent), along, 0);
  return b.reshape(part, joint.along_cols ? joint.extent : kept, joint.along_cols ? kept : joint.extent);
}

void require_fit(Emitter& e, const Joint& joint, ValueId part, Span span) {
  const Type t = e.type(part), shown = e.type(joint.shown);
  const std::string kind = joint.kind();
  const std::string text =
      kind + " dimensions mismatch (" + shape_text(e, joint.shown) + " vs " + shape_text(e, part) + ")";
  const std::vector<Size> sizes = {shown.rows, shown.cols, t.rows, t.cols};
  if (e.facts.distinct(e.graph, joint.extent, across(e, joint, part)) && !e.is_caught_with(sizes))
    e.fail(span, text, shape_notes(e, span, joint.shown, part));
  require_equal(e, joint.extent, across(e, joint, part), span, text, sizes,
                kind + " dimensions mismatch (%dx%d vs %dx%d)");
}

// Dense parts, none of them [].
ValueId joined(Emitter& e, const std::vector<ValueId>& parts, Axis axis, Span span) {
  const bool along_cols = axis == Axis::cols;
  const auto extents = [&](ValueId value) { return e.type(value).rows + e.type(value).cols; };
  const auto surely_some = [&](ValueId value) { return e.facts.nonnegative(e.graph, extents(value) - 2); };
  const auto surely_none = [&](ValueId value) { return e.facts.nonnegative(e.graph, Size(1) - extents(value)); };
  if (parts.size() == 1) return parts.front();
  if (std::ranges::all_of(parts, surely_none)) return join_nothing(e, parts, along_cols);
  const auto sure = std::ranges::find_if(parts, surely_some);
  Joint joint{along_cols, 0, sure != parts.end() ? *sure : parts.front()};
  joint.extent = sure != parts.end() ? across(e, joint, *sure) : extent_of_first(e, parts, along_cols);
  std::vector<ValueId> fitting;
  for (const ValueId part : parts) {
    if (surely_some(part) || across(e, joint, part) == joint.extent) {
      require_fit(e, joint, part, span);
      fitting.push_back(part);
    } else if (const auto kept = unless_nothing(e, joint, part)) {
      fitting.push_back(*kept);
    }
  }
  if (fitting.size() == 1) return fitting.front();
  if (const auto table = joined_tables(e, fitting, axis)) return *table;
  return e.builder.concat(fitting, axis);
}

}  // namespace

// [] always disappears, but has its class still: [[] true] is numeric, [single([]) 0.1] single.
ValueId concatenate(Emitter& e, const std::vector<ValueId>& parts, Axis axis, Span span) {
  for (const ValueId part : parts)
    if (e.type(part).is_sparse()) return sparse_concatenate(e, parts, axis, span);
  std::vector<ValueId> kept;
  for (const ValueId part : parts)
    if (!(e.type(part).rows.is(0) && e.type(part).cols.is(0))) kept.push_back(part);
  if (kept.empty()) return parts.front();
  const ValueId value = joined(e, kept, axis, span);
  const auto is = [&](Element wanted) { return [&, wanted](ValueId part) { return e.type(part).element == wanted; }; };
  Element element = e.type(value).element;
  if (std::ranges::any_of(parts, is(Element::single))) element = Element::single;
  else if (element == Element::logical && !std::ranges::all_of(parts, is(Element::logical))) element = Element::integer;
  const ValueId made = e.builder.convert(value, element);
  note_maybe_mask(e, parts, made);
  return made;
}

}  // namespace lac::frontend
