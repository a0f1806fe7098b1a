// Tables of cells: rows of which the run finds which are meant. Each column is of one kind and stacked for itself, and
// how many rows are picked is known where there is more than one column.
#include <algorithm>
#include <numeric>

#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"

namespace lac::frontend {
namespace {

Binding column_of(const Binding& table, std::int64_t column) {
  const std::int64_t rows = table.aggregate->rows;
  std::vector<std::int64_t> elements(static_cast<std::size_t>(rows));
  std::iota(elements.begin(), elements.end(), column * rows);
  return selected(table, elements, rows, 1);
}

}  // namespace

// The columns that are meant, each stacked; nothing where one is not of one kind.
std::optional<std::vector<Binding>> Lowerer::stacked_columns(const Binding& table,
                                                             const std::vector<std::int64_t>& columns) {
  std::vector<Binding> all;
  for (const std::int64_t column : columns) {
    auto stack = column < table.aggregate->cols ? stacked(column_of(table, column), Stacking::rows) : std::nullopt;
    if (!stack) return std::nullopt;
    all.push_back(*std::move(stack));
  }
  return all;
}

// The rows at these positions, from 1 on, whose number is constant.
Binding Lowerer::table_rows(const Binding& table, const std::vector<Binding>& columns, const std::string& name,
                            ValueId positions) {
  const std::int64_t rows = emit_.type(positions).count().constant(), height = table.aggregate->rows;
  const std::string place = name + "(%d,_): out of bound " + std::to_string(height) + " (dimensions are " +
                            std::to_string(height) + "x" + std::to_string(table.aggregate->cols) + ")";
  std::vector<ValueId> at;
  for (std::int64_t k = 0; k < rows; ++k) {
    const ValueId number = emit_.builder.index(positions, {{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1);
    at.push_back(
        as_integer(emit_, number, name + "(%~g,_): subscripts must be either integers 1 to (2^63)-1 or logicals"));
    const ValueId last = emit_.builder.constant(static_cast<double>(height), Element::integer);
    emit_.require(emit_.builder.map(ScalarOp::le, at.back(), last), place, {at.back()}, "Octave:index-out-of-bounds");
  }
  std::vector<Binding> items;
  for (const Binding& column : columns)
    for (const ValueId position : at) items.push_back(item_at(column, column.aggregate->slots.front(), name, position));
  return cell_array(rows, static_cast<std::int64_t>(columns.size()), std::move(items));
}

// t(p, 1), t(m, 2), t(p, :), t(k, :) where the run finds p, m or k; nothing elsewhere.
std::optional<Binding> Lowerer::rows_of_table(const Binding& base, const std::string& name,
                                              const std::vector<ElementSubscript>& subscripts, Span span) {
  if (!base.is_cell() || base.aggregate->stacked || subscripts.size() != 2) return std::nullopt;
  ElementSubscript which = subscripts[0];
  const ElementSubscript& across = subscripts[1];
  const bool one_column = across.at.size() == 1;
  const bool of_run = which.several || (which.position && !one_column);
  if (!of_run || across.position || across.several || across.at.empty()) return std::nullopt;
  const auto columns = stacked_columns(base, across.at);
  if (!columns) return std::nullopt;
  if (one_column) {
    const Binding& column = columns->front();
    Aggregate made = *elements_gathered(column, stacked_positions(column, name, which), span).aggregate;
    made.column = true;
    return Binding::of(base.kind, std::move(made));
  }
  const bool mask = which.several && emit_.type(which.several).element == Element::logical;
  if (mask) return std::nullopt;
  const bool counted = which.several && emit_.type(which.several).count().is_constant();
  if (counted && emit_.type(which.several).count().constant() > most_chosen) return std::nullopt;
  if (!counted) take_single(which, name, span);
  return table_rows(base, *columns, name, counted ? which.several : which.position);
}

// t(k, :) = [] where the run finds k; nothing elsewhere.
std::optional<Binding> Lowerer::table_without_row(const Binding& base, const std::string& name,
                                                  const std::vector<ElementSubscript>& subscripts, Span span) {
  const Aggregate& a = *base.aggregate;
  if (!base.is_cell() || a.stacked || subscripts.size() != 2 || !subscripts[1].all) return std::nullopt;
  ElementSubscript which = subscripts[0];
  const bool mask = which.several && emit_.type(which.several).element == Element::logical;
  if ((!which.position && !which.several) || mask || a.rows < 1 || a.rows > most_chosen) return std::nullopt;
  const auto columns = stacked_columns(base, subscripts[1].at);
  if (!columns) return std::nullopt;
  take_single(which, name, span);
  Builder& b = emit_.builder;
  const ValueId rows = b.constant(static_cast<double>(a.rows), Element::integer);
  emit_.require(b.map(ScalarOp::le, which.position, rows), "out of bound; value %d out of bound %d",
                {which.position, rows}, "Octave:index-out-of-bounds");
  const ValueId line = b.map(ScalarOp::add, b.iota(Axis::cols, 1, a.rows - 1), b.constant(1, Element::integer));
  const ValueId behind = b.convert(b.map(ScalarOp::ge, line, which.position), Element::integer);
  return table_rows(base, *columns, name, b.map(ScalarOp::add, line, behind));
}

}  // namespace lac::frontend
