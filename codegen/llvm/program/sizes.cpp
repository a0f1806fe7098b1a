// Extents and what is computed of them: integers where they stay exact, else as the interpreter has them, in double
// (ir/types/extent.h).
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <optional>

#include "codegen/llvm/program/builder.h"
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

}  // namespace

namespace {

// Up to which magnitudes of its symbols a sum of products is exact, and none of its parts leaves an i64: with
// coefficients of 2^c in sum, 2^48 for c = 4, and as many bits less as c is more, shared by the factors of a product.
std::optional<std::map<SymbolId, std::int64_t>> most_of_small_symbols(const Size& size) {
  constexpr std::array<int, 4> bits_by_degree = {0, 48, 24, 16};
  constexpr int least_bits_of_sum = 4, most_bits_of_sum = 24;
  std::int64_t coefficients = 0;
  if (std::abs(size.constant()) > largest_extent / 2) return std::nullopt;
  for (const Size::Term& term : size.terms()) {
    const std::size_t degree = term.factors.size();
    if (degree == 0) continue;
    if (degree >= bits_by_degree.size() || std::abs(term.coefficient) > std::int64_t{1} << most_bits_of_sum)
      return std::nullopt;
    coefficients += std::abs(term.coefficient);
  }
  const int bits_of_sum = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(coefficients, 1) - 1));
  if (bits_of_sum > most_bits_of_sum) return std::nullopt;
  const int missing = std::max(bits_of_sum - least_bits_of_sum, 0);
  std::map<SymbolId, std::int64_t> most;
  for (const Size::Term& term : size.terms()) {
    const int degree = static_cast<int>(term.factors.size());
    if (degree == 0) continue;
    const int bits = bits_by_degree[static_cast<std::size_t>(degree)] - (missing + degree - 1) / degree;
    for (const SymbolId factor : term.factors) {
      const auto [entry, added] = most.emplace(factor, std::int64_t{1} << bits);
      entry->second = std::min(entry->second, std::int64_t{1} << bits);
    }
  }
  return most;
}

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
  const SizeSymbol& symbol = plan.symbols[id];
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
  if (llvm::Value* known = extents_[symbol.value]) return known;
  llvm::Value* scalar = value(symbol.value);
  if (scalar->getType()->isIntegerTy()) return at.CreateZExt(scalar, at.getInt64Ty());
  return &at == &setup ? size_of_number(at, scalar) : extent_of_number(scalar);
}

llvm::Value* ProgramBuilder::extent(ValueId id) {
  if (llvm::Value* trip = trips_[id]) return trip;
  if (llvm::Value* known = extents_[id]) return known;
  return extent_of_number(value(id));
}

// As text: the operand of LLVM's function for it is a vector, whose making LLVM moves away from it, after which its
// selection of instructions loses it (LLVM 19).
llvm::Value* ProgramBuilder::convert_by_processor(llvm::Value* number) {
  llvm::FunctionType* type = llvm::FunctionType::get(builder.getInt64Ty(), {builder.getDoubleTy()}, false);
  const char* instruction = target.isa >= VectorIsa::avx2 ? "vcvttsd2si $1, $0" : "cvttsd2si $1, $0";
  llvm::CallInst* made = builder.CreateCall(llvm::InlineAsm::get(type, instruction, "=r,x", false), {number});
  made->setDoesNotAccessMemory();
  made->setDoesNotThrow();
  return made;
}

// The processor's conversion makes the least i64 of all that has none, NaN too, which is outside.
llvm::Value* ProgramBuilder::extent_of_number(llvm::Value* number) {
  if (!quiet.inside() || llvm::isa<llvm::Constant>(number) || !number->getType()->isDoubleTy())
    return size_of_number(builder, number);
  llvm::Value* converted = number;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(number))  // which the conversion does itself
    if (call->getIntrinsicID() == llvm::Intrinsic::trunc) converted = call->getArgOperand(0);
  llvm::Value* integer = convert_by_processor(converted);
  return if_exact(is_exact(integer), integer, [&] { return size_of_number(builder, number); });
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
      signs_differ |= plan.symbols[factor].lower < 0;
    }
    add(sum, product);
    add(magnitude, at.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, product));
  }
  return {sum, signs_differ ? magnitude : nullptr};
}

llvm::Value* ProgramBuilder::polynomial(const Size& size, llvm::IRBuilderBase& at) {
  const auto in_double = [&] {
    const auto [sum, magnitude] = sum_of(size, at);
    return SumValues{sum, magnitude}.size(at);
  };
  if (!is_integer_sum(size)) {
    const auto most = &at == &setup ? std::nullopt : most_of_small_symbols(size);
    if (!most) return in_double();
    const IntegerSum sum = sum_of_products(size, *most);
    return if_exact(sum.exact, sum.value, in_double);
  }
  const IntegerSum sum = integer_sum(size, at);
  if (sum.exact == nullptr) return sum.value;
  if (&at == &setup) return at.CreateSelect(sum.exact, sum.value, in_double());
  return if_exact(sum.exact, sum.value, in_double);
}

bool ProgramBuilder::is_trip(SymbolId id) const {
  const SizeSymbol& symbol = plan.symbols[id];
  return symbol.origin == SymbolOrigin::value && trips_[symbol.value] != nullptr;
}

std::int64_t ProgramBuilder::most_trips(SymbolId id) const {
  const auto known = most_trips_.find(plan.symbols[id].value);
  return known == most_trips_.end() ? most_trips_counted : known->second;
}

llvm::Value* ProgramBuilder::is_exact(llvm::Value* extent) { return builder.CreateNot(outside(builder, extent)); }

bool ProgramBuilder::is_sure_extent(SymbolId id) const { return is_trip(id) || held_extents_.contains(id); }

int ProgramBuilder::unsure_symbols(const Size& size) const {
  int unsure = 0;
  size.for_each_symbol([&](SymbolId id) { unsure += !is_sure_extent(id); });
  return unsure;
}

bool ProgramBuilder::is_sure(ValueId id) const {
  // Not next to what is beyond all extents, which steps may move.
  if (const auto number = constant_value(plan, id)) return std::abs(*number) <= static_cast<double>(largest_extent / 2);
  const Op* made = plan.definition(id);
  if (!made || made->kind != OpKind::size) return trips_[id] != nullptr;
  const Size& size = attribute<Size>(*made);
  return is_integer_sum(size) && unsure_symbols(size) == 0;
}

// Then it is an extent, or that with the other sign.
bool ProgramBuilder::counts_trips(const Size& size) const {
  if (!is_integer_sum(size)) return false;
  bool others = false;
  size.for_each_symbol([&](SymbolId id) { others = others || !is_trip(id); });
  if (others) return false;
  std::int64_t trips = 0;
  for (const Size::Term& term : size.terms()) trips += term.factors.empty() ? 0 : std::abs(term.coefficient);
  return trips * most_trips_counted <= largest_extent / 2 && std::abs(size.constant()) <= largest_extent / 2;
}

// In straight code sizes with trips are positions, which a proof or a check has found inside a matrix: as integers,
// which they are if their symbols are extents. Those a loop seldom changes, so that one look before it is enough.
bool ProgramBuilder::is_position_of_trip(const Size& size) const {
  bool of_trip = false;
  size.for_each_symbol([&](SymbolId id) { of_trip = of_trip || is_trip(id); });
  return quiet.inside() && of_trip && is_integer_sum(size);
}

// One symbol that may be beyond all extents stays so by itself if it is: nothing is to be checked.
bool ProgramBuilder::needs_no_check(const Size& size) const {
  if (unsure_symbols(size) > 1) return false;
  return std::ranges::all_of(size.terms(), [&](const Size::Term& term) {
    return term.factors.empty() || is_sure_extent(term.factors[0]) || std::abs(term.coefficient) == 1;
  });
}

ProgramBuilder::IntegerSum ProgramBuilder::integer_sum(const Size& size, llvm::IRBuilderBase& at) {
  llvm::Value* sum = size.constant() != 0 ? int64(size.constant()) : nullptr;
  llvm::Value* exact = nullptr;
  const bool checks = !needs_no_check(size);
  for (const Size::Term& term : size.terms()) {
    if (term.factors.empty()) continue;
    llvm::Value* number = symbol(term.factors[0], at);
    if (checks && !is_sure_extent(term.factors[0])) {
      llvm::Value* extent = at.CreateNot(outside(at, number));
      exact = exact ? at.CreateAnd(exact, extent) : extent;
    }
    if (std::abs(term.coefficient) != 1) number = at.CreateNSWMul(number, int64(std::abs(term.coefficient)));
    if (term.coefficient > 0) sum = sum ? at.CreateNSWAdd(sum, number) : number;
    else sum = at.CreateNSWSub(sum ? sum : int64(0), number);
  }
  return {sum, exact};
}

ProgramBuilder::IntegerSum ProgramBuilder::sum_of_products(const Size& size,
                                                           const std::map<SymbolId, std::int64_t>& most) {
  llvm::Value *sum = int64(size.constant()), *exact = builder.getTrue();
  for (const Size::Term& term : size.terms()) {
    if (term.factors.empty()) continue;
    llvm::Value* product = int64(term.coefficient);
    for (const SymbolId factor : term.factors) product = builder.CreateNSWMul(product, symbol(factor, builder));
    sum = builder.CreateNSWAdd(sum, product);
  }
  for (const auto& [id, magnitude] : most) {
    if (is_trip(id) && most_trips(id) <= magnitude) continue;
    llvm::Value* shifted = builder.CreateAdd(symbol(id, builder), int64(magnitude));
    exact = builder.CreateAnd(exact, builder.CreateICmpULE(shifted, int64(2 * magnitude)));
  }
  return {sum, exact};
}

bool ProgramBuilder::is_often_integer(const Size& size) {
  return is_integer_sum(size) || most_of_small_symbols(size).has_value();
}

llvm::Value* ProgramBuilder::size(const Size& size) {
  if (size.is_constant()) return int64(size.constant());
  bool of_parameters = true;
  size.for_each_symbol([&](SymbolId id) { of_parameters &= plan.symbols[id].origin != SymbolOrigin::value; });
  if (!of_parameters) return polynomial(size, builder);
  for (const auto& [known, number] : parameter_sizes_)
    if (known == size) return number;
  llvm::Value* number = polynomial(size, setup);
  parameter_sizes_.emplace_back(size, number);
  return number;
}

llvm::Value* ProgramBuilder::if_exact(llvm::Value* exact, llvm::Value* integer,
                                      llvm::function_ref<llvm::Value*()> in_double) {
  llvm::BasicBlock *before = builder.GetInsertBlock(), *rounds = nullptr;
  llvm::Value* rounded = nullptr;
  unless(exact, [&](llvm::BasicBlock* passed) {
    rounded = in_double();
    rounds = builder.GetInsertBlock();
    builder.CreateBr(passed);
  });
  llvm::PHINode* result = builder.CreatePHI(integer->getType(), 2);
  result->addIncoming(integer, before);
  result->addIncoming(rounded, rounds);
  return result;
}

llvm::Value* ProgramBuilder::number(const Size& size) {
  const auto in_double = [&] {
    const auto [sum, magnitude] = sum_of(size, builder);
    return SumValues{sum, magnitude}.number(builder);
  };
  const auto as_double = [&](llvm::Value* integer) { return builder.CreateSIToFP(integer, builder.getDoubleTy()); };
  if (size.is_constant()) return as_double(this->size(size));
  if (!is_integer_sum(size)) {
    const auto most = most_of_small_symbols(size);
    if (!most) return in_double();
    const IntegerSum sum = sum_of_products(size, *most);
    return if_exact(sum.exact, as_double(sum.value), in_double);
  }
  const IntegerSum sum = integer_sum(size, builder);
  return sum.exact ? if_exact(sum.exact, as_double(sum.value), in_double) : as_double(sum.value);
}

void ProgramBuilder::stop_beyond_extents(const std::vector<Size>& sizes, LocationId location, const Size& count) {
  llvm::Value* beyond = nullptr;
  const auto add = [&](llvm::Value* number) {
    llvm::Value* one = outside(builder, number);
    beyond = beyond ? builder.CreateOr(beyond, one) : one;
  };
  for (const Size& size : sizes) {
    if (size.is_constant() ? std::abs(size.constant()) <= largest_extent : counts_trips(size)) continue;
    if (is_position_of_trip(size))
      size.for_each_symbol([&](SymbolId id) {
        if (!is_sure_extent(id)) add(symbol(id, builder));
      });
    else add(this->size(size));
  }
  if (beyond == nullptr) return;
  if (!count.is_constant()) beyond = builder.CreateAnd(beyond, builder.CreateICmpNE(size(count), int64(0)));
  unless(builder.CreateNot(beyond), [&](llvm::BasicBlock*) { quiet.ask_for_too_much(location); });
}

}  // namespace lac::codegen
