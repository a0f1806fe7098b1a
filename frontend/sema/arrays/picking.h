// What subscripts pick from an array: those of all dimensions but the last become one subscript of the rows of its
// matrix, affine wherever they are together.
#pragma once

#include <vector>

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

/// The places along one dimension, or along several that lie beside each other.
struct Pick {
  Subscript subscript;
  ValueId vector = {};  ///< of kind `vector`
  bool colon = false, scalar = false;
};

Pick all_of(const Size& extent);
/// first, first + step, ... from 0 on
Pick run_of(const Size& first, const Size& step, const Size& count);
Pick vector_of(Emitter& e, ValueId positions);
std::vector<Pick> picks_of(const ResolvedSubscripts& resolved);

/// One pick along dimensions with these extents, the first of which runs fastest.
Pick together(Emitter& e, const std::vector<Pick>& picks, const std::vector<Size>& extents);
/// Two picks, as the subscripts of a matrix.
ResolvedSubscripts of_matrix(const Pick& rows, const Pick& cols);

/// The elements at the picks, one for each dimension; the extents of the result are their counts.
Array picked(Emitter& e, const Array& array, const std::vector<Pick>& picks);

}  // namespace lac::frontend
