// bitget, bitset, bitcmp: single bits of whole numbers, of integer classes in two's complement.
#include <cmath>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

/// The whole numbers of argument 1, as many bits as they have, and their class.
struct BitOperand {
  Call& call;
  IntegerClass integer_class;
  int bits;
  ValueId value;

  explicit BitOperand(Call& of) : call(of), integer_class(of.args[0].integer_class), bits(53) {
    const Binding numbers = call.args[0].numbers();
    if (numbers.is_array())
      call.fail("arrays of more than two dimensions are outside the language here: take a page, A(:, :, 1)");
    if (!numbers.is_matrix() || call.type(numbers.value).element == Element::logical)
      call.fail("the first argument must be a number or of an integer class");
    if (integer_class != IntegerClass::none) bits = info(integer_class).bits;
    if (bits == 64)
      call.fail("bits of " + std::string(info(integer_class).name) + " are outside the language: use uint32");
    value = exact(call.emit, dense(call.emit, numbers.value));
  }

  ValueId number(double of) const { return call.emit.builder.constant(of, Element::real); }
  ValueId apply(ScalarOp op, std::vector<ValueId> operands) const {
    return elementwise(call.emit, op, std::move(operands), call.span, call.name);
  }
  bool is_signed() const { return integer_class != IntegerClass::none && info(integer_class).is_signed; }
  Binding result(ValueId numbers) const {
    if (integer_class != IntegerClass::none) return saturated(call.emit, integer_class, numbers);
    return Binding::matrix(call.emit.builder.convert(numbers, call.emit.graph.precision));
  }

  /// 2^(N - 1), N being argument 2, which must name one of `most` bits.
  ValueId weight(int most) const {
    Emitter& e = call.emit;
    const Binding n = call.args[1].numbers();
    if (!n.is_matrix()) call.fail("N must be a number");
    const ValueId places = exact(e, dense(e, n.value));
    const ValueId inside = apply(
        ScalarOp::logical_and, {apply(ScalarOp::ge, {places, number(1)}), apply(ScalarOp::le, {places, number(most)})});
    const ValueId all = e.type(inside).is_scalar() ? inside : e.builder.reduce(inside, {ReduceOp::all, Axis::all});
    const std::string message = "N must be in the range [1," + std::to_string(most) + "]";
    if (e.constant_of(all) == 0.0) call.fail(message);
    if (e.constant_of(all) != 1.0) e.require(all, call.name + ": " + message, {});
    return apply(ScalarOp::pow, {number(2), apply(ScalarOp::sub, {apply(ScalarOp::round, {places}), number(1)})});
  }

  /// Of what is signed the bit of the sign counts as 0, as in Octave.
  ValueId bit(ValueId weight) const {
    const ValueId positive = is_signed() ? apply(ScalarOp::mod, {value, number(std::ldexp(1.0, bits - 1))}) : value;
    const ValueId shifted = apply(ScalarOp::floor, {apply(ScalarOp::div, {positive, weight})});
    return apply(ScalarOp::mod, {shifted, number(2)});
  }
};

std::vector<Binding> bitget(Call& call) {
  const BitOperand a(call);
  return one(a.apply(ScalarOp::eq, {a.bit(a.weight(a.bits)), a.number(1)}));
}

// bitset(A, n, on): the bit is added or taken where it is not as it should be.
std::vector<Binding> bitset(Call& call) {
  Emitter& e = call.emit;
  const BitOperand a(call);
  ValueId fine = a.apply(ScalarOp::ge, {a.value, a.number(0)});
  if (!e.type(fine).is_scalar()) fine = e.builder.reduce(fine, {ReduceOp::all, Axis::all});
  if (e.constant_of(fine) == 0.0) call.fail("A must be >= 0");
  if (e.constant_of(fine) != 1.0) e.require(fine, "bitset: A must be >= 0", {});
  const ValueId weight = a.weight(a.is_signed() ? a.bits - 1 : a.bits);
  ValueId on = a.number(1);
  if (call.count() == 3) {
    const Binding given = call.args[2].numbers();
    if (!given.is_matrix()) call.fail("VAL must be a number");
    on =
        exact(e, a.apply(ScalarOp::ne, {dense(e, given.value), e.builder.constant(0, call.type(given.value).element)}));
  }
  const ValueId change = a.apply(ScalarOp::sub, {on, a.bit(weight)});
  return {a.result(a.apply(ScalarOp::add, {a.value, a.apply(ScalarOp::mul, {change, weight})}))};
}

// All bits turned: -1 - A where there is a sign.
std::vector<Binding> bitcmp(Call& call) {
  const BitOperand a(call);
  const double all = a.is_signed() ? -1 : std::ldexp(1.0, a.bits) - 1;
  return {a.result(a.apply(ScalarOp::sub, {a.number(all), a.value}))};
}

}  // namespace

std::span<const Builtin> bit_builtins() {
  static constexpr Builtin entries[] = {
      {"bitget", 2, 2, 1, bitget},
      {"bitset", 2, 3, 1, bitset},
      {"bitcmp", 1, 1, 1, bitcmp},
  };
  return entries;
}

}  // namespace lac::frontend
