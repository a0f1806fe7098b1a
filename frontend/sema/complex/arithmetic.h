// The operators of the language on complex values.
#pragma once

#include "frontend/ast/operators.h"
#include "frontend/sema/complex/complex.h"

namespace lac::frontend {

/// Elementwise arithmetic: classes and extents as the operators of real values have them. `name` is for messages.
class ComplexArithmetic {
 public:
  ComplexArithmetic(Emitter& e, Span span, std::string name) : e_(e), span_(span), name_(std::move(name)) {}

  ValueId real(ScalarOp op, std::vector<ValueId> operands) const;
  ValueId number(double value, ValueId like) const;
  Complex add(const Complex& a, const Complex& b) const { return sum(ScalarOp::add, a, b); }
  Complex subtract(const Complex& a, const Complex& b) const { return sum(ScalarOp::sub, a, b); }
  Complex times(const Complex& a, const Complex& b) const;
  Complex scaled(const Complex& a, ValueId real_factor) const;
  Complex divide(const Complex& a, const Complex& b) const;
  Complex power(const Complex& a, const Complex& b) const;
  Complex select(ValueId condition, const Complex& yes, const Complex& no) const;
  ValueId magnitude(const Complex& a) const;
  ValueId argument(const Complex& a) const;
  Complex polar(ValueId magnitude, ValueId argument) const;

 private:
  Complex whole_power(const Complex& a, int exponent) const;
  Complex sum(ScalarOp op, const Complex& a, const Complex& b) const;
  ValueId spread(ValueId part, ValueId other) const;

  Emitter& e_;
  Span span_;
  std::string name_;
};

Binding binary(Emitter& e, ast::BinaryOp op, const Binding& a, const Binding& b, Span span);
/// Whether it is a power that library/power_by_squaring.la computes: by integers that the run knows.
bool is_power_by_loop(const Emitter& e, ast::BinaryOp op, const Binding& base, const Binding& exponent);
Binding negate(Emitter& e, const Binding& value, Span span);
/// x.' or, where it conjugates, x'.
Binding transpose(Emitter& e, const Binding& value, bool conjugates, Span span);
Complex multiply(Emitter& e, const Complex& a, const Complex& b, Span span);
Complex left_divide(Emitter& e, const Complex& a, const Complex& b, Span span);
Complex conjugate(Emitter& e, const Complex& value, Span span);

}  // namespace lac::frontend
