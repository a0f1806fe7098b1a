#include "ir/plan/device_steps.h"

#include <algorithm>
#include <array>

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

bool is_library(const Op& op, LibraryFn fn) { return op.kind == OpKind::library && attribute<LibraryFn>(op) == fn; }

std::optional<DeviceStep> named_step(const Graph& plan, const Op& op) {
  if (op.kind == OpKind::random && attribute<Distribution>(op) == Distribution::uniform) return DeviceStep::draw;
  if (op.kind == OpKind::scan) return DeviceStep::scan;
  if (is_triangular_solve(plan, op)) return DeviceStep::triangular_solve;
  if (sort_step_of(plan, op)) return DeviceStep::sort;
  if (accumulate_step_of(plan, op)) return DeviceStep::accumulate;
  return std::nullopt;
}

}  // namespace

std::optional<SortStep> sort_step_of(const Graph& plan, const Op& op) {
  if (!is_library(op, LibraryFn::sort) || op.operands.size() != 3) return std::nullopt;
  const Type &x = plan.type(op.operands[0]), &sorted = plan.type(op.results[0]), &places = plan.type(op.results[1]);
  const std::optional<double> axis = constant_value(plan, op.operands[1]), down = constant_value(plan, op.operands[2]);
  if (!axis || !down || !is_floating(x.element) || sorted.element != x.element || !x.same_shape(sorted))
    return std::nullopt;
  if (!places.count().is(0) && !places.same_shape(x)) return std::nullopt;
  if (*axis == 0 && !x.rows.is_constant() && !x.cols.is(1)) return std::nullopt;  // the run finds along which
  const bool along_rows = *axis == 2 || (*axis == 0 && x.rows.is(1));
  if (along_rows) return SortStep{x.rows, x.cols, true, *down != 0};
  return SortStep{x.cols, x.rows, false, *down != 0};
}

std::optional<AccumulateStep> accumulate_step_of(const Graph& plan, const Op& op) {
  constexpr std::array kinds = {ReduceOp::sum, ReduceOp::prod, ReduceOp::min, ReduceOp::max};  // library.def
  if (!is_library(op, LibraryFn::accumulate)) return std::nullopt;
  const Type &positions = plan.type(op.operands[0]), &values = plan.type(op.operands[1]);
  const Type& cells = plan.type(op.results[0]);
  const std::optional<double> filler = constant_value(plan, op.operands[2]),
                              kind = constant_value(plan, op.operands[3]);
  if (!filler || !kind || !is_floating(cells.element) || values.element != cells.element) return std::nullopt;
  if (positions.element == Element::logical || values.is_scalar() || values.count() != positions.count())
    return std::nullopt;
  return AccumulateStep{kinds[static_cast<std::size_t>(*kind)], *filler};
}

std::optional<DeviceStep> device_step_of(const Graph& plan, const Op& op) {
  // Of what is no matrix steps take what is known.
  const auto dense = [&](ValueId id) {
    return in_buffer(plan, id) || (plan.type(id).is_scalar() && constant_value(plan, id));
  };
  if (!std::ranges::all_of(op.operands, dense) || !std::ranges::all_of(op.results, dense)) return std::nullopt;
  return named_step(plan, op);
}

std::string step_name(const Op& op) {
  if (op.kind == OpKind::library) return "library step " + std::string(name(attribute<LibraryFn>(op)));
  return std::string(info(op.kind).name);
}

}  // namespace lac
