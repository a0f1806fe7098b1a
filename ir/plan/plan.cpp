#include "ir/plan/plan.h"

#include <algorithm>

#include "ir/plan/small_system.h"

namespace lac {
namespace {

void add_possible(const Plan& plan, BufferId id, std::vector<BufferId>& found) {
  const Buffer& buffer = plan.buffers[id];
  if (buffer.either.empty()) {
    if (std::ranges::find(found, id) == found.end()) found.push_back(id);
    return;
  }
  for (BufferId one : buffer.either) add_possible(plan, one, found);
}

}  // namespace

std::string_view name(LoopMode mode) {
  static constexpr std::string_view names[] = {"host", "counted", "chunked", "straight"};
  return names[static_cast<std::size_t>(mode)];
}

bool is_small_matrix(const Type& type) {
  const Size count = type.count();
  return type.is_dense() && !type.is_scalar() && type.rows.is_constant() && type.cols.is_constant() &&
         count.constant() > 0 && count.constant() <= small_matrix;
}

bool is_small(const Kernel& kernel) {
  constexpr std::int64_t most_terms = 16;  // of a sum
  const auto is_inner = [](const Contraction& sum) {
    return sum.storage == Storage::dense && sum.extent.is_constant() && sum.extent.constant() <= most_terms;
  };
  const auto is_dense = [](const KernelInput& input) { return input.type.is_dense(); };
  const auto fits = [](const KernelOutput& output) {
    const bool stored_into = output.base >= 0 && output.type.is_dense();
    return output.type.is_scalar() || is_small_matrix(output.type) || stored_into;
  };
  if (!kernel.ahead.empty() || !kernel.rows.is_constant() || !kernel.cols.is_constant()) return false;
  const std::int64_t rows = kernel.rows.constant(), cols = kernel.cols.constant();
  return rows > 0 && cols > 0 && rows <= small_matrix && cols <= small_matrix / rows &&
         (!kernel.contraction || is_inner(*kernel.contraction)) && std::ranges::all_of(kernel.inputs, is_dense) &&
         std::ranges::all_of(kernel.outputs, fits);
}

bool is_small_step(const Graph& plan, const Op& op) {
  const auto fits = [&](ValueId value) { return plan.type(value).is_scalar() || is_small_matrix(plan.type(value)); };
  return op.kind == OpKind::library && std::ranges::all_of(op.operands, fits) && std::ranges::all_of(op.results, fits);
}

bool solves_few(const Graph& plan, const Op& step) {
  if (step.kind != OpKind::library || attribute<LibraryFn>(step) != LibraryFn::solve) return false;
  const Type &a = plan.type(step.operands[0]), &b = plan.type(step.operands[1]), &x = plan.type(step.results[0]);
  return is_small_matrix(a) && is_small_matrix(b) && is_small_matrix(x) && a.rows == a.cols &&
         a.rows.constant() <= most_small_unknowns && is_floating(a.element) && a.element == b.element &&
         a.element == x.element;
}

bool inverts_few(const Graph& plan, const Op& step) {
  if (step.kind != OpKind::library) return false;
  const LibraryFn function = attribute<LibraryFn>(step);
  if (function != LibraryFn::inverse && function != LibraryFn::det) return false;
  const Type& a = plan.type(step.operands[0]);
  return is_small_matrix(a) && a.rows == a.cols && a.rows.constant() <= most_small_unknowns &&
         a.element == plan.type(step.results[0]).element && is_floating(a.element) && !is_read(plan, step.results[1]);
}

bool stands_in_straight_code(const Graph& plan, const Op& launch) {
  const Kernel& kernel = plan.kernels[attribute<KernelId>(launch)];
  const bool point = kernel.schedule.traversal == Traversal::point;
  if (!point && !is_small(kernel)) return false;
  for (std::size_t n = 0; n < kernel.outputs.size(); ++n) {
    const std::int32_t base = kernel.outputs[n].base;
    if (kernel.outputs[n].type.is_scalar()) continue;
    if (base >= 0 ? taken_over(launch, n) != base : point) return false;
  }
  return true;
}

std::set<OpId> ops_in_tails(const Plan& plan) {
  std::set<OpId> ops;
  for (const auto& [launch, tail] : plan.tails) ops.insert(tail.begin(), tail.end());
  return ops;
}

std::vector<ValueId> operands_with_tail(const Plan& plan, OpId launch) {
  std::vector<ValueId> operands = plan.ops[launch].operands;
  for (OpId id : plan.tail(launch))
    operands.insert(operands.end(), plan.ops[id].operands.begin(), plan.ops[id].operands.end());
  return operands;
}

std::vector<ValueId> results_with_tail(const Plan& plan, OpId launch) {
  std::vector<ValueId> results = plan.ops[launch].results;
  for (OpId id : plan.tail(launch))
    results.insert(results.end(), plan.ops[id].results.begin(), plan.ops[id].results.end());
  return results;
}

bool stands_in_tail(const Plan& plan, const Op& launch) {
  if (launch.kind != OpKind::launch) return false;
  const Kernel& kernel = plan.kernels[attribute<KernelId>(launch)];
  const auto is_scalar = [](const KernelInput& input) { return input.type.is_scalar(); };
  const auto is_new_scalar = [](const KernelOutput& output) { return output.type.is_scalar() && output.base < 0; };
  return is_one_point(kernel) && std::ranges::all_of(kernel.inputs, is_scalar) &&
         std::ranges::all_of(kernel.outputs, is_new_scalar);
}

bool ends_in_one_group(const Kernel& kernel) {
  const auto is_total = [&](const KernelReduction& reduction) {
    return effective_axis(kernel, reduction.reduction.axis) == Axis::all;
  };
  return kernel.ahead.empty() && (is_one_point(kernel) || std::ranges::any_of(kernel.reductions, is_total));
}

std::string name(const Plan& plan, BufferId buffer) {
  for (ValueId value : plan.buffers[buffer].values)
    if (!plan.values[value].name.empty()) return plan.values[value].name;
  return {};
}

std::vector<BufferId> possible_buffers(const Plan& plan, ValueId value) {
  std::vector<BufferId> found;
  if (const BufferId id = plan.buffer(value)) add_possible(plan, id, found);
  return found;
}

}  // namespace lac
