// Shape arguments as zeros, repmat, reshape, ... take them.
#pragma once

#include <optional>

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

struct Shape {
  Size rows = 1, cols = 1;
  bool is_scalar() const { return rows.is(1) && cols.is(1); }
};

struct ShapeAndClass {
  Shape shape;
  std::optional<Element> element;  ///< where a class is named
  bool sparse = false;             ///< "like" a sparse matrix
};

/// The shape that arguments `first` up to `end` say: none (1x1), n, (m, n) or [m n]. Negative sizes count as 0.
Shape shape_of(Call& call, std::size_t first, std::size_t end);
/// How often repmat repeats what it gets: arguments 1 and on, of which there may be more and empty ones.
Shape repetitions(Call& call);
/// All arguments: a shape, then "single", "double" or "like", X.
ShapeAndClass shape_and_class(Call& call);

}  // namespace lac::frontend
