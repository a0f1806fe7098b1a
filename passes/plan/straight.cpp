#include <algorithm>
#include <span>

#include "ir/plan/cursors.h"
#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

// Straight code: what stands in the program itself and calls nobody, unless it fails or a matrix grows.
bool is_straight(const Plan& plan, OpId id);

// Between a scalar and a matrix of one element a value moves through memory that is asked for.
bool same_form(const Graph& plan, std::span<const ValueId> from, std::span<const ValueId> to) {
  const auto is_scalar = [&](ValueId value) { return plan.type(value).is_scalar(); };
  return std::ranges::equal(from, to, {}, is_scalar, is_scalar);
}

bool lies_in_frame(const Graph& plan, ValueId value) { return is_small_matrix(plan.type(value)); }

bool are_in_frame(const Graph& plan, const std::vector<ValueId>& values) {
  return std::ranges::all_of(values,
                             [&](ValueId value) { return plan.type(value).is_scalar() || lies_in_frame(plan, value); });
}

// The code of small kernels is the loop's, and what LLVM does with it takes more than its length.
constexpr std::size_t most_launches = 128;

bool is_straight(const Plan& plan, BlockId block) {
  return std::ranges::all_of(plan.blocks[block].ops, [&](OpId op) { return is_straight(plan, op); });
}

bool is_straight(const Plan& plan, OpId id) {
  const Op& op = plan.ops[id];
  switch (op.kind) {
    case OpKind::constant:
    case OpKind::size:
    case OpKind::map:
    case OpKind::convert:
    case OpKind::index: return true;
    // What the runtime gets has memory of the pool.
    case OpKind::check:
      return std::ranges::none_of(op.operands, [&](ValueId value) { return lies_in_frame(plan, value); });
    case OpKind::copy:
    case OpKind::release: return are_in_frame(plan, op.operands);
    case OpKind::reshape: return same_form(plan, op.operands, op.results);
    case OpKind::resize: return taken_over(op, 0) == 0 && !lies_in_frame(plan, op.operands[0]);
    case OpKind::library: return is_cursor(plan, op) || is_small_step(plan, op);
    case OpKind::launch: return stands_in_straight_code(plan, op);
    case OpKind::loop: return plan.loop(id).mode == LoopMode::straight;
    case OpKind::branch:
      return std::ranges::all_of(op.blocks, [&](BlockId arm) {
        return same_form(plan, plan.blocks[arm].yields, op.results) && is_straight(plan, arm);
      });
    default: return false;
  }
}

}  // namespace

std::size_t small_launches(const Plan& plan, BlockId block) {
  std::size_t count = 0;
  for_each_op(plan, block, [&](OpId id) {
    const Op& op = plan.ops[id];
    if (op.kind != OpKind::launch) return;
    const Kernel& kernel = plan.kernels[attribute<KernelId>(op)];
    count += kernel.schedule.traversal != Traversal::point && is_small(kernel);
  });
  return count;
}

bool is_straight_loop(const Plan& plan, const Op& loop) {
  if (small_launches(plan, loop.blocks[0]) > most_launches) return false;
  const Block& body = plan.blocks[loop.blocks[0]];
  const auto carried = std::span(body.arguments).subspan(1);
  return same_form(plan, std::span(loop.operands).subspan(2), carried) &&
         same_form(plan, std::span(body.yields).subspan(1), carried) &&
         same_form(plan, std::span(loop.results).subspan(1), carried) && is_straight(plan, loop.blocks[0]);
}

}  // namespace lac::passes
