#include "codegen/llvm/program/host_scalar.h"
#include "codegen/llvm/program/ops.h"
#include "ir/plan/small_system.h"
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

  /// The same with buffers for the results; null for scalars.
  llvm::Value* call_in_frame(const std::vector<llvm::Value*>& made) {
    llvm::Value* its_sizes = store();
    for (std::uint32_t n = 0; n < made.size(); ++n)
      if (made[n]) p_.builder.CreateStore(made[n], p_.step_values.element(p_.builder, values_ + n));
    return p_.builder.CreateCall(p_.runtime.lac_library_in_frame,
                                 {p_.run, p_.int32(number_), p_.step_values.with_room(1), its_sizes});
  }

  /// Result n, a scalar, as a double.
  llvm::Value* scalar_result(std::uint32_t n) {
    return p_.builder.CreateLoad(p_.builder.getDoubleTy(), p_.step_values.element(p_.builder, values_ + n));
  }

  /// Those of `made` are known.
  void read_results(const std::vector<llvm::Value*>& made = {}) {
    for (std::size_t n = 0; n < op_.results.size(); ++n) {
      const Type& type = p_.plan.type(op_.results[n]);
      llvm::Value* place = p_.step_values.element(p_.builder, values_++);
      if (type.is_scalar()) {
        llvm::Value* number = p_.builder.CreateLoad(p_.builder.getDoubleTy(), place);
        p_.define(op_.results[n], from_double(p_.builder, number, type.element));
      } else {
        p_.define(op_.results[n], made.empty() ? p_.builder.CreateLoad(p_.builder.getPtrTy(), place) : made[n]);
      }
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

// The elements of the operands one after the other, as the step has them: by way of doubles.
void emit_literal(ProgramBuilder& p, const Op& op, llvm::Value* made) {
  const Element element = p.plan.type(op.results[0]).element;
  std::int64_t next = 0;
  const auto put = [&](llvm::Value* scalar) {
    p.store_element(made, element, p.int64(next++), from_double(p.builder, to_double(p.builder, scalar), element));
  };
  for (const ValueId operand : op.operands) {
    const Type& type = p.plan.type(operand);
    if (type.is_scalar()) put(p.value(operand));
    else
      for (std::int64_t k = 0; k < type.count().constant(); ++k)
        put(p.load_element(p.value(operand), type.element, p.int64(k)));
  }
}

void emit_small_solve(ProgramBuilder& p, const Op& op, StepCall& step, const std::vector<llvm::Value*>& made) {
  const Type &a = p.plan.type(op.operands[0]), &x = p.plan.type(op.results[0]);
  llvm::Value* done = p.builder.CreateCall(
      p.runtime.lac_solve_in_frame, {p.run, p.int32(step.number()), p.value(op.operands[0]), p.value(op.operands[1]),
                                     made[0], p.size(a.rows), p.size(x.cols), p.int64(byte_size(a.element))});
  p.unless(p.builder.CreateICmpNE(done, p.builder.getInt32(0)), [&](llvm::BasicBlock* passed) {
    p.quiet.aside([&] { p.stop_unless_ok(step.call_in_frame(made)); });
    p.builder.CreateBr(passed);
  });
  p.define(op.results[0], made[0]);
}

void emit_small_inverse(ProgramBuilder& p, const Op& op, StepCall& step, const std::vector<llvm::Value*>& made) {
  const Type& a = p.plan.type(op.operands[0]);
  const bool inverse = attribute<LibraryFn>(op) == LibraryFn::inverse;
  llvm::Value* value = inverse ? nullptr : p.setup.CreateAlloca(p.setup.getDoubleTy(), nullptr, "det");
  llvm::Value* done = p.builder.CreateCall(inverse ? p.runtime.lac_inverse_in_frame : p.runtime.lac_det_in_frame,
                                           {p.run, p.int32(step.number()), p.value(op.operands[0]),
                                            inverse ? made[0] : value, p.size(a.rows), p.int64(byte_size(a.element))});
  p.unless(p.builder.CreateICmpNE(done, p.builder.getInt32(0)), [&](llvm::BasicBlock* passed) {
    p.quiet.aside([&] { p.stop_unless_ok(step.call_in_frame(made)); });
    if (value) p.builder.CreateStore(step.scalar_result(0), value);
    p.builder.CreateBr(passed);
  });
  llvm::Value* result = made[0];
  if (value) result = from_double(p.builder, p.builder.CreateLoad(p.builder.getDoubleTy(), value), a.element);
  p.define(op.results[0], result);
}

// In straight code: matrices are in the frame. The runtime hears of the trips, as the step may speak.
void emit_step_in_frame(ProgramBuilder& p, OpId id) {
  const Op& op = p.plan.ops[id];
  std::vector<llvm::Value*> made;
  for (const ValueId result : op.results) {
    const Type& type = p.plan.type(result);
    made.push_back(type.is_scalar() ? nullptr : p.frame_buffer(type));
  }
  if (attribute<LibraryFn>(op) == LibraryFn::literal && made[0]) {
    emit_literal(p, op, made[0]);
    return p.define(op.results[0], made[0]);
  }
  StepCall step(p, id);
  if (solves_few(p.plan, op)) return emit_small_solve(p, op, step, made);
  if (inverts_few(p.plan, op)) return emit_small_inverse(p, op, step, made);
  p.quiet.aside([&] { p.stop_unless_ok(step.call_in_frame(made)); });
  step.read_results(made);
}

}  // namespace

void emit_step(ProgramBuilder& p, OpId id) {
  if (p.quiet.inside() && p.plan.ops[id].kind == OpKind::library) return emit_step_in_frame(p, id);
  StepCall step(p, id);
  if (p.plan.ops[id].kind == OpKind::random) p.stop_unless_ok(step.call());
  else p.quiet.aside([&] { p.stop_unless_ok(step.call()); });
  step.read_results();
  step.release_reused();
}

void emit_condition(ProgramBuilder& p, OpId id) {
  const Op& op = p.plan.ops[id];
  p.unless(p.value(op.operands[0]), [&](llvm::BasicBlock* passed) {
    StepCall step(p, id);
    if (op.kind == OpKind::check) return p.quiet.fail(step.number(), step.store());
    p.quiet.aside([&] { p.stop_unless_ok(step.call()); });
    p.builder.CreateBr(passed);
  });
}

}  // namespace lac::codegen
