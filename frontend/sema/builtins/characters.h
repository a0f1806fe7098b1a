// What functions of known strings make of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

ValueId row_of_places(Emitter& e, const std::vector<std::size_t>& places);  ///< counted from 0; from 1 in the row
ValueId matrix_by_rows(Emitter& e, const std::vector<double>& numbers, std::size_t rows);
/// Strings below each other, filled with blanks.
Binding rows_of_text(Call& call, std::vector<Binding> lines);

std::span<const Builtin> word_builtins();

}  // namespace lac::frontend
