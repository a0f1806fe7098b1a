#include "codegen/llvm/program/loops.h"

#include <algorithm>

#include "codegen/llvm/machine/optimize.h"
#include "codegen/llvm/program/builder.h"
#include "codegen/llvm/program/host_scalar.h"
#include "ir/types/extent.h"

namespace lac::codegen {
namespace {

// About nanoseconds: of an op, of a scalar function that is called, and between two looks.
constexpr std::int64_t op_cost = 1, call_cost = 30, cost_between_looks = 1 << 20;

std::int64_t cost_of(const Kernel& kernel) {
  std::int64_t cost = op_cost;
  for (const Instr& instr : kernel.body)
    cost += instr.kind == InstrKind::apply && !is_inline(instr.op) ? call_cost : op_cost;
  if (!kernel.contraction && kernel.schedule.traversal == Traversal::point) return cost;
  const std::int64_t terms = kernel.contraction ? kernel.contraction->extent.constant() : 0;
  return (cost + terms) * kernel.rows.constant() * kernel.cols.constant();
}

// Of a trip, without the loops in it, which look themselves.
std::int64_t cost_of(const Graph& plan, BlockId block) {
  std::int64_t cost = op_cost;
  for (const OpId id : plan.blocks[block].ops) {
    const Op& op = plan.ops[id];
    if (op.kind == OpKind::launch) cost += cost_of(plan.kernels[attribute<KernelId>(op)]);
    else if (op.kind == OpKind::map && !is_inline(attribute<ScalarOp>(op))) cost += call_cost;
    else if (op.kind == OpKind::library) cost += call_cost;
    else cost += op_cost;
    if (op.kind == OpKind::branch)
      for (const BlockId arm : op.blocks) cost += cost_of(plan, arm);
  }
  return cost;
}

// LLVM keeps counts in registers while a loop runs. Beyond a few that only costs: each is a value of its own in every
// block of the loop.
constexpr std::size_t most_registers = 8;

// What is left until the next look is one chain through all loops, which some of LLVM's analyses recur along.
constexpr std::size_t most_loops = 64;

std::size_t ops_in(const Graph& plan, const Op& loop, OpKind kind) {
  std::size_t count = 0;
  for_each_op(plan, loop.blocks[0], [&](OpId op) { count += plan.ops[op].kind == kind; });
  return count;
}

}  // namespace

bool runs_to_its_limit(const Graph& plan, const Op& loop) {
  const auto none = [&](OpKind kind) { return ops_in(plan, loop, kind) == 0; };
  constexpr OpKind calling[] = {OpKind::check,  OpKind::warn,   OpKind::format,  OpKind::print,
                                OpKind::random, OpKind::resize, OpKind::library, OpKind::loop};
  return constant_value(plan, plan.blocks[loop.blocks[0]].yields[0]).value_or(0) != 0 &&
         std::ranges::all_of(calling, none);
}

void QuietLoops::begin_nest(OpId outermost) {
  p_.function->addFnAttr(thorough_attribute);
  if (inside()) return;
  written_out_ = 0;
  many_counts_ = ops_in(p_.plan, p_.plan.ops[outermost], OpKind::launch) > most_registers;
  many_loops_ = ops_in(p_.plan, p_.plan.ops[outermost], OpKind::loop) > most_loops;
}

void QuietLoops::enter(OpId loop, llvm::Value* trip) {
  begin_nest(loop);
  loops_.push_back({p_.loop_number(loop), trip});
  poll(p_.int64(cost_of(p_.plan, p_.plan.ops[loop].blocks[0])));
}

llvm::Value* QuietLoops::enter_strip(OpId loop, llvm::Value* trip, llvm::Value* end) {
  begin_nest(loop);
  loops_.push_back({p_.loop_number(loop), trip});
  llvm::IRBuilder<>& b = p_.builder;
  const std::int64_t cost = cost_of(p_.plan, p_.plan.ops[loop].blocks[0]);
  const std::int64_t most = std::max<std::int64_t>(cost_between_looks / 4 / cost, 1);
  llvm::Value* trips =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.CreateNSWSub(end, trip), p_.int64(most), nullptr, "trips");
  poll(b.CreateNSWMul(trips, p_.int64(cost)));
  loops_.back().strip = {b.GetInsertBlock(), trips};
  return b.CreateNSWAdd(trip, trips);
}

void QuietLoops::in_strip(llvm::Value* trip) { loops_.back().trip = trip; }

void QuietLoops::leave_strip() {
  const Strip& strip = *loops_.back().strip;
  llvm::IRBuilder<>& b = p_.builder;
  const auto launched = [&](KernelId kernel, llvm::Value* times) {
    add(counts(launches_, p_.runtime.lac_straight_launches), kernel.index, times);
  };
  for (const KernelId kernel : strip.each_trip) launched(kernel, strip.trips);
  for (const auto& [kernel, times] : strip.in_arms) launched(kernel, b.CreateLoad(b.getInt64Ty(), times));
}

void QuietLoops::in_arm(llvm::function_ref<void()> arm) {
  if (inside()) ++loops_.back().arms;
  arm();
  if (inside()) --loops_.back().arms;
}

bool QuietLoops::may_write_out(std::int64_t vectors) {
  constexpr std::int64_t most = 512;  // each is some ten instructions
  if (vectors > most - written_out_) return false;
  written_out_ += vectors;
  return true;
}

// The runtime counts the trips of the outermost loop itself.
void QuietLoops::leave(llvm::Value* trips) {
  const std::uint32_t number = loops_.back().number;
  loops_.pop_back();
  if (inside()) add(counts(trips_, p_.runtime.lac_straight_trips), number, trips);
}

void QuietLoops::count(KernelId kernel) {
  Loop& loop = loops_.back();
  if (loop.strip) return count_in_strip(*loop.strip, kernel, loop.arms > 0);
  add(counts(launches_, p_.runtime.lac_straight_launches), kernel.index, p_.int64(1));
}

void QuietLoops::count_in_strip(Strip& strip, KernelId kernel, bool in_arm) {
  if (!in_arm) return strip.each_trip.push_back(kernel);
  llvm::IRBuilder<>& b = p_.builder;
  llvm::AllocaInst* times = p_.setup.CreateAlloca(p_.setup.getInt64Ty());
  llvm::IRBuilder<>(strip.before->getTerminator()).CreateStore(p_.int64(0), times);
  b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), times), p_.int64(1)), times);
  strip.in_arms.emplace_back(kernel, times);
}

llvm::Value* QuietLoops::counts(llvm::Value*& known, llvm::FunctionCallee callee) {
  if (known == nullptr) known = p_.setup.CreateCall(callee, {p_.run});
  return known;
}

void QuietLoops::add(llvm::Value* counts, std::uint32_t number, llvm::Value* amount) {
  llvm::IRBuilder<>& b = p_.builder;
  llvm::Value* place = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), counts, number);
  llvm::LoadInst* before = b.CreateLoad(b.getInt64Ty(), place, many_counts_);
  p_.tag(before, Memory::count);
  p_.tag(b.CreateStore(b.CreateAdd(before, amount), place, many_counts_), Memory::count);
}

void QuietLoops::poll(llvm::Value* cost) {
  llvm::IRBuilder<>& b = p_.builder;
  if (left_ == nullptr) {
    left_ = p_.setup.CreateAlloca(p_.setup.getInt64Ty(), nullptr, "left");
    p_.setup.CreateStore(p_.int64(0), left_);  // a run that is to end ends at once
  }
  llvm::Value* left = b.CreateSub(b.CreateLoad(b.getInt64Ty(), left_, many_loops_), cost);
  b.CreateStore(left, left_, many_loops_);
  p_.unless(b.CreateICmpSGE(left, p_.int64(0)), [&](llvm::BasicBlock* passed) {
    aside([&] { b.CreateStore(p_.int64(cost_between_looks), left_, many_loops_); });
    b.CreateBr(passed);
  });
}

void QuietLoops::spend(llvm::Value* cost) {
  if (!inside()) return;
  llvm::IRBuilder<>& b = p_.builder;
  b.CreateStore(b.CreateSub(b.CreateLoad(b.getInt64Ty(), left_, many_loops_), cost), left_, many_loops_);
}

void QuietLoops::aside(llvm::function_ref<void()> cold) {
  if (!inside()) return cold();
  p_.stop_unless_ok(tell());
  cold();
  forget();
}

llvm::Value* QuietLoops::tell() {
  llvm::IRBuilder<>& b = p_.builder;
  llvm::Value* status = b.getInt32(abi::ok);
  for (std::size_t n = 0; n < loops_.size(); ++n) {
    llvm::Value* loop = n == 0 ? b.getInt32(static_cast<std::uint32_t>(-1)) : p_.int32(loops_[n].number);
    status = b.CreateCall(p_.runtime.lac_tell, {p_.run, loop, loops_[n].trip});
  }
  return status;
}

void QuietLoops::forget() {
  if (loops_.size() > 1) p_.builder.CreateCall(p_.runtime.lac_forget, {p_.run, p_.int32(loops_.size() - 1)});
}

void QuietLoops::leave_by(Exit& exit, llvm::ArrayRef<llvm::Value*> arguments, Call call) {
  llvm::IRBuilder<>& b = p_.builder;
  if (exit.block == nullptr) {
    exit.block = p_.new_block("exit");
    const llvm::IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(exit.block);
    for (llvm::Value* argument : arguments) exit.arguments.push_back(b.CreatePHI(argument->getType(), 2));
    tell();
    p_.stop(call(exit.arguments));
  }
  for (std::size_t n = 0; n < arguments.size(); ++n) exit.arguments[n]->addIncoming(arguments[n], b.GetInsertBlock());
  b.CreateBr(exit.block);
}

void QuietLoops::fail(std::uint32_t number, llvm::Value* sizes) {
  const auto call = [&](llvm::Value* step, llvm::Value* its_sizes) {
    return p_.builder.CreateCall(p_.runtime.lac_fail, {p_.run, step, p_.step_values.with_room(1), its_sizes});
  };
  Exit* exit = exit_at_hand(&Loop::failed);
  if (exit == nullptr) return p_.stop(call(p_.int32(number), sizes));
  leave_by(*exit, {p_.int32(number), sizes}, [&](auto arguments) { return call(arguments[0], arguments[1]); });
}

void QuietLoops::ask_for_too_much(LocationId location) {
  const auto call = [&](llvm::Value* place) -> llvm::Value* {
    llvm::Value* most = p_.int64(beyond_extents);
    p_.builder.CreateCall(p_.runtime.lac_acquire, {p_.run, place, most, most, p_.int64(1)});
    return p_.int32(abi::out_of_memory);
  };
  Exit* exit = exit_at_hand(&Loop::beyond);
  if (exit == nullptr) return p_.stop(call(p_.int32(location.index)));
  leave_by(*exit, {p_.int32(location.index)}, [&](auto arguments) { return call(arguments[0]); });
}

}  // namespace lac::codegen
