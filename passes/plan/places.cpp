#include <unordered_set>

#include "passes/plan/decisions.h"
#include "passes/structure/hand_overs.h"
#include "passes/structure/loop_slots.h"

namespace lac::passes {
namespace {

/// One sweep over the program; true if a place changed.
class Sweep {
 public:
  Sweep(const Graph& graph, bool device_counters, IdVector<ValueId, Place>& places)
      : graph_(graph), device_counters_(device_counters), places_(places) {
    if (device_counters) read_ = values_read(graph);
  }

  bool run() {
    for_each_op(graph_, graph_.body, [&](OpId id) { visit(graph_.ops[id]); });
    return changed_;
  }

 private:
  void visit(const Op& op) {
    if (op.kind == OpKind::launch)
      for (ValueId result : op.results) put(result);
    if (device_counters_ && op.kind == OpKind::loop)
      for (ValueId counted : counted_on_device(graph_, op, ends_early(op), read_)) put(counted);
    if (op.kind == OpKind::copy) join(op.operands[0], op.results[0]);
    for_each_hand_over(graph_, op, [&](ValueId from, ValueId to) { join(from, to); });
    if (op.kind != OpKind::branch || places_[op.operands[0]] != Place::device) return;
    for (ValueId result : op.results) put(result);
  }

  bool ends_early(const Op& loop) const { return places_[graph_.blocks[loop.blocks[0]].yields[0]] == Place::device; }

  void join(ValueId from, ValueId to) {
    if (places_[from] == Place::device) put(to);
  }

  void put(ValueId value) {
    if (!graph_.type(value).is_scalar() || places_[value] == Place::device) return;
    places_[value] = Place::device;
    changed_ = true;
  }

  const Graph& graph_;
  bool device_counters_;
  std::unordered_set<ValueId> read_;
  IdVector<ValueId, Place>& places_;
  bool changed_ = false;
};

}  // namespace

void assign_places(Plan& plan, const Capabilities& capabilities) {
  plan.places = {};
  for (std::uint32_t n = 0; n < plan.values.size(); ++n) plan.places.push(Place::host);
  while (capabilities.device_scalars && Sweep(plan, capabilities.device_counters, plan.places).run()) {
  }
}

}  // namespace lac::passes
