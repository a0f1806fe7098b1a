#include "frontend/sema/arrays/picking.h"

#include <algorithm>

#include "frontend/sema/values/indexing.h"

namespace lac::frontend {
namespace {

/// Positions from 0 on, a column.
ValueId offsets_of(Emitter& e, const Pick& pick) {
  Builder& b = e.builder;
  const Size& count = pick.subscript.count;
  if (pick.vector) return viewed(e, b.map(ScalarOp::sub, pick.vector, b.constant(1, Element::integer)), count, 1);
  if (count.is(1)) return b.size(pick.subscript.first);
  const ValueId steps = b.map(ScalarOp::mul, b.iota(Axis::rows, count, 1), b.size(pick.subscript.step));
  return b.map(ScalarOp::add, steps, b.size(pick.subscript.first));
}

/// As one run of evenly spaced places, if they are one.
std::optional<Pick> one_run(const std::vector<Pick>& picks, const std::vector<Size>& extents) {
  Subscript run{SubscriptKind::range, 0, 1, 1};
  Size stride = 1;
  for (std::size_t k = 0; k < picks.size(); ++k) {
    const Subscript& each = picks[k].subscript;
    if (picks[k].vector) return std::nullopt;
    run.first = run.first + stride * each.first;
    if (run.count.is(1)) {
      run.step = stride * each.step;
      run.count = each.count;
    } else if (!each.count.is(1)) {
      if (!(run.step * run.count == stride * each.step)) return std::nullopt;
      run.count = run.count * each.count;
    }
    stride = stride * extents[k];
  }
  Pick pick{run};
  pick.colon = std::ranges::all_of(picks, &Pick::colon);
  pick.scalar = std::ranges::all_of(picks, &Pick::scalar);
  if (pick.colon) pick.subscript = {SubscriptKind::all, 0, 1, run.count};
  return pick;
}

}  // namespace

Pick all_of(const Size& extent) {
  Pick pick{{SubscriptKind::all, 0, 1, extent}};
  pick.colon = true;
  return pick;
}

Pick run_of(const Size& first, const Size& step, const Size& count) {
  return Pick{{SubscriptKind::range, first, step, count}};
}

Pick vector_of(Emitter& e, ValueId positions) {
  return Pick{{SubscriptKind::vector, 0, 1, e.type(positions).count()}, positions};
}

std::vector<Pick> picks_of(const ResolvedSubscripts& resolved) {
  std::vector<Pick> picks;
  auto vector = resolved.vectors.begin();
  for (std::size_t k = 0; k < resolved.axes.size(); ++k) {
    Pick pick{resolved.subscripts.axes[k]};
    if (pick.subscript.kind == SubscriptKind::vector) pick.vector = *vector++;
    pick.colon = resolved.axes[k].colon;
    pick.scalar = resolved.axes[k].scalar;
    picks.push_back(pick);
  }
  return picks;
}

Pick together(Emitter& e, const std::vector<Pick>& picks, const std::vector<Size>& extents) {
  if (picks.size() == 1) return picks.front();
  if (const auto run = one_run(picks, extents)) return *run;
  Builder& b = e.builder;
  ValueId all = offsets_of(e, picks[0]);
  Size stride = extents[0];
  for (std::size_t k = 1; k < picks.size(); ++k) {
    const ValueId across =
        viewed(e, b.map(ScalarOp::mul, offsets_of(e, picks[k]), b.size(stride)), 1, picks[k].subscript.count);
    const ValueId sum = b.map(ScalarOp::add, all, across);
    all = viewed(e, sum, e.type(sum).count(), 1);
    stride = stride * extents[k];
  }
  return vector_of(e, b.map(ScalarOp::add, all, b.constant(1, Element::integer)));
}

ResolvedSubscripts of_matrix(const Pick& rows, const Pick& cols) {
  ResolvedSubscripts resolved;
  for (const Pick* pick : {&rows, &cols}) {
    resolved.subscripts.axes.push_back(pick->subscript);
    if (pick->vector) resolved.vectors.push_back(pick->vector);
    ResolvedSubscripts::Axis axis;
    axis.scalar = pick->scalar;
    axis.colon = pick->colon;
    axis.cols = pick->subscript.count;
    resolved.axes.push_back(axis);
  }
  return resolved;
}

Array picked(Emitter& e, const Array& array, const std::vector<Pick>& picks) {
  const std::vector<Size> extents = folded(array.extents, picks.size());
  const std::vector<Pick> lead(picks.begin(), picks.end() - 1);
  const ValueId view = viewed(e, array.elements, product(extents, 0, extents.size() - 1), extents.back());
  const Pick rows = together(e, lead, extents);
  Array result;
  for (const Pick& pick : picks) result.extents.push_back(pick.subscript.count);
  result.elements = rows.colon && picks.back().colon ? view : indexed(e, view, of_matrix(rows, picks.back()));
  return result;
}

}  // namespace lac::frontend
