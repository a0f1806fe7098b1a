// The operators of the language on values of any storage.
#pragma once

#include "frontend/ast/operators.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

ValueId binary(Emitter& e, ast::BinaryOp op, ValueId a, ValueId b, Span span);
ValueId multiply(Emitter& e, ValueId a, ValueId b, Span span);
ValueId left_divide(Emitter& e, ValueId a, ValueId b, Span span);
/// A \ b by the library. Where solves are collected: without a warning, and what tells that A was singular.
ValueId solve(Emitter& e, ValueId a, ValueId b, const Type& result);
ValueId power(Emitter& e, ValueId a, ValueId b, bool matrix, Span span);
ValueId transpose(Emitter& e, ValueId value);
ValueId negate(Emitter& e, ValueId value, Span span);

}  // namespace lac::frontend
