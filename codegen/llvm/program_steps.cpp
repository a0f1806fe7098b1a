#include "codegen/llvm/host_scalar.h"
#include "codegen/llvm/program_ops.h"
#include "ir/support/result.h"

namespace lac::codegen {
namespace {

llvm::FunctionCallee step_function(const RuntimeFunctions& runtime, OpKind kind) {
  switch (kind) {
    case OpKind::table:
    case OpKind::text:
    case OpKind::library: return runtime.lac_library;
    case OpKind::scan: return runtime.lac_scan;
    case OpKind::random: return runtime.lac_random;
    case OpKind::check: return runtime.lac_fail;
    case OpKind::warn: return runtime.lac_warn;
    case OpKind::print: return runtime.lac_print;
    case OpKind::format: return runtime.lac_format;
    case OpKind::output: return runtime.lac_output;
    default: throw InternalError("codegen: '" + std::string(info(kind).name) + "' is no host step");
  }
}

class StepCall {
 public:
  StepCall(ProgramBuilder& p, OpId id) : p_(p), op_(p.plan.ops[id]), number_(p.step_number(id)) {}

  std::uint32_t number() const { return number_; }

  /// Stores operands and sizes; what has the sizes.
  llvm::Value* store() {
    for (ValueId operand : op_.operands) {
      llvm::Value* value = p_.value(operand);
      if (p_.plan.type(operand).is_scalar()) value = to_double(p_.builder, value);
      p_.builder.CreateStore(value, p_.step_values.element(p_.builder, values_++));
      store_sizes(p_.plan.type(operand));
    }
    for (ValueId result : op_.results) store_sizes(p_.plan.type(result));
    const auto room = static_cast<std::uint32_t>(op_.operands.size() + op_.results.size());
    p_.step_values.with_room(std::max(room, 1u));
    return sizes();
  }

  /// Calls; the returned status is not yet looked at.
  llvm::Value* call() {
    llvm::Value* its_sizes = store();
    return p_.builder.CreateCall(step_function(p_.runtime, op_.kind),
                                 {p_.run, p_.int32(number_), p_.step_values.with_room(1), its_sizes});
  }

  void read_results() {
    for (ValueId result : op_.results) {
      const Type& type = p_.plan.type(result);
      llvm::Value* place = p_.step_values.element(p_.builder, values_++);
      llvm::Type* stored =
          type.is_scalar() ? p_.builder.getDoubleTy() : static_cast<llvm::Type*>(p_.builder.getPtrTy());
      llvm::Value* value = p_.builder.CreateLoad(stored, place);
      p_.define(result, type.is_scalar() ? from_double(p_.builder, value, type.element) : value);
    }
  }

  // A step always makes new buffers, so an operand that the plan lets a result take over goes back to the pool.
  void release_reused() {
    for (std::size_t result = 0; result < op_.results.size(); ++result) {
      const std::int32_t reused = taken_over(op_, result);
      if (reused < 0) continue;
      const ValueId operand = op_.operands[static_cast<std::size_t>(reused)];
      if (!p_.plan.type(operand).is_scalar())
        p_.builder.CreateCall(p_.runtime.lac_release, {p_.run, p_.value(operand)});
    }
  }

 private:
  void store_sizes(const Type& type) {
    const auto store = [&](const Size& size) { sizes_.push_back(p_.size(size)); };
    store(type.rows);
    store(type.cols);
    for (const Size& offset : type.offsets) store(offset);
  }

  // Those of scalars are known.
  llvm::Value* sizes() {
    std::vector<std::uint64_t> known;
    for (llvm::Value* size : sizes_)
      if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(size)) known.push_back(constant->getZExtValue());
    if (known.size() == sizes_.size()) return p_.constant_words(known);
    for (std::uint32_t n = 0; n < sizes_.size(); ++n)
      p_.builder.CreateStore(sizes_[n], p_.step_sizes.element(p_.builder, n));
    return p_.step_sizes.with_room(1);
  }

  ProgramBuilder& p_;
  const Op& op_;
  std::uint32_t number_;
  std::uint32_t values_ = 0;
  std::vector<llvm::Value*> sizes_;
};

}  // namespace

void emit_step(ProgramBuilder& p, OpId id) {
  StepCall step(p, id);
  p.stop_unless_ok(step.call());
  step.read_results();
  step.release_reused();
}

void emit_condition(ProgramBuilder& p, OpId id) {
  const Op& op = p.plan.ops[id];
  p.unless(p.value(op.operands[0]), [&](llvm::BasicBlock* passed) {
    StepCall step(p, id);
    if (op.kind == OpKind::check) return p.quiet.fail(step.number(), step.store());
    p.stop_unless_ok(step.call());
    p.builder.CreateBr(passed);
  });
}

}  // namespace lac::codegen
