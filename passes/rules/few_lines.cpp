// Products that are stored into a few rows or columns of a matrix, as rotations of two of them are.
#include <algorithm>
#include <utility>

#include "passes/cost/cost.h"
#include "passes/rules/rule.h"

namespace lac::passes {
namespace {

struct Factor {
  ValueId value;
  bool transposed = false;
};

/// m x k times k x n.
struct Product {
  Factor left, right;
  Size m, k, n;
  Element element = Element::real;
};

/// The third operand says which of the others are transposed: 1 the left one, 2 the right one.
Transposes transposes_of_gemm(const Rewrite& r, const Op& gemm) {
  if (gemm.operands.size() < 3) return {};
  const bool both = r.is_number(gemm.operands[2], 3);
  return {both || r.is_number(gemm.operands[2], 1), both || r.is_number(gemm.operands[2], 2)};
}

/// Of a product, whoever computes it otherwise.
std::optional<Product> product_of(const Rewrite& r, ValueId value) {
  const Op* op = r.graph.definition(value);
  if (!op) return std::nullopt;
  Transposes t;
  if (op->kind == OpKind::matmul) t = attribute<Transposes>(*op);
  else if (op->kind == OpKind::library && attribute<LibraryFn>(*op) == LibraryFn::gemm) t = transposes_of_gemm(r, *op);
  else return std::nullopt;
  const Type &left = r.graph.type(op->operands[0]), &right = r.graph.type(op->operands[1]), &type = r.graph.type(value);
  if (!left.is_dense() || !right.is_dense() || !is_floating(type.element)) return std::nullopt;
  return Product{{op->operands[0], t.left},
                 {op->operands[1], t.right},
                 type.rows,
                 t.left ? left.rows : left.cols,
                 type.cols,
                 type.element};
}

/// Several, and few.
bool are_few_lines(const Size& count) {
  return count.is_constant() && count.constant() > 1 && count.constant() <= cost::few_terms;
}

Subscript one_at(const Size& place) { return {SubscriptKind::range, place, 1, 1}; }

/// The elements of a matrix literal of scalars; empty: it is none.
std::vector<ValueId> elements_of_literal(const Rewrite& r, ValueId value) {
  const Op* step = r.defined_by(value, OpKind::library);
  if (!step || attribute<LibraryFn>(*step) != LibraryFn::literal) return {};
  const bool of_scalars =
      std::ranges::all_of(step->operands, [&](ValueId part) { return r.graph.type(part).is_scalar(); });
  return of_scalars ? step->operands : std::vector<ValueId>{};
}

/// Subscripts of a matrix, one of which is on `axis`.
struct Places {
  std::vector<Subscript> axes;
  std::vector<ValueId> vectors;
  /// Of a subscript that is a vector: where it is among those.
  std::size_t vector_of(std::size_t axis) const { return axis == 1 && axes[0].kind == SubscriptKind::vector ? 1 : 0; }
};

/// The places of which the one on `axis` is the k-th that it was, if that is known.
std::optional<Places> only(const Rewrite& r, Places places, std::size_t axis, std::int64_t k) {
  Subscript& one = places.axes[axis];
  if (one.kind == SubscriptKind::all) one = one_at(k);
  else if (one.kind == SubscriptKind::range) one = one_at(one.first + one.step * k);
  else {
    const std::size_t at = places.vector_of(axis);
    const std::vector<ValueId> positions = elements_of_literal(r, places.vectors[at]);
    if (positions.empty()) return std::nullopt;
    const std::optional<Size> position = known_size(r.graph, positions[static_cast<std::size_t>(k)]);
    if (!position) return std::nullopt;
    one = one_at(*position - 1);
    places.vectors.erase(places.vectors.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return places;
}

/// Element (i, j) of a factor. Of a matrix literal it is what stands there.
ValueId element(Rewrite& r, const Factor& factor, std::int64_t i, std::int64_t j, Element element) {
  if (factor.transposed) std::swap(i, j);
  const std::vector<ValueId> elements = elements_of_literal(r, factor.value);
  const std::int64_t rows = elements.empty() ? 0 : r.graph.type(factor.value).rows.constant();
  const ValueId value = elements.empty() ? r.build.index(factor.value, {{one_at(i), one_at(j)}}, {}, 1, 1)
                                         : elements[static_cast<std::size_t>(j * rows + i)];
  return r.build.convert(value, element);
}

/// Row k of a matrix, or column k, of `count` elements. Of a part of another matrix it is a line of that.
ValueId line_in_memory(Rewrite& r, ValueId matrix, std::int64_t k, bool is_row, const Size& count) {
  const std::size_t axis = is_row ? 0 : 1;
  const auto taken = [&](ValueId from, const Places& places) {
    return r.build.index(from, {places.axes}, places.vectors, is_row ? Size(1) : count, is_row ? count : Size(1));
  };
  if (const Op* part = r.defined_by(matrix, OpKind::index); part && !attribute<Subscripts>(*part).linear()) {
    const ValueId whole = part->operands[0];
    const Places places = {attribute<Subscripts>(*part).axes, {part->operands.begin() + 1, part->operands.end()}};
    if (const std::optional<Places> line = only(r, places, axis, k)) return taken(whole, *line);
  }
  Places line = {{{SubscriptKind::all, 0, 1, count}, {SubscriptKind::all, 0, 1, count}}, {}};
  line.axes[axis] = one_at(k);
  return taken(matrix, line);
}

/// Row k of a factor as a row, or column k as a column, of `count` elements.
ValueId line(Rewrite& r, const Factor& factor, std::int64_t k, bool is_row, const Size& count, Element element) {
  ValueId values = line_in_memory(r, factor.value, k, is_row != factor.transposed, count);
  if (factor.transposed) values = r.build.reshape(values, is_row ? Size(1) : count, is_row ? count : Size(1));
  return r.build.convert(values, element);
}

/// Row i of the product, or column i: a sum of k lines of the factor that has many elements.
ValueId line_of(Rewrite& r, const Product& product, std::int64_t i, bool is_row) {
  const Factor &few = is_row ? product.left : product.right, &many = is_row ? product.right : product.left;
  ValueId sum;
  for (std::int64_t k = 0; k < product.k.constant(); ++k) {
    const ValueId factor = is_row ? element(r, few, i, k, product.element) : element(r, few, k, i, product.element);
    const ValueId term =
        r.build.map(ScalarOp::mul, factor, line(r, many, k, is_row, is_row ? product.n : product.m, product.element));
    sum = k == 0 ? term : r.build.map(ScalarOp::add, sum, term);
  }
  return sum;
}

// A(i-1:i, p) = [c s; -s c] * B: one row of A after the other. Both are of what was there before, so that nothing lies
// between. Within rounding: terms are added in order.
Replacement update_by_lines(Rewrite& r) {
  const Subscripts subscripts = attribute<Subscripts>(r.op);
  const std::optional<Product> product = product_of(r, r.op.operands.back());
  if (!product || subscripts.linear() || !are_few_lines(product->k)) return std::nullopt;
  const bool rows = are_few_lines(product->m) && !product->n.is_constant();
  if (!rows && (!are_few_lines(product->n) || product->m.is_constant())) return std::nullopt;
  const std::size_t axis = rows ? 0 : 1;
  const Places places = {subscripts.axes, {r.op.operands.begin() + 1, r.op.operands.end() - 1}};
  if (places.axes[0].count != product->m || places.axes[1].count != product->n) return std::nullopt;
  if (!r.is_used_once(r.op.operands.back())) return std::nullopt;  // what others read has to have the same bits
  std::vector<Places> lines;
  for (std::int64_t i = 0; i < places.axes[axis].count.constant(); ++i) {
    const std::optional<Places> line = only(r, places, axis, i);
    if (!line) return std::nullopt;
    lines.push_back(*line);
  }
  ValueId updated = r.operand(0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const ValueId values = line_of(r, *product, static_cast<std::int64_t>(i), rows);
    updated = r.build.update(updated, {lines[i].axes}, lines[i].vectors, values);
  }
  return std::vector<ValueId>{updated};
}

}  // namespace

std::span<const Rule> few_lines_rules() {
  static constexpr Rule rules[] = {{OpKind::update, update_by_lines}};
  return rules;
}

}  // namespace lac::passes
