// Functions that make complex values, take them apart and ask for them.
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/complex/arithmetic.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {

Complex complex_argument(Call& call, std::size_t i) {
  if (call.args[i].is_complex()) return parts_of(call.emit, call.args[i]);
  return {call.array(i)};
}

namespace {

using Bindings = std::vector<Binding>;

Bindings imaginary_unit(Call& call) {
  const Element element = call.emit.graph.precision;
  return one(call, {call.emit.builder.constant(0, element), call.emit.builder.constant(1, element)});
}

// complex(re, im); of extents that differ one is 1x1.
Bindings make_complex(Call& call) {
  Emitter& e = call.emit;
  if (call.count() == 1) {
    const Complex given = call.args[0].is_complex() ? parts_of(e, call.args[0]) : Complex{call.matrix(0)};
    return {given.kept ? call.args[0] : kept_complex(e, widened(e, given))};
  }
  const ValueId re = call.dense(0), im = call.dense(1);
  const ComplexArithmetic c(e, call.span, call.name);
  const auto shaped = [&](ValueId part, ValueId other) {
    const Type t = e.type(part), o = e.type(other);
    if (t.same_shape(o) || o.is_scalar()) return part;
    return c.real(ScalarOp::add, {part, e.builder.fill(c.number(0, part), o.rows, o.cols)});
  };
  return {kept_complex(e, {shaped(re, im), shaped(im, re)})};
}

Bindings real_part(Call& call) { return one(call.matrix(0)); }
Bindings conjugate_of_real(Call& call) { return one(call.matrix(0)); }

Bindings imaginary_zero(Call& call) { return one(imaginary_part(call.emit, {call.matrix(0)})); }

Bindings argument_of_real(Call& call) {
  const ValueId value = call.matrix(0);
  const ValueId angle = ComplexArithmetic(call.emit, call.span, call.name).argument({value});
  return one(call.type(value).is_sparse() ? to_csr(call.emit, angle) : angle);
}

Bindings no(Call& call) { return one(call.emit.builder.constant(0, Element::logical)); }

}  // namespace

std::span<const Builtin> complex_builtins() {
  static constexpr Builtin entries[] = {
      {"i", 0, 0, 1, imaginary_unit},       {"j", 0, 0, 1, imaginary_unit},       {"I", 0, 0, 1, imaginary_unit},
      {"J", 0, 0, 1, imaginary_unit},       {"complex", 1, 2, 1, make_complex},   {"real", 1, 1, 1, real_part},
      {"imag", 1, 1, 1, imaginary_zero},    {"conj", 1, 1, 1, conjugate_of_real}, {"arg", 1, 1, 1, argument_of_real},
      {"angle", 1, 1, 1, argument_of_real}, {"iscomplex", 1, 1, 1, no},
  };
  return entries;
}

}  // namespace lac::frontend
