#include "frontend/sema/arrays/along.h"

#include <algorithm>
#include <numeric>

#include "frontend/sema/arrays/picking.h"

namespace lac::frontend {
namespace {

bool rises(const std::vector<std::size_t>& order) { return std::ranges::is_sorted(order); }

/// Dimensions that are swapped as two blocks: [k..n, 1..k-1] is a transpose. Where the second block begins, 0: no.
std::size_t turned_at(const std::vector<std::size_t>& order) {
  const auto turn = static_cast<std::size_t>(std::ranges::find(order, 0u) - order.begin());
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[(turn + k) % order.size()] != k) return 0;
  return turn == 0 ? 0 : order.size() - turn;
}

/// Where the elements of the result lie, from 1 on, a column.
ValueId places(Emitter& e, const std::vector<Size>& extents, const std::vector<std::size_t>& order) {
  Builder& b = e.builder;
  ValueId all = b.constant(1, Element::integer);
  for (const std::size_t dimension : order) {
    const ValueId steps =
        b.map(ScalarOp::mul, b.iota(Axis::cols, 1, extents[dimension]), b.size(product(extents, 0, dimension)));
    const ValueId sum = b.map(ScalarOp::add, all, steps);
    all = viewed(e, sum, e.type(sum).count(), 1);
  }
  return all;
}

}  // namespace

Array reordered(Emitter& e, const Array& array, const std::vector<std::size_t>& order) {
  const std::vector<Size> extents = padded(array.extents, order.size());
  Array result{{}, array.elements};
  std::vector<std::size_t> moved;  // what extents of 1 do makes no difference
  std::vector<Size> kept;
  std::vector<std::size_t> number(order.size());
  for (std::size_t k = 0; k < extents.size(); ++k) {
    number[k] = kept.size();
    if (!extents[k].is(1)) kept.push_back(extents[k]);
  }
  for (const std::size_t dimension : order) {
    result.extents.push_back(extents[dimension]);
    if (!extents[dimension].is(1)) moved.push_back(number[dimension]);
  }
  if (rises(moved)) return result;
  if (const std::size_t turn = turned_at(moved)) {
    const Size rows = product(kept, 0, turn), cols = product(kept, turn, kept.size());
    result.elements = e.builder.transpose(viewed(e, array.elements, rows, cols));
    return result;
  }
  std::size_t fixed = moved.size();  // the dimensions from here on stay
  while (fixed > 0 && moved[fixed - 1] == fixed - 1) --fixed;
  moved.resize(fixed);
  const Size rows = product(kept, 0, fixed), cols = product(kept, fixed, kept.size());
  const Array view{{rows, cols}, viewed(e, array.elements, rows, cols)};
  result.elements = picked(e, view, {vector_of(e, places(e, kept, moved)), all_of(cols)}).elements;
  return result;
}

std::vector<Array> along(Emitter& e, const Array& array, std::size_t dimension, const AlongAxis& made) {
  const std::vector<Size> extents = padded(array.extents, dimension + 1);
  const Size before = product(extents, 0, dimension), behind = product(extents, dimension + 1, extents.size());
  const Size& extent = extents[dimension];
  const bool as_rows = before.is(1), as_cols = !as_rows && behind.is(1);
  ValueId matrix = array.elements;
  if (as_rows) matrix = viewed(e, matrix, extent, behind);
  else if (as_cols) matrix = viewed(e, matrix, before, extent);
  else {
    const Array turned = reordered(e, {{before, extent, behind}, matrix}, {1, 0, 2});
    matrix = viewed(e, turned.elements, extent, before * behind);
  }
  std::vector<Array> results;
  for (const Binding& result : made(matrix, as_cols ? 2 : 1)) {
    const Type t = e.type(result.value);
    std::vector<Size> left = extents;
    left[dimension] = as_cols ? t.cols : t.rows;
    ValueId elements = result.value;
    if (!as_rows && !as_cols && !left[dimension].is(1))
      elements = reordered(e, {{left[dimension], before, behind}, elements}, {1, 0, 2}).elements;
    results.push_back({left, elements});
  }
  return results;
}

std::size_t first_dimension(Emitter& e, const std::vector<Size>& extents, const std::string& function) {
  std::size_t k = 0;
  while (k + 1 < extents.size() && extents[k].is(1)) ++k;
  if (extents[k].is(1)) return 0;
  if (e.facts.not_one(e.graph, extents[k])) return k;
  e.require(e.builder.map(ScalarOp::logical_not, e.equal_sizes(extents[k], 1)),
            function + ": the extent of dimension " + std::to_string(k + 1) +
                " turned out to be 1: say along which dimension of the array",
            {});
  return k;
}

}  // namespace lac::frontend
