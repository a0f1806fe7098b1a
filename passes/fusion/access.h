// Where a consumer reads a value: access maps over graph values, and how views compose into them.
#pragma once

#include <optional>

#include "ir/graph/graph.h"

namespace lac::passes {

/// An index vector read at a linear position; its element is the 1-based index.
struct Gather {
  ValueId vector;
  AffineIndex position;
  friend bool operator==(const Gather&, const Gather&) = default;
};

/// An AccessMap (ir/kernel/kernel.h) whose gathers still name graph values. For a linear access `row` (or `row_gather`)
/// is the column-major position.
struct Access {
  bool linear = false;
  AffineIndex row, col;
  std::optional<Gather> row_gather, col_gather;
  bool zero_outside = false;  ///< positions out of range read as zero
  bool guarded = false;       ///< positions out of range may be read, but what comes does not matter
  friend bool operator==(const Access&, const Access&) = default;

  static Access identity();
  static Access at(AffineIndex row, AffineIndex col);
  static Access at_position(AffineIndex position);
  bool gathers() const { return row_gather || col_gather; }
};

AffineIndex coordinate_i();
AffineIndex coordinate_j();
AffineIndex coordinate_k();
AffineIndex position(Size base);
/// i + rows * j: the column-major position of a domain point in a matrix with that many rows.
AffineIndex column_major(const Size& rows);

/// How an elementwise op reads an operand: the identity, except along axes where the operand has extent 1.
Access broadcast_access(const Type& operand, const Type& result);

/// The access to an elementwise op's operand that belongs to `outer` on its result.
std::optional<Access> through_broadcast(const Access& outer, const Type& operand, const Type& result);

/// The row and column indices that `outer` reads in a value of type `type`; nothing when it gathers or no affine index
/// can say it.
struct Coordinates {
  AffineIndex row, col;
};
std::optional<Coordinates> coordinates(const Access& outer, const Type& type);

/// The access to the view's operand that reads what `outer` reads of the view; nothing when no access map can say it.
/// `view` is a transpose, reshape, diagonal, index or shift op.
std::optional<Access> through_view(const Graph& graph, const Op& view, const Access& outer);

struct Domain {
  Size rows = 1, cols = 1;
  friend bool operator==(const Domain&, const Domain&) = default;
};
Domain domain_of(const Type& type);

/// The access to the operand of an index op, or to the base of an update, at a point of the region of that type.
std::optional<Access> through_subscripts(const Op& op, const Type& region, const Access& outer);

/// One form for equal accesses: linear accesses to vectors become (row, col), and what reads every point at its own
/// place becomes Access::identity().
Access normalised(const Access& access, const Type& root, const Domain& domain);
/// `access`, normalised, is the identity on a value of the domain's shape.
bool is_identity(const Access& access, const Type& root, const Domain& domain);

}  // namespace lac::passes
