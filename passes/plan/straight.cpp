#include <algorithm>
#include <span>

#include "ir/kernel/growth.h"
#include "ir/plan/cursors.h"
#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

// Straight code: what stands in the program itself. The runtime is called where it fails or speaks, where a matrix
// grows, for random numbers, and for steps on small matrices.
bool is_straight(const Plan& plan, OpId id);

enum class Form : std::uint8_t { scalar, frame, pool };

// Whoever reads, releases or extends a buffer knows by the type of the value where it lies. So no buffer goes from a
// type of one form to one of another, as by reshape from 2 x 2 to n x 1: the value would have to move.
Form form_of(const Graph& plan, ValueId value) {
  const Type& type = plan.type(value);
  return type.is_scalar() ? Form::scalar : is_small_matrix(type) ? Form::frame : Form::pool;
}

bool same_form(const Graph& plan, std::span<const ValueId> from, std::span<const ValueId> to) {
  const auto form = [&](ValueId value) { return form_of(plan, value); };
  return std::ranges::equal(from, to, {}, form, form);
}

bool takes_over_same_form(const Graph& plan, const Op& op) {
  for (std::size_t n = 0; n < op.results.size(); ++n) {
    const std::int32_t from = taken_over(op, n);
    if (from >= 0 && form_of(plan, op.operands[static_cast<std::size_t>(from)]) != form_of(plan, op.results[n]))
      return false;
  }
  return true;
}

bool lies_in_frame(const Graph& plan, ValueId value) { return is_small_matrix(plan.type(value)); }

bool are_in_frame(const Graph& plan, const std::vector<ValueId>& values) {
  return std::ranges::all_of(values,
                             [&](ValueId value) { return plan.type(value).is_scalar() || lies_in_frame(plan, value); });
}

// Of a loop: most of them come from small kernels, whose code is the loop's, and what LLVM does with it takes more than
// its length.
constexpr std::size_t most_in_frame = 128;

// Around the outermost loop nothing lies in the frame yet, and what changes its form moves where memory may be asked
// for.
bool keeps_form_at_ends(const Plan& plan, const Op& loop) {
  const auto carried = std::span(plan.blocks[loop.blocks[0]].arguments).subspan(1);
  return same_form(plan, std::span(loop.operands).subspan(2), carried) &&
         same_form(plan, std::span(loop.results).subspan(1), carried);
}

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
    case OpKind::warn:
    case OpKind::format:
    case OpKind::print:
      return std::ranges::none_of(op.operands, [&](ValueId value) { return lies_in_frame(plan, value); });
    case OpKind::copy: return are_in_frame(plan, op.operands) && same_form(plan, op.operands, op.results);
    case OpKind::release: return are_in_frame(plan, op.operands);
    case OpKind::reshape: return same_form(plan, op.operands, op.results);
    case OpKind::resize:
      return taken_over(op, 0) == 0 && form_of(plan, op.operands[0]) == Form::pool &&
             form_of(plan, op.results[0]) == Form::pool;
    case OpKind::random: return plan.type(op.results[0]).is_scalar();
    case OpKind::library: return is_cursor(plan, op) || is_small_step(plan, op);
    case OpKind::launch:
      return stands_in_straight_code(plan, op) && takes_over_same_form(plan, op) && !is_growth(plan, op);
    case OpKind::loop: {
      const LoopPlan& inner = plan.loop(id);
      return (inner.mode == LoopMode::straight || inner.native) && keeps_form_at_ends(plan, op);
    }
    case OpKind::branch:
      return std::ranges::all_of(op.blocks, [&](BlockId arm) {
        return same_form(plan, plan.blocks[arm].yields, op.results) && is_straight(plan, arm);
      });
    default: return false;
  }
}

}  // namespace

std::size_t matrices_in_frame(const Plan& plan, BlockId block) {
  constexpr std::size_t for_each_carried =
      3;  // where it is, where it comes from when all are handed on, what the loop reads
  std::size_t count = 0;
  for_each_op(plan, block, [&](OpId id) {
    const Op& op = plan.ops[id];
    const bool makes = op.kind == OpKind::launch || op.kind == OpKind::copy || op.kind == OpKind::library;
    const std::size_t each = op.kind == OpKind::loop ? for_each_carried : makes ? 1 : 0;
    for (const ValueId result : op.results) count += lies_in_frame(plan, result) ? each : 0;
  });
  return count;
}

bool is_straight_loop(const Plan& plan, const Op& loop) {
  if (matrices_in_frame(plan, loop.blocks[0]) > most_in_frame) return false;
  const Block& body = plan.blocks[loop.blocks[0]];
  const auto carried = std::span(body.arguments).subspan(1);
  return same_form(plan, std::span(body.yields).subspan(1), carried) && is_straight(plan, loop.blocks[0]);
}

}  // namespace lac::passes
