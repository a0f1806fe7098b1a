#include "passes/fusion/apart.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "passes/fusion/updates.h"
#include "passes/safety.h"

namespace lac::passes {
namespace {

using Reason = std::optional<std::string>;

/// An op of a later cluster that reads what an earlier one stores.
struct Edge {
  ValueId value;
  OpId reader;
  int from, to;
};

bool is_reduction(const Op& op) { return op.kind == OpKind::reduce || op.kind == OpKind::arg_reduce; }

class Reasons {
 public:
  Reasons(const Graph& graph, const Clustering& clustering, const Capabilities& limits)
      : graph_(graph), clustering_(clustering), limits_(limits) {
    for (const auto& [id, position] : clustering.scalars)
      for (ValueId result : graph.ops[id].results) scalar_after_[result] = position;
  }

  std::string of(const Edge& edge) const {
    using Rule = Reason (Reasons::*)(const Edge&) const;
    static constexpr Rule rules[] = {
        &Reasons::fusion_is_off, &Reasons::result_is_summed, &Reasons::product_reads_it,   &Reasons::reads_elsewhere,
        &Reasons::waits,         &Reasons::is_protected,     &Reasons::something_between,  &Reasons::too_large,
        &Reasons::work_differs,  &Reasons::company_waits,    &Reasons::something_may_stop, &Reasons::stores_beside};
    for (const Rule rule : rules)
      if (const Reason reason = (this->*rule)(edge)) return *reason;
    return "it is in the kernel that reads most of the same";
  }

 private:
  const Op& op(OpId id) const { return graph_.ops[id]; }
  const Node& node(int n) const { return clustering_.nodes[static_cast<std::size_t>(n)]; }
  /// The cluster that makes it; -1 where none does.
  int home(ValueId value) const {
    const auto found = clustering_.cluster_of.find(value);
    return found == clustering_.cluster_of.end() ? -1 : found->second;
  }

  Reason fusion_is_off(const Edge&) const {
    return limits_.fusion ? std::nullopt : Reason("each operation has a kernel of its own");
  }

  Reason result_is_summed(const Edge& edge) const {
    const Op& producer = *graph_.definition(edge.value);
    if (is_reduction(producer)) return "a reduction's result is needed";
    return is_update_in_place(graph_, producer) ? Reason("it is known once all of the assignment is stored")
                                                : std::nullopt;
  }

  Reason product_reads_it(const Edge& edge) const {
    return op(edge.reader).kind == OpKind::matmul ? Reason("a product needs all of it") : std::nullopt;
  }

  Reason reads_elsewhere(const Edge& edge) const {
    const Domain& domain = node(edge.to).domain;
    for (const Leaf& leaf : clustering_.leaves.at(edge.reader))
      if (leaf.root == edge.value && !is_identity(leaf.access, graph_.type(edge.value), domain))
        return "it is read at other positions";
    return node(edge.from).domain == domain ? std::nullopt : Reason("it is read over another shape");
  }

  /// What the reader needs besides comes from a reduction of the same pass, or from a later one.
  Reason waits(const Edge& edge) const {
    std::set<OpId> seen;
    return waits(edge.reader, edge, seen);
  }
  Reason waits(OpId reader, const Edge& edge, std::set<OpId>& seen) const {
    if (!seen.insert(reader).second) return std::nullopt;
    for (ValueId scalar : clustering_.scalar_inputs.at(reader))
      if (made_at(scalar) >= edge.from) return waits_for(scalar, "a reduction's result is needed");
    for (const Leaf& leaf : clustering_.leaves.at(reader)) {
      const int at = home(leaf.root);
      if (at > edge.from && at < edge.to) return waits_for(leaf.root, "another kernel in between is needed");
      if (at == edge.from && leaf.root != edge.value && is_reduction(*graph_.definition(leaf.root)))
        return waits_for(leaf.root, "a reduction's result is needed");
      if (at != edge.to) continue;
      if (const Reason reason = waits(graph_.values[leaf.root].op, edge, seen)) return reason;
    }
    return std::nullopt;
  }
  /// The reader could have gone ahead, but stands where its own result is read.
  Reason company_waits(const Edge& edge) const {
    std::set<OpId> seen;
    for (OpId id : node(edge.to).ops)
      if (const Reason reason = waits(id, edge, seen)) return reason;
    return std::nullopt;
  }
  Reason waits_for(ValueId value, const std::string& what) const {
    const std::string& name = graph_.values[value].name;
    return what + (name.empty() ? "" : ": " + name);
  }
  int made_at(ValueId scalar) const {
    const auto found = scalar_after_.find(scalar);
    return found == scalar_after_.end() ? home(scalar) : found->second;
  }

  Reason is_protected(const Edge& edge) const {
    if (is_safe_anywhere(graph_, op(edge.reader))) return std::nullopt;
    for (int n = edge.from; n < edge.to; ++n)
      if (!node(n).is_cluster() && may_stop(graph_, op(node(n).host))) return "a check in between protects it";
    return std::nullopt;
  }

  /// It is read through a view that a check protects.
  Reason something_may_stop(const Edge& edge) const {
    for (int n = edge.from; n < edge.to; ++n)
      if (!node(n).is_cluster() && may_stop(graph_, op(node(n).host)))
        return "a check in between protects what reads it";
    return std::nullopt;
  }

  Reason stores_beside(const Edge& edge) const {
    return is_update_in_place(graph_, op(edge.reader)) ? Reason("it is stored into what the kernel that makes it reads")
                                                       : std::nullopt;
  }

  Reason something_between(const Edge& edge) const {
    for (int n = edge.from + 1; n < edge.to; ++n) {
      if (node(n).is_cluster()) continue;
      const OpKind kind = op(node(n).host).kind;
      const auto needs_it = [&](ValueId value) { return value == edge.value; };
      bool reads = false;
      for_each_used_value_deep(graph_, op(node(n).host), [&](ValueId value) { reads |= needs_it(value); });
      if (kind == OpKind::loop && reads) return "a loop in between reads it";
      if (kind == OpKind::branch && reads) return "a branch in between reads it";
    }
    return std::nullopt;
  }

  Reason too_large(const Edge& edge) const {
    std::set<ValueId> inputs, outputs;
    int reductions = 0;
    for (int n : {edge.from, edge.to})
      for (OpId id : node(n).ops) {
        for (const Leaf& leaf : clustering_.leaves.at(id)) inputs.insert(leaf.root);
        const std::vector<ValueId>& scalars = clustering_.scalar_inputs.at(id);
        inputs.insert(scalars.begin(), scalars.end());
        outputs.insert(op(id).results.begin(), op(id).results.end());
        reductions += is_reduction(op(id)) ? 1 : 0;
      }
    std::erase_if(inputs, [&](ValueId value) { return outputs.contains(value); });
    const auto over = [](std::size_t count, std::int32_t most, const char* of) {
      return std::cmp_greater(count, most) ? Reason("one kernel has at most " + std::to_string(most) + " " + of)
                                           : std::nullopt;
    };
    if (const Reason reason = over(inputs.size(), limits_.max_inputs, "inputs")) return reason;
    if (const Reason reason = over(static_cast<std::size_t>(reductions), limits_.max_reductions, "reductions"))
      return reason;
    return over(outputs.size(), limits_.max_outputs, "results");
  }

  Reason work_differs(const Edge& edge) const {
    std::set<Axis> axes;
    bool product = false;
    for (int n : {edge.from, edge.to})
      for (OpId id : node(n).ops) {
        if (is_reduction(op(id))) axes.insert(attribute<Reduction>(op(id)).axis);
        product |= op(id).kind == OpKind::matmul;
      }
    if (axes.contains(Axis::rows) && axes.contains(Axis::cols))
      return "one kernel has no sums of both rows and columns";
    return product && axes.contains(Axis::rows) ? Reason("one kernel has no product beside sums of columns")
                                                : std::nullopt;
  }

  const Graph& graph_;
  const Clustering& clustering_;
  const Capabilities& limits_;
  std::unordered_map<ValueId, int> scalar_after_;  ///< the node after which scalar arithmetic stands
};

/// Of each two clusters the first matrix that goes from one to the other.
std::vector<Edge> edges(const Graph& graph, const Clustering& clustering, const std::unordered_set<ValueId>& stored) {
  std::vector<Edge> found;
  std::set<std::pair<int, int>> seen;
  for (int to = 0; to < static_cast<int>(clustering.nodes.size()); ++to)
    for (OpId reader : clustering.nodes[static_cast<std::size_t>(to)].ops)
      for (const Leaf& leaf : clustering.leaves.at(reader)) {
        const auto home = clustering.cluster_of.find(leaf.root);
        if (home == clustering.cluster_of.end() || home->second == to || graph.type(leaf.root).is_scalar() ||
            !stored.contains(leaf.root) || !seen.insert({home->second, to}).second)
          continue;
        found.push_back({leaf.root, reader, home->second, to});
      }
  return found;
}

/// Values without a name of which a view has one: columns that kernels make as rows, for one.
std::unordered_map<ValueId, std::string> names_of_views(const Graph& graph, BlockId block) {
  std::unordered_map<ValueId, std::string> names;
  for (OpId id : graph.blocks[block].ops) {
    const Op& op = graph.ops[id];
    if (is_view(op)) names.emplace(op.operands[0], graph.values[op.results[0]].name);
  }
  return names;
}

Span span_of(const Graph& graph, OpId id) {
  const LocationId location = graph.ops[id].location;
  return graph.locations.contains(location) ? graph.locations[location].span : Span{};
}

}  // namespace

std::vector<Apart> why_apart(const Graph& graph, BlockId block, const Clustering& clustering,
                             const std::unordered_set<ValueId>& stored, const Capabilities& limits) {
  const Reasons reasons(graph, clustering, limits);
  const std::unordered_map<ValueId, std::string> names = names_of_views(graph, block);
  std::set<std::pair<ValueId, std::string>> said;
  std::vector<Apart> all;
  for (const Edge& edge : edges(graph, clustering, stored)) {
    std::string name = graph.values[edge.value].name;
    if (const auto view = names.find(edge.value); name.empty() && view != names.end()) name = view->second;
    if (name.empty()) name = "a matrix";
    const std::string reason = reasons.of(edge);
    if (!said.emplace(edge.value, reason).second) continue;
    Diagnostic remark;
    remark.severity = Severity::remark;
    remark.span = span_of(graph, edge.reader);
    remark.message = name + " goes through memory to this kernel: " + reason;
    if (const Span made = span_of(graph, graph.values[edge.value].op); made.valid())
      remark.notes.push_back({made, "made here"});
    all.push_back({edge.value, std::move(remark)});
  }
  return all;
}

}  // namespace lac::passes
