// Functions of cells and structs of which the run finds how many there are.
#pragma once

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {

/// The elements of a row or column, each in a cell.
Binding cells_of_elements(Call& call, const Binding& vector);

/// struct(name, value, ...) where the run finds how many cells some value has: as many structs.
Binding structs_of_run(Call& call);
/// The names of the fields that one struct has, where it may lack some: a column of cells.
Binding names_of_run(Call& call, const std::vector<Slot>& fields);

}  // namespace lac::frontend
