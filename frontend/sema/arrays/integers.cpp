#include "frontend/sema/arrays/integers.h"

#include "frontend/sema/arrays/operators.h"

namespace lac::frontend {
namespace {

using ast::BinaryOp;

/// The operator of elements that Octave takes with a scalar.
BinaryOp of_elements(BinaryOp op) {
  if (op == BinaryOp::multiply) return BinaryOp::times;
  if (op == BinaryOp::divide) return BinaryOp::element_divide;
  return op == BinaryOp::left_divide ? BinaryOp::element_left_divide : op;
}

bool takes(const Emitter& e, BinaryOp op, const Binding& a, const Binding& b) {
  const auto is_scalar = [&](const Binding& x) { return !x.is_array() && e.type(x.value).is_scalar(); };
  if (op == BinaryOp::multiply) return is_scalar(a) || is_scalar(b);
  if (op == BinaryOp::divide) return is_scalar(b);
  return op == BinaryOp::left_divide ? is_scalar(a) : op != BinaryOp::power;
}

Binding of_class_of(const Binding& value, ValueId elements) {
  const IntegerClass integer_class = element_class(value);
  return integer_class == IntegerClass::none ? Binding::matrix(elements) : Binding::integer(integer_class, elements);
}

}  // namespace

Binding integer_array_binary(Emitter& e, BinaryOp op, const Binding& a, const Binding& b, Span span) {
  if (!takes(e, op, a, b)) e.fail(span, not_implemented(e, op, a, b));
  const Aligned both = aligned(e, {numbers_of(a), numbers_of(b)}, "operator " + std::string(ast::spelling(op)), span);
  const Binding made =
      integer_binary(e, of_elements(op), of_class_of(a, both.operands[0]), of_class_of(b, both.operands[1]), span);
  return with_class(laid_out(e, made.value, both.extents), made.integer_class);
}

}  // namespace lac::frontend
