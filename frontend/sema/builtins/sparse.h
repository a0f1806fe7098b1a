// Functions of sparse matrices: shared by builtins/sparse*.cpp.
#pragma once

#include <span>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {

/// The overloads by chapter: what functions do where an argument is sparse.
std::span<const Builtin> sparse_reductions();
std::span<const Builtin> sparse_parts();
std::span<const Builtin> sparse_tests();
std::span<const Builtin> sparse_factorisations();

inline Element precision(const Call& call) { return call.emit.graph.precision; }

/// A constant of integer class.
inline ValueId integer(Call& call, double value) { return call.emit.builder.constant(value, Element::integer); }

/// A library step with one result.
inline ValueId step(Call& call, LibraryFn fn, const std::vector<ValueId>& operands, const Type& result) {
  return call.emit.builder.library(fn, operands, {result})[0];
}

/// The same call with full arguments.
std::vector<Binding> with_full(Call& call);
/// The same; the first result is sparse again, as in Octave, if hardly so.
std::vector<Binding> through_full(Call& call);

}  // namespace lac::frontend
