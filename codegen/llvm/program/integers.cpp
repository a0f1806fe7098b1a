#include "codegen/llvm/program/integers.h"

#include <algorithm>
#include <cmath>

#include "codegen/llvm/program/host_scalar.h"
#include "ir/types/extent.h"

namespace lac::codegen {
namespace {

llvm::PHINode* phi_of(llvm::IRBuilder<>& b, llvm::Value* x, llvm::BasicBlock* from_x, llvm::Value* y,
                      llvm::BasicBlock* from_y) {
  llvm::PHINode* phi = b.CreatePHI(x->getType(), 2);
  phi->addIncoming(x, from_x);
  phi->addIncoming(y, from_y);
  return phi;
}

}  // namespace

StraightIntegers::StraightIntegers(ProgramBuilder& p) : p_(p), intervals_(p.plan) { intervals_.settle(); }

bool StraightIntegers::is_counted(ValueId value) {
  const Type& type = p_.plan.type(value);
  return type.is_scalar() && type.element == Element::integer && !intervals_.of(value).nan;
}

bool StraightIntegers::is_bounded(ValueId value) {
  const Interval interval = intervals_.of(value);
  constexpr auto largest = static_cast<double>(largest_extent);
  return is_counted(value) && interval.finite() && interval.low >= -largest && interval.high <= largest;
}

bool StraightIntegers::emit_map(OpId id) {
  const Op& map = p_.plan.ops[id];
  if (map.operands.size() != 2 || !is_counted(map.operands[0]) || !is_counted(map.operands[1])) return false;
  if (emit_decided(map)) return true;
  if (is_modulo(map)) {
    emit_modulo(id);
    return true;
  }
  if (emit_bits(map)) return true;
  llvm::Value* result = compared(map);
  if (result != nullptr) p_.define(map.results[0], result);
  return result != nullptr;
}

// A truth value that bounds know.
bool StraightIntegers::emit_decided(const Op& map) {
  const ValueId result = map.results[0];
  const Interval interval = intervals_.of(result);
  if (p_.plan.type(result).element != Element::logical || !interval.known()) return false;
  p_.define(result, p_.builder.getInt1(interval.low != 0));
  return true;
}

// What is beyond all extents lies on the same side of one as an i64.
llvm::Value* StraightIntegers::compared(const Op& map) {
  const ValueId a = map.operands[0], b = map.operands[1];
  const auto is_known = [&](ValueId value) { return p_.is_sure(value) || p_.has_extent(value); };
  const auto is_extent = [&](ValueId value) { return p_.is_sure(value) || is_bounded(value); };
  if (!(is_extent(a) || is_extent(b)) || !is_known(a) || !is_known(b)) return nullptr;
  const auto compare = [&](llvm::CmpInst::Predicate predicate) {
    return p_.builder.CreateICmp(predicate, p_.extent(a), p_.extent(b));
  };
  switch (attribute<ScalarOp>(map)) {
    case ScalarOp::lt: return compare(llvm::CmpInst::ICMP_SLT);
    case ScalarOp::le: return compare(llvm::CmpInst::ICMP_SLE);
    case ScalarOp::gt: return compare(llvm::CmpInst::ICMP_SGT);
    case ScalarOp::ge: return compare(llvm::CmpInst::ICMP_SGE);
    case ScalarOp::eq: return compare(llvm::CmpInst::ICMP_EQ);
    case ScalarOp::ne: return compare(llvm::CmpInst::ICMP_NE);
    default: return nullptr;
  }
}

// bit_and, bit_or, bit_xor of what doubles hold exactly.
bool StraightIntegers::emit_bits(const Op& map) {
  const auto is_plain = [&](ValueId value) { return is_bounded(value) && intervals_.of(value).low >= 0; };
  if (!is_plain(map.operands[0]) || !is_plain(map.operands[1]) || !is_bounded(map.results[0])) return false;
  llvm::IRBuilder<>& b = p_.builder;
  const auto make = [&](llvm::Instruction::BinaryOps op) {
    llvm::Value* bits = b.CreateBinOp(op, p_.extent(map.operands[0]), p_.extent(map.operands[1]));
    p_.define(map.results[0], b.CreateSIToFP(bits, b.getDoubleTy()));
    p_.define_extent(map.results[0], bits);
    return true;
  };
  switch (attribute<ScalarOp>(map)) {
    case ScalarOp::bit_and: return make(llvm::Instruction::And);
    case ScalarOp::bit_or: return make(llvm::Instruction::Or);
    case ScalarOp::bit_xor: return make(llvm::Instruction::Xor);
    default: return false;
  }
}

bool StraightIntegers::is_modulo(const Op& map) const {
  return attribute<ScalarOp>(map) == ScalarOp::mod && p_.plan.type(map.results[0]).element == Element::integer;
}

llvm::Value* StraightIntegers::remainder(llvm::Value* number, llvm::Value* modulus, bool is_positive) {
  llvm::IRBuilder<>& b = p_.builder;
  if (is_positive) return b.CreateURem(number, modulus);
  llvm::Value* rest = b.CreateSRem(number, modulus);
  return b.CreateSelect(b.CreateICmpSLT(rest, p_.int64(0)), b.CreateAdd(rest, modulus), rest);
}

// mod(k, n) by the processor's division where n is positive and both are exact, else in double.
void StraightIntegers::emit_modulo(OpId id) {
  llvm::IRBuilder<>& b = p_.builder;
  const Op& map = p_.plan.ops[id];
  const ValueId dividend = map.operands[0], divisor = map.operands[1];
  const Interval rests = intervals_.of(dividend);
  if (is_bounded(dividend) && rests.low >= 0 && rests.high < intervals_.of(divisor).low) {  // its own rest
    p_.define(map.results[0], b.CreateSIToFP(p_.extent(dividend), b.getDoubleTy()));        // mod(-0, n) is +0
    p_.define_extent(map.results[0], p_.extent(dividend));
    return;
  }
  llvm::Value *number = p_.extent(dividend), *modulus = p_.extent(divisor), *one = p_.int64(1);
  llvm::Value* fits = p_.is_sure(dividend) || is_bounded(dividend) ? b.getTrue() : p_.is_exact(number);
  const bool positive = constant_value(p_.plan, divisor).value_or(0) >= 1 && p_.is_sure(divisor);
  if (!positive) {
    fits = b.CreateAnd(fits, b.CreateAnd(b.CreateICmpSGE(modulus, one), p_.is_exact(modulus)));
    modulus = b.CreateSelect(fits, modulus, one);
  }
  llvm::Value* rest = remainder(number, modulus, rests.low >= 0);
  llvm::Value* result = b.CreateSIToFP(rest, b.getDoubleTy());
  if (!llvm::isa<llvm::Constant>(fits)) {
    llvm::BasicBlock *before = b.GetInsertBlock(), *otherwise = nullptr;
    llvm::Value *rounded = nullptr, *rounded_rest = nullptr;
    p_.unless(fits, [&](llvm::BasicBlock* passed) {
      rounded = emit_map_in_double(p_, id);
      rounded_rest = p_.integer_of(rounded);
      otherwise = b.GetInsertBlock();
      b.CreateBr(passed);
    });
    result = phi_of(b, result, before, rounded, otherwise);
    rest = phi_of(b, rest, before, rounded_rest, otherwise);
  }
  p_.define(map.results[0], result);
  p_.define_extent(map.results[0], rest);
}

// k + 1 and k - 1 of what is beyond all extents are taken to be beyond them.
std::optional<std::int64_t> StraightIntegers::small_step(ValueId value) const {
  constexpr double largest_step = 1024;
  const auto number = constant_value(p_.plan, value);
  if (!number || !(std::abs(*number) <= largest_step) || std::trunc(*number) != *number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

// |a|, a + b, a - b and a * b of what has i64s, where bounds tell that nothing is rounded.
bool StraightIntegers::note_exact(OpId id) {
  const Op& map = p_.plan.ops[id];
  const auto is_known = [&](ValueId value) { return is_bounded(value) && (p_.is_sure(value) || p_.has_extent(value)); };
  if (!is_bounded(map.results[0]) || !std::ranges::all_of(map.operands, is_known)) return false;
  llvm::IRBuilder<>& b = p_.builder;
  if (attribute<ScalarOp>(map) == ScalarOp::abs) {
    p_.define_extent(map.results[0],
                     b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, p_.extent(map.operands[0]), b.getTrue()));
    return true;
  }
  if (map.operands.size() != 2) return false;
  const auto note = [&](auto create) {
    p_.define_extent(map.results[0], create(p_.extent(map.operands[0]), p_.extent(map.operands[1])));
    return true;
  };
  switch (attribute<ScalarOp>(map)) {
    case ScalarOp::add: return note([&](llvm::Value* x, llvm::Value* y) { return b.CreateNSWAdd(x, y); });
    case ScalarOp::sub: return note([&](llvm::Value* x, llvm::Value* y) { return b.CreateNSWSub(x, y); });
    case ScalarOp::mul: return note([&](llvm::Value* x, llvm::Value* y) { return b.CreateNSWMul(x, y); });
    default: return false;
  }
}

// Numbers that are beyond all extents keep their order.
void StraightIntegers::note_map(OpId id) {
  const Op& map = p_.plan.ops[id];
  const auto counted = [&](std::size_t from) {
    return is_counted(map.results[0]) && std::all_of(map.operands.begin() + static_cast<std::ptrdiff_t>(from),
                                                     map.operands.end(), [&](ValueId v) { return is_counted(v); });
  };
  const auto note = [&](llvm::Value* extent) { p_.define_extent(map.results[0], extent); };
  const auto of = [&](std::size_t n) { return p_.extent(map.operands[n]); };
  const auto step = [&](std::size_t n) { return small_step(map.operands[n]); };
  if (note_exact(id)) return;
  llvm::IRBuilder<>& b = p_.builder;
  switch (attribute<ScalarOp>(map)) {
    case ScalarOp::select:
      if (counted(1)) note(b.CreateSelect(p_.value(map.operands[0]), of(1), of(2)));
      return;
    case ScalarOp::min:
      if (counted(0)) note(b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, of(0), of(1)));
      return;
    case ScalarOp::max:
      if (counted(0)) note(b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, of(0), of(1)));
      return;
    case ScalarOp::add:
      if (!counted(0)) return;
      if (step(1)) note(b.CreateNSWAdd(of(0), p_.int64(*step(1))));
      else if (step(0)) note(b.CreateNSWAdd(of(1), p_.int64(*step(0))));
      return;
    case ScalarOp::sub:
      if (counted(0) && step(1)) note(b.CreateNSWSub(of(0), p_.int64(*step(1))));
      return;
    default: return;
  }
}

// Truth values; floor(k * 2^-n), which is how bits fall off at the right, made an integer.
void StraightIntegers::note_convert(OpId id) {
  const Op& convert = p_.plan.ops[id];
  if (p_.plan.type(convert.operands[0]).element == Element::logical && is_counted(convert.results[0]))
    return p_.define_extent(convert.results[0],
                            p_.builder.CreateZExt(p_.value(convert.operands[0]), p_.builder.getInt64Ty()));
  const auto as_map = [&](ValueId value, ScalarOp function) -> const Op* {
    const Op* made = p_.plan.definition(value);
    return made && made->kind == OpKind::map && attribute<ScalarOp>(*made) == function ? made : nullptr;
  };
  const auto is_double = [&](ValueId value) { return p_.plan.type(value).element == Element::real; };
  const Op* floor = is_bounded(convert.results[0]) ? as_map(convert.operands[0], ScalarOp::floor) : nullptr;
  const Op* product = floor ? as_map(floor->operands[0], ScalarOp::mul) : nullptr;
  const Op* number = product ? p_.plan.definition(product->operands[0]) : nullptr;
  const auto factor = product ? constant_value(p_.plan, product->operands[1]) : std::nullopt;
  if (!number || number->kind != OpKind::convert || !factor || !(*factor > 0 && *factor < 1)) return;
  if (!is_double(product->operands[0]) || !is_double(floor->operands[0])) return;  // single would round k
  int exponent = 0;
  const ValueId shifted = number->operands[0];
  if (std::frexp(*factor, &exponent) != 0.5 || exponent < -50 || !is_bounded(shifted) || !p_.has_extent(shifted))
    return;
  p_.define_extent(convert.results[0],
                   p_.builder.CreateAShr(p_.extent(shifted), static_cast<std::uint64_t>(1 - exponent)));
}

llvm::Value* emit_map_in_double(ProgramBuilder& p, OpId id) {
  const Op& map = p.plan.ops[id];
  std::vector<llvm::Value*> operands;
  for (const ValueId value : map.operands) operands.push_back(p.value(value));
  return emit_host_scalar(p.builder, p.target, attribute<ScalarOp>(map), p.plan.type(map.results[0]).element, operands,
                          p.runtime.lac_evaluate);
}

}  // namespace lac::codegen
