// Matrices and cell arrays written out: tables of numbers, steps of run-time values, joins of parts.
#include <algorithm>
#include <utility>

#include "frontend/sema/complex/complex.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/structured.h"

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

std::vector<std::vector<Binding>> Lowerer::lower_elements(const ast::Matrix& node) {
  std::vector<std::vector<Binding>> elements;
  for (const auto& row : node.rows) {
    std::vector<Binding>& items = elements.emplace_back();
    for (const ast::ExprPtr& item : row)
      for (const Binding& value : lower_item(*item)) {
        if (value.is_function()) emit_.fail(item->span, "a function handle cannot be an element of a matrix");
        if (value.is_map()) emit_.fail(item->span, std::string(map_remedy));
        if (value.kind == Binding::Kind::poisoned) throw LowerError{};
        items.push_back(value);
      }
    if (items.empty()) elements.pop_back();  // [c{:}] of no cells
  }
  return elements;
}

Binding Lowerer::lower_matrix(const ast::Matrix& node, Span span) {
  if (node.rows.empty()) return Binding::matrix(emit_.nothing());
  if (const auto table = table_of_numbers(node)) return Binding::matrix(*table);
  const std::vector<std::vector<Binding>> elements = lower_elements(node);
  emit_.at(span);
  const auto all = [&](const auto& holds) {
    return std::ranges::all_of(elements, [&](const auto& row) { return std::ranges::all_of(row, holds); });
  };
  if (elements.empty()) return Binding::matrix(emit_.nothing());
  if (!all([](const Binding& item) { return !item.is_array(); })) return join_arrays(elements, span);
  if (!all([](const Binding& item) { return !item.is_aggregate(); })) return join_aggregates(elements, span);
  const bool integer = !all([](const Binding& item) { return !item.is_integer(); });
  if (!all([](const Binding& item) { return !item.is_complex(); })) return join_complex(elements, span);
  if (!all([](const Binding& item) { return item.is_matrix() || item.is_integer(); })) {
    std::vector<Binding> lines;
    for (auto row : elements) {
      for (Binding& item : row) item = item.numbers();
      lines.push_back(join_strings(emit_, row, span));
    }
    const bool padded = all([](const Binding& item) { return item.is_text(); });
    return stack_strings(emit_, lines, span, padded);
  }
  if (integer) return join_integers(elements, span);
  std::vector<std::vector<ValueId>> values;
  for (const auto& row : elements) {
    std::vector<ValueId>& items = values.emplace_back();
    for (const Binding& item : row) items.push_back(item.value);
  }
  return Binding::matrix(without_structure(emit_, join_values(values, span)));  // [D] is full
}

ValueId Lowerer::join_values(const std::vector<std::vector<ValueId>>& elements, Span span) {
  const std::size_t height = elements.size(), width = elements.front().size();
  const bool table = std::ranges::all_of(elements, [&](const auto& row) { return row.size() == width; });
  const bool scalars = std::ranges::all_of(elements, [&](const auto& row) {
    return std::ranges::all_of(row, [&](ValueId item) { return emit_.type(item).is_scalar(); });
  });
  if (table && scalars) {
    if (height == 1 && width == 1) return elements[0][0];
    std::vector<ValueId> items;
    for (std::size_t j = 0; j < width; ++j)
      for (const auto& row : elements) items.push_back(row[j]);
    return literal(emit_, items, static_cast<std::int64_t>(height), static_cast<std::int64_t>(width));
  }
  std::vector<ValueId> rows;
  for (const auto& row : elements) rows.push_back(concatenate(emit_, row, Axis::cols, span));
  return concatenate(emit_, rows, Axis::rows, span);
}

// Matrices of which some are of integer classes: all are brought into the first one.
Binding Lowerer::join_integers(const std::vector<std::vector<Binding>>& elements, Span span) {
  IntegerClass integer_class = IntegerClass::none;
  for (const auto& row : elements)
    if (integer_class == IntegerClass::none) integer_class = integer_class_of(row);
  std::vector<std::vector<ValueId>> values;
  for (const auto& row : elements) {
    std::vector<ValueId>& items = values.emplace_back();
    for (const Binding& item : row) items.push_back(in_class(emit_, integer_class, item).value);
  }
  return Binding::integer(integer_class, emit_.builder.convert(join_values(values, span), Element::integer));
}

// Matrices of which some are complex.
Binding Lowerer::join_complex(const std::vector<std::vector<Binding>>& elements, Span span) {
  std::vector<std::vector<ValueId>> re, im;
  for (const auto& row : elements) {
    re.emplace_back();
    im.emplace_back();
    for (const Binding& item : row) {
      if (!item.is_matrix() && !item.is_complex()) emit_.fail(span, "a string cannot stand beside complex values");
      const Complex parts = widened(emit_, parts_of(emit_, item));
      re.back().push_back(parts.re);
      im.back().push_back(parts.im);
    }
  }
  const ValueId joined = join_values(re, span);
  return complex_binding(emit_, {joined, join_values(im, span)});
}

// [A, B; C] of arrays, line by line.
Binding Lowerer::join_arrays(const std::vector<std::vector<Binding>>& elements, Span span) {
  std::vector<Binding> lines;
  for (const auto& row : elements) lines.push_back(call_by_name("horzcat", row, 1, span).front());
  return call_by_name("vertcat", lines, 1, span).front();
}

// [c, d] of cell arrays, [s, t] of structs; what stands beside cells is a cell of its own, [] is left out.
Binding Lowerer::join_aggregates(const std::vector<std::vector<Binding>>& elements, Span span) {
  bool cells = false;
  for (const auto& row : elements)
    cells = cells || std::ranges::any_of(row, [](const Binding& item) { return item.is_cell(); });
  const Binding* first = elements.empty() || elements.front().empty() ? nullptr : &elements.front().front();
  if (cells && first && first->is_record())
    emit_.fail(span, "concatenation operator not implemented for 'struct' by 'cell' operations: begin with a cell");
  std::vector<Binding> lines;
  for (const auto& row : elements) {
    std::vector<Binding> parts;
    for (const Binding& item : row) {
      if (item.is_aggregate() && item.is_cell() == cells) parts.push_back(item);
      else if (is_nothing(&item)) continue;
      else if (cells) parts.push_back(cell_array(1, 1, {item}));
      else emit_.fail(span, "invalid concatenation of structure, cell or field with non-structure");
    }
    if (!parts.empty()) lines.push_back(join_cells(parts, Axis::cols, span));
  }
  return join_cells(lines, Axis::rows, span);
}

// horzcat, vertcat and cat of cell arrays or structs, which a text may call by their names.
std::optional<Binding> Lowerer::joined_by_name(const std::string& name, const std::vector<Binding>& args, Span span) {
  std::vector<Binding> parts = args;
  bool below = name == "vertcat";
  if (name == "cat" && args.front().is_matrix()) {
    const double axis = emit_.constant_of(args.front().value).value_or(0);
    if (axis != 1 && axis != 2) emit_.fail(span, "cat: of cell arrays and structs DIM is 1 or 2");
    below = axis == 1;
    parts.erase(parts.begin());
  } else if (!below && name != "horzcat") {
    return std::nullopt;
  }
  if (!below) return join_aggregates({parts}, span);
  std::vector<std::vector<Binding>> lines;
  for (Binding& part : parts) lines.push_back({std::move(part)});
  return join_aggregates(lines, span);
}

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
      element = join(element, element_of_number(emit_, *number));
      numbers[j * node.rows.size() + i] = *number;
    }
  }
  return emit_.builder.table(std::move(numbers), element, static_cast<std::int64_t>(node.rows.size()),
                             static_cast<std::int64_t>(width));
}

namespace {

bool is_known(const Binding& cells) { return !cells.aggregate->stacked; }

/// How many columns the parts of a line have together that are known.
std::int64_t known_width(const std::vector<Binding>& line) {
  std::int64_t width = 0;
  for (const Binding& part : line) width += is_known(part) ? part.aggregate->cols : 0;
  return width;
}

}  // namespace

// The elements of a list in a line of a literal, where another line tells how many there must be: {"a", s.f; "b", 2}.
void Lowerer::know_lists(std::vector<std::vector<Binding>>& lines, Span span) {
  const auto full = std::ranges::find_if(
      lines, [](const auto& line) { return std::ranges::all_of(line, is_known) && known_width(line) > 0; });
  if (full == lines.end()) return;
  const std::int64_t width = known_width(*full);
  for (std::vector<Binding>& line : lines) {
    const auto list = std::ranges::find_if_not(line, is_known);
    const std::int64_t known = known_width(line), due = width - known;
    if (std::ranges::count_if(line, is_known) + 1 != std::ssize(line) || known == 0 || due < 1) continue;
    const Size count = count_of(emit_, *list->aggregate);
    emit_.at(span);
    emit_.require(emit_.equal_sizes(count, due), "number of columns must match", {});
    std::vector<Binding> items;
    for (std::int64_t k = 0; k < due; ++k) items.push_back(slot_item(emit_, list->aggregate->slots.front(), k));
    *list = cell_array(1, due, std::move(items));
  }
}

Binding Lowerer::lower_cell(const ast::Cell& node, Span span) {
  std::vector<std::vector<Binding>> lines;
  for (const auto& row : node.rows) {
    std::vector<Binding>& parts = lines.emplace_back();
    for (const ast::ExprPtr& item : row) {
      if (const auto list = stacked_list(*item)) {
        parts.push_back(cells_of(*list));
        continue;
      }
      for (Binding& value : lower_values(*item)) {
        if (value.kind == Binding::Kind::poisoned) throw LowerError{};
        parts.push_back(cell_array(1, 1, {std::move(value)}));
      }
    }
  }
  know_lists(lines, span);
  std::vector<Binding> joined;
  for (const std::vector<Binding>& parts : lines) joined.push_back(join_cells(parts, Axis::cols, span));
  return join_cells(joined, Axis::rows, span);
}

// Columns side by side and rows one above the other, which are a table: cells of which it is known how many there are.
std::optional<std::vector<Binding>> Lowerer::parts_of_table(const std::vector<Binding>& parts, Axis axis) {
  const bool across = std::ranges::any_of(parts, [&](const Binding& part) {
    return part.aggregate->stacked && part.aggregate->column != (axis == Axis::rows);
  });
  if (!across || parts.size() < 2) return std::nullopt;
  std::vector<Binding> known;
  for (const Binding& part : parts) {
    const Size count = count_of(emit_, *part.aggregate);
    if (!part.is_cell() || !count.is_constant() || count.constant() > most_chosen) return std::nullopt;
    if (!part.aggregate->stacked) {
      known.push_back(part);
      continue;
    }
    std::vector<Binding> items;
    for (std::int64_t k = 0; k < count.constant(); ++k)
      items.push_back(slot_item(emit_, part.aggregate->slots.front(), k));
    const bool column = part.aggregate->column;
    known.push_back(cell_array(column ? count.constant() : 1, column ? 1 : count.constant(), std::move(items)));
  }
  return known;
}

// [a, b] and [a; b] of cell arrays and structs; those without elements are left out.
Binding Lowerer::join_cells(const std::vector<Binding>& parts, Axis axis, Span span) {
  if (const auto known = parts_of_table(parts, axis)) return join_cells(*known, axis, span);
  if (std::ranges::any_of(parts, [](const Binding& part) { return part.aggregate->stacked; }))
    return join_rows(parts, axis, span);
  std::vector<const Aggregate*> kept;
  const Binding* first = nullptr;
  for (const Binding& part : parts) {
    if (part.aggregate->count() == 0) continue;
    if (!first) first = &part;
    kept.push_back(part.aggregate.get());
  }
  if (!first) return parts.empty() ? cell_array(0, 0, {}) : parts.front();
  Aggregate made{axis == Axis::cols ? kept.front()->rows : 0, axis == Axis::cols ? 0 : kept.front()->cols, {}};
  for (const Slot& slot : kept.front()->slots) made.slots.push_back({slot.name, {}});
  for (const Aggregate* part : kept) {
    const bool fits = axis == Axis::cols ? part->rows == made.rows : part->cols == made.cols;
    if (!fits)
      stop(span, std::string(axis == Axis::cols ? "horizontal" : "vertical") + " dimensions mismatch (" +
                     std::to_string(kept.front()->rows) + "x" + std::to_string(kept.front()->cols) + " vs " +
                     std::to_string(part->rows) + "x" + std::to_string(part->cols) + ")");
    (axis == Axis::cols ? made.cols : made.rows) += axis == Axis::cols ? part->cols : part->rows;
  }
  for (Slot& slot : made.slots) {
    if (axis == Axis::cols) {
      for (const Aggregate* part : kept) {
        const Slot* from = part->find(slot.name);
        if (!from) emit_.fail(span, "cat: field names mismatch in concatenating structs");
        slot.items.insert(slot.items.end(), from->items.begin(), from->items.end());
      }
      continue;
    }
    for (std::int64_t j = 0; j < made.cols; ++j)
      for (const Aggregate* part : kept) {
        const Slot* from = part->find(slot.name);
        if (!from) emit_.fail(span, "cat: field names mismatch in concatenating structs");
        const auto begin = from->items.begin() + j * part->rows;
        slot.items.insert(slot.items.end(), begin, begin + part->rows);
      }
  }
  return Binding::of(first->kind, std::move(made));
}

}  // namespace lac::frontend
