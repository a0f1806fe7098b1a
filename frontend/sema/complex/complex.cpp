#include "frontend/sema/complex/complex.h"

#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/kept_complex.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

ValueId in_shape_of(Emitter& e, ValueId part, ValueId model) {
  const Type have = e.type(part), wanted = e.type(model);
  if (have.rows == wanted.rows && have.cols == wanted.cols) return part;
  if (have.is_sparse())
    return e.builder.library(LibraryFn::sparse_reshape, {part}, {csr_type(have.element, wanted.rows, wanted.cols)})[0];
  return e.builder.reshape(part, wanted.rows, wanted.cols);
}

// The same numbers as a value of its own.
ValueId renewed(Emitter& e, ValueId part) {
  return e.builder.map(ScalarOp::mul, {part, e.builder.constant(1, e.type(part).element)});
}

}  // namespace

Binding complex_binding(Emitter& e, const Complex& value) {
  if (value.is_real()) return Binding::matrix(value.re);
  if (is_kept_complex(e.facts, value.re, value.im)) return complex_binding(e, {value.re, renewed(e, value.im)});
  const Element element = arithmetic_join(e.floating(e.type(value.re).element), e.floating(e.type(value.im).element));
  const auto part = [&](const char* name, ValueId of) {
    return Slot{name, {Binding::matrix(e.builder.convert(of, element))}};
  };
  return Binding::of(Binding::Kind::complex, {1, 1, {part("re", value.re), part("im", value.im)}});
}

Binding complex_form() { return Binding::of(Binding::Kind::complex, {1, 1, {Slot{"re", {{}}}, Slot{"im", {{}}}}}); }

// Parts that a loop or a branch carries have extents of their own, which are equal all the same.
Complex parts_of(Emitter& e, const Binding& binding) {
  if (binding.is_matrix()) return {binding.value};
  if (!binding.is_complex()) throw LowerError{};
  const ValueId re = binding.aggregate->slots[0].items[0].value, im = binding.aggregate->slots[1].items[0].value;
  return {re, in_shape_of(e, im, re), is_kept_complex(e.facts, re, im)};
}

Binding kept_complex(Emitter& e, const Complex& value) {
  if (!e.type(value.im).is_dense()) return complex_binding(e, value);  // shows what is stored
  Complex made = value;
  if (e.facts.kept_complex.count(made.im) != 0) made.im = renewed(e, made.im);
  Binding binding = complex_binding(e, made);
  const ValueId re = binding.aggregate->slots[0].items[0].value, im = binding.aggregate->slots[1].items[0].value;
  e.facts.kept_complex.insert_or_assign(im, re);
  return binding;
}

ValueId imaginary_part(Emitter& e, const Complex& value) {
  if (!value.is_real()) return value.im;
  const Type t = e.type(value.re);
  const Element element = e.floating(t.element);
  if (t.is_sparse()) return e.builder.library(LibraryFn::sparse_zeros, {}, {csr_type(element, t.rows, t.cols)})[0];
  const ValueId zero = e.builder.constant(0, element);
  return t.is_scalar() ? zero : e.builder.fill(zero, t.rows, t.cols);
}

Complex widened(Emitter& e, const Complex& value) { return {value.re, imaginary_part(e, value)}; }

Binding widened(Emitter& e, const Binding& binding) {
  Binding made = complex_binding(e, widened(e, parts_of(e, binding)));
  made.defined = binding.defined;
  return made;
}

Binding widened_like(Emitter& e, const Binding& binding, const Binding& form) {
  if (form.is_complex()) return binding.is_matrix() ? widened(e, binding) : binding;
  if (!form.is_aggregate() || binding.kind != form.kind || !binding.is_aggregate()) return binding;
  Aggregate made = *binding.aggregate;
  bool changed = false;
  for (Slot& slot : made.slots) {
    const Slot* other = form.aggregate->find(slot.name);
    if (!other || other->items.size() != slot.items.size()) continue;
    for (std::size_t k = 0; k < slot.items.size(); ++k) {
      Binding item = widened_like(e, slot.items[k], other->items[k]);
      changed = changed || item.aggregate != slot.items[k].aggregate;
      slot.items[k] = std::move(item);
    }
  }
  if (!changed) return binding;
  Binding result = Binding::of(binding.kind, std::move(made));
  result.defined = binding.defined;
  return result;
}

ValueId is_narrow(Emitter& e, const Complex& value) {
  if (value.is_real()) return e.builder.constant(1, Element::logical);
  if (value.kept) return e.builder.constant(0, Element::logical);
  const ValueId im = e.type(value.im).is_sparse() ? sparse_entries(e, value.im).values : value.im;
  ValueId some = e.builder.map(ScalarOp::ne, im, e.builder.constant(0, e.type(im).element));
  if (!e.type(some).is_scalar()) some = e.builder.reduce(some, {ReduceOp::any, Axis::all});
  return e.builder.map(ScalarOp::logical_not, some);
}

ValueId require_real_value(Emitter& e, const Complex& value, const std::string& complaint) {
  const ValueId narrow = is_narrow(e, value);
  if (e.constant_of(narrow) == 0.0) e.fail(e.place(), complaint);
  e.refuse_unless(narrow, complaint);
  return value.re;
}

ValueId nonzero(Emitter& e, const Complex& value, Span span) {
  const auto some = [&](ValueId part) {
    return elementwise(e, ScalarOp::ne, {part, e.builder.constant(0, e.type(part).element)}, span, "!=");
  };
  if (value.is_real()) return some(value.re);
  return elementwise(e, ScalarOp::logical_or, {some(value.re), some(value.im)}, span, "|");
}

Complex each_part(const Complex& value, const std::function<ValueId(ValueId)>& change) {
  if (value.is_real()) return {change(value.re)};
  const ValueId re = change(value.re);
  return {re, change(value.im), value.kept};
}

}  // namespace lac::frontend
