// Matrices that are known by their diagonal or by a permutation.
#pragma once

#include <optional>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// rows x cols with `diagonal` (n x 1, n = min(rows, cols)) on the main diagonal. Known as such from then on.
ValueId diagonal_matrix(Emitter& e, ValueId diagonal, const Size& rows, const Size& cols);
/// The same elements as an ordinary matrix: full(A).
ValueId without_structure(Emitter& e, ValueId value);
/// P with P*A = A(positions, :), where `positions` holds 1..n in some order.
ValueId permutation_matrix(Emitter& e, ValueId positions, Element element);
std::optional<ValueId> diagonal_of(const Emitter& e, ValueId value);
/// eye(n)(p, :) or eye(n)(:, p) for a p that holds 1..n in some order, known as such from then on.
std::optional<ValueId> permuted_identity(Emitter& e, ValueId value, const Subscripts& subscripts,
                                         const std::vector<ValueId>& vectors);

// The operation where an operand is known by its diagonal or as a permutation, in O(elements of the result); nothing
// otherwise. Shapes are known to fit.
std::optional<ValueId> scaled_diagonal(Emitter& e, ScalarOp op, ValueId a, ValueId b, Span span);  ///< one is 1x1
std::optional<ValueId> structured_block(Emitter& e, ValueId value, const Subscripts& where);       ///< A(1:k, 1:l)
std::optional<ValueId> structured_product(Emitter& e, ValueId a, ValueId b, Span span);
std::optional<ValueId> structured_left_division(Emitter& e, ValueId a, ValueId b, Span span);
std::optional<ValueId> structured_sum(Emitter& e, bool subtract, ValueId a, ValueId b, Span span);
std::optional<ValueId> structured_transpose(Emitter& e, ValueId value);
ValueId matrix_power(Emitter& e, ValueId a, ValueId b, Span span);  ///< one of the operands is not 1x1

// Such matrices beside sparse ones; the results are sparse where Octave's are.
/// A matrix that is known by its diagonal or as a permutation, as a sparse one; nothing otherwise.
std::optional<ValueId> sparse_of_structure(Emitter& e, ValueId value);
std::optional<ValueId> sparse_of_diagonal(Emitter& e, ValueId value);
/// a .* b for a sparse and a structured matrix: O(stored), with NaN where zeros meet Inf or NaN.
std::optional<ValueId> structured_sparse_times(Emitter& e, ValueId a, ValueId b, Span span);
std::optional<ValueId> structured_sparse_product(Emitter& e, ValueId a, ValueId b, Span span);
std::optional<ValueId> structured_sparse_division(Emitter& e, ValueId a, ValueId b,
                                                  Span span);  ///< a \ b, a structured

}  // namespace lac::frontend
