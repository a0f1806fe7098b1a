#include "codegen/llvm/program_builder.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <type_traits>

#include "codegen/llvm/host_scalar.h"
#include "codegen/llvm/program.h"
#include "ir/plan/manifest.h"
#include "ir/support/result.h"
#include "ir/types/extent.h"

namespace lac::codegen {
namespace {

template <class T>
llvm::Type* llvm_type(llvm::LLVMContext& context) {
  if constexpr (std::is_void_v<T>) return llvm::Type::getVoidTy(context);
  else if constexpr (std::is_pointer_v<T>) return llvm::PointerType::getUnqual(context);
  else if constexpr (std::is_same_v<T, double>) return llvm::Type::getDoubleTy(context);
  else return llvm::Type::getIntNTy(context, sizeof(T) * 8);
}

template <class Function>
struct Signature;
template <class R, class... Parameters>
struct Signature<R(Parameters...)> {
  static llvm::FunctionType* get(llvm::LLVMContext& context) {
    return llvm::FunctionType::get(llvm_type<R>(context), {llvm_type<Parameters>(context)...}, false);
  }
};

template <class Function>
llvm::FunctionCallee declare(llvm::Module& module, const char* name) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, Signature<Function>::get(module.getContext()));
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

void memory_of(llvm::FunctionCallee callee, llvm::MemoryEffects effects) {
  llvm::cast<llvm::Function>(callee.getCallee())->setMemoryEffects(effects);
}

llvm::Function* make_function(llvm::Module& module, llvm::FunctionType* type, llvm::Function::LinkageTypes linkage,
                              const char* name) {
  llvm::Function* function = llvm::Function::Create(type, linkage, name, module);
  function->setDoesNotThrow();
  return function;
}

/// run, slots, scalar_outputs, step_values, step_sizes, work, words
llvm::Function* make_body_function(llvm::Module& module) {
  using Body = std::int32_t(void*, void*, void*, void*, void*, void*, void*);
  return make_function(module, Signature<Body>::get(module.getContext()), llvm::Function::InternalLinkage, body_name);
}

std::unordered_map<OpId, std::uint32_t> numbered(const std::vector<OpId>& ops) {
  std::unordered_map<OpId, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < ops.size(); ++i) numbers[ops[i]] = i;
  return numbers;
}

llvm::Type* memory_type(llvm::LLVMContext& context, Element element) {
  return element == Element::logical ? llvm::Type::getInt8Ty(context) : scalar_type(context, element);
}

}  // namespace

RuntimeFunctions::RuntimeFunctions(llvm::Module& module) {
#define LAC_ABI(name, ...) name = declare<abi::name##_function>(module, #name);
#include "ir/plan/abi_functions.def"
#undef LAC_ABI
  // What these write nobody but the runtime sees: what the program holds in memory stays as it is.
  for (llvm::FunctionCallee callee : {lac_loop_begin, lac_trip, lac_compared, lac_loop_end})
    memory_of(callee, llvm::MemoryEffects::inaccessibleMemOnly());
  memory_of(lac_evaluate, llvm::MemoryEffects::none());
}

llvm::Value* SharedArray::with_room(std::uint32_t count) {
  room_ = std::max(room_, count);
  return array_;
}

llvm::Value* SharedArray::element(llvm::IRBuilderBase& builder, std::uint32_t index) {
  return builder.CreateConstInBoundsGEP1_32(builder.getInt64Ty(), with_room(index + 1), index);
}

ProgramBuilder::ProgramBuilder(llvm::Module& module, const Graph& plan, BuiltFunction built,
                               const TargetOptions& target)
    : graph(plan),
      target(target),
      check_bounds(target.check_bounds),
      module(module),
      function(make_body_function(module)),
      run(function->getArg(0)),
      setup_block_(new_block("setup")),
      body_block_(new_block("body")),
      setup(setup_block_),
      builder(body_block_),
      runtime(module),
      slots(function->getArg(1), "slots"),
      scalar_outputs(function->getArg(2), "scalar_outputs"),
      step_values(function->getArg(3), "step_values"),
      step_sizes(function->getArg(4), "step_sizes"),
      work(function->getArg(5)),
      quiet(*this),
      built_(built),
      arguments_(setup.CreateCall(runtime.lac_arguments, {run}, "arguments")),
      stop_block_(new_block("stop")),
      steps_(numbered(plan_steps(plan))),
      loops_(numbered(plan_loops(plan))) {
  llvm::IRBuilder<> at_stop(stop_block_);
  stop_status_ = at_stop.CreatePHI(at_stop.getInt32Ty(), 2, "status");
  at_stop.CreateRet(stop_status_);
  values_.resize(plan.values.size());
  trips_.resize(plan.values.size());
  if (check_bounds) setup.CreateCall(runtime.lac_check_bounds, {run});
}

namespace {

llvm::MDNode* access_tag(llvm::LLVMContext& context, Memory memory) {
  static constexpr const char* names[] = {"buffer", "element", "count"};
  llvm::MDBuilder metadata(context);
  llvm::MDNode* type = metadata.createTBAAScalarTypeNode(names[static_cast<int>(memory)], metadata.createTBAARoot("lac"));
  return metadata.createTBAAStructTagNode(type, type, 0);
}

// A kernel's code does not know that others lie beside it: all it loads and stores are elements.
void tag_elements(llvm::Function& function) {
  llvm::MDNode* tag = access_tag(function.getContext(), Memory::element);
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
      const llvm::Type* type = llvm::getLoadStoreType(&instruction);
      if (type->isFloatingPointTy() || type->isIntegerTy(8)) instruction.setMetadata(llvm::LLVMContext::MD_tbaa, tag);
    }
  }
}

}  // namespace

void ProgramBuilder::tag(llvm::Instruction* access, Memory memory) {
  access->setMetadata(llvm::LLVMContext::MD_tbaa, access_tag(module.getContext(), memory));
}

void ProgramBuilder::finish() {
  builder.CreateRet(builder.getInt32(abi::ok));
  setup.CreateBr(body_block_);
  if (stop_status_->getNumIncomingValues() == 0) stop_block_->eraseFromParent();
  tag_elements(*function);
  make_entry();
}

void ProgramBuilder::make_entry() {
  const bool loop = built_ == BuiltFunction::loop;
  llvm::LLVMContext& context = module.getContext();
  llvm::FunctionType* type = loop ? Signature<std::int32_t(void*, void*)>::get(context)
                                  : Signature<std::remove_pointer_t<abi::ProgramFunction>>::get(context);
  llvm::Function* entry = make_function(module, type, llvm::Function::ExternalLinkage, loop ? loop_name : program_name);
  llvm::IRBuilder<> at(llvm::BasicBlock::Create(module.getContext(), "entry", entry));
  const auto array = [&](std::uint32_t words) { return at.CreateAlloca(at.getInt64Ty(), at.getInt32(words)); };
  at.CreateRet(at.CreateCall(
      function, {entry->getArg(0), array(slots.room()), array(scalar_outputs.room()), array(step_values.room()),
                 array(step_sizes.room()), array(sizeof(abi::Work) / 8),
                 loop ? static_cast<llvm::Value*>(entry->getArg(1)) : llvm::ConstantPointerNull::get(at.getPtrTy())}));
}

// -- values -----------------------------------------------------------------------------------------------------------

llvm::Value* ProgramBuilder::value(ValueId id) {
  llvm::Value*& known = values_[id];
  if (known == nullptr && built_ == BuiltFunction::loop) known = word(id);  // computed before the loop
  if (known == nullptr) throw InternalError("codegen: %" + std::to_string(id.index) + " is used before its definition");
  return known;
}

llvm::Value* ProgramBuilder::word_place(llvm::IRBuilderBase& at, ValueId id) {
  return at.CreateConstInBoundsGEP1_64(at.getInt64Ty(), function->getArg(6), id.index);
}

llvm::Value* ProgramBuilder::word(ValueId id) {
  const Type& type = graph.type(id);
  llvm::Value* place = word_place(setup, id);
  if (!type.is_scalar()) return setup.CreateLoad(setup.getPtrTy(), place);
  llvm::Value* stored = setup.CreateLoad(memory_type(module.getContext(), type.element), place);
  return type.element == Element::logical ? setup.CreateICmpNE(stored, setup.getInt8(0)) : stored;
}

void ProgramBuilder::store_word(ValueId id) {
  llvm::Value* stored = value(id);
  if (graph.type(id).is_scalar() && graph.type(id).element == Element::logical)
    stored = builder.CreateZExt(stored, builder.getInt64Ty());
  builder.CreateStore(stored, word_place(builder, id));
}

void ProgramBuilder::define(ValueId id, llvm::Value* value) {
  values_[id] = value;
  const std::string& name = graph.values[id].name;
  if (!name.empty() && !value->hasName() && llvm::isa<llvm::Instruction>(value)) value->setName(name);
}

llvm::Constant* ProgramBuilder::constant_words(const std::vector<std::uint64_t>& words) {
  llvm::Constant*& known = constant_words_[words];
  if (known != nullptr) return known;
  llvm::Constant* array = llvm::ConstantDataArray::get(
      module.getContext(), words.empty() ? llvm::ArrayRef<std::uint64_t>{0} : llvm::ArrayRef(words));
  known = new llvm::GlobalVariable(module, array->getType(), true, llvm::GlobalValue::PrivateLinkage, array, "words");
  return known;
}

void ProgramBuilder::define_trip(ValueId id, llvm::Value* trip) {
  trips_[id] = trip;
  define(id, builder.CreateSIToFP(trip, builder.getDoubleTy()));
}

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

// What a sum may have of symbols, so that it cannot overflow: no run counts trips to 2^50, other symbols are no further out
// than beyond_extents: 8 * 16 * 2^50 + 4 * 2^60 + 2^53 < 2^63.
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

// -- memory -----------------------------------------------------------------------------------------------------------

llvm::Value* ProgramBuilder::field(llvm::Value* base, std::size_t offset, llvm::Type* type) {
  llvm::LoadInst* load = builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset));
  tag(load, Memory::buffer);
  return load;
}

llvm::Value* ProgramBuilder::elements(llvm::Value* buffer) {
  return field(buffer, offsetof(abi::Buffer, values), builder.getPtrTy());
}

llvm::Value* ProgramBuilder::row_pointers(llvm::Value* buffer) {
  return field(buffer, offsetof(abi::Buffer, row_pointers), builder.getPtrTy());
}

llvm::Value* ProgramBuilder::columns(llvm::Value* buffer) {
  return field(buffer, offsetof(abi::Buffer, columns), builder.getPtrTy());
}

llvm::Value* ProgramBuilder::element_count(llvm::Value* buffer, std::int32_t array, const Type& type) {
  llvm::Value* rows = type.storage == Storage::csr ? int64(INT64_MAX) : size(type.rows);
  llvm::Value* cols = type.storage == Storage::csr        ? int64(1)
                      : type.storage == Storage::diagonal ? int64(static_cast<std::int64_t>(type.offsets.size()))
                                                          : size(type.cols);
  return builder.CreateCall(runtime.lac_elements, {buffer, builder.getInt32(static_cast<std::uint32_t>(array)), rows,
                                                   cols, int64(byte_size(type.element))});
}

void ProgramBuilder::check_position(const char* access, llvm::Value* position, llvm::Value* count) {
  if (!check_bounds) return;
  unless(builder.CreateICmpULT(position, count), [&](llvm::BasicBlock*) {
    stop(builder.CreateCall(runtime.lac_outside,
                            {run, int32(location.index), builder.CreateGlobalStringPtr(access), position, count}));
  });
}

void ProgramBuilder::check_element(const char* access, llvm::Value* buffer, Element element, llvm::Value* position) {
  if (!check_bounds) return;
  check_position(access, position,
                 builder.CreateCall(runtime.lac_elements, {buffer, builder.getInt32(0), int64(INT64_MAX), int64(1),
                                                           int64(byte_size(element))}));
}

llvm::Value* ProgramBuilder::acquire(const Type& type, LocationId location) {
  llvm::Value* buffer = builder.CreateCall(runtime.lac_acquire, {run, int32(location.index), size(type.rows),
                                                                 size(type.cols), int64(byte_size(type.element))});
  stop_if_null(buffer);
  return buffer;
}

llvm::Value* ProgramBuilder::copy(llvm::Value* source, const Type& type, LocationId location) {
  llvm::Value* buffer = builder.CreateCall(runtime.lac_copy, {run, int32(location.index), source, size(type.rows),
                                                              size(type.cols), int64(byte_size(type.element))});
  stop_if_null(buffer);
  return buffer;
}

// Most stores that may make a matrix grow do not.
llvm::Value* ProgramBuilder::grow(llvm::Value* source, const Type& from, const Type& to, LocationId location) {
  llvm::Value *held_rows = size(from.rows), *held_cols = size(from.cols), *rows = size(to.rows), *cols = size(to.cols);
  llvm::Value* fits = builder.CreateAnd(builder.CreateICmpEQ(held_rows, rows), builder.CreateICmpEQ(held_cols, cols));
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::BasicBlock* grows = nullptr;
  llvm::Value* larger = nullptr;
  unless(fits, [&](llvm::BasicBlock* passed) {
    quiet.aside([&] {
      larger = builder.CreateCall(runtime.lac_grow, {run, int32(location.index), source, held_rows, held_cols, rows,
                                                     cols, int64(byte_size(to.element))});
      stop_if_null(larger);
    });
    grows = builder.GetInsertBlock();
    builder.CreateBr(passed);
  });
  llvm::PHINode* buffer = builder.CreatePHI(builder.getPtrTy(), 2);
  buffer->addIncoming(source, before);
  buffer->addIncoming(larger, grows);
  return buffer;
}

llvm::Value* ProgramBuilder::load_element(llvm::Value* buffer, Element element, llvm::Value* position) {
  check_element("load of an element", buffer, element, position);
  llvm::Type* type = memory_type(module.getContext(), element);
  llvm::Value* stored = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, elements(buffer), position));
  return element == Element::logical ? builder.CreateICmpNE(stored, builder.getInt8(0)) : stored;
}

void ProgramBuilder::store_element(llvm::Value* buffer, Element element, llvm::Value* position, llvm::Value* scalar) {
  check_element("store to an element", buffer, element, position);
  llvm::Type* type = memory_type(module.getContext(), element);
  llvm::Value* stored = element == Element::logical ? builder.CreateZExt(scalar, type) : scalar;
  builder.CreateStore(stored, builder.CreateInBoundsGEP(type, elements(buffer), position));
}

// -- control ----------------------------------------------------------------------------------------------------------

llvm::BasicBlock* ProgramBuilder::new_block(const char* name) {
  return llvm::BasicBlock::Create(module.getContext(), name, function);
}

void ProgramBuilder::likely_branch(llvm::Value* condition, llvm::BasicBlock* likely, llvm::BasicBlock* unlikely) {
  builder.CreateCondBr(condition, likely, unlikely, llvm::MDBuilder(module.getContext()).createBranchWeights(1000, 1));
}

void ProgramBuilder::stop(llvm::Value* status) {
  stop_status_->addIncoming(status, builder.GetInsertBlock());
  builder.CreateBr(stop_block_);
}

void ProgramBuilder::stop_unless_ok(llvm::Value* status) {
  llvm::BasicBlock* passed = new_block("passed");
  stop_status_->addIncoming(status, builder.GetInsertBlock());
  likely_branch(builder.CreateICmpEQ(status, builder.getInt32(abi::ok)), passed, stop_block_);
  builder.SetInsertPoint(passed);
}

void ProgramBuilder::stop_if_null(llvm::Value* buffer) {
  llvm::BasicBlock* passed = new_block("passed");
  stop_status_->addIncoming(builder.getInt32(abi::out_of_memory), builder.GetInsertBlock());
  likely_branch(builder.CreateIsNotNull(buffer), passed, stop_block_);
  builder.SetInsertPoint(passed);
}

}  // namespace lac::codegen
