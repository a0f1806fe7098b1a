#include "frontend/sema/values/indexing.h"

#include <algorithm>
#include <optional>
#include <string>

#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {
namespace {

// The shape of x(i): a vector keeps its orientation when the index is a vector too; else the index gives the shape.
std::pair<Size, Size> shape_of_picked(Emitter& e, const Type& t, const Size& index_rows, const Size& index_cols,
                                      const Size& count) {
  const auto never_one = [&](const Size& rows, const Size& cols) {
    return e.facts.not_one(e.graph, rows) && e.facts.not_one(e.graph, cols);
  };
  const bool index_is_vector = index_rows.is(1) || index_cols.is(1);
  const bool row = t.rows.is(1), column = t.cols.is(1);
  if ((row && column) || never_one(t.rows, t.cols) || (!index_is_vector && never_one(index_rows, index_cols)))
    return {index_rows, index_cols};
  if (index_is_vector) {
    // Of a 1x1, x(i) has the shape of i: no difference where i lies as x does, or has as many elements.
    const auto lies_as_x = [&](const Size& length, const Size& across) {
      return e.facts.not_one(e.graph, length) || across.is(1) || count == length;
    };
    if (row && lies_as_x(t.cols, index_rows)) return {1, count};
    if (column && lies_as_x(t.rows, index_cols)) return {count, 1};
  }
  // Decided at run time.
  const auto one = [&](const Size& size) { return e.equal_sizes(size, 1); };
  const auto no = [&](ValueId truth) { return e.builder.map(ScalarOp::logical_not, truth); };
  const auto both = [&](ValueId a, ValueId b) { return e.builder.map(ScalarOp::logical_and, a, b); };
  const ValueId vector = e.builder.map(ScalarOp::logical_or, one(index_rows), one(index_cols));
  const ValueId is_row = both(vector, both(one(t.rows), no(one(t.cols))));
  const ValueId is_column = both(vector, both(one(t.cols), no(one(t.rows))));
  const auto choose = [&](const Size& as_row, const Size& as_column, const Size& otherwise) {
    return e.chosen(is_row, as_row, e.chosen(is_column, as_column, otherwise));
  };
  const Size rows = choose(1, count, index_rows);
  return {rows, choose(count, 1, index_cols)};
}

/// Literals of more elements are taken for tables: what is in them is not looked up while compiling.
constexpr std::int64_t longest_known = 256;

/// The element at a known place of a literal.
std::optional<ValueId> known_element(Emitter& e, ValueId value, const Subscripts& subscripts) {
  const Type t = e.type(value);
  if (!t.rows.is_constant() || !t.cols.is_constant() || t.count().constant() > longest_known) return std::nullopt;
  std::int64_t place = 0, stride = 1;
  for (const Subscript& axis : subscripts.axes) {
    if (!axis.first.is_constant()) return std::nullopt;
    place += axis.first.constant() * stride;
    stride *= t.rows.constant();
  }
  if (place < 0 || place >= t.count().constant()) return std::nullopt;  // the run says so
  if (const auto literal = e.facts.literals.find(value); literal != e.facts.literals.end())
    return literal->second[static_cast<std::size_t>(place)];
  const auto numbers = numbers_of(e, value);
  if (!numbers) return std::nullopt;
  return e.builder.constant((*numbers)[static_cast<std::size_t>(place)], t.element);
}

// An element that was read before is the same value, so that what is known of it is known again.
ValueId element(Emitter& e, ValueId value, const Subscripts& subscripts) {
  if (const auto known = known_element(e, value, subscripts)) return *known;
  std::string key = std::to_string(value.index);
  for (const Subscript& axis : subscripts.axes)
    key += "," + to_string(axis.first, [](SymbolId id) { return "#" + std::to_string(id.index); });
  if (const auto read = e.facts.checked.elements.find(key); read != e.facts.checked.elements.end()) return read->second;
  const ValueId picked = e.builder.index(value, subscripts, {}, 1, 1);
  e.facts.checked.elements.insert_or_assign(key, picked);
  return picked;
}

}  // namespace

ValueId indexed(Emitter& e, ValueId value, const ResolvedSubscripts& resolved) {
  const Type t = e.type(value);
  const Subscripts& subscripts = resolved.subscripts;
  const bool one = std::ranges::all_of(resolved.axes, [](const ResolvedSubscripts::Axis& axis) { return axis.scalar; });
  if (one && t.is_dense()) return element(e, value, subscripts);
  const std::vector<Positions> positions = t.is_sparse() ? positions_of(e, resolved) : std::vector<Positions>();
  if (subscripts.axes.size() == 2) {
    if (t.is_sparse()) return sparse_region(e, value, positions[0], positions[1]);
    if (const auto known = permuted_identity(e, value, subscripts, resolved.vectors)) return *known;
    if (const auto block = structured_block(e, value, subscripts)) return *block;
    return e.builder.index(value, subscripts, resolved.vectors, subscripts.axes[0].count, subscripts.axes[1].count);
  }
  const ResolvedSubscripts::Axis& axis = resolved.axes[0];
  const Size count = subscripts.axes[0].count;
  const auto picked = [&](const Size& rows, const Size& cols) {
    if (t.is_sparse()) return sparse_elements(e, value, positions[0], rows, cols);
    return e.builder.index(value, subscripts, resolved.vectors, rows, cols);
  };
  if (axis.colon) return t.is_sparse() ? sparse_reshape(e, value, count, 1) : e.builder.reshape(value, count, 1);
  if (axis.scalar) return picked(1, 1);
  const auto [rows, cols] = shape_of_picked(e, t, axis.rows, axis.cols, count);
  return picked(rows, cols);
}

}  // namespace lac::frontend
