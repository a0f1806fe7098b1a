// Built-in functions of arrays of more than two dimensions, and which calls of matrices make one.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/builtins/builtins.h"

namespace lac::frontend {

/// Whether a call without arrays may make one: zeros(m, n, p), cat(3, A, B), permute(A, [3 1 2]).
bool may_make_array(const Emitter& e, const std::string& name, const std::vector<Binding>& args, int nargout);

// -- the chapters of find_array_overload
std::span<const Builtin> array_shape_builtins();
std::span<const Builtin> array_construct_builtins();
std::span<const Builtin> array_rearrange_builtins();
std::span<const Builtin> array_reduce_builtins();
std::span<const Builtin> array_position_builtins();
std::vector<Binding> size_equal(Call& call);

// -- shared by them
/// The dimension that argument i names, from 0.
std::size_t dimension_argument(Call& call, std::size_t i);
/// The extents that arguments `first` to `end` say, as zeros takes them: (m, n, p) or ([m n p]). Nothing where they
/// are not written out.
std::vector<ValueId> written_extents(Call& call, std::size_t first, std::size_t end);
/// The same function of matrices.
std::vector<Binding> of_matrices(Call& call, std::vector<Binding> args);
/// The numbers of argument i, known while the program is compiled.
std::vector<std::int64_t> known_integers(Call& call, std::size_t i, const std::string& what);

}  // namespace lac::frontend
