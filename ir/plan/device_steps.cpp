#include "ir/plan/device_steps.h"

#include <algorithm>

namespace lac {
namespace {

bool in_buffer(const Graph& plan, ValueId id) {
  const Value& value = plan.values[id];
  return value.type.is_dense() && !value.type.is_scalar() && value.layout == Layout::buffer;
}

bool is_triangular_solve(const Graph& plan, const Op& op) {
  if (op.kind != OpKind::library || attribute<LibraryFn>(op) != LibraryFn::solve) return false;
  const Type &a = plan.type(op.operands[0]), &b = plan.type(op.operands[1]), &x = plan.type(op.results[0]);
  const bool triangular = a.properties.has(Property::lower) || a.properties.has(Property::upper);
  const bool alike = a.element == x.element && b.element == x.element && is_floating(x.element);
  return triangular && alike && a.rows == a.cols && b.same_shape(x);
}

std::optional<DeviceStep> named_step(const Graph& plan, const Op& op) {
  if (op.kind == OpKind::random && attribute<Distribution>(op) == Distribution::uniform) return DeviceStep::draw;
  if (op.kind == OpKind::scan) return DeviceStep::scan;
  if (is_triangular_solve(plan, op)) return DeviceStep::triangular_solve;
  return std::nullopt;
}

}  // namespace

std::optional<DeviceStep> device_step_of(const Graph& plan, const Op& op) {
  const auto dense = [&](ValueId id) { return in_buffer(plan, id); };
  if (!std::ranges::all_of(op.operands, dense) || !std::ranges::all_of(op.results, dense)) return std::nullopt;
  return named_step(plan, op);
}

}  // namespace lac
