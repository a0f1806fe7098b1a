// Arrays of more than two dimensions. Like structs they end in the frontend: the Graph has their elements as one
// matrix, whose columns are the places along the last dimension. In column-major order that is the same memory, so a
// page A(:, :, k) is a column, and an array that grows along its last dimension is a matrix that gets columns.
//
// How many dimensions there are the text decides; all extents but the last are part of the form of a variable, as the
// fields of a struct are, the last is that of the matrix. What the run finds to be 1 behind the second is not shown and
// not counted.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// An array of any number of dimensions; of two it is the matrix itself.
struct Array {
  std::vector<Size> extents;  ///< two or more
  ValueId elements;           ///< the product of all extents but the last x the last

  std::size_t count() const { return extents.size(); }
};

Size product(const std::vector<Size>& extents, std::size_t first, std::size_t end);
inline Size product(const std::vector<Size>& extents) { return product(extents, 0, extents.size()); }

/// A matrix or an array; of anything else there is none.
Array array_of(const Emitter& e, const Binding& value);
/// The extents of a value that is a matrix, a string or an array.
std::vector<Size> extents_of(const Emitter& e, const Binding& value);
/// As a value of the program: extents of 1 behind the second go.
Binding as_binding(Emitter& e, Array array);
/// Elements that lie in this order, as an array.
Binding laid_out(Emitter& e, ValueId elements, std::vector<Size> extents);

/// The same elements in rows x cols.
ValueId viewed(Emitter& e, ValueId elements, const Size& rows, const Size& cols);
ValueId as_column(Emitter& e, const Binding& value);
/// What Octave makes of an array where it needs a matrix: the first extent x all others.
ValueId as_matrix(Emitter& e, const Binding& array);

/// With extents of 1 behind, until there are so many.
std::vector<Size> padded(std::vector<Size> extents, std::size_t count);
/// What so many subscripts count along: the last of fewer runs over the rest.
std::vector<Size> folded(const std::vector<Size>& extents, std::size_t count);
/// Without extents that are 1 behind the second.
std::vector<Size> trimmed(std::vector<Size> extents);
/// "2x3x4", with what the run finds as the variable that holds it.
std::string extents_text(const Emitter& e, const std::vector<Size>& extents);
/// "%dx%dx%d"
std::string extents_format(std::size_t count);

}  // namespace lac::frontend
