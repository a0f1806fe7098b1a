#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

/// One sweep over the program; true if a place changed.
class Sweep {
 public:
  Sweep(const Graph& graph, IdVector<ValueId, Place>& places) : graph_(graph), places_(places) {}

  bool run() {
    for_each_op(graph_, graph_.body, [&](OpId id) { visit(graph_.ops[id]); });
    return changed_;
  }

 private:
  void visit(const Op& op) {
    if (op.kind == OpKind::launch)
      for (ValueId result : op.results) put(result);
    if (op.kind == OpKind::copy) join(op.operands[0], op.results[0]);
    if (op.kind == OpKind::loop) loop(op);
    if (op.kind == OpKind::branch) branch(op);
  }

  void branch(const Op& op) {
    for (BlockId arm : op.blocks) hand_on(graph_.blocks[arm].yields, 0, op.results, 0);
    if (places_[op.operands[0]] != Place::device) return;
    for (ValueId result : op.results) put(result);
  }

  void loop(const Op& op) {
    const Block& body = graph_.blocks[op.blocks[0]];
    hand_on(op.operands, 2, body.arguments, 1);
    hand_on(body.yields, 1, body.arguments, 1);
    hand_on(body.arguments, 1, op.results, 1);
  }

  void hand_on(const std::vector<ValueId>& from, std::size_t from_first, const std::vector<ValueId>& to,
               std::size_t to_first) {
    for (std::size_t i = 0; from_first + i < from.size(); ++i) join(from[from_first + i], to[to_first + i]);
  }

  void join(ValueId from, ValueId to) {
    if (places_[from] == Place::device) put(to);
  }

  void put(ValueId value) {
    if (!graph_.type(value).is_scalar() || places_[value] == Place::device) return;
    places_[value] = Place::device;
    changed_ = true;
  }

  const Graph& graph_;
  IdVector<ValueId, Place>& places_;
  bool changed_ = false;
};

}  // namespace

void assign_places(Plan& plan, const Capabilities& capabilities) {
  plan.places = {};
  for (std::uint32_t n = 0; n < plan.values.size(); ++n) plan.places.push(Place::host);
  while (capabilities.device_scalars && Sweep(plan, plan.places).run()) {
  }
}

}  // namespace lac::passes
