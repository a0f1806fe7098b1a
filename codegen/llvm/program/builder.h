// The state of one lac_program under construction, and what every op's emission needs from it.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/llvm/kernel/emitter.h"
#include "codegen/llvm/program/loops.h"
#include "ir/plan/abi.h"
#include "ir/plan/plan.h"

namespace lac::codegen {

/// The runtime's functions (plan/abi_functions.def), declared in the module on construction.
struct RuntimeFunctions {
  explicit RuntimeFunctions(llvm::Module& module);
#define LAC_ABI(name, ...) llvm::FunctionCallee name;
#include "ir/plan/abi_functions.def"
#undef LAC_ABI
};

/// A stack array of 64-bit words that several calls fill one after another; as large as the largest of them needs. It
/// lies in the caller's frame: LLVM looks at all uses of an array of the own frame at each of them.
class SharedArray {
 public:
  SharedArray(llvm::Argument* array, const char* name) : array_(array) { array->setName(name); }
  /// The array, grown to at least `count` elements.
  llvm::Value* with_room(std::uint32_t count);
  llvm::Value* element(llvm::IRBuilderBase& builder, std::uint32_t index);
  std::uint32_t room() const { return room_; }

 private:
  llvm::Argument* array_;
  std::uint32_t room_ = 1;
};

/// lac_program, or lac_loop, which gets what is computed outside of it in words (runtime/cpu/plan_runner.h).
enum class BuiltFunction { program, loop };

/// What lies in memory of a kind of its own: accesses to one are none to another.
enum class Memory : std::uint8_t {
  buffer,   ///< the fields of a Buffer
  element,  ///< of matrices; scalars
  count,    ///< of straight code
};

class ProgramBuilder {
 public:
  /// With `target.check_bounds` the program asserts its accesses to memory (CodegenOptions).
  ProgramBuilder(llvm::Module& module, const Plan& plan, BuiltFunction function, const TargetOptions& target);
  /// Ends the function after the last op, and makes lac_program, which calls it with the arrays.
  void finish();

  const Plan& plan;
  const TargetOptions& target;
  const bool check_bounds;
  LocationId location;  ///< of the op that is emitted, for the messages of checks
  /// The ops that follow stand there.
  void move_to(LocationId place);
  llvm::Module& module;
  llvm::Function* function;  ///< program_body
  llvm::Value* run;          ///< the Context*

 private:
  llvm::BasicBlock* setup_block_;  // initialised before the builders that write to it
  llvm::BasicBlock* body_block_;

 public:
  llvm::IRBuilder<> setup;    ///< writes into the entry block, which dominates everything
  llvm::IRBuilder<> builder;  ///< writes where the walk of the plan is
  RuntimeFunctions runtime;
  SharedArray slots, scalar_outputs, step_values, step_sizes;
  llvm::Value* work;  ///< an abi::Work, likewise
  QuietLoops quiet;

  // -- values
  llvm::Value* value(ValueId id);
  llvm::Value* constant(const Op& op);
  /// loop: the word of a value as it was when the function began; and the value into its word.
  llvm::Value* word(ValueId id);
  void store_word(ValueId id);
  void define(ValueId id, llvm::Value* value);
  /// The number of the trip at hand: as an integer, from 0 (most_trips_counted).
  void define_trip(ValueId id, llvm::Value* trip);
  /// Of a loop that is to be emitted: no trip has a larger number.
  void note_most_trips(ValueId id, double most);
  /// An integer scalar that is defined, as an i64: the number where that is an extent or one with the other sign, else
  /// what is beyond all of them with its sign, though steps of a loop may have moved it (StraightIntegers). NaN counts
  /// as 0 and has none that is defined.
  llvm::Value* extent(ValueId id);
  void define_extent(ValueId id, llvm::Value* extent) { extents_[id] = extent; }
  /// Whether extent(id) stands ready; and whether it surely is no more than a few extents, added.
  bool has_extent(ValueId id) const { return extents_[id] != nullptr || trips_[id] != nullptr; }
  bool is_sure(ValueId id) const;
  /// Whether an i64 is the better form of it: a sum of symbols, or of products of them that are seldom large.
  static bool is_often_integer(const Size& size);
  /// i1: an i64 that is exact as a double.
  llvm::Value* is_exact(llvm::Value* extent);
  llvm::Value* int64(std::int64_t number) { return builder.getInt64(static_cast<std::uint64_t>(number)); }
  /// A constant array; equal ones are one.
  llvm::Constant* constant_words(const std::vector<std::uint64_t>& words);
  llvm::Value* int32(std::size_t number) { return builder.getInt32(static_cast<std::uint32_t>(number)); }
  /// The size as an i64, as Size::evaluate has it: what is not between -2^53 and 2^53 is beyond_extents. Sizes over
  /// parameters alone are computed once, in the entry block.
  llvm::Value* size(const Size& size);
  /// The size as a double, which shows how large what is beyond all extents is.
  llvm::Value* number(const Size& size);
  /// Ends the run where one of the sizes is beyond all extents and `count` elements, which need them, are not none.
  void stop_beyond_extents(const std::vector<Size>& sizes, LocationId location, const Size& count = 1);
  llvm::Value* argument_field(std::uint32_t parameter, std::size_t offset, llvm::Type* type);
  llvm::Value* integer_of(llvm::Value* scalar);  ///< an integer scalar as an i64

  // -- memory
  void tag(llvm::Instruction* access, Memory memory);
  llvm::Value* field(llvm::Value* base, std::size_t offset, llvm::Type* type);  ///< loads from base + offset bytes
  llvm::Value* array(llvm::Value* buffer, ArrayRole role);                      ///< of a matrix (ir/types/storage.h)
  llvm::Value* elements(llvm::Value* buffer);                                   ///< its values
  /// lac_elements: how many elements an array of a buffer of this type has.
  llvm::Value* element_count(llvm::Value* buffer, ArrayRole role, const Type& type);
  /// Under check_bounds: stops the program unless position < count.
  void check_position(const char* access, llvm::Value* position, llvm::Value* count);
  llvm::Value* acquire(const Type& type, LocationId location);
  llvm::Value* copy(llvm::Value* buffer, const Type& type, LocationId location);
  /// A buffer for a small matrix in the frame of the program. What it holds is anything.
  llvm::Value* frame_buffer(const Type& type);
  /// The elements of small matrices of one type; the buffers may be one.
  void copy_elements(llvm::Value* from, llvm::Value* to, const Type& type);
  /// `buffer`, which holds a value of type `from` and is the caller's no more, extended to type `to`.
  llvm::Value* grow(llvm::Value* buffer, const Type& from, const Type& to, LocationId location);
  /// The element at a 0-based position of a dense buffer, as a scalar; and its store.
  llvm::Value* load_element(llvm::Value* buffer, Element element, llvm::Value* position);
  void store_element(llvm::Value* buffer, Element element, llvm::Value* position, llvm::Value* scalar);

  // -- control
  llvm::BasicBlock* new_block(const char* name);
  void stop_unless_ok(llvm::Value* status);
  void stop_if_null(llvm::Value* buffer);
  void stop(llvm::Value* status);  ///< ends the current block
  /// Continues in a new block where `condition` holds; `cold` is emitted for where it does not.
  template <class F>
  void unless(llvm::Value* condition, F&& cold) {
    llvm::BasicBlock* failed = new_block("failed");
    llvm::BasicBlock* passed = new_block("passed");
    likely_branch(condition, passed, failed);
    builder.SetInsertPoint(failed);
    cold(passed);
    builder.SetInsertPoint(passed);
  }

  // -- numbering shared with the manifest
  std::uint32_t step_number(OpId op) const { return steps_.at(op); }
  std::uint32_t loop_number(OpId op) const { return loops_.at(op); }

 private:
  llvm::BasicBlock* append_in_place(llvm::Value* buffer, llvm::Value* held, llvm::Value* wanted,
                                    std::int64_t element_bytes);
  void check_element(const char* access, llvm::Value* buffer, Element element, llvm::Value* position);
  void likely_branch(llvm::Value* condition, llvm::BasicBlock* likely, llvm::BasicBlock* unlikely);
  llvm::Value* symbol(SymbolId id, llvm::IRBuilderBase& at);
  llvm::Value* polynomial(const Size& size, llvm::IRBuilderBase& at);
  std::pair<llvm::Value*, llvm::Value*> sum_of(const Size& size, llvm::IRBuilderBase& at);  ///< and its magnitude
  bool is_trip(SymbolId id) const;
  std::int64_t most_trips(SymbolId id) const;
  bool is_sure_extent(SymbolId id) const;
  bool needs_no_check(const Size& size) const;
  int unsure_symbols(const Size& size) const;
  bool counts_trips(const Size& size) const;
  bool is_position_of_trip(const Size& size) const;
  struct IntegerSum {
    llvm::Value* value;
    llvm::Value* exact;  ///< whether it is; null: no matter
  };
  llvm::Value* extent_of_number(llvm::Value* number);
  llvm::Value* convert_by_processor(llvm::Value* number);
  IntegerSum integer_sum(const Size& size, llvm::IRBuilderBase& at);
  /// Exact where each symbol is at most its magnitude.
  IntegerSum sum_of_products(const Size& size, const std::map<SymbolId, std::int64_t>& most);
  llvm::Value* if_exact(llvm::Value* exact, llvm::Value* integer, llvm::function_ref<llvm::Value*()> in_double);
  void make_entry();

  llvm::Value* word_place(llvm::IRBuilderBase& at, ValueId id);
  llvm::Value* from_before(ValueId id);  ///< loop: what was computed before it

  BuiltFunction built_;
  llvm::Value* arguments_;
  llvm::BasicBlock* stop_block_;
  llvm::PHINode* stop_status_;
  IdVector<ValueId, llvm::Value*> values_, trips_, extents_;
  std::unordered_map<ValueId, std::int64_t> most_trips_;
  std::set<SymbolId> held_extents_;  ///< of matrices that there are where the symbol is
  std::unordered_map<OpId, std::uint32_t> steps_, loops_;
  std::vector<std::pair<Size, llvm::Value*>> parameter_sizes_;
  std::map<std::vector<std::uint64_t>, llvm::Constant*> constant_words_;
};

}  // namespace lac::codegen
