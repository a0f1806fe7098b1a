#include "codegen/llvm/program/integers.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "codegen/llvm/program/host_scalar.h"
#include "ir/types/extent.h"
#include "ir/types/powers.h"

namespace lac::codegen {
namespace {

llvm::PHINode* phi_of(llvm::IRBuilder<>& b, llvm::Value* x, llvm::BasicBlock* from_x, llvm::Value* y,
                      llvm::BasicBlock* from_y) {
  llvm::PHINode* phi = b.CreatePHI(x->getType(), 2);
  phi->addIncoming(x, from_x);
  phi->addIncoming(y, from_y);
  return phi;
}

Intervals settled(const Graph& plan) {
  Intervals intervals(plan);
  intervals.settle();
  return intervals;
}

}  // namespace

StraightIntegers::StraightIntegers(ProgramBuilder& p)
    : p_(p), intervals_(settled(p.plan)), zeros_(p.plan, intervals_) {}

void StraightIntegers::under(const Assumption& assumption, llvm::function_ref<void()> emit) {
  assumed_.emplace(intervals_);
  const auto most = static_cast<double>(assumption.most);
  for (const ValueId argument : assumption.arguments) {
    const Interval known = intervals_.of(argument);
    assumed_->assume(argument, {std::max(known.low, -most), std::min(known.high, most), false, false});
  }
  emit();
  assumed_.reset();
}

Interval StraightIntegers::bounds(ValueId value) { return (assumed_ ? *assumed_ : intervals_).of(value); }

// Whether what is assumed of the next trip has bounds then, and some division or choice of bits is one of integers for
// it; and whether all integers that a trip computes have.
StraightIntegers::Gain StraightIntegers::gain_by(OpId loop, const Assumption& assumption) {
  const BlockId body = p_.plan.ops[loop].blocks[0];
  const std::vector<ValueId>&arguments = p_.plan.blocks[body].arguments, &yields = p_.plan.blocks[body].yields;
  bool all = true, next = true;
  std::vector<ValueId> divided;
  under(assumption, [&] {
    for_each_op(p_.plan, body, [&](OpId id) {
      const Op& op = p_.plan.ops[id];
      for (const ValueId result : op.results)
        all =
            all && (op.kind == OpKind::index || p_.plan.type(result).element != Element::integer || is_bounded(result));
      const ScalarOp function = op.kind == OpKind::map ? attribute<ScalarOp>(op) : ScalarOp::add;
      if (function == ScalarOp::mod || function == ScalarOp::bit_and) divided.push_back(op.operands[0]);
      if (op.kind != OpKind::convert || !is_counted(op.results[0])) return;
      if (const auto quotient = whole_quotient(op.operands[0])) divided.push_back(quotient->number);
    });
    for (std::size_t n = 1; n < arguments.size(); ++n)
      if (std::ranges::find(assumption.arguments, arguments[n]) != assumption.arguments.end())
        next = next && is_bounded(yields[n]);
    std::erase_if(divided, [&](ValueId value) { return !is_bounded(value); });
  });
  const bool some = std::ranges::any_of(divided, [&](ValueId value) { return !is_bounded(value); });
  return !next || !some ? Gain::none : all ? Gain::all : Gain::some;
}

std::optional<StraightIntegers::Assumption> StraightIntegers::assumption_for(OpId loop) {
  constexpr std::size_t most_ops = 64;  // they are written out twice
  const BlockId body = p_.plan.ops[loop].blocks[0];
  std::size_t ops = 0;
  bool computes = true;
  for_each_op(p_.plan, body, [&](OpId id) {
    constexpr OpKind computing[] = {OpKind::constant, OpKind::size,  OpKind::map,  OpKind::convert,
                                    OpKind::branch,   OpKind::index, OpKind::check};
    ++ops;
    computes = computes && std::ranges::find(computing, p_.plan.ops[id].kind) != std::end(computing);
  });
  if (!computes || ops > most_ops) return std::nullopt;
  Assumption assumption;
  const std::vector<ValueId>& arguments = p_.plan.blocks[body].arguments;
  for (std::size_t n = 1; n < arguments.size(); ++n) {
    if (!p_.plan.type(arguments[n]).is_scalar()) return std::nullopt;
    if (!is_counted(arguments[n]) || is_bounded(arguments[n])) continue;
    if (zeros_.may_be_negative_zero(arguments[n])) return std::nullopt;
    assumption.arguments.push_back(arguments[n]);
  }
  if (assumption.arguments.empty()) return std::nullopt;
  std::optional<Assumption> found;
  for (const int bits : {51, 46, 40, 31, 26}) {
    assumption.most = std::int64_t{1} << bits;
    const Gain gain = gain_by(loop, assumption);
    if (gain == Gain::all) return assumption;
    if (gain == Gain::some && !found) found = assumption;
  }
  return found;
}

bool StraightIntegers::is_counted(ValueId value) {
  const Type& type = p_.plan.type(value);
  return type.is_scalar() && type.element == Element::integer && !bounds(value).nan;
}

bool StraightIntegers::is_bounded(ValueId value) {
  const Interval interval = bounds(value);
  constexpr auto largest = static_cast<double>(largest_extent);
  return is_counted(value) && interval.finite() && interval.low >= -largest && interval.high <= largest;
}

bool StraightIntegers::is_i64(ValueId value) { return is_bounded(value) && !zeros_.may_be_negative_zero(value); }

bool StraightIntegers::emit_map(OpId id) {
  const Op& map = p_.plan.ops[id];
  if (!std::ranges::all_of(map.operands, [&](ValueId value) { return is_counted(value) || is_truth(value); }))
    return false;
  if (emit_decided(map)) return true;
  if (map.operands.size() != 2 || is_truth(map.operands[0]) || is_truth(map.operands[1])) return false;
  if (is_modulo(map)) {
    emit_modulo(id);
    return true;
  }
  if (emit_bits(map)) return true;
  llvm::Value* result = compared(map);
  if (result != nullptr) p_.define(map.results[0], result);
  return result != nullptr;
}

bool StraightIntegers::is_truth(ValueId value) const {
  return p_.plan.type(value).is_scalar() && p_.plan.type(value).element == Element::logical;
}

// A truth value that bounds know.
bool StraightIntegers::emit_decided(const Op& map) {
  const ValueId result = map.results[0];
  const Interval interval = bounds(result);
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
  const auto is_plain = [&](ValueId value) { return is_bounded(value) && bounds(value).low >= 0; };
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
  const Interval rests = bounds(dividend);
  if (is_bounded(dividend) && rests.low >= 0 && rests.high < bounds(divisor).low) {   // its own rest
    p_.define(map.results[0], b.CreateSIToFP(p_.extent(dividend), b.getDoubleTy()));  // mod(-0, n) is +0
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

const Op* StraightIntegers::as_map(ValueId value, ScalarOp function) const {
  const Op* made = p_.plan.definition(value);
  return made && made->kind == OpKind::map && attribute<ScalarOp>(*made) == function ? made : nullptr;
}

// Of floor(k / n), floor(k * 2^-n), which is how bits fall off at the right, and both without floor, which a convert
// finds whole.
std::optional<StraightIntegers::Quotient> StraightIntegers::whole_quotient(ValueId value) const {
  if (p_.plan.type(value).element != Element::real) return std::nullopt;
  const Op* floor = as_map(value, ScalarOp::floor);
  const Op* made = p_.plan.definition(floor ? floor->operands[0] : value);
  if (!made || made->kind != OpKind::map || made->operands.size() != 2) return std::nullopt;
  const Op* number = p_.plan.definition(made->operands[0]);
  const auto factor = constant_value(p_.plan, made->operands[1]);
  if (!factor || !number || number->kind != OpKind::convert) return std::nullopt;
  const ScalarOp function = attribute<ScalarOp>(*made);
  const double divisor = function == ScalarOp::div ? *factor : function == ScalarOp::mul ? 1 / *factor : 0;
  if (!(divisor >= 1 && divisor <= 0x1p50) || std::trunc(divisor) != divisor) return std::nullopt;
  if (function == ScalarOp::mul && !is_power_of_two(divisor)) return std::nullopt;
  return Quotient{number->operands[0], static_cast<std::int64_t>(divisor)};
}

// Rounds down. With |k| < 2^53 what is nearest below an integer, 1 / n away from it, does not round to it in double.
llvm::Value* StraightIntegers::emit_quotient(const Quotient& quotient) {
  llvm::IRBuilder<>& b = p_.builder;
  llvm::Value *number = p_.extent(quotient.number), *divisor = p_.int64(quotient.divisor);
  const auto n = static_cast<std::uint64_t>(quotient.divisor);
  if (std::has_single_bit(n)) return b.CreateAShr(number, static_cast<std::uint64_t>(std::countr_zero(n)));
  if (bounds(quotient.number).low >= 0) return b.CreateUDiv(number, divisor);
  llvm::Value* toward_zero = b.CreateSDiv(number, divisor);
  llvm::Value* rest = b.CreateSub(number, b.CreateMul(toward_zero, divisor));
  return b.CreateAdd(toward_zero, b.CreateSExt(b.CreateICmpSLT(rest, p_.int64(0)), b.getInt64Ty()));
}

// Truth values and rounded quotients, made integers.
void StraightIntegers::note_convert(OpId id) {
  const Op& convert = p_.plan.ops[id];
  const ValueId result = convert.results[0];
  if (!is_counted(result)) return;
  llvm::IRBuilder<>& b = p_.builder;
  if (p_.plan.type(convert.operands[0]).element == Element::logical)
    return p_.define_extent(result, b.CreateZExt(p_.value(convert.operands[0]), b.getInt64Ty()));
  const auto quotient = is_bounded(result) ? whole_quotient(convert.operands[0]) : std::nullopt;
  if (!quotient || !is_bounded(quotient->number)) return;
  if (!p_.is_sure(quotient->number) && !p_.has_extent(quotient->number)) return;
  llvm::Value* made = emit_quotient(*quotient);
  if (!zeros_.may_be_negative_zero(result)) p_.define(result, b.CreateSIToFP(made, b.getDoubleTy()));
  p_.define_extent(result, made);
}

llvm::Value* emit_map_in_double(ProgramBuilder& p, OpId id) {
  const Op& map = p.plan.ops[id];
  std::vector<llvm::Value*> operands;
  for (const ValueId value : map.operands) operands.push_back(p.value(value));
  return emit_host_scalar(p.builder, p.target, attribute<ScalarOp>(map), p.plan.type(map.results[0]).element, operands,
                          p.runtime.lac_evaluate);
}

}  // namespace lac::codegen
