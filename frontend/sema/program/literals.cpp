// Matrices written out: tables of numbers, steps of run-time values, joins of parts.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

/// A number as written, with its sign; nothing for 0, whose sign counts.
std::optional<double> signed_number(const ast::Expr& expr) {
  if (const auto* number = std::get_if<ast::Number>(&expr.node)) return number->value;
  if (const auto* paren = std::get_if<ast::Paren>(&expr.node)) return signed_number(*paren->inner);
  const auto* unary = std::get_if<ast::Unary>(&expr.node);
  if (!unary || (unary->op != ast::UnaryOp::minus && unary->op != ast::UnaryOp::plus)) return std::nullopt;
  const std::optional<double> number = signed_number(*unary->operand);
  if (!number || *number == 0) return std::nullopt;
  return unary->op == ast::UnaryOp::minus ? -*number : *number;
}

}  // namespace

Binding Lowerer::lower_matrix(const ast::Matrix& node, Span span) {
  if (node.rows.empty()) return Binding::matrix(builder.fill(builder.constant(0, graph.precision), 0, 0));
  if (const auto table = table_of_numbers(node)) return Binding::matrix(*table);
  std::vector<std::vector<Binding>> elements;
  bool all_scalars = true, any_text = false;
  for (const auto& row : node.rows) {
    std::vector<Binding>& items = elements.emplace_back();
    for (const ast::ExprPtr& item : row) {
      items.push_back(lower_expr(*item));
      const Binding& value = items.back();
      any_text = any_text || value.is_text();
      if (value.is_function()) fail(item->span, "a function handle cannot be an element of a matrix");
      if (value.is_bytes()) fail(item->span, std::string(bytes_remedy));
      if (!value.is_matrix() && !value.is_text()) throw LowerError{};
      all_scalars = all_scalars && value.is_matrix() && type(value.value).is_scalar();
    }
  }
  builder.location = locate(span);
  if (any_text) {
    std::vector<Binding> lines;
    for (const auto& row : elements) lines.push_back(join_strings(row, span));
    return stack_strings(lines, span);
  }
  std::vector<ValueId> rows;
  std::vector<std::vector<ValueId>> scalars;
  for (const auto& row : elements) {
    std::vector<ValueId>& items = scalars.emplace_back();
    for (const Binding& item : row) items.push_back(item.value);
  }
  const std::size_t width = scalars.front().size();
  for (const auto& row : scalars) all_scalars = all_scalars && row.size() == width;
  if (all_scalars) {
    if (scalars.size() == 1 && width == 1) return elements[0][0];
    std::vector<ValueId> items;
    for (std::size_t j = 0; j < width; ++j)
      for (const auto& row : scalars) items.push_back(row[j]);
    return Binding::matrix(literal(items, static_cast<std::int64_t>(scalars.size()), static_cast<std::int64_t>(width)));
  }
  for (auto& row : scalars) rows.push_back(concatenate(std::move(row), Axis::cols, span));
  return Binding::matrix(concatenate(std::move(rows), Axis::rows, span));
}

namespace {

// Parts that all are 0x0, 1x0 or 0x1, as Octave joins them one after the other: a 0x0 gives way to what follows, two
// others that differ make a 0x0.
ValueId join_nothing(Lowerer& l, const std::vector<ValueId>& parts, bool along_cols) {
  Size rows = 0, cols = 0;
  Element element = l.graph.type(parts.front()).element;
  for (ValueId part : parts) {
    const Type t = l.graph.type(part);
    element = join(element, t.element);
    const ValueId skipped = l.equal_sizes(t.rows + t.cols, 0), first = l.equal_sizes(rows + cols, 0);
    const ValueId fits = along_cols ? l.equal_sizes(t.rows, rows) : l.equal_sizes(t.cols, cols);
    const ValueId clash = l.equal_sizes(rows + cols, 1);
    const auto next = [&](const Size& so_far, const Size& of_part, bool along) {
      const Size joined = along ? so_far + of_part : so_far;
      return l.chosen(skipped, so_far, l.chosen(first, of_part, l.chosen(fits, joined, l.chosen(clash, 0, so_far))));
    };
    std::tie(rows, cols) = std::pair(next(rows, t.rows, !along_cols), next(cols, t.cols, along_cols));
  }
  return l.builder.fill(l.builder.constant(0, element), rows, cols);
}

}  // namespace

// A literal of numbers and nothing else, as people paste data: no op for each of them.
std::optional<ValueId> Lowerer::table_of_numbers(const ast::Matrix& node) {
  const std::size_t width = node.rows.front().size();
  if (width == 0) return std::nullopt;
  std::vector<double> numbers(node.rows.size() * width);
  Element element = Element::integer;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    if (node.rows[i].size() != width) return std::nullopt;
    for (std::size_t j = 0; j < width; ++j) {
      const std::optional<double> number = signed_number(*node.rows[i][j]);
      if (!number) return std::nullopt;
      element = join(element, element_of_number(*number));
      numbers[j * node.rows.size() + i] = *number;
    }
  }
  return builder.table(std::move(numbers), element, static_cast<std::int64_t>(node.rows.size()),
                       static_cast<std::int64_t>(width));
}

// The step of a literal takes its operands one by one: many go to it in parts, and runs of constants as tables.
ValueId Lowerer::literal(const std::vector<ValueId>& items, std::int64_t rows, std::int64_t cols) {
  constexpr std::size_t most_operands = 64, table_pays = 8;
  Element element = type(items.front()).element;
  for (ValueId item : items) element = join(element, type(item).element);
  const auto table = [&](std::size_t first, std::size_t last, std::int64_t height, std::int64_t width) {
    std::vector<double> numbers;
    for (std::size_t i = first; i < last; ++i) numbers.push_back(*constant_of(items[i]));
    return builder.table(std::move(numbers), element, height, width);
  };
  const auto constants_from = [&](std::size_t first) {
    while (first < items.size() && constant_of(items[first])) ++first;
    return first;
  };
  if (constants_from(0) == items.size()) return table(0, items.size(), rows, cols);
  std::vector<ValueId> converted, parts, loose;
  for (ValueId item : items) converted.push_back(builder.convert(item, element));
  const auto step = [&](const std::vector<ValueId>& operands, const Size& height, const Size& width) {
    return builder.library(LibraryFn::literal, operands, {Type::matrix(element, height, width)})[0];
  };
  const auto column = [&](const std::vector<ValueId>& operands) {
    if (operands.size() == 1) return operands.front();
    Size count = 0;
    for (ValueId operand : operands) count = count + type(operand).count();
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
  facts.literals[value] = converted;
  return value;
}

std::optional<std::vector<double>> Lowerer::numbers_of(ValueId value) const {
  const Op* op = graph.definition(value);
  while (op && op->kind == OpKind::transpose && type(value).is_vector()) {  // the order is the same
    value = op->operands[0];
    op = graph.definition(value);
  }
  const auto numbers = constant_elements(graph, value);
  if (!numbers) return std::nullopt;
  return std::vector<double>(numbers->begin(), numbers->end());
}

std::optional<std::vector<ValueId>> Lowerer::written_elements(ValueId value) {
  if (const auto known = facts.literals.find(value); known != facts.literals.end()) return known->second;
  if (type(value).is_scalar()) return std::nullopt;
  const auto numbers = numbers_of(value);
  if (!numbers) return std::nullopt;
  std::vector<ValueId> elements;
  for (double number : *numbers) elements.push_back(builder.constant(number, type(value).element));
  return elements;
}

ValueId Lowerer::concatenate(std::vector<ValueId> parts, Axis axis, Span span) {
  for (ValueId part : parts)
    if (type(part).is_sparse()) return sparse_concatenate(parts, axis, span);
  const bool along_cols = axis == Axis::cols;
  const auto across = [&](ValueId value) { return along_cols ? type(value).rows : type(value).cols; };
  // What has no elements and at most one extent of 1 disappears where it does not fit; [] always does.
  const auto surely_some = [&](ValueId value) {
    return facts.nonnegative(graph, type(value).rows + type(value).cols - 2);
  };
  std::vector<ValueId> kept;
  for (ValueId part : parts)
    if (!(type(part).rows.is(0) && type(part).cols.is(0))) kept.push_back(part);
  if (kept.empty()) return parts.front();
  // What disappears still has its class: [[] true] is numeric.
  const auto with_class_of_all = [&](ValueId joined) {
    const bool number = std::ranges::any_of(parts, [&](ValueId p) { return type(p).element != Element::logical; });
    return number && type(joined).element == Element::logical ? builder.convert(joined, Element::integer) : joined;
  };
  if (kept.size() == 1) return with_class_of_all(kept.front());
  const auto surely_none = [&](ValueId value) {
    return facts.nonnegative(graph, Size(1) - type(value).rows - type(value).cols);
  };
  if (std::ranges::all_of(kept, surely_none)) return with_class_of_all(join_nothing(*this, kept, along_cols));
  const auto first_sure = std::find_if(kept.begin(), kept.end(), surely_some);
  const Size extent = first_sure != kept.end() ? across(*first_sure) : extent_of_first(kept, along_cols);
  std::vector<ValueId> joined;
  const std::string kind = along_cols ? "horizontal" : "vertical";
  const ValueId shown = first_sure != kept.end() ? *first_sure : kept[0];
  for (ValueId& part : kept) {
    const Type t = type(part);
    if (!surely_some(part) && across(part) != extent) {
      const Size elements = t.rows + t.cols;
      const Size along = along_cols ? t.cols : t.rows;
      if (along.is(0) && facts.nonnegative(graph, Size(1) - elements)) continue;
      const ValueId fits =
          builder.map(ScalarOp::logical_or, equal_sizes(across(part), extent),
                      builder.map(ScalarOp::le, builder.size(elements), builder.constant(1, Element::integer)));
      require(
          fits, kind + " dimensions mismatch (%dx%d vs %dx%d)",
          {builder.size(type(shown).rows), builder.size(type(shown).cols), builder.size(t.rows), builder.size(t.cols)},
          "Octave:nonconformant-args");
      // A 0x1 that disappears in a row, or a 1x0 in a column, has an extent along the axis.
      const Size kept_along = chosen(equal_sizes(across(part), extent), along, 0);
      joined.push_back(builder.reshape(part, along_cols ? extent : kept_along, along_cols ? kept_along : extent));
      continue;
    }
    if (facts.distinct(graph, extent, across(part)))
      fail(span, kind + " dimensions mismatch (" + shape_text(shown) + " vs " + shape_text(part) + ")",
           shape_notes(span, shown, part));
    require_equal(extent, across(part), span,
                  kind + " dimensions mismatch (" + shape_text(shown) + " vs " + shape_text(part) + ")",
                  {type(shown).rows, type(shown).cols, t.rows, t.cols}, kind + " dimensions mismatch (%dx%d vs %dx%d)");
    joined.push_back(part);
  }
  if (joined.size() == 1) return with_class_of_all(joined.front());
  if (const auto table = joined_tables(joined, axis)) return with_class_of_all(*table);
  return with_class_of_all(builder.concat(joined, axis));
}

// Parts of a literal that are numbers themselves: one table, up to a size that a text may double its way to.
std::optional<ValueId> Lowerer::joined_tables(const std::vector<ValueId>& parts, Axis axis) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::vector<std::span<const double>> pieces;
  Element element = type(parts.front()).element;
  std::size_t count = 0;
  for (ValueId part : parts) {
    const auto numbers = constant_elements(graph, part);
    if (!numbers) return std::nullopt;
    pieces.push_back(*numbers);
    count += numbers->size();
    element = join(element, type(part).element);
  }
  if (count > most - tables_joined_) return std::nullopt;
  tables_joined_ += count;
  std::vector<double> joined;
  joined.reserve(count);
  std::size_t cols = 0, rows = 0;
  const auto rows_of = [&](std::size_t i) { return static_cast<std::size_t>(type(parts[i]).rows.constant()); };
  if (axis == Axis::cols) {
    rows = rows_of(0);
    for (std::span<const double> piece : pieces) joined.insert(joined.end(), piece.begin(), piece.end());
    cols = rows == 0 ? 0 : count / rows;
  } else {
    cols = static_cast<std::size_t>(type(parts.front()).cols.constant());
    rows = cols == 0 ? 0 : count / cols;
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto column = pieces[i].subspan(j * rows_of(i), rows_of(i));
        joined.insert(joined.end(), column.begin(), column.end());
      }
  }
  if (count == 0) return std::nullopt;
  return builder.table(std::move(joined), element, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols));
}

// Of values that may all be empty: the extent across the axis of the first with elements, else the largest.
Size Lowerer::extent_of_first(const std::vector<ValueId>& values, bool along_cols) {
  const auto across = [&](ValueId value) { return along_cols ? type(value).rows : type(value).cols; };
  bool alike = true;
  for (ValueId value : values) alike = alike && across(value) == across(values.front());
  if (alike) return across(values.front());
  ValueId extent = builder.constant(0, Element::integer);
  for (ValueId value : values) extent = builder.map(ScalarOp::max, extent, builder.size(across(value)));
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    const ValueId some = builder.map(ScalarOp::gt, builder.size(type(*value).rows + type(*value).cols),
                                     builder.constant(1, Element::integer));
    extent = builder.map(ScalarOp::select, some, builder.size(across(*value)), extent);
  }
  const Size size = as_size(graph, extent);
  if (const auto symbol = size.as_symbol()) graph.symbols[*symbol].lower = 0;
  return size;
}

}  // namespace lac::frontend
