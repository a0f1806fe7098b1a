// One function over a kernel's slots while it is being emitted: arguments, sizes, loops.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <string>
#include <vector>

#include "codegen/llvm/kernel/emitter.h"
#include "codegen/llvm/kernel/scalar_math.h"
#include "ir/plan/abi.h"
#include "ir/plan/slots.h"

namespace lac::codegen {

using llvm::Value;

/// What a kernel gets where its code stands in a function that has its arguments at hand, as load_slots reads them:
/// scalars in registers, the elements of dense matrices, the numbers of slot_sizes.
struct KernelArguments {
  std::vector<Value*> inputs, outputs, sizes;
  Value* partials = nullptr;  ///< memory for them where it has some

  // Under CodegenOptions::check_bounds:
  Value* context = nullptr;
  std::vector<Value*> input_counts, output_counts;                       ///< elements
  Value* partial_count = nullptr;                                        ///< likewise
  LocationId location = {};                                              ///< for messages
  std::function<void(llvm::IRBuilder<>& at, Value* status)> leave = {};  ///< ends the block
};

class KernelFunction {
 public:
  /// Emission starts where `at` is, in a function that goes on after it.
  KernelFunction(const llvm::IRBuilder<>& at, const Kernel& kernel, const TargetOptions& target,
                 const KernelArguments& arguments);
  /// `function` has the slots as its first argument and no body yet. Emission starts in its entry block.
  KernelFunction(llvm::Function* function, const Kernel& kernel, const TargetOptions& target);

  llvm::IRBuilder<>& builder() { return builder_; }
  const Kernel& kernel() const { return kernel_; }
  /// The nest that is being emitted: the kernel's last one until another is entered.
  const Nest& nest() const { return *nest_; }
  void enter(const Nest& nest) { nest_ = &nest; }
  const TargetOptions& target() const { return target_; }
  llvm::Function* function() const { return function_; }
  Value* argument(unsigned n) const { return function_->getArg(n); }

  /// Reads the slots here; the calls below refer to what was read.
  void load_slots();
  /// A constant or a size that the kernel mentions, as i64.
  Value* size(const Size& size) const;
  Value* output_pointer(std::uint32_t output) const { return outputs_[output]; }
  /// Elements of a dense input, the values of a sparse one.
  Value* input_pointer(std::uint32_t input) const;
  /// An array of a sparse input.
  Value* array(std::uint32_t input, ArrayRole role) const { return inputs_[input][array_position(input, role)]; }
  /// The value of a scalar input, in a register.
  Value* scalar_input(std::uint32_t input) const { return inputs_[input][0]; }
  /// From here on the code knows it to be this.
  void set_scalar_input(std::uint32_t input, Value* value) { inputs_[input] = {value}; }
  Value* partials() const { return partials_; }
  /// The slices of a csr input (abi::Slices*, may be null at run time); null here where this code takes none.
  Value* slices(std::uint32_t input) const { return slices_.empty() ? nullptr : slices_[input]; }

  /// Whether the output is written past the caches (streams.h): i1, null where it never is.
  Value* streams(std::uint32_t output) const { return output == streamed_ ? streams_ : nullptr; }
  void set_stream(std::uint32_t output, Value* streams) {
    streamed_ = output;
    streams_ = streams;
  }

  /// Under CodegenOptions::check_bounds (see CheckSlots): the elements of an array of an input, of an output, of the
  /// partials; the context of the run. Null without it.
  Value* input_count(std::uint32_t input, ArrayRole role = ArrayRole::values) const;
  Value* output_count(std::uint32_t output) const;
  Value* partial_elements() const { return check_.partials; }
  Value* context() const { return check_.context; }
  /// Calls lac_outside for an access that is outside, and leaves the function.
  void outside(const std::string& access, Value* position, Value* count);

  Value* integer(std::int64_t value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  /// 0, 1, ... as a vector of integers.
  Value* iota(unsigned lanes);
  /// l mod `column` (rows) or l / `column` (cols) of every lane l.
  Value* lanes_of_columns(unsigned lanes, unsigned column, Axis axis);
  Value* splat(Value* value, unsigned lanes) { return lanes == 1 ? value : builder_.CreateVectorSplat(lanes, value); }
  /// The smaller of two i64.
  Value* smaller(Value* a, Value* b);
  Value* larger(Value* a, Value* b);
  /// &pointer[index] for elements of `type`.
  Value* element(llvm::Type* type, Value* pointer, Value* index) { return builder_.CreateGEP(type, pointer, index); }

  /// A stack slot, placed in the entry block.
  llvm::AllocaInst* local(llvm::Type* type, llvm::StringRef name);
  /// From here on loops between constants are written out: what lies in the frame has constant places then, and LLVM
  /// keeps it in registers.
  void unroll() { unrolls_ = true; }
  bool unrolls() const { return unrolls_; }
  /// for (index = begin; index < end; index += step) body(index)
  void loop(Value* begin, Value* end, std::int64_t step, llvm::function_ref<void(Value*)> body);
  void loop(Value* begin, Value* end, Value* step, llvm::function_ref<void(Value*)> body);
  void when(Value* condition, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise = {});

 private:
  void load_check_slots();
  Value* load_slot(llvm::Type* type, std::uint32_t index);
  std::size_t array_position(std::uint32_t input, ArrayRole role) const;

  llvm::Function* function_;
  const Kernel& kernel_;
  const Nest* nest_;
  const TargetOptions& target_;
  llvm::IRBuilder<> builder_;
  std::vector<Size> size_list_;
  std::vector<Value*> sizes_;
  std::vector<std::vector<Value*>> inputs_;
  std::vector<Value*> outputs_;
  std::uint32_t streamed_ = 0;
  bool unrolls_ = false;
  Value* streams_ = nullptr;
  Value* partials_ = nullptr;
  std::vector<Value*> slices_;  ///< by input
  struct {
    Value* context = nullptr;
    Value* partials = nullptr;
    std::vector<std::vector<Value*>> inputs;
    std::vector<Value*> outputs;
    std::int32_t location = abi::in_kernel;
    std::function<void(llvm::IRBuilder<>&, Value*)> leave;
  } check_;
};

}  // namespace lac::codegen
