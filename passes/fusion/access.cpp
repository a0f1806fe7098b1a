#include "passes/fusion/access.h"

namespace lac::passes {
namespace {

using Step = AffineIndex::Step;

bool plain(const AffineIndex& index) { return index.step == Step::none; }

AffineIndex zero() { return {}; }
bool is_zero(const AffineIndex& index) { return index == AffineIndex{}; }

/// first + step * index, where that is representable.
std::optional<AffineIndex> scaled(const AffineIndex& index, const Size& first, const Size& step) {
  if (first.is(0) && step.is(1)) return index;
  if (step.is(0)) {
    AffineIndex fixed;
    fixed.base = first;
    return fixed;
  }
  if (!plain(index)) return std::nullopt;
  AffineIndex result;
  result.base = first + step * index.base;
  result.i = step * index.i;
  result.j = step * index.j;
  result.k = step * index.k;
  return result;
}

std::optional<AffineIndex> sum(const AffineIndex& a, const AffineIndex& b) {
  if (is_zero(b)) return a;
  if (is_zero(a)) return b;
  if (!plain(a) || !plain(b)) return std::nullopt;
  AffineIndex result;
  result.base = a.base + b.base;
  result.i = a.i + b.i;
  result.j = a.j + b.j;
  result.k = a.k + b.k;
  return result;
}

std::optional<AffineIndex> stepped(const AffineIndex& index, Step step, const Size& amount) {
  if (!plain(index)) return std::nullopt;
  AffineIndex result = index;
  result.step = step;
  result.amount = amount;
  return result;
}

/// One axis of an access: an affine index or a gathered one.
struct AxisIndex {
  AffineIndex affine;
  std::optional<Gather> gather;
};

/// The column-major position that `outer` reads in a value of type `type`.
std::optional<AxisIndex> linear_position(const Access& outer, const Type& type) {
  if (outer.linear) return AxisIndex{outer.row, outer.row_gather};
  if (type.cols.is(1)) return AxisIndex{outer.row, outer.row_gather};
  if (type.rows.is(1)) return AxisIndex{outer.col, outer.col_gather};
  if (outer.gathers()) return std::nullopt;
  const std::optional<AffineIndex> columns = scaled(outer.col, 0, type.rows);
  const std::optional<AffineIndex> position = columns ? sum(outer.row, *columns) : std::nullopt;
  if (!position) return std::nullopt;
  return AxisIndex{*position, std::nullopt};
}

struct RowCol {
  AxisIndex row, col;
};

/// Row and column that `outer` reads in a value of type `type`.
std::optional<RowCol> row_and_col(const Access& outer, const Type& type) {
  if (!outer.linear) return RowCol{{outer.row, outer.row_gather}, {outer.col, outer.col_gather}};
  const AxisIndex position{outer.row, outer.row_gather};
  if (type.cols.is(1)) return RowCol{position, {}};
  if (type.rows.is(1)) return RowCol{{}, position};
  if (position.gather) return std::nullopt;
  const std::optional<AffineIndex> row = stepped(position.affine, Step::modulo, type.rows);
  const std::optional<AffineIndex> col = stepped(position.affine, Step::divide, type.rows);
  if (!row || !col) return std::nullopt;
  return RowCol{{*row, std::nullopt}, {*col, std::nullopt}};
}

/// The index into the source axis that a subscript selects at `outer`. `vector` is the operand of a vector subscript.
std::optional<AxisIndex> subscripted(const Subscript& subscript, ValueId vector, const AxisIndex& outer) {
  if (subscript.kind == SubscriptKind::all) return outer;
  if (outer.gather) {
    if (subscript.kind == SubscriptKind::range && subscript.first.is(0) && subscript.step.is(1)) return outer;
    return std::nullopt;
  }
  if (subscript.kind == SubscriptKind::vector) return AxisIndex{zero(), Gather{vector, outer.affine}};
  const std::optional<AffineIndex> index = scaled(outer.affine, subscript.first, subscript.step);
  if (!index) return std::nullopt;
  return AxisIndex{*index, std::nullopt};
}

Access linear_access(const AxisIndex& position) {
  Access access;
  access.linear = true;
  access.row = position.affine;
  access.row_gather = position.gather;
  return access;
}

Access matrix_access(const AxisIndex& row, const AxisIndex& col) {
  Access access;
  access.row = row.affine;
  access.row_gather = row.gather;
  access.col = col.affine;
  access.col_gather = col.gather;
  return access;
}

std::optional<Access> through_transpose(const Graph& graph, const Op& view, const Access& outer) {
  const std::optional<RowCol> at = row_and_col(outer, graph.type(view.results[0]));
  if (!at) return std::nullopt;
  Access access = matrix_access(at->col, at->row);
  access.zero_outside = outer.zero_outside;  // the same positions are out of range, on the other axis
  return access;
}

std::optional<Access> through_reshape(const Graph& graph, const Op& view, const Access& outer) {
  const std::optional<AxisIndex> position = linear_position(outer, graph.type(view.results[0]));
  if (!position) return std::nullopt;
  return linear_access(*position);
}

std::optional<Access> through_diagonal(const Graph& graph, const Op& view, const Access& outer) {
  const std::optional<AxisIndex> position = linear_position(outer, graph.type(view.results[0]));
  if (!position || position->gather) return std::nullopt;
  const std::int64_t k = attribute<std::int64_t>(view);
  const std::optional<AffineIndex> row = scaled(position->affine, k < 0 ? -k : 0, 1);
  const std::optional<AffineIndex> col = scaled(position->affine, k > 0 ? k : 0, 1);
  if (!row || !col) return std::nullopt;
  return Access::at(*row, *col);
}

/// The index vectors of an index or update op, one per axis; invalid for axes without.
std::vector<ValueId> axis_vectors(const Op& op) {
  const Subscripts& subscripts = attribute<Subscripts>(op);
  std::vector<ValueId> vectors;
  std::size_t next = 1;
  for (const Subscript& axis : subscripts.axes)
    vectors.push_back(axis.kind == SubscriptKind::vector ? op.operands[next++] : ValueId{});
  return vectors;
}

bool same_on(const AffineIndex& index, const AffineIndex& wanted, const Domain& domain) {
  if (!plain(index) || !index.base.is(0) || !index.k.is(0)) return false;
  return (domain.rows.is(1) || index.i == wanted.i) && (domain.cols.is(1) || index.j == wanted.j);
}

/// A linear access that walks whole columns of the root's height is a (row, col) access.
std::optional<Access> unfolded(const Access& access, const Type& root, const Domain& domain) {
  const AffineIndex& p = access.row;
  const bool columns = plain(p) && p.base.is(0) && p.i.is(1) && (p.j.is(0) || p.j == root.rows) &&
                       (p.k.is(0) || p.k == root.rows) && domain.rows == root.rows;
  if (!columns) return std::nullopt;
  AffineIndex row = coordinate_i(), col;
  col.j = p.j.is(0) ? 0 : 1;
  col.k = p.k.is(0) ? 0 : 1;
  return Access::at(row, col);
}

}  // namespace

AffineIndex coordinate_i() {
  AffineIndex index;
  index.i = 1;
  return index;
}

AffineIndex coordinate_j() {
  AffineIndex index;
  index.j = 1;
  return index;
}

AffineIndex coordinate_k() {
  AffineIndex index;
  index.k = 1;
  return index;
}

AffineIndex position(Size base) {
  AffineIndex index;
  index.base = std::move(base);
  return index;
}

AffineIndex column_major(const Size& rows) {
  AffineIndex index;
  index.i = 1;
  index.j = rows;
  return index;
}

Access Access::identity() { return at(coordinate_i(), coordinate_j()); }

Access Access::at(AffineIndex row, AffineIndex col) {
  Access access;
  access.row = std::move(row);
  access.col = std::move(col);
  return access;
}

Access Access::at_position(AffineIndex position) {
  Access access;
  access.linear = true;
  access.row = std::move(position);
  return access;
}

Access broadcast_access(const Type& operand, const Type& result) {
  const bool row_fixed = operand.rows.is(1) && !result.rows.is(1);
  const bool col_fixed = operand.cols.is(1) && !result.cols.is(1);
  return Access::at(row_fixed ? zero() : coordinate_i(), col_fixed ? zero() : coordinate_j());
}

std::optional<Access> through_broadcast(const Access& outer, const Type& operand, const Type& result) {
  if (outer.zero_outside) return std::nullopt;
  if (operand.rows == result.rows && operand.cols == result.cols) return outer;
  const std::optional<RowCol> at = row_and_col(outer, result);
  if (!at) return std::nullopt;
  const bool row_fixed = operand.rows.is(1) && !result.rows.is(1);
  const bool col_fixed = operand.cols.is(1) && !result.cols.is(1);
  Access access = matrix_access(row_fixed ? AxisIndex{} : at->row, col_fixed ? AxisIndex{} : at->col);
  access.guarded = outer.guarded;
  if (access.guarded && (!plain(access.row) || !plain(access.col))) return std::nullopt;
  return access;
}

std::optional<Coordinates> coordinates(const Access& outer, const Type& type) {
  const std::optional<RowCol> at = row_and_col(outer, type);
  if (!at || at->row.gather || at->col.gather) return std::nullopt;
  return Coordinates{at->row.affine, at->col.affine};
}

std::optional<Access> through_subscripts(const Op& op, const Type& region, const Access& outer) {
  const Subscripts& subscripts = attribute<Subscripts>(op);
  const std::vector<ValueId> vectors = axis_vectors(op);
  if (subscripts.linear()) {
    const std::optional<AxisIndex> outer_position = linear_position(outer, region);
    if (!outer_position) return std::nullopt;
    const std::optional<AxisIndex> position = subscripted(subscripts.axes[0], vectors[0], *outer_position);
    if (!position) return std::nullopt;
    return linear_access(*position);
  }
  const std::optional<RowCol> at = row_and_col(outer, region);
  if (!at) return std::nullopt;
  const std::optional<AxisIndex> row = subscripted(subscripts.axes[0], vectors[0], at->row);
  const std::optional<AxisIndex> col = subscripted(subscripts.axes[1], vectors[1], at->col);
  if (!row || !col) return std::nullopt;
  return matrix_access(*row, *col);
}

namespace {

std::optional<Access> composed(const Graph& graph, const Op& view, const Access& outer) {
  if (view.kind == OpKind::transpose) return through_transpose(graph, view, outer);
  if (outer.zero_outside) return std::nullopt;  // what is out of the view's range need not be out of its operand's
  if (view.kind == OpKind::reshape) return through_reshape(graph, view, outer);
  if (view.kind == OpKind::diagonal) return through_diagonal(graph, view, outer);
  return through_subscripts(view, graph.type(view.results[0]), outer);
}

}  // namespace

std::optional<Access> through_view(const Graph& graph, const Op& view, const Access& outer) {
  std::optional<Access> inner = composed(graph, view, outer);
  if (!inner || !(outer.guarded || view.kind == OpKind::shift)) return inner;
  // Out of its range a division or an index vector would lead anywhere.
  if (inner->gathers() || !plain(inner->row) || !plain(inner->col)) return std::nullopt;
  inner->guarded = true;
  return inner;
}

Domain domain_of(const Type& type) { return {type.rows, type.cols}; }

Access normalised(const Access& access, const Type& root, const Domain& domain) {
  Access result = access;
  if (result.linear && root.cols.is(1)) {
    result.linear = false;
    result.col = zero();
  } else if (result.linear && root.rows.is(1)) {
    result.linear = false;
    result.col = result.row;
    result.col_gather = std::exchange(result.row_gather, std::nullopt);
    result.row = zero();
  } else if (result.linear && !result.gathers() && !result.zero_outside && !result.guarded) {
    if (const std::optional<Access> columns = unfolded(result, root, domain)) result = *columns;
  }
  if (!result.linear && !result.gathers() && same_on(result.row, coordinate_i(), domain) &&
      same_on(result.col, coordinate_j(), domain)) {
    const bool inside = root.rows == domain.rows && root.cols == domain.cols;
    const bool zero_outside = result.zero_outside && !inside, guarded = result.guarded && !inside;
    result = Access::identity();
    result.zero_outside = zero_outside;
    result.guarded = guarded;
  }
  return result;
}

bool is_identity(const Access& access, const Type& root, const Domain& domain) {
  return access == Access::identity() && root.rows == domain.rows && root.cols == domain.cols;
}

}  // namespace lac::passes
