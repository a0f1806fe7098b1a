#include "codegen/llvm/program/builder.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <type_traits>

#include "codegen/llvm/machine/source_lines.h"
#include "codegen/llvm/program/host_scalar.h"
#include "codegen/llvm/program/program.h"
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
  for (llvm::FunctionCallee callee : {lac_loop_begin, lac_trip, lac_compared, lac_loop_end, lac_tell, lac_forget})
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

namespace {

// The rows and columns of what a loop carries, and a branch or loop leaves, are carried and left beside it.
void for_each_held_extent(const Graph& plan, const std::function<void(SymbolId)>& visit) {
  const auto beside = [&](const std::vector<ValueId>& values) {
    for (const ValueId value : values)
      for (const Size& extent : {plan.type(value).rows, plan.type(value).cols})
        if (const auto symbol = extent.as_symbol(); symbol && plan.symbols[*symbol].origin == SymbolOrigin::value)
          if (std::ranges::find(values, plan.symbols[*symbol].value) != values.end()) visit(*symbol);
  };
  for_each_op(plan, plan.body, [&](OpId id) {
    const Op& op = plan.ops[id];
    if (op.kind == OpKind::loop) beside(plan.blocks[op.blocks[0]].arguments);
    if (op.kind == OpKind::loop || op.kind == OpKind::branch) beside(op.results);
  });
}

}  // namespace

ProgramBuilder::ProgramBuilder(llvm::Module& module, const Plan& plan, BuiltFunction built, const TargetOptions& target)
    : plan(plan),
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
  extents_.resize(plan.values.size());
  for_each_held_extent(plan, [&](SymbolId symbol) { held_extents_.insert(symbol); });
  if (check_bounds) setup.CreateCall(runtime.lac_check_bounds, {run});
  if (target.places) take_places(*function);
}

void ProgramBuilder::move_to(LocationId place) {
  location = place;
  if (place.valid()) stand_at(builder, place);
}

namespace {

llvm::MDNode* access_tag(llvm::LLVMContext& context, Memory memory) {
  static constexpr const char* names[] = {"buffer", "element", "count"};
  llvm::MDBuilder metadata(context);
  llvm::MDNode* type =
      metadata.createTBAAScalarTypeNode(names[static_cast<int>(memory)], metadata.createTBAARoot("lac"));
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
  if (known == nullptr && built_ == BuiltFunction::loop) known = from_before(id);
  if (known == nullptr) throw InternalError("codegen: %" + std::to_string(id.index) + " is used before its definition");
  return known;
}

llvm::Value* ProgramBuilder::constant(const Op& op) {
  llvm::Value* number = llvm::ConstantFP::get(setup.getDoubleTy(), attribute<double>(op));
  return from_double(setup, number, plan.type(op.results[0]).element);
}

// LLVM would not know of a constant in a word of the run that it is one: a `mod(n, 2)` would be a call.
llvm::Value* ProgramBuilder::from_before(ValueId id) {
  const Op* definition = plan.definition(id);
  return definition != nullptr && definition->kind == OpKind::constant ? constant(*definition) : word(id);
}

llvm::Value* ProgramBuilder::word_place(llvm::IRBuilderBase& at, ValueId id) {
  return at.CreateConstInBoundsGEP1_64(at.getInt64Ty(), function->getArg(6), id.index);
}

llvm::Value* ProgramBuilder::word(ValueId id) {
  const Type& type = plan.type(id);
  llvm::Value* place = word_place(setup, id);
  if (!type.is_scalar()) return setup.CreateLoad(setup.getPtrTy(), place);
  llvm::Value* stored = setup.CreateLoad(memory_type(module.getContext(), type.element), place);
  return type.element == Element::logical ? setup.CreateICmpNE(stored, setup.getInt8(0)) : stored;
}

void ProgramBuilder::store_word(ValueId id) {
  llvm::Value* stored = value(id);
  if (plan.type(id).is_scalar() && plan.type(id).element == Element::logical)
    stored = builder.CreateZExt(stored, builder.getInt64Ty());
  builder.CreateStore(stored, word_place(builder, id));
}

void ProgramBuilder::define(ValueId id, llvm::Value* value) {
  values_[id] = value;
  const std::string& name = plan.values[id].name;
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

void ProgramBuilder::note_most_trips(ValueId id, double most) {
  if (most < static_cast<double>(most_trips_counted)) most_trips_[id] = static_cast<std::int64_t>(most);
}

// -- memory -----------------------------------------------------------------------------------------------------------

llvm::Value* ProgramBuilder::field(llvm::Value* base, std::size_t offset, llvm::Type* type) {
  llvm::LoadInst* load =
      builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset));
  tag(load, Memory::buffer);
  return load;
}

llvm::Value* ProgramBuilder::array(llvm::Value* buffer, ArrayRole role) {
  static constexpr std::array<std::size_t, array_roles> offsets = {
      offsetof(abi::Buffer, values), offsetof(abi::Buffer, row_pointers), offsetof(abi::Buffer, columns)};
  return field(buffer, offsets[static_cast<std::size_t>(role)], builder.getPtrTy());
}

llvm::Value* ProgramBuilder::elements(llvm::Value* buffer) { return array(buffer, ArrayRole::values); }

llvm::Value* ProgramBuilder::element_count(llvm::Value* buffer, ArrayRole role, const Type& type) {
  // The most that the type says; the rest knows whoever holds the matrix.
  const bool is_known = !format(type.storage).is_counted_at_run;
  llvm::Value* rows = is_known ? size(type.rows) : int64(INT64_MAX);
  llvm::Value* cols = !is_known         ? int64(1)
                      : type.is_dense() ? size(type.cols)
                                        : int64(static_cast<std::int64_t>(type.offsets.size()));
  return builder.CreateCall(runtime.lac_elements, {buffer, builder.getInt32(static_cast<std::uint32_t>(role)), rows,
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
  check_position(
      access, position,
      builder.CreateCall(runtime.lac_elements, {buffer, builder.getInt32(static_cast<std::uint32_t>(ArrayRole::values)),
                                                int64(INT64_MAX), int64(1), int64(byte_size(element))}));
}

llvm::Value* ProgramBuilder::acquire(const Type& type, LocationId location) {
  llvm::Value* buffer = builder.CreateCall(runtime.lac_acquire, {run, int32(location.index), size(type.rows),
                                                                 size(type.cols), int64(byte_size(type.element))});
  stop_if_null(buffer);
  return buffer;
}

llvm::Value* ProgramBuilder::frame_buffer(const Type& type) {
  constexpr std::uint64_t line = 64;  // bytes, as the pool's memory begins at
  const std::int64_t count = type.count().constant();
  llvm::Type* bytes =
      llvm::ArrayType::get(setup.getInt8Ty(), static_cast<std::uint64_t>(count * byte_size(type.element)));
  llvm::AllocaInst* elements = setup.CreateAlloca(bytes, nullptr, "elements");
  elements->setAlignment(llvm::Align(line));
  llvm::AllocaInst* buffer = setup.CreateAlloca(llvm::ArrayType::get(setup.getInt64Ty(), sizeof(abi::Buffer) / 8));
  const auto set = [&](std::size_t offset, llvm::Value* value) {
    tag(setup.CreateStore(value, setup.CreateConstInBoundsGEP1_64(setup.getInt8Ty(), buffer, offset)), Memory::buffer);
  };
  set(offsetof(abi::Buffer, values), elements);
  set(offsetof(abi::Buffer, in_frame), setup.getInt64(static_cast<std::uint64_t>(count)));
  return buffer;
}

void ProgramBuilder::copy_elements(llvm::Value* from, llvm::Value* to, const Type& type) {
  const auto bytes = static_cast<std::uint64_t>(type.count().constant() * byte_size(type.element));
  builder.CreateMemCpy(elements(to), llvm::Align(1), elements(from), llvm::Align(1), bytes);
}

llvm::Value* ProgramBuilder::copy(llvm::Value* source, const Type& type, LocationId location) {
  llvm::Value* buffer = builder.CreateCall(runtime.lac_copy, {run, int32(location.index), source, size(type.rows),
                                                              size(type.cols), int64(byte_size(type.element))});
  stop_if_null(buffer);
  return buffer;
}

// Most stores that may make a matrix grow do not. Where an extent gets smaller, the elements are
// those that come first.
llvm::Value* ProgramBuilder::grow(llvm::Value* source, const Type& from, const Type& to, LocationId location) {
  llvm::Value *held_rows = size(from.rows), *held_cols = size(from.cols), *rows = size(to.rows), *cols = size(to.cols);
  llvm::Value* fits = builder.CreateAnd(builder.CreateICmpEQ(held_rows, rows), builder.CreateICmpEQ(held_cols, cols));
  if (!check_bounds) {
    llvm::Value* is_part =
        builder.CreateOr(builder.CreateICmpSLT(rows, held_rows), builder.CreateICmpSLT(cols, held_cols));
    fits = builder.CreateOr(is_part, fits);
  }
  std::vector<std::pair<llvm::Value*, llvm::BasicBlock*>> grown = {{source, builder.GetInsertBlock()}};
  unless(fits, [&](llvm::BasicBlock* passed) {
    const bool by_rows = from.cols.is(1) && to.cols.is(1), by_cols = from.rows == to.rows && to.rows.is_constant();
    if ((by_rows || by_cols) && !check_bounds) {
      const std::int64_t element_bytes = byte_size(to.element) * (by_rows ? 1 : to.rows.constant());
      llvm::BasicBlock* no_room =
          append_in_place(source, by_rows ? held_rows : held_cols, by_rows ? rows : cols, element_bytes);
      grown.emplace_back(source, builder.GetInsertBlock());
      builder.CreateBr(passed);
      builder.SetInsertPoint(no_room);
    }
    llvm::Value* larger = nullptr;
    quiet.aside([&] {
      larger = builder.CreateCall(runtime.lac_grow, {run, int32(location.index), source, held_rows, held_cols, rows,
                                                     cols, int64(byte_size(to.element))});
      stop_if_null(larger);
    });
    grown.emplace_back(larger, builder.GetInsertBlock());
    builder.CreateBr(passed);
  });
  llvm::PHINode* buffer = builder.CreatePHI(builder.getPtrTy(), 3);
  for (const auto& [value, block] : grown) buffer->addIncoming(value, block);
  return buffer;
}

// What is appended to a vector, or as columns, lies behind what there is: zeros, where the buffer has room for them.
// The block where it goes on if there is none.
llvm::BasicBlock* ProgramBuilder::append_in_place(llvm::Value* buffer, llvm::Value* held, llvm::Value* wanted,
                                                  std::int64_t element_bytes) {
  constexpr std::int64_t most = std::int64_t{1} << 40;  // elements of which bytes can be counted
  llvm::BasicBlock *no_room = new_block("no_room"), *counted = new_block("counted"), *room = new_block("room"),
                   *one = new_block("one"), *several = new_block("several"), *cleared = new_block("cleared");
  builder.CreateCondBr(builder.CreateICmpULT(wanted, int64(most)), counted, no_room);
  builder.SetInsertPoint(counted);
  llvm::Value* bytes = builder.CreateNUWMul(wanted, int64(element_bytes));
  llvm::Value* capacity = field(buffer, offsetof(abi::Buffer, capacity), builder.getInt64Ty());
  builder.CreateCondBr(builder.CreateICmpULE(bytes, capacity), room, no_room);
  builder.SetInsertPoint(room);
  llvm::Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, offsetof(abi::Buffer, bytes));
  tag(builder.CreateStore(bytes, place), Memory::buffer);
  llvm::Value* held_bytes = builder.CreateNUWMul(held, int64(element_bytes));
  llvm::Value* behind = builder.CreateInBoundsGEP(builder.getInt8Ty(), elements(buffer), held_bytes);
  llvm::Value* added = builder.CreateSub(bytes, held_bytes);
  const bool is_word = element_bytes == 1 || element_bytes == 4 || element_bytes == 8;
  llvm::Value* single = is_word ? builder.CreateICmpEQ(added, int64(element_bytes)) : builder.getFalse();
  builder.CreateCondBr(single, one, several);
  builder.SetInsertPoint(one);
  if (is_word) builder.CreateStore(builder.getIntN(static_cast<unsigned>(8 * element_bytes), 0), behind);
  builder.CreateBr(cleared);
  builder.SetInsertPoint(several);
  builder.CreateMemSet(behind, builder.getInt8(0), added, llvm::MaybeAlign(1));
  builder.CreateBr(cleared);
  builder.SetInsertPoint(cleared);
  return no_room;
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
