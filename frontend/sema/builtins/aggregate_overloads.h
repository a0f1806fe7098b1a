// What functions of matrices are where an argument is a struct or a cell array: one table a subject.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

/// Of cells of strings: strcmp, ismember, strcat, upper, ...
std::span<const Builtin> string_cell_overloads();
/// Of cells of strings: sort, sortrows, unique.
std::span<const Builtin> string_order_overloads();
/// cellfun, arrayfun, structfun.
std::span<const Builtin> each_element_overloads();

/// The form of argument 0, which must be a struct or a cell array.
const Aggregate& aggregate_argument(Call& call);
bool has_no_elements(Call& call, const Binding& value);
ValueId number(Call& call, std::int64_t value);
ValueId truth(Call& call, bool value);
/// What a function has made of each element, as one value of `rows` x `cols`: of single numbers a matrix, of single
/// characters a string; where it is not `uniform` a cell array.
Binding gathered(Call& call, const std::vector<Binding>& values, std::int64_t rows, std::int64_t cols, bool uniform);

}  // namespace lac::frontend
