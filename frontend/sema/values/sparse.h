// Operations on sparse matrices, and from one storage to another.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// The type of a sparse matrix whose pattern the run finds.
inline Type csr_type(Element element, const Size& rows, const Size& cols) {
  Type type = Type::matrix(element, rows, cols);
  type.storage = Storage::csr;
  return type;
}

inline bool is_one(const Type& type) { return type.rows.is(1) && type.cols.is(1); }  ///< of any storage

ValueId dense(Emitter& e, ValueId value);
ValueId to_csr(Emitter& e, ValueId value);
/// One or two operands, at least one of them sparse.
ValueId sparse_elementwise(Emitter& e, ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name);
ValueId sparse_sum(Emitter& e, bool subtract, ValueId a, ValueId b, Span span);
ValueId sparse_product(Emitter& e, ValueId a, ValueId b);
ValueId divide_by_one(Emitter& e, ValueId a, ValueId s, Span span, const std::string& name);
ValueId sparse_left_divide(Emitter& e, ValueId a, ValueId b);
ValueId sparse_concatenate(Emitter& e, const std::vector<ValueId>& parts, Axis axis, Span span);

/// One subscript as a value: positions from 1 (a matrix or a 1x1), or all of the axis where there is no value.
struct Positions {
  ValueId value;
  Size count;
};
ValueId sparse_region(Emitter& e, ValueId a, const Positions& rows, const Positions& cols);
ValueId sparse_elements(Emitter& e, ValueId a, const Positions& positions, const Size& rows, const Size& cols);
ValueId sparse_reshape(Emitter& e, ValueId a, const Size& rows, const Size& cols);
/// a(:, column), as a row of the transpose, which leaves loops.
ValueId sparse_column(Emitter& e, ValueId a, ValueId column);

/// The non-zeros of a sparse matrix, column by column: columns of positions from 1, and the values.
struct SparseEntries {
  ValueId rows, cols, values;
  Size count;
};
SparseEntries sparse_entries(Emitter& e, ValueId a);
ValueId sparse_positions(Emitter& e, ValueId a);  ///< what find gives
ValueId sparse_truth(Emitter& e, ValueId a);

/// Keeps `offsets` ascending; false when the order depends on the symbols.
bool insert_offset(const Emitter& e, std::vector<Size>& offsets, const Size& offset);

}  // namespace lac::frontend
