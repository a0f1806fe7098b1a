#include "passes/fusion/updates.h"

#include <algorithm>

#include "ir/plan/plan.h"
#include "passes/cost/cost.h"

namespace lac::passes {
namespace {

Size extent(const Type& type, Axis axis) { return axis == Axis::rows ? type.rows : type.cols; }

/// The axis of the base that subscript n of the update runs along.
Axis axis_of(const Type& base, const Subscripts& subscripts, std::size_t n) {
  if (subscripts.linear()) return base.cols.is(1) ? Axis::rows : Axis::cols;
  return n == 0 ? Axis::rows : Axis::cols;
}

bool leaves_out_little(const Subscript& subscript, const Size& extent) {
  if (subscript.kind == SubscriptKind::all) return true;
  const Size rest = extent - subscript.count;
  return subscript.kind == SubscriptKind::range && subscript.step.is(1) && rest.is_constant() && rest.constant() >= 0 &&
         rest.constant() <= cost::few_positions;
}

/// Positions that an update leaves out are few beside those that it stores, but along axes of a few positions: of one
/// column of nine it would copy the other eight. Matrices in registers are copied for nothing, where it is known which
/// of them an element is.
bool stores_most(const Type& base, const Subscripts& subscripts) {
  const auto is_known = [](const Subscript& subscript) {
    return subscript.kind == SubscriptKind::all || subscript.first.is_constant();
  };
  if (is_small_matrix(base) && std::ranges::all_of(subscripts.axes, is_known)) return true;
  double part = 1;
  for (std::size_t n = 0; n < subscripts.axes.size(); ++n) {
    const Size whole = extent(base, axis_of(base, subscripts, n)), count = subscripts.axes[n].count;
    const bool known = subscripts.axes[n].kind == SubscriptKind::range && whole.is_constant() && count.is_constant();
    if (known && whole.constant() > 0)
      part *= static_cast<double>(count.constant()) / static_cast<double>(whole.constant());
  }
  return part >= 0.5;
}

}  // namespace

bool is_spread_update(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::update) return false;
  const Subscripts& subscripts = attribute<Subscripts>(op);
  const Type &base = graph.type(op.operands[0]), &value = graph.type(op.operands.back());
  if (base.is_scalar() || (subscripts.linear() && !base.is_vector())) return false;
  for (std::size_t n = 0; n < subscripts.axes.size(); ++n)
    if (!leaves_out_little(subscripts.axes[n], extent(base, axis_of(base, subscripts, n)))) return false;
  if (!stores_most(base, subscripts)) return false;
  if (value.is_scalar()) return true;
  if (subscripts.linear()) return value.is_vector();
  return value.rows == subscripts.axes[0].count && value.cols == subscripts.axes[1].count;
}

bool is_update_in_place(const Graph& graph, const Op& op) {
  return op.kind == OpKind::update && !is_spread_update(graph, op);
}

Domain update_domain(const Graph& graph, const Op& update) {
  const Subscripts& subscripts = attribute<Subscripts>(update);
  if (!subscripts.linear()) return {subscripts.axes[0].count, subscripts.axes[1].count};
  const Type& value = graph.type(update.operands.back());
  return value.is_scalar() ? Domain{subscripts.axes[0].count, 1} : domain_of(value);
}

Access update_access(const Graph& graph, const Op& update) {
  const Domain domain = update_domain(graph, update);
  const Type region = Type::matrix(Element::real, domain.rows, domain.cols);
  const std::optional<Access> access = through_subscripts(update, region, Access::identity());
  return normalised(*access, graph.type(update.operands[0]), domain);  // the identity composes with every subscript
}

Access update_value_access(const Graph& graph, const Op& update) {
  const Domain domain = update_domain(graph, update);
  const Type& value = graph.type(update.operands.back());
  if (value.rows == domain.rows && value.cols == domain.cols) return Access::identity();
  return Access::at_position(column_major(domain.rows));
}

std::vector<Interval> spread_region(const Graph& graph, const Op& update) {
  const Subscripts& subscripts = attribute<Subscripts>(update);
  const Type& base = graph.type(update.operands[0]);
  std::vector<Interval> region;
  for (std::size_t n = 0; n < subscripts.axes.size(); ++n) {
    const Subscript& s = subscripts.axes[n];
    const Axis axis = axis_of(base, subscripts, n);
    const Size first = s.kind == SubscriptKind::all ? Size(0) : s.first;
    region.push_back({axis, first, first + s.count, s.count == extent(base, axis)});
  }
  return region;
}

Access spread_value_access(const Graph& graph, const Op& update) {
  const std::vector<Interval> region = spread_region(graph, update);
  const auto shifted = [](AffineIndex index, const Size& first) {
    index.base = Size(0) - first;
    return index;
  };
  const auto along = [&](const Interval& interval) {
    return shifted(interval.axis == Axis::rows ? coordinate_i() : coordinate_j(), interval.first);
  };
  Access access =
      region.size() == 1 ? Access::at_position(along(region[0])) : Access::at(along(region[0]), along(region[1]));
  access.guarded = true;
  return access;
}

}  // namespace lac::passes
