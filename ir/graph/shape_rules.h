// Result types: the one place that says what type an op's results have.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/support/result.h"

namespace lac {

/// may_equal of rows and of columns.
bool may_equal_shape(const SymbolTable& symbols, const Type& a, const Type& b);
/// The smaller one, where it is decidable.
std::optional<Size> minimum(const SymbolTable& symbols, const Size& a, const Size& b);
/// The length of diagonal k of a rows x cols matrix, where it is decidable.
std::optional<Size> diagonal_length(const SymbolTable& symbols, const Size& rows, const Size& cols, std::int64_t k);

/// Rows and columns swapped: lower becomes upper, diagonals change sign.
Type transposed(const Type& type);

/// The types of the results of `op`. An op whose shape is its own choice (fill, iota, random, convert, reshape, index,
/// resize, diagonal, library, loop, branch) must carry its results already; what the op does determine (its element,
/// counts that follow from attributes) replaces what they state. Fails with one sentence when operands do not fit.
/// Properties are those that hold without a proof; a stated type may have more. Operand counts and the attribute's
/// kind are taken to be right (the verifier checks them first).
Result<std::vector<Type>> infer(const Graph& graph, const Op& op);

}  // namespace lac
