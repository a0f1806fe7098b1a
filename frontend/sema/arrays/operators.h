// Operators and functions of elements, with extents of 1 broadcast along every dimension.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/ast/operators.h"
#include "frontend/sema/arrays/array.h"

namespace lac::frontend {

/// What is done to each element, of a matrix or of an array.
Binding of_elements(Emitter& e, const Binding& value, const std::function<ValueId(ValueId)>& made);
Binding array_binary(Emitter& e, ast::BinaryOp op, const Binding& a, const Binding& b, Span span);

/// Operands as matrices that broadcast against each other as the arrays do, and the extents of what comes of it.
struct Aligned {
  std::vector<ValueId> operands;
  std::vector<Size> extents;
};
/// `name` is that of the operator or function in messages.
Aligned aligned(Emitter& e, const std::vector<Binding>& operands, const std::string& name, Span span);

}  // namespace lac::frontend
