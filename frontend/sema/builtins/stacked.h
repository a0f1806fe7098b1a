// Functions of cells and structs of which the run finds how many there are.
#pragma once

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

/// The elements of a row or column, each in a cell.
Binding cells_of_elements(Call& call, const Binding& vector);

}  // namespace lac::frontend
