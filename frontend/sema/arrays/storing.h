// What is assigned to elements of an array: A(:, :, k) = M, A(i, j, k) = s.
#pragma once

#include <string>

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

/// The array with the value at the subscripts, one for each dimension that they count along. Along the last dimension
/// it grows wherever the run finds the place; along the others where the text tells by how much, or where nothing was
/// there. `name` is the variable's, for messages.
Binding stored(Emitter& e, const Binding& base, ResolvedSubscripts resolved, const Binding& value,
               const std::string& name, Span span);
/// x(i) = v of an array, which does not grow that way.
Binding stored_linear(Emitter& e, const Binding& base, ResolvedSubscripts resolved, const Binding& value,
                      const std::string& name, Span span);

}  // namespace lac::frontend
