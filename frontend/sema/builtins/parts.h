// Matrices in cells, and the order of fields.
#pragma once

#include <span>

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

/// num2cell(A, dim) of a matrix of a constant shape: its columns (1) or rows (2) in cells.
Binding lines_in_cells(Call& call, ValueId matrix);

std::span<const Builtin> parts_builtins();

}  // namespace lac::frontend
