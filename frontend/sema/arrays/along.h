// What is done along one dimension of an array: it becomes an axis of a matrix, and what functions of matrices leave
// there becomes an array again.
#pragma once

#include <functional>
#include <vector>

#include "frontend/sema/arrays/array.h"

namespace lac::frontend {

/// What is made of a matrix along axis 1 or 2: matrices with other extents along that axis, or the same.
using AlongAxis = std::function<std::vector<Binding>(ValueId matrix, int axis)>;

/// `dimension` counts from 0.
std::vector<Array> along(Emitter& e, const Array& array, std::size_t dimension, const AlongAxis& made);
/// The dimensions in another order: result dimension k is dimension order[k], from 0.
Array reordered(Emitter& e, const Array& array, const std::vector<std::size_t>& order);
/// The first dimension that is not 1, as far as the text tells; the run stops, in the name of `function`, where it is.
std::size_t first_dimension(Emitter& e, const std::vector<Size>& extents, const std::string& function);

}  // namespace lac::frontend
