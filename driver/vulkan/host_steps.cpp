#include "driver/vulkan/host_steps.h"

#include <algorithm>
#include <utility>

namespace lac::driver {

namespace {

/// What the step is called in a remark; empty for an operation that is no step of the host.
std::string step_name(const Plan& plan, const Op& op) {
  const auto is_matrix = [&](ValueId value) { return !plan.type(value).is_scalar(); };
  if (op.kind == OpKind::library && attribute<LibraryFn>(op) == LibraryFn::literal) return {};  // as a parameter
  if (op.kind == OpKind::library) return std::string(name(attribute<LibraryFn>(op)));
  if (op.kind == OpKind::print && is_matrix(op.operands[0])) return "print";
  const bool moves = std::ranges::any_of(op.operands, is_matrix) || std::ranges::any_of(op.results, is_matrix);
  if (op.kind == OpKind::format && moves) return "printf";
  if ((op.kind == OpKind::scan || op.kind == OpKind::random) && moves) return std::string(info(op.kind).name);
  return {};
}

/// "x and 2 results": what moves.
std::string moved(const Plan& plan, const Op& op) {
  const auto is_matrix = [&](ValueId value) { return !plan.type(value).is_scalar(); };
  const auto down = std::ranges::count_if(op.operands, is_matrix);
  const auto up = std::ranges::count_if(op.results, is_matrix);
  std::string text;
  if (down > 0) text = std::to_string(down) + (down == 1 ? " matrix comes" : " matrices come") + " to it";
  if (up > 0) text += (text.empty() ? "" : ", ") + std::to_string(up) + (up == 1 ? " goes" : " go") + " back";
  return text;
}

void remark(const Plan& plan, LocationId where, std::string message, Diagnostics& diagnostics) {
  Diagnostic remark;
  remark.severity = Severity::remark;
  if (plan.locations.contains(where)) remark.span = plan.locations[where].span;
  remark.message = std::move(message);
  diagnostics.add(std::move(remark));
}

void remark_loops(const Plan& plan, Diagnostics& diagnostics) {
  for (const auto& [id, loop] : plan.loops) {
    if (loop.native)
      remark(plan, plan.ops[id].location,
             "the host runs this loop by compiled code, where its trips outweigh what moves: each works on single "
             "elements",
             diagnostics);
    if (loop.native || loop.reason.empty()) continue;
    remark(plan, plan.ops[id].location, "the host drives this loop: " + loop.reason, diagnostics);
  }
}

}  // namespace

void remark_host_steps(const Plan& plan, Diagnostics& diagnostics) {
  remark_loops(plan, diagnostics);
  for_each_op(plan, plan.body, [&](OpId id) {
    const Op& op = plan.ops[id];
    const std::string step = step_name(plan, op);
    if (step.empty() || plan.device_steps.contains(id)) return;
    const std::string what = moved(plan, op);
    if (what.empty()) return;
    remark(plan, op.location, "the host does '" + step + "': " + what, diagnostics);
  });
}

}  // namespace lac::driver
