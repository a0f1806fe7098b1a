#include "codegen/llvm/program_loops.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <array>
#include <bit>

#include "codegen/llvm/optimize.h"
#include "codegen/llvm/program_builder.h"
#include "ir/plan/work.h"
#include "ir/types/extent.h"

namespace lac::codegen {
namespace {

// Some ten microseconds to a millisecond.
constexpr std::int64_t trips_between_looks = 1 << 16;

// An abi::Work. A point reads and writes so many elements whatever the extents are.
llvm::Constant* work_of_point(llvm::Module& module, const Kernel& kernel) {
  const abi::Work work = launch_work(
      kernel, [](const Size& size) { return size.is_constant() ? size.constant() : largest_extent; },
      [](std::uint32_t) { return std::int64_t{0}; });
  llvm::LLVMContext& context = module.getContext();
  const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(abi::Work) / 8>>(work);
  llvm::Constant* value = llvm::ConstantDataArray::get(context, words);
  return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, "work");
}

}  // namespace

llvm::AllocaInst* QuietLoops::local(std::int64_t first, const char* name) {
  llvm::AllocaInst* place = p_.setup.CreateAlloca(p_.setup.getInt64Ty(), nullptr, name);
  p_.setup.CreateStore(p_.int64(first), place);
  return place;
}

void QuietLoops::add(llvm::AllocaInst* place, llvm::Value* amount) {
  llvm::IRBuilder<>& b = p_.builder;
  b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), place), amount), place);
}

void QuietLoops::enter(std::uint32_t loop, llvm::Value* trip) {
  if (!inside()) counters_.clear();
  p_.function->addFnAttr(thorough_attribute);
  loops_.push_back({loop, trip});
}

void QuietLoops::leave(llvm::Value* trips) {
  const std::uint32_t number = loops_.back().number;
  loops_.pop_back();
  if (!inside()) return tell_counts();
  counters_.push_back({local(0, "trips"), {}, number});
  add(counters_.back().count, trips);
}

void QuietLoops::poll() {
  llvm::IRBuilder<>& b = p_.builder;
  if (left_ == nullptr) left_ = local(0, "trips_left");  // a run that is to end ends at once
  llvm::Value* left = b.CreateSub(b.CreateLoad(b.getInt64Ty(), left_), p_.int64(1));
  b.CreateStore(left, left_);
  p_.unless(b.CreateICmpSGE(left, p_.int64(0)), [&](llvm::BasicBlock* passed) {
    p_.stop_unless_ok(tell());
    forget();
    b.CreateStore(p_.int64(trips_between_looks), left_);
    b.CreateBr(passed);
  });
}

llvm::Value* QuietLoops::tell() {
  llvm::IRBuilder<>& b = p_.builder;
  llvm::Value* status = b.getInt32(abi::ok);
  for (std::size_t n = 0; n < loops_.size(); ++n) {
    if (n > 0) b.CreateCall(p_.runtime.lac_loop_begin, {p_.run, p_.int32(loops_[n].number)});
    status = b.CreateCall(p_.runtime.lac_trip, {p_.run, loops_[n].trip});
  }
  return status;
}

void QuietLoops::forget() {
  for (std::size_t n = loops_.size(); n-- > 1;)
    p_.builder.CreateCall(p_.runtime.lac_loop_end, {p_.run, p_.int32(loops_[n].number), p_.int64(0)});
}

void QuietLoops::count(KernelId kernel) {
  if (!counter_) {
    counter_ = counters_.size();
    counters_.push_back({local(0, "launches"), {}, {}});
    add(counters_.back().count, p_.int64(1));
  }
  counters_[*counter_].kernels.push_back(kernel);
}

void QuietLoops::tell_counts() {
  llvm::IRBuilder<>& b = p_.builder;
  for (const Counter& counter : counters_) {
    llvm::Value* count = b.CreateLoad(b.getInt64Ty(), counter.count);
    if (counter.loop) {
      b.CreateCall(p_.runtime.lac_loop_begin, {p_.run, p_.int32(*counter.loop)});
      b.CreateCall(p_.runtime.lac_loop_end, {p_.run, p_.int32(*counter.loop), count});
    }
    for (const KernelId kernel : counter.kernels) tell_launches(kernel, count);
    b.CreateStore(p_.int64(0), counter.count);
  }
  counters_.clear();
}

void QuietLoops::tell_launches(KernelId kernel, llvm::Value* count) {
  p_.builder.CreateCall(p_.runtime.lac_straight,
                        {p_.run, p_.int32(kernel.index), count, work_of_point(p_.module, p_.graph.kernels[kernel])});
}

}  // namespace lac::codegen
