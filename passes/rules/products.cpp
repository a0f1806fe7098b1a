// Products: what is left as `matmul` afterwards is a dense matrix times a column or a few of them, a sparse matrix
// times a dense one, and, where kernels do matrix products, a dense matrix times a dense one.
#include "passes/cost/cost.h"
#include "passes/rules/rule.h"

namespace lac::passes {
namespace {

Replacement one(ValueId value) { return std::vector<ValueId>{value}; }

/// left is m x k, right is k x n, after their transposes.
struct Extents {
  Size m, k, n;
};

Extents extents(const Rewrite& r) {
  const Type &left = r.operand_type(0), &right = r.operand_type(1);
  const Transposes t = attribute<Transposes>(r.op);
  return {t.left ? left.cols : left.rows, t.left ? left.rows : left.cols, t.right ? right.rows : right.cols};
}

ValueId as_shape(Rewrite& r, ValueId value, const Size& rows, const Size& cols) {
  const Type& type = r.graph.type(value);
  if (type.rows == rows && type.cols == cols) return value;
  return r.build.reshape(value, rows, cols);
}

bool dense_operands(const Rewrite& r) { return r.operand_type(0).is_dense() && r.operand_type(1).is_dense(); }

// A' * B with a flag instead of a transpose. Exact.
Replacement fold_transposes(Rewrite& r) {
  Transposes t = attribute<Transposes>(r.op);
  ValueId operands[] = {r.operand(0), r.operand(1)};
  bool* flags[] = {&t.left, &t.right};
  bool changed = false;
  for (int n = 0; n < 2; ++n) {
    const Op* transpose = r.defined_by(operands[n], OpKind::transpose);
    if (!transpose || !r.graph.type(transpose->operands[0]).is_dense()) continue;
    operands[n] = transpose->operands[0];
    *flags[n] = !*flags[n];
    changed = true;
  }
  if (!changed) return std::nullopt;
  return one(r.build.matmul(operands[0], operands[1], t));
}

// S' * B = S * B for symmetric S, else the transpose is a library step. Exact.
Replacement sparse_left(Rewrite& r) {
  const Transposes t = attribute<Transposes>(r.op);
  if (!r.operand_type(0).is_sparse() || !t.left) return std::nullopt;
  const bool symmetric = r.operand_type(0).properties.has(Property::symmetric);
  const ValueId left = symmetric ? r.operand(0) : r.build.transpose(r.operand(0));
  return one(r.build.matmul(left, r.operand(1), {false, t.right}));
}

/// Neighbouring places of a vector: from `first` (from 0) on.
struct Places {
  ValueId vector;
  Size first, count;
};

/// The places that a column shows of a vector, or all of its own.
Places places_of(const Rewrite& r, ValueId column) {
  const Type& type = r.graph.type(column);
  const Op* view = r.defined_by(column, OpKind::index);
  if (view) {
    const Subscripts& subscripts = attribute<Subscripts>(*view);
    const ValueId base = view->operands[0];
    const bool neighbours = subscripts.linear() && subscripts.axes[0].kind == SubscriptKind::range &&
                            subscripts.axes[0].step.is(1) && r.graph.type(base).cols.is(1);
    if (neighbours && r.graph.type(base).element == type.element) return {base, subscripts.axes[0].first, type.count()};
  }
  return {column, 0, type.count()};
}

/// The first of positions j, j+1, ... from 1, where the row vector is that.
std::optional<Size> first_of_neighbours(const Rewrite& r, ValueId positions) {
  if (r.defined_by(positions, OpKind::iota)) return Size(0);
  const Op* sum = r.defined_by(positions, OpKind::map);
  if (!sum || attribute<ScalarOp>(*sum) != ScalarOp::add) return std::nullopt;
  for (const std::size_t n : {0u, 1u})
    if (r.defined_by(sum->operands[n], OpKind::iota)) return known_size(r.graph, sum->operands[1 - n]);
  return std::nullopt;
}

const Op* defined_by_step(const Rewrite& r, ValueId value, LibraryFn step) {
  const Op* op = r.defined_by(value, OpKind::library);
  return op && attribute<LibraryFn>(*op) == step ? op : nullptr;
}

/// Whether the product of this row is a walk over its entries: where it is code, or may be, of a loop over the rows.
/// Else the vector would come to the host for it.
bool is_walked(const Rewrite& r, ValueId row) {
  return r.capabilities.straight_loops || (r.capabilities.native_loops && !r.defined_by(row, OpKind::constant));
}

// A(i, j:k) * x: the entries of the row, without matrices of parts of it. Within rounding: from left to right.
Replacement sparse_row(Rewrite& r) {
  const Transposes t = attribute<Transposes>(r.op);
  if (!r.type().is_scalar() || t.left || t.right || !r.operand_type(0).is_sparse()) return std::nullopt;
  ValueId row = r.operand(0);
  Size first = 1;
  if (const Op* part = defined_by_step(r, row, LibraryFn::sparse_columns)) {
    const std::optional<Size> from = first_of_neighbours(r, part->operands[1]);
    if (!from) return std::nullopt;
    first = *from;
    row = part->operands[0];
  }
  const Op* rows = defined_by_step(r, row, LibraryFn::sparse_rows);
  if (!rows || !r.graph.type(rows->operands[1]).is_scalar() || !is_walked(r, rows->operands[1])) return std::nullopt;
  const ValueId matrix = rows->operands[0], i = rows->operands[1];
  const Places x = places_of(r, r.operand(1));
  const Element element = r.type().element;
  if (!is_floating(element) || r.graph.type(matrix).element != element || r.graph.type(x.vector).element != element)
    return std::nullopt;
  const std::vector<ValueId> operands = {
      matrix, i, r.build.size(first), r.build.size(x.count), x.vector, r.build.size(x.first + 1)};
  return r.build.library(LibraryFn::sparse_row_product, operands, {r.type()});
}

// row * column = sum(x .* y). The order of summation is the schedule's either way.
Replacement inner_product(Rewrite& r) {
  const Extents e = extents(r);
  if (!dense_operands(r) || !e.m.is(1) || !e.n.is(1)) return std::nullopt;
  const Element element = r.type().element;
  const ValueId x = as_shape(r, r.operand(0), e.k, 1), y = as_shape(r, r.operand(1), e.k, 1);
  const ValueId terms = r.build.map(ScalarOp::mul, r.build.convert(x, element), r.build.convert(y, element));
  return one(r.build.reduce(terms, {ReduceOp::sum, Axis::all}));
}

// column * row = x .* y, broadcast. Exact, but for the sign of a zero.
Replacement outer_product(Rewrite& r) {
  const Extents e = extents(r);
  if (!dense_operands(r) || !e.k.is(1)) return std::nullopt;
  const Element element = r.type().element;
  const ValueId x = as_shape(r, r.operand(0), e.m, 1), y = as_shape(r, r.operand(1), 1, e.n);
  return one(r.build.map(ScalarOp::mul, r.build.convert(x, element), r.build.convert(y, element)));
}

// A * x with x as a column that is not transposed. Exact.
Replacement column_operand(Rewrite& r) {
  const Transposes t = attribute<Transposes>(r.op);
  const Extents e = extents(r);
  if (!t.right || !e.n.is(1) || !r.operand_type(1).is_dense()) return std::nullopt;
  return one(r.build.matmul(r.operand(0), as_shape(r, r.operand(1), e.k, 1), {t.left, false}));
}

// row * B = (B' * column)'. Exact: the same terms in the same order.
Replacement row_operand(Rewrite& r) {
  const Transposes t = attribute<Transposes>(r.op);
  const Extents e = extents(r);
  if (!dense_operands(r) || !e.m.is(1) || e.n.is(1)) return std::nullopt;
  const ValueId column = as_shape(r, r.operand(0), e.k, 1);
  const ValueId product = r.build.matmul(r.operand(1), column, {!t.right, false});
  return one(r.build.reshape(product, 1, e.n));
}

// A few elements: calling anybody takes longer.
bool is_small(const Extents& e) {
  const Size work = e.m * e.k * e.n;
  return work.is_constant() && work.constant() <= cost::library_call;
}

// Each row of the result is a few sums of a few terms: one pass over the left factor, which takes along what is around
// it. (Of a few rows vectors would go across them; BLAS takes 0.7 of the time.)
bool has_few_columns(const Extents& e) {
  const auto is_few = [](const Size& count) { return count.is_constant() && count.constant() <= cost::few_terms; };
  return is_few(e.k) && is_few(e.n);
}

// Where kernels do no matrix products, matrix * matrix is a library step. Within rounding: the library chooses its
// order of summation.
Replacement matrix_product(Rewrite& r) {
  const Extents e = extents(r);
  if (r.capabilities.matrix_products || is_small(e) || has_few_columns(e)) return std::nullopt;
  if (!dense_operands(r) || e.m.is(1) || e.k.is(1) || e.n.is(1)) return std::nullopt;
  const Transposes t = attribute<Transposes>(r.op);
  const Type type = r.type();
  std::vector<ValueId> operands = {r.build.convert(r.operand(0), type.element)};
  operands.push_back(r.operand(1) == r.operand(0) ? operands[0] : r.build.convert(r.operand(1), type.element));
  if (t.left || t.right) operands.push_back(r.build.constant((t.left ? 1 : 0) + (t.right ? 2 : 0), Element::integer));
  return r.build.library(LibraryFn::gemm, operands, {type});
}

}  // namespace

std::span<const Rule> product_rules() {
  static constexpr Rule rules[] = {
      {OpKind::matmul, sparse_row},    {OpKind::matmul, fold_transposes}, {OpKind::matmul, sparse_left},
      {OpKind::matmul, inner_product}, {OpKind::matmul, outer_product},   {OpKind::matmul, column_operand},
      {OpKind::matmul, row_operand},   {OpKind::matmul, matrix_product},
  };
  return rules;
}

}  // namespace lac::passes
