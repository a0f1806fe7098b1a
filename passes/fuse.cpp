#include "passes/fuse.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "passes/fusion/apart.h"
#include "passes/fusion/clusters.h"
#include "passes/fusion/kernel_builder.h"
#include "passes/fusion/launches.h"
#include "passes/fusion/origins.h"
#include "passes/fusion/overwrites.h"
#include "passes/fusion/reader.h"
#include "passes/fusion/roles.h"

namespace lac::passes {
namespace {

class BlockFuser {
 public:
  BlockFuser(Graph& graph, BlockId block, const std::unordered_set<ValueId>& old,
             const std::unordered_set<ValueId>& device_values, OuterUses& outer, PassContext& context)
      : graph_(graph),
        block_(block),
        device_values_(device_values),
        outer_(outer),
        context_(context),
        reader_(graph, block, context.capabilities) {
    reader_.cut = old;
  }

  bool run() {
    const Roles roles = assign_roles(graph_, block_, reader_, context_.capabilities, device_values_, outer_);
    const Clustering clustering = cluster(graph_, block_, reader_, roles, context_.capabilities, outer_);
    const std::unordered_set<ValueId> stored = stored_values(graph_, clustering, roles);
    if (context_.explains) explain(clustering, stored);
    std::map<int, BuiltKernel> built = build_kernels(clustering, stored);
    std::vector<OpId> order;
    std::map<int, std::vector<OpId>> scalars;
    for (const auto& [op, position] : clustering.scalars) scalars[position].push_back(op);
    const auto append_scalars = [&](int after) {
      if (const auto found = scalars.find(after); found != scalars.end())
        order.insert(order.end(), found->second.begin(), found->second.end());
    };
    append_scalars(-1);
    bool changed = false;
    for (int n = 0; n < static_cast<int>(clustering.nodes.size()); ++n) {
      const Node& node = clustering.nodes[n];
      if (!node.is_cluster()) {
        order.push_back(node.host);
      } else if (const auto found = built.find(n); found != built.end()) {
        order.push_back(launch(node, std::move(found->second)));
        changed = true;
      }
      append_scalars(n);
    }
    changed = changed || order != graph_.blocks[block_].ops;
    graph_.blocks[block_].ops = std::move(order);
    return changed;
  }

 private:
  /// Clusters whose ops have all moved on, or that nobody reads, are none.
  bool writes(const Node& node, const std::unordered_set<ValueId>& stored) const {
    return std::any_of(node.ops.begin(), node.ops.end(), [&](OpId id) {
      const std::vector<ValueId>& results = graph_.ops[id].results;
      return std::any_of(results.begin(), results.end(), [&](ValueId value) { return stored.contains(value); });
    });
  }

  /// By node. All before the first launch takes the place of what it computes: a kernel may repeat scalar arithmetic
  /// of another.
  std::map<int, BuiltKernel> build_kernels(const Clustering& clustering, const std::unordered_set<ValueId>& stored) {
    std::map<int, BuiltKernel> built;
    for (int n = 0; n < static_cast<int>(clustering.nodes.size()); ++n) {
      const Node& node = clustering.nodes[n];
      if (node.is_cluster() && writes(node, stored)) built.emplace(n, build_kernel(graph_, node, reader_, stored));
    }
    return built;
  }

  OpId launch(const Node& node, BuiltKernel built) {
    remark(node, built.kernel);
    const LocationId location = built.kernel.locations.front();
    return make_launch(graph_, std::move(built.kernel), std::move(built.inputs), std::move(built.outputs), location);
  }

  void explain(const Clustering& clustering, const std::unordered_set<ValueId>& stored) {
    std::vector<Apart> apart = why_apart(graph_, block_, clustering, stored, context_.capabilities);
    context_.apart.insert(context_.apart.end(), std::make_move_iterator(apart.begin()),
                          std::make_move_iterator(apart.end()));
  }

  void remark(const Node& node, const Kernel& kernel) {
    if (node.ops.size() < 2) return;
    const LocationId location = graph_.ops[node.ops.front()].location;
    Diagnostic diagnostic;
    diagnostic.severity = Severity::remark;
    if (graph_.locations.contains(location)) diagnostic.span = graph_.locations[location].span;
    diagnostic.message = "fused " + std::to_string(node.ops.size()) + " operations into one kernel";
    if (!kernel.name.empty()) diagnostic.message += " (" + kernel.name + ")";
    context_.remarks.push_back(std::move(diagnostic));
  }

  Graph& graph_;
  BlockId block_;
  const std::unordered_set<ValueId>& device_values_;
  OuterUses& outer_;
  PassContext& context_;
  Reader reader_;
};

/// Inner blocks first: what they read through views of this block is then known here. `old`: slices of enclosing blocks
/// that show a value whose buffer is taken over.
bool fuse_block(Graph& graph, BlockId block, const std::unordered_set<ValueId>& old,
                const std::unordered_set<ValueId>& device_values, OuterUses& outer, PassContext& context) {
  bool changed = false;
  const Overwrites overwrites(graph, block, context.capabilities.growth_in_place);
  for (OpId id : std::vector<OpId>(graph.blocks[block].ops)) {
    if (graph.ops[id].blocks.empty()) continue;
    std::unordered_set<ValueId> old_inside = old;
    for (ValueId slice : overwrites.old_slices(graph, id)) old_inside.insert(slice);
    for (BlockId inner : std::vector<BlockId>(graph.ops[id].blocks))
      changed |= fuse_block(graph, inner, old_inside, device_values, outer, context);
  }
  return BlockFuser(graph, block, old, device_values, outer, context).run() || changed;
}

}  // namespace

bool fuse(Graph& graph, PassContext& context) {
  std::unordered_set<ValueId> device;
  if (context.capabilities.device_scalars) device = device_values(graph, context.capabilities.device_counters);
  OuterUses outer(graph);
  const bool changed = fuse_block(graph, graph.body, {}, device, outer, context);
  renumber_kernels(graph);
  return changed;
}

}  // namespace lac::passes
