// Extents and what is computed of them: integers where they stay exact, else as the interpreter has them, in double
// (ir/types/extent.h).
#include <cstddef>
#include <cstdlib>

#include "codegen/llvm/program_builder.h"
#include "ir/types/extent.h"

namespace lac::codegen {
namespace {

// Integers past int64 become the nearest end of it, NaN becomes 0.
llvm::Value* saturated_integer(llvm::IRBuilderBase& at, llvm::Value* number) {
  return at.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {at.getInt64Ty(), number->getType()}, {number});
}

llvm::Value* outside(llvm::IRBuilderBase& at, llvm::Value* size) {
  llvm::Value* shifted = at.CreateAdd(size, at.getInt64(largest_extent));
  return at.CreateICmpUGT(shifted, at.getInt64(2 * largest_extent));
}

// size_of_number (ir/types/extent.h).
llvm::Value* size_of_number(llvm::IRBuilderBase& at, llvm::Value* number) {
  llvm::Value* integer = saturated_integer(at, number);
  llvm::Value* beyond = at.CreateSelect(at.CreateICmpSLT(integer, at.getInt64(0)), at.getInt64(-beyond_extents),
                                        at.getInt64(beyond_extents));
  return at.CreateSelect(outside(at, integer), beyond, integer);
}

// SizeSum. `magnitude` is null where it is the sum.
struct SumValues {
  llvm::Value *sum = nullptr, *magnitude = nullptr;

  llvm::Value* exact(llvm::IRBuilderBase& at) const {
    return at.CreateFCmpOLE(magnitude ? magnitude : sum, real(at, static_cast<double>(largest_extent)));
  }
  llvm::Value* certainly_beyond(llvm::IRBuilderBase& at) const {
    llvm::Value* size = at.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, sum);
    llvm::Value* large = at.CreateFCmpOGT(size, real(at, static_cast<double>(largest_extent)));
    if (magnitude == nullptr) return large;
    return at.CreateAnd(large, at.CreateFCmpOGT(size, at.CreateFMul(magnitude, real(at, 0x1p-40))));
  }
  llvm::Value* size(llvm::IRBuilderBase& at) const {
    llvm::Value* beyond = at.getInt64(beyond_extents);
    if (magnitude != nullptr) {
      llvm::Value* negative = at.CreateAnd(certainly_beyond(at), at.CreateFCmpOLT(sum, real(at, 0)));
      beyond = at.CreateSelect(negative, at.getInt64(-beyond_extents), beyond);
    }
    return at.CreateSelect(exact(at), saturated_integer(at, sum), beyond);
  }
  llvm::Value* number(llvm::IRBuilderBase& at) const {
    if (magnitude == nullptr) return sum;
    llvm::Value* known = at.CreateOr(exact(at), certainly_beyond(at));
    return at.CreateSelect(known, sum, real(at, static_cast<double>(beyond_extents)));
  }

  static llvm::Value* real(llvm::IRBuilderBase& at, double number) {
    return llvm::ConstantFP::get(at.getDoubleTy(), number);
  }
};

// What a sum may have of symbols, so that it cannot overflow: no run counts trips to 2^50, other symbols are no further
// out than beyond_extents: 8 * 16 * 2^50 + 4 * 2^60 + 2^53 < 2^63.
constexpr std::int64_t largest_coefficient = 16;
constexpr std::size_t most_trips = 8, most_others = 4;

}  // namespace

llvm::Value* ProgramBuilder::integer_of(llvm::Value* scalar) {
  if (scalar->getType()->isIntegerTy()) return builder.CreateZExt(scalar, builder.getInt64Ty());
  return saturated_integer(builder, scalar);
}

llvm::Value* ProgramBuilder::argument_field(std::uint32_t parameter, std::size_t offset, llvm::Type* type) {
  llvm::Value* place =
      setup.CreateConstInBoundsGEP1_64(setup.getInt8Ty(), arguments_, parameter * sizeof(abi::Argument) + offset);
  return setup.CreateLoad(type, place);
}

llvm::Value* ProgramBuilder::symbol(SymbolId id, llvm::IRBuilderBase& at) {
  const SizeSymbol& symbol = graph.symbols[id];
  switch (symbol.origin) {
    case SymbolOrigin::parameter_rows:
      return argument_field(symbol.parameter, offsetof(abi::Argument, rows), at.getInt64Ty());
    case SymbolOrigin::parameter_cols:
      return argument_field(symbol.parameter, offsetof(abi::Argument, cols), at.getInt64Ty());
    case SymbolOrigin::parameter_value:
      return size_of_number(setup, argument_field(symbol.parameter, offsetof(abi::Argument, scalar), at.getDoubleTy()));
    case SymbolOrigin::value: break;
  }
  if (llvm::Value* trip = trips_[symbol.value]) return trip;
  llvm::Value* scalar = value(symbol.value);
  if (scalar->getType()->isIntegerTy()) return at.CreateZExt(scalar, at.getInt64Ty());
  return size_of_number(at, scalar);
}

std::pair<llvm::Value*, llvm::Value*> ProgramBuilder::sum_of(const Size& size, llvm::IRBuilderBase& at) {
  llvm::Value *sum = nullptr, *magnitude = nullptr;
  bool signs_differ = false;
  const auto add = [&](llvm::Value*& total, llvm::Value* term) { total = total ? at.CreateFAdd(total, term) : term; };
  for (const Size::Term& term : size.terms()) {
    llvm::Value* product = llvm::ConstantFP::get(at.getDoubleTy(), static_cast<double>(term.coefficient));
    signs_differ |= term.coefficient < 0;
    for (SymbolId factor : term.factors) {
      product = at.CreateFMul(product, at.CreateSIToFP(symbol(factor, at), at.getDoubleTy()));
      signs_differ |= graph.symbols[factor].lower < 0;
    }
    add(sum, product);
    add(magnitude, at.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, product));
  }
  return {sum, signs_differ ? magnitude : nullptr};
}

llvm::Value* ProgramBuilder::polynomial(const Size& size, llvm::IRBuilderBase& at) {
  if (is_sum(size)) return saturated(integer_sum(size, at), at);
  const auto [sum, magnitude] = sum_of(size, at);
  return SumValues{sum, magnitude}.size(at);
}

bool ProgramBuilder::is_trip(SymbolId id) const {
  const SizeSymbol& symbol = graph.symbols[id];
  return symbol.origin == SymbolOrigin::value && trips_[symbol.value] != nullptr;
}

// A sum of trips and few other symbols, which integers hold.
bool ProgramBuilder::is_sum(const Size& size) const {
  std::size_t trips = 0, others = 0;
  for (const Size::Term& term : size.terms()) {
    const bool constant = term.factors.empty(), trip = !constant && is_trip(term.factors[0]);
    const std::int64_t most = constant ? largest_extent : trip ? largest_coefficient : 1;
    if (term.factors.size() > 1 || std::abs(term.coefficient) > most) return false;
    trips += trip;
    others += !constant && !trip;
  }
  return trips <= most_trips && others <= most_others && trips + others > 0;
}

int ProgramBuilder::symbols_besides_trips(const Size& size) const {
  int others = 0;
  size.for_each_symbol([&](SymbolId id) { others += !is_trip(id); });
  return others;
}

bool ProgramBuilder::counts_trips(const Size& size) const {
  return is_sum(size) && symbols_besides_trips(size) == 0 && std::abs(size.constant()) < largest_extent / 2;
}

// Where one symbol at most is no trip, what is beyond all extents stays there by itself: nothing is to be checked.
ProgramBuilder::IntegerSum ProgramBuilder::integer_sum(const Size& size, llvm::IRBuilderBase& at) {
  llvm::Value* sum = size.constant() != 0 ? int64(size.constant()) : nullptr;
  llvm::Value* magnitude = int64(std::abs(size.constant()));
  for (const Size::Term& term : size.terms()) {
    if (term.factors.empty()) continue;
    llvm::Value* number = symbol(term.factors[0], at);
    if (!is_trip(term.factors[0]))
      magnitude = at.CreateNSWAdd(magnitude, at.CreateBinaryIntrinsic(llvm::Intrinsic::abs, number, at.getTrue()));
    if (std::abs(term.coefficient) != 1) number = at.CreateNSWMul(number, int64(std::abs(term.coefficient)));
    if (term.coefficient > 0) sum = sum ? at.CreateNSWAdd(sum, number) : number;
    else sum = at.CreateNSWSub(sum ? sum : int64(0), number);
  }
  if (symbols_besides_trips(size) <= 1) return {sum, nullptr};
  return {sum, at.CreateICmpSLE(magnitude, int64(largest_extent))};
}

// As SizeSum::size has it.
llvm::Value* ProgramBuilder::saturated(const IntegerSum& sum, llvm::IRBuilderBase& at) {
  if (sum.exact == nullptr) return sum.value;
  llvm::Value* negative = at.CreateICmpSLT(sum.value, int64(-largest_extent));
  llvm::Value* beyond = at.CreateSelect(negative, int64(-beyond_extents), int64(beyond_extents));
  return at.CreateSelect(sum.exact, sum.value, beyond);
}

llvm::Value* ProgramBuilder::size(const Size& size) {
  if (size.is_constant()) return int64(size.constant());
  bool of_parameters = true;
  size.for_each_symbol([&](SymbolId id) { of_parameters &= graph.symbols[id].origin != SymbolOrigin::value; });
  if (!of_parameters) return polynomial(size, builder);
  for (const auto& [known, number] : parameter_sizes_)
    if (known == size) return number;
  llvm::Value* number = polynomial(size, setup);
  parameter_sizes_.emplace_back(size, number);
  return number;
}

llvm::Value* ProgramBuilder::number(const Size& size) {
  const auto in_double = [&] {
    const auto [sum, magnitude] = sum_of(size, builder);
    return SumValues{sum, magnitude}.number(builder);
  };
  const auto as_double = [&](llvm::Value* integer) { return builder.CreateSIToFP(integer, builder.getDoubleTy()); };
  if (size.is_constant()) return as_double(this->size(size));
  if (!is_sum(size)) return in_double();
  const IntegerSum sum = integer_sum(size, builder);
  if (sum.exact == nullptr) return as_double(sum.value);
  llvm::Value *exact = as_double(sum.value), *rounded = nullptr;
  llvm::BasicBlock *before = builder.GetInsertBlock(), *rounds = nullptr;
  unless(sum.exact, [&](llvm::BasicBlock* passed) {
    rounded = in_double();
    rounds = builder.GetInsertBlock();
    builder.CreateBr(passed);
  });
  llvm::PHINode* number = builder.CreatePHI(builder.getDoubleTy(), 2);
  number->addIncoming(exact, before);
  number->addIncoming(rounded, rounds);
  return number;
}

void ProgramBuilder::stop_beyond_extents(const std::vector<Size>& sizes, LocationId location, const Size& count) {
  llvm::Value* beyond = nullptr;
  for (const Size& size : sizes) {
    if (size.is_constant() ? std::abs(size.constant()) <= largest_extent : counts_trips(size)) continue;
    llvm::Value* one = outside(builder, this->size(size));
    beyond = beyond ? builder.CreateOr(beyond, one) : one;
  }
  if (beyond == nullptr) return;
  if (!count.is_constant()) beyond = builder.CreateAnd(beyond, builder.CreateICmpNE(size(count), int64(0)));
  unless(builder.CreateNot(beyond), [&](llvm::BasicBlock*) { quiet.ask_for_too_much(location); });
}

}  // namespace lac::codegen
