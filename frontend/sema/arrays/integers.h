// Arrays of more than two dimensions of integer classes: their elements are one matrix of the class.
#pragma once

#include "frontend/ast/operators.h"
#include "frontend/sema/arrays/array.h"
#include "frontend/sema/integers/integers.h"

namespace lac::frontend {

/// An operator where an operand is an array and one is of an integer class.
Binding integer_array_binary(Emitter& e, ast::BinaryOp op, const Binding& a, const Binding& b, Span span);

}  // namespace lac::frontend
