#include "codegen/llvm/kernel/scalar_math.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <array>
#include <limits>
#include <string>

#include "codegen/llvm/kernel/compare.h"
#include "codegen/llvm/kernel/vector_math.h"

namespace lac::codegen {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;
using Operands = llvm::ArrayRef<Value*>;

constexpr double infinity = std::numeric_limits<double>::infinity();

Value* number(Value* like, double value) { return llvm::ConstantFP::get(like->getType(), value); }
Value* is_nan(Builder& b, Value* x) { return b.CreateFCmpUNO(x, x); }
Value* magnitude(Builder& b, Value* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
Value* copy_sign(Builder& b, Value* x, Value* sign) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, sign);
}

template <llvm::Intrinsic::ID id>
Value* intrinsic(Builder& b, Operands x) {
  return b.CreateUnaryIntrinsic(id, x[0]);
}

template <llvm::CmpInst::Predicate predicate>
Value* compare(Builder& b, Operands x) {
  return compare_numbers(b, predicate, x[0], x[1]);
}

Value* add(Builder& b, Operands x) { return b.CreateFAdd(x[0], x[1]); }
Value* sub(Builder& b, Operands x) { return b.CreateFSub(x[0], x[1]); }
Value* mul(Builder& b, Operands x) { return b.CreateFMul(x[0], x[1]); }
Value* div(Builder& b, Operands x) { return b.CreateFDiv(x[0], x[1]); }
Value* neg(Builder& b, Operands x) { return b.CreateFNeg(x[0]); }

Value* sign(Builder& b, Operands x) {
  Value* zero = number(x[0], 0);
  Value* negative = b.CreateSelect(b.CreateFCmpOLT(x[0], zero), number(x[0], -1), zero);
  Value* sign = b.CreateSelect(b.CreateFCmpOGT(x[0], zero), number(x[0], 1), negative);
  return b.CreateSelect(is_nan(b, x[0]), number(x[0], std::numeric_limits<double>::quiet_NaN()), sign);
}

const llvm::APFloat* known_number(Value* x) {
  const llvm::APFloat* number = nullptr;
  return llvm::PatternMatch::match(x, llvm::PatternMatch::m_APFloat(number)) && !number->isNaN() ? number : nullptr;
}

// The operand that is not NaN wins; of equal ones the first, which only of zeros is another. `wins`: an order that does
// not hold with NaN, for which processors have one instruction. Not NaN first and order then: LLVM 19 joins the two
// tests of select(isnan(a), b, select(b < a, b, a)) to one of x where a is fabs(x) and b is 0, and negative x come out.
Value* extreme(Builder& b, Operands x, llvm::CmpInst::Predicate wins) {
  if (const llvm::APFloat* second = known_number(x[1])) {
    const auto first_wins = second->isZero() ? llvm::CmpInst::getNonStrictPredicate(wins) : wins;
    return b.CreateSelect(b.CreateFCmp(first_wins, x[0], x[1]), x[0], x[1]);
  }
  Value* chosen = b.CreateSelect(b.CreateFCmp(wins, x[1], x[0]), x[1], x[0]);
  return known_number(x[0]) != nullptr ? chosen : b.CreateSelect(is_nan(b, chosen), x[1], chosen);
}

Value* min(Builder& b, Operands x) { return extreme(b, x, llvm::CmpInst::FCMP_OLT); }
Value* max(Builder& b, Operands x) { return extreme(b, x, llvm::CmpInst::FCMP_OGT); }

// As `modulo` of evaluate.cpp.
Value* modulo(Builder& b, Value* x, Value* y, llvm::Intrinsic::ID to_integer) {
  const double epsilon = x->getType()->getScalarType()->isFloatTy() ? std::numeric_limits<float>::epsilon()
                                                                    : std::numeric_limits<double>::epsilon();
  auto round = [&](Value* v) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::round, v); };
  Value* quotient = b.CreateFDiv(x, y);
  Value* nearest = round(quotient);
  Value* off = magnitude(b, b.CreateFDiv(b.CreateFSub(quotient, nearest), nearest));
  Value* integral = b.CreateFCmpOLT(off, number(x, epsilon));
  integral = b.CreateAnd(integral, b.CreateFCmpUNE(nearest, number(x, 0)));
  integral = b.CreateAnd(integral, b.CreateFCmpUNE(round(y), y));
  Value* n = b.CreateUnaryIntrinsic(to_integer, quotient);
  Value* rest = b.CreateFSub(x, b.CreateFMul(y, n));
  return b.CreateSelect(integral, number(x, 0), rest);
}

// Octave's NA is a NaN with a payload of its own: where `result` is NaN because an operand is, it is that operand.
Value* missing_or(Builder& b, Operands x, Value* result) {
  Value* missing = result;
  for (std::size_t i = x.size(); i-- > 0;) missing = b.CreateSelect(is_nan(b, x[i]), x[i], missing);
  return b.CreateSelect(is_nan(b, result), missing, result);
}

Value* is_infinite(Builder& b, Value* x) { return b.CreateFCmpOEQ(magnitude(b, x), number(x, infinity)); }

/// The divisor where it is known and a whole positive number.
const llvm::APFloat* whole_divisor(Value* y) {
  const llvm::APFloat* number = nullptr;
  const bool known = llvm::PatternMatch::match(y, llvm::PatternMatch::m_APFloat(number));
  return known && number->isInteger() && !number->isZero() && !number->isNegative() ? number : nullptr;
}

// x - y * to_integer(x / y) by a known whole divisor: NaN and NA stay, of Inf it makes NaN, and of y itself 0. By a
// power of two nothing is rounded but the difference.
Value* by_whole_divisor(Builder& b, Value* x, Value* y, const llvm::APFloat& divisor, llvm::Intrinsic::ID to_integer) {
  llvm::APFloat inverse(divisor.getSemantics());
  Value* quotient = divisor.getExactInverse(&inverse) ? b.CreateFMul(x, llvm::ConstantFP::get(x->getType(), inverse))
                                                      : b.CreateFDiv(x, y);
  return b.CreateFSub(x, b.CreateFMul(y, b.CreateUnaryIntrinsic(to_integer, quotient)));
}

Value* mod(Builder& b, Operands x) {
  if (const llvm::APFloat* divisor = whole_divisor(x[1])) {
    // The least negative numbers have a quotient of -0.
    return magnitude(b, by_whole_divisor(b, x[0], x[1], *divisor, llvm::Intrinsic::floor));
  }
  Value *a = x[0], *y = x[1], *zero = number(a, 0);
  Value* rest = copy_sign(b, modulo(b, a, y, llvm::Intrinsic::floor), y);
  rest = b.CreateSelect(b.CreateFCmpOEQ(a, y), zero, rest);
  Value* undefined = b.CreateOr(is_infinite(b, a), is_infinite(b, y));
  Value* result = b.CreateSelect(undefined, number(a, std::numeric_limits<double>::quiet_NaN()), rest);
  return b.CreateSelect(b.CreateFCmpOEQ(y, zero), a, missing_or(b, x, result));
}

Value* rem(Builder& b, Operands x) {
  if (const llvm::APFloat* divisor = whole_divisor(x[1]))
    return copy_sign(b, by_whole_divisor(b, x[0], x[1], *divisor, llvm::Intrinsic::trunc), x[0]);
  Value *a = x[0], *y = x[1], *zero = number(a, 0);
  Value* rest = copy_sign(b, modulo(b, a, y, llvm::Intrinsic::trunc), a);
  rest = b.CreateSelect(b.CreateFCmpOEQ(a, y), zero, rest);
  Value* undefined = b.CreateOr(is_infinite(b, a), is_infinite(b, y));
  Value* none = number(a, std::numeric_limits<double>::quiet_NaN());
  return b.CreateSelect(b.CreateFCmpOEQ(y, zero), none, missing_or(b, x, b.CreateSelect(undefined, none, rest)));
}

// As `bits_of` of evaluate.cpp.
Value* bits_of(Builder& b, Value* x) {
  llvm::Type* bits = with_lanes(b.getInt64Ty(), lane_count(x));
  return b.CreateIntrinsic(llvm::Intrinsic::fptoui_sat, {bits, x->getType()}, {x});
}

template <llvm::Instruction::BinaryOps op>
Value* of_bits(Builder& b, Operands x) {
  Value* bits = b.CreateBinOp(op, bits_of(b, x[0]), bits_of(b, x[1]));
  Value* rounded = b.CreateUIToFP(bits, with_lanes(b.getDoubleTy(), lane_count(bits)));  // twice where it is single
  return b.CreateFPCast(rounded, x[0]->getType());
}

Value* logical_and(Builder& b, Operands x) { return b.CreateAnd(x[0], x[1]); }
Value* logical_or(Builder& b, Operands x) { return b.CreateOr(x[0], x[1]); }
Value* logical_xor(Builder& b, Operands x) { return b.CreateXor(x[0], x[1]); }
Value* logical_not(Builder& b, Operands x) { return b.CreateNot(x[0]); }
Value* nan_test(Builder& b, Operands x) { return is_nan(b, x[0]); }
Value* infinity_test(Builder& b, Operands x) { return is_infinite(b, x[0]); }
Value* finite_test(Builder& b, Operands x) { return b.CreateFCmpOLT(magnitude(b, x[0]), number(x[0], infinity)); }
Value* select(Builder& b, Operands x) { return b.CreateSelect(x[0], x[1], x[2]); }

// Octave's convention at the poles of gamma.
Value* fix_gamma(Builder& b, Operands x, Value* gamma) {
  Value *a = x[0], *zero = number(a, 0), *inf = number(a, infinity);
  Value* integral = b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, a), a);
  Value* numbers = b.CreateSelect(is_nan(b, a), number(a, std::numeric_limits<double>::quiet_NaN()), gamma);
  Value* result = b.CreateSelect(b.CreateAnd(integral, b.CreateFCmpOLT(a, zero)), inf, numbers);
  return b.CreateSelect(b.CreateFCmpOEQ(a, zero), copy_sign(b, inf, a), result);
}

/// What the operands are converted to before `emit` sees them.
enum class Domain {
  floating,  ///< single if all operands are, else double
  result,    ///< the element of the result: single rounds its operands first
  truth,     ///< i1
  choice,    ///< i1, then two of the result's element
};

struct Row {
  ScalarOp op;
  Domain domain;
  Value* (*emit)(Builder&, Operands) = nullptr;  ///< null: a function of `math`
  const MathFunction* math = nullptr;
  Value* (*fix)(Builder&, Operands, Value*) = nullptr;  ///< corrects what `math` returned
};

constexpr Row function(ScalarOp op) { return {op, Domain::floating, nullptr, math_function(op)}; }

using llvm::CmpInst;
using Op = ScalarOp;
namespace id = llvm::Intrinsic;

constexpr std::array<Row, scalar_op_count> rows = {{
    {Op::add, Domain::floating, add},
    {Op::sub, Domain::floating, sub},
    {Op::mul, Domain::floating, mul},
    {Op::div, Domain::floating, div},
    {Op::neg, Domain::floating, neg},
    {Op::abs, Domain::floating, intrinsic<id::fabs>},
    {Op::sign, Domain::floating, sign},
    {Op::min, Domain::floating, min},
    {Op::max, Domain::floating, max},
    {Op::mod, Domain::result, mod},
    {Op::rem, Domain::result, rem},
    {Op::floor, Domain::floating, intrinsic<id::floor>},
    {Op::ceil, Domain::floating, intrinsic<id::ceil>},
    {Op::round, Domain::floating, intrinsic<id::round>},
    {Op::fix, Domain::floating, intrinsic<id::trunc>},
    function(Op::pow),
    function(Op::hypot),
    function(Op::atan2),
    {Op::sqrt, Domain::floating, intrinsic<id::sqrt>},
    function(Op::cbrt),
    function(Op::exp),
    function(Op::expm1),
    function(Op::log),
    function(Op::log1p),
    function(Op::log2),
    function(Op::log10),
    function(Op::sin),
    function(Op::cos),
    function(Op::tan),
    function(Op::asin),
    function(Op::acos),
    function(Op::atan),
    function(Op::sinh),
    function(Op::cosh),
    function(Op::tanh),
    function(Op::asinh),
    function(Op::acosh),
    function(Op::atanh),
    function(Op::erf),
    function(Op::erfc),
    {Op::gamma, Domain::floating, nullptr, math_function(Op::gamma), fix_gamma},
    function(Op::lgamma),
    {Op::eq, Domain::floating, compare<CmpInst::FCMP_OEQ>},
    {Op::ne, Domain::floating, compare<CmpInst::FCMP_UNE>},
    {Op::lt, Domain::floating, compare<CmpInst::FCMP_OLT>},
    {Op::le, Domain::floating, compare<CmpInst::FCMP_OLE>},
    {Op::gt, Domain::floating, compare<CmpInst::FCMP_OGT>},
    {Op::ge, Domain::floating, compare<CmpInst::FCMP_OGE>},
    {Op::logical_and, Domain::truth, logical_and},
    {Op::logical_or, Domain::truth, logical_or},
    {Op::logical_xor, Domain::truth, logical_xor},
    {Op::logical_not, Domain::truth, logical_not},
    {Op::bit_and, Domain::floating, of_bits<llvm::Instruction::And>},
    {Op::bit_or, Domain::floating, of_bits<llvm::Instruction::Or>},
    {Op::bit_xor, Domain::floating, of_bits<llvm::Instruction::Xor>},
    {Op::is_nan, Domain::floating, nan_test},
    {Op::is_inf, Domain::floating, infinity_test},
    {Op::is_finite, Domain::floating, finite_test},
    {Op::select, Domain::choice, select},
}};

constexpr bool rows_follow_the_enum() {
  for (int n = 0; n < scalar_op_count; ++n)
    if (rows[n].op != static_cast<ScalarOp>(n)) return false;
  return true;
}
static_assert(rows_follow_the_enum());

Element operand_element(Domain domain, Element result, llvm::ArrayRef<TypedValue> operands, std::size_t index) {
  switch (domain) {
    case Domain::result: return result == Element::single ? Element::single : Element::real;
    case Domain::truth: return Element::logical;
    case Domain::choice: return index == 0 ? Element::logical : result;
    case Domain::floating: break;
  }
  for (const TypedValue& operand : operands)
    if (operand.element != Element::single) return Element::real;
  return Element::single;
}

// x^2 and x^-1 need no pow; both are at least as exact.
Value* power_by_constant(Builder& b, Operands x, std::optional<double> exponent) {
  if (exponent == 2.0) return b.CreateFMul(x[0], x[0]);
  if (exponent == -1.0) return b.CreateFDiv(number(x[0], 1), x[0]);
  return nullptr;
}

Value* emit_row(Builder& b, const TargetOptions& target, const Row& row, Operands x, std::optional<double> exponent) {
  if (row.emit) return row.emit(b, x);
  if (row.op == ScalarOp::pow)
    if (Value* product = power_by_constant(b, x, exponent)) return product;
  Value* result = emit_math(b, target, *row.math, x);
  if (result->getType()->isVectorTy()) result = missing_or(b, x, result);  // libm keeps payloads, SLEEF does not
  return row.fix ? row.fix(b, x, result) : result;
}

}  // namespace

llvm::Type* register_type(llvm::LLVMContext& context, Element element) {
  if (element == Element::logical) return llvm::Type::getInt1Ty(context);
  return element == Element::single ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
}

llvm::Type* memory_type(llvm::LLVMContext& context, Element element) {
  return element == Element::logical ? llvm::Type::getInt8Ty(context) : register_type(context, element);
}

llvm::Type* with_lanes(llvm::Type* type, unsigned lanes) {
  return lanes == 1 ? type : llvm::FixedVectorType::get(type, lanes);
}

unsigned lane_count(llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return type ? type->getNumElements() : 1;
}

llvm::Value* emit_convert(llvm::IRBuilder<>& b, TypedValue value, Element to) {
  llvm::Type* type = with_lanes(register_type(b.getContext(), to), lane_count(value.value));
  if (value.value->getType() == type) return value.value;
  if (to == Element::logical) return b.CreateFCmpUNE(value.value, number(value.value, 0));
  if (value.element == Element::logical) return b.CreateUIToFP(value.value, type);
  return b.CreateFPCast(value.value, type);
}

llvm::Value* emit_apply(llvm::IRBuilder<>& b, const TargetOptions& target, ScalarOp op, Element element,
                        llvm::ArrayRef<TypedValue> operands, std::optional<double> exponent) {
  const Row& row = rows[static_cast<int>(op)];
  llvm::SmallVector<Value*, 3> x;
  Element computed = Element::real;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    computed = operand_element(row.domain, element, operands, n);
    x.push_back(emit_convert(b, operands[n], computed));
  }
  Value* result = emit_row(b, target, row, x, exponent);
  if (result->getType()->getScalarType()->isIntegerTy(1)) computed = Element::logical;
  return emit_convert(b, {result, computed}, element);
}

llvm::Value* emit_combine(llvm::IRBuilder<>& b, ReduceOp op, llvm::Value* accumulator, llvm::Value* value) {
  static constexpr ScalarOp steps[] = {ScalarOp::add, ScalarOp::mul,        ScalarOp::min,
                                       ScalarOp::max, ScalarOp::logical_or, ScalarOp::logical_and};
  const Row& row = rows[static_cast<int>(steps[static_cast<int>(op)])];
  return row.emit(b, {accumulator, value});
}

}  // namespace lac::codegen
