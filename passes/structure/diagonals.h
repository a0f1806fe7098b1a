// What a matrix of diagonals is made of, seen through the ops that made it.
#pragma once

#include <optional>
#include <vector>

#include "ir/graph/builder.h"

namespace lac::passes {

/// One diagonal of a square matrix: the element at (i, i + offset) is `value`, or its element i where that is a column.
struct Diagonal {
  Size extent;  ///< rows and columns of the matrix
  Size offset;
  ValueId value;
  bool zero_outside = false;  ///< the column has zeros where there is no element
};

/// A matrix with one diagonal, as the Kronecker product of such: the first varies fastest. The offset of the whole is
/// the sum of offset(k) * extent(0) * ... * extent(k - 1).
using DiagonalProduct = std::vector<Diagonal>;

/// The matrix is the sum of these, element by element; what a diagonal has outside of its matrix is not part of it.
using DiagonalSum = std::vector<DiagonalProduct>;

/// Through spdiags, speye, kron, sums and differences, scalings, transposes and conversions to what is in memory as
/// diagonals; nothing where the value comes from anywhere else, or is of more than `most` diagonals. `build` appends
/// what columns must be computed.
std::optional<DiagonalSum> diagonals_of(Builder& build, ValueId matrix, std::size_t most);

/// The same with a first factor of that extent in each product, if they can be written so.
std::optional<DiagonalSum> split_at(Builder& build, const DiagonalSum& sum, const Size& extent);

}  // namespace lac::passes
