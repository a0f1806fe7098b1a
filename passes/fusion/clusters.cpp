#include "passes/fusion/clusters.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include "passes/cost/cost.h"
#include "passes/fusion/overwrites.h"
#include "passes/fusion/updates.h"
#include "passes/safety.h"

namespace lac::passes {
namespace {

bool is_reduction(const Op& op) { return op.kind == OpKind::reduce || op.kind == OpKind::arg_reduce; }

/// What a kernel of these ops takes and gives.
struct Footprint {
  std::set<ValueId> inputs;
  int outputs = 0, reductions = 0;

  bool fits(const Capabilities& limits) const {
    return static_cast<int>(inputs.size()) <= limits.max_inputs && outputs <= limits.max_outputs &&
           reductions <= limits.max_reductions;
  }
};

/// Which results count as outputs before it is known which clusters read them: what is in memory whoever reads it, and
/// these.
struct Outputs {
  bool all = false;
  std::unordered_set<ValueId> stored = {};  ///< by the kernels of an attempt that had too many
};

/// Adds the op to the footprint of a cluster in which `made_inside` says of a value whether it is computed.
void add_to(Footprint& footprint, const Graph& graph, const Roles& roles, const Outputs& counted, const Op& op,
            const std::vector<Leaf>& leaves, const std::vector<ValueId>& scalars,
            const std::function<bool(ValueId)>& made_inside) {
  for (const Leaf& leaf : leaves)
    if (!made_inside(leaf.root)) footprint.inputs.insert(leaf.root);
  footprint.inputs.insert(scalars.begin(), scalars.end());
  if (const ValueId whole = whole_operand(graph, op)) footprint.inputs.insert(whole);
  const bool surely = counted.all || !shares_result(graph, op);
  for (ValueId result : op.results)
    footprint.outputs += surely || roles.in_memory.contains(result) || counted.stored.contains(result);
  footprint.reductions += is_reduction(op);
}

/// To find what kernels store, where some would have too many results.
constexpr int most_attempts = 8;

/// A product reads its operands before the body has computed anything.
bool reads_in_body(const Op& op) { return op.kind != OpKind::matmul; }

class Scheduler {
 public:
  Scheduler(const Graph& graph, BlockId block, const Reader& reader, const Roles& roles, const Capabilities& limits,
            OuterUses& outer, const Outputs& counted)
      : graph_(graph),
        block_(graph.blocks[block]),
        reader_(reader),
        roles_(roles),
        limits_(limits),
        outer_(outer),
        counted_(counted) {}

  Clustering run() {
    for (OpId id : block_.ops) place(id);
    return std::move(result_);
  }

 private:
  // -- where things are available

  /// The last node that must come before a reader of `value`.
  int after(ValueId value) const {
    const auto found = after_.find(value);
    return found == after_.end() ? -1 : found->second;
  }

  /// The last node before `op` itself, apart from its operands: checks that protect it, values behind its sizes.
  int floor_of(OpId id) const {
    const Op& op = graph_.ops[id];
    int floor = is_safe_anywhere(graph_, op) ? -1 : last_stop_;
    for_each_size_value(graph_, op, [&](ValueId value) { floor = std::max(floor, after(value)); });
    return floor;
  }

  void place(OpId id) {
    const Op& op = graph_.ops[id];
    floors_[id] = floor_of(id);  // readers may look through a view that has a kernel as well
    switch (roles_.of.at(id)) {
      case Role::expanded: break;
      case Role::scalar: place_scalar(id); break;
      case Role::host: place_host(id); break;
      case Role::kernel: place_kernel(id); break;
    }
    if (may_stop(graph_, op)) last_stop_ = static_cast<int>(result_.nodes.size()) - 1;
  }

  void place_scalar(OpId id) {
    const Op& op = graph_.ops[id];
    int position = floors_[id];
    for (ValueId operand : op.operands) position = std::max(position, after(operand));
    for (ValueId operand : op.operands) note_reader(operand, {position, std::nullopt});
    set_after(op, position);
    result_.scalars.push_back({id, position});
  }

  void place_host(OpId id) {
    const int position = append({{}, {}, id});
    const Op& op = graph_.ops[id];
    const auto note = [&](ValueId value) { note_reader(value, {position, std::nullopt}); };
    if (op.blocks.empty()) for_each_used_value(graph_, op, note);
    else std::ranges::for_each(outer_.of(id).values, note);
    set_after(op, position);
  }

  int append(Node node) {
    const int position = static_cast<int>(result_.nodes.size());
    next_open_.push_back(node.is_cluster() ? position : position + 1);
    footprints_.emplace_back();
    result_.nodes.push_back(std::move(node));
    return position;
  }
  void set_after(const Op& op, int position) {
    for (ValueId value : op.results) after_[value] = position;
  }

  // -- kernel ops

  struct Needs {
    int earliest = 0;  ///< the first node that may hold the op
    std::vector<Leaf> leaves;
    std::vector<ValueId> scalars;
  };

  Needs needs_of(OpId id, const Domain& domain) {
    const Op& op = graph_.ops[id];
    Needs needs;
    const auto strictly_after = [&](int node) { needs.earliest = std::max(needs.earliest, node + 1); };
    strictly_after(floors_.at(id));
    const auto leaf = [&](ValueId root, const Access& access) {
      needs.leaves.push_back({root, access});
      const Op* producer = graph_.definition(root);
      const bool same_point = reads_in_body(op) && result_.cluster_of.contains(root) &&
                              shares_result(graph_, *producer) && is_identity(access, graph_.type(root), domain);
      strictly_after(same_point ? after(root) - 1 : after(root));
    };
    const Reader::Visitor visitor{leaf,
                                  [&](ValueId scalar) {
                                    needs.scalars.push_back(scalar);
                                    strictly_after(is_point_of(op, scalar, domain) ? after(scalar) - 1 : after(scalar));
                                  },
                                  [&](OpId expanded) { strictly_after(floor_through(expanded)); }};
    for (const OperandRead& read : operand_reads(graph_, op)) reader_.walk(read.value, read.access, domain, visitor);
    if (const ValueId whole = whole_operand(graph_, op)) strictly_after(after(whole));
    for_each_overwritten(graph_, op, limits_.growth_in_place,
                         [&](ValueId value) { wait_for_readers(op, value, needs); });
    return needs;
  }

  /// A scalar that a kernel of one point computes is at hand in that kernel.
  bool is_point_of(const Op& op, ValueId scalar, const Domain& domain) const {
    return domain == Domain{} && reads_in_body(op) && result_.cluster_of.contains(scalar) &&
           shares_result(graph_, *graph_.definition(scalar));
  }

  /// Ops of enclosing blocks impose nothing.
  int floor_through(OpId expanded) const {
    const auto found = floors_.find(expanded);
    return found == floors_.end() ? -1 : found->second;
  }

  /// Where a value is read: a node, and how if that is a kernel.
  struct Reading {
    int node;
    std::optional<Access> access;
    Size extent = 1;  ///< of k
  };

  /// Readers of the old version come first, so that its buffer can be taken over.
  void wait_for_readers(const Op& op, ValueId value, Needs& needs) const {
    const auto found = readers_.find(value);
    if (found == readers_.end()) return;
    for (const Reading& reading : found->second) {
      const bool beside = is_update_in_place(graph_, op) && reading.access &&
                          reads_beside_stores(graph_, op, *reading.access, reading.extent);
      needs.earliest = std::max(needs.earliest, beside ? reading.node : reading.node + 1);
    }
  }

  void note_reader(ValueId value, Reading reading) { readers_[value].push_back(std::move(reading)); }

  void place_kernel(OpId id) {
    const Op& op = graph_.ops[id];
    const Domain domain = kernel_domain(graph_, op);
    Needs needs = needs_of(id, domain);
    const int count = static_cast<int>(result_.nodes.size());
    int position = next_open(needs.earliest);
    while (position < count && !can_join(position, op, domain, needs)) position = next_open(position + 1);
    if (position >= count) position = append({domain, {}, {}});
    join(position, id, std::move(needs));
  }

  /// The first node from `position` on that is no host op and not full: of a long text nearly all are.
  int next_open(int position) {
    int end = position;
    while (end < static_cast<int>(next_open_.size()) && next_open_[end] != end) end = next_open_[end];
    while (position < end) position = std::exchange(next_open_[position], end);
    return end;
  }

  void join(int position, OpId id, Needs needs) {
    const Op& op = graph_.ops[id];
    footprints_[position] = footprint_with(position, op, needs);
    if (footprints_[position].outputs >= limits_.max_outputs) next_open_[position] = position + 1;
    result_.nodes[position].ops.push_back(id);
    set_after(op, position);
    for (ValueId value : op.results) result_.cluster_of[value] = position;
    for (const Leaf& leaf : needs.leaves)
      note_reader(leaf.root, {position, leaf.access, contraction_extent(graph_, op)});
    result_.scalar_inputs[id] = std::move(needs.scalars);
    result_.leaves[id] = std::move(needs.leaves);
  }

  // -- what one kernel can hold

  bool can_join(int position, const Op& op, const Domain& domain, const Needs& needs) const {
    const Node& node = result_.nodes[position];
    return limits_.fusion && node.is_cluster() && node.domain == domain && shapes_of_work_agree(node, op, needs) &&
           bases_stay_in_place(node, op, needs) && !grows_beside(node, op) &&
           footprint_with(position, op, needs).fits(limits_);
  }

  /// The real and the imaginary part of a vector that grows, say: each takes its own buffer over if it is alone.
  bool grows_beside(const Node& node, const Op& op) const {
    const auto is_resize = [&](OpId id) { return graph_.ops[id].kind == OpKind::resize; };
    return limits_.growth_in_place && op.kind == OpKind::resize && std::ranges::any_of(node.ops, is_resize);
  }

  Footprint footprint_with(int position, const Op& op, const Needs& needs) const {
    Footprint footprint = footprints_[position];
    add_to(footprint, graph_, roles_, counted_, op, needs.leaves, needs.scalars, [&](ValueId value) {
      const auto found = result_.cluster_of.find(value);
      return found != result_.cluster_of.end() && found->second == position;
    });
    return footprint;
  }

  /// Contractions over one matrix; no reductions along different axes; nothing that needs an order beside a scatter.
  bool shapes_of_work_agree(const Node& node, const Op& op, const Needs& needs) const {
    struct Work {
      bool contraction = false, rows = false, cols = false, any_reduction = false, scatter = false;
    };
    const auto add = [&](Work work, const Op& o) {
      work.contraction |= o.kind == OpKind::matmul;
      if (is_reduction(o)) {
        const Axis axis = attribute<Reduction>(o).axis;
        work.rows |= axis == Axis::rows;
        work.cols |= axis == Axis::cols;
        work.any_reduction = true;
      }
      work.scatter |= is_update_in_place(graph_, o) && update_access(graph_, o).gathers();
      return work;
    };
    if (op.kind == OpKind::matmul && !goes_with_products(node, op, needs)) return false;
    Work work = add({}, op);
    for (OpId id : node.ops) work = add(work, graph_.ops[id]);
    return !(work.rows && work.cols) && !(work.contraction && work.rows) &&
           !(work.scatter && (work.contraction || work.any_reduction));
  }

  /// Products with one matrix, which comes from memory once for all of them.
  bool goes_with_products(const Node& node, const Op& op, const Needs& needs) const {
    std::size_t sums = 1;
    for (const OpId id : node.ops) {
      const Op& other = graph_.ops[id];
      if (other.kind != OpKind::matmul) continue;
      if (!limits_.several_sums || ++sums > Contraction::most_sums || !share_matrix(other, op) ||
          !read_alike(result_.leaves.at(id), needs.leaves, op))
        return false;
    }
    return true;
  }

  bool share_matrix(const Op& a, const Op& b) const {
    const Type &left = graph_.type(a.operands[0]), &result = graph_.type(a.results[0]);
    return a.operands[0] == b.operands[0] && attribute<Transposes>(a) == attribute<Transposes>(b) &&
           graph_.type(a.operands[1]) == graph_.type(b.operands[1]) &&
           result.element == graph_.type(b.results[0]).element && cost::sharing_pays(left);
  }

  /// Whether the entries of a sparse matrix find what they are multiplied by in the same way: one that looks at it
  /// backwards, say, would keep the others from being had for several rows at once (is_product_of_entries).
  bool read_alike(const std::vector<Leaf>& a, const std::vector<Leaf>& b, const Op& op) const {
    return graph_.type(op.operands[0]).is_dense() ||
           std::ranges::equal(a, b, [](const Leaf& x, const Leaf& y) { return x.access == y.access; });
  }

  /// An update's base is read in the update's kernel only where no other point stores, and by one update.
  bool bases_stay_in_place(const Node& node, const Op& op, const Needs& needs) const {
    const auto clash = [&](const Op& update, const Op& reader, const std::vector<Leaf>& leaves) {
      return std::ranges::any_of(leaves, [&](const Leaf& leaf) {
        return leaf.root == update.operands[0] &&
               !reads_beside_stores(graph_, update, leaf.access, contraction_extent(graph_, reader));
      });
    };
    for (OpId id : node.ops) {
      const Op& member = graph_.ops[id];
      if (is_update_in_place(graph_, member) && clash(member, op, needs.leaves)) return false;
      if (!is_update_in_place(graph_, op)) continue;
      if (clash(op, member, result_.leaves.at(id))) return false;
      if (is_update_in_place(graph_, member) && member.operands[0] == op.operands[0]) return false;
    }
    return true;
  }

  const Graph& graph_;
  const Block& block_;
  const Reader& reader_;
  const Roles& roles_;
  const Capabilities& limits_;
  OuterUses& outer_;
  const Outputs& counted_;
  Clustering result_;
  std::vector<Footprint> footprints_;  ///< by node
  std::vector<int> next_open_;         ///< by node: itself where it is open, else one that follows
  std::map<ValueId, int> after_;
  std::map<OpId, int> floors_;
  std::map<ValueId, std::vector<Reading>> readers_;
  int last_stop_ = -1;
};

/// Moves elementwise ops that only one later cluster reads into that cluster, with what only they read: no store, no
/// load. One that nobody reads here goes where most of what it reads is read anyway.
class Sinker {
 public:
  Sinker(const Graph& graph, BlockId block, const Roles& roles, const Capabilities& limits, OuterUses& outer,
         const Outputs& counted, Clustering& clustering)
      : graph_(graph),
        block_(graph.blocks[block]),
        roles_(roles),
        limits_(limits),
        counted_(counted),
        clustering_(clustering) {
    for (std::size_t i = 0; i < block_.ops.size(); ++i) order_[block_.ops[i]] = i;
    for (int n = 0; n < static_cast<int>(clustering.nodes.size()); ++n) {
      const Node& node = clustering.nodes[n];
      if (!node.is_cluster()) {
        add(node.host, n);
        note_host(node.host, outer);
      }
      for (OpId id : node.ops) {
        add(id, n);
        for (const Leaf& leaf : clustering.leaves.at(id)) readers_[leaf.root].push_back(id);
        for (ValueId scalar : clustering.scalar_inputs.at(id)) scalars_read_.insert(scalar);
        if (const ValueId whole = whole_operand(graph, graph.ops[id])) whole_readers_[whole].push_back(id);
      }
    }
    for (const auto& [id, position] : clustering.scalars) note_host(id, outer);
  }

  void run() {
    for (auto id = block_.ops.rbegin(); id != block_.ops.rend(); ++id) {
      const Op& op = graph_.ops[*id];
      if (roles_.is(*id, Role::kernel) && is_elementwise(op)) try_sink(*id);
    }
  }

 private:
  using Group = std::set<OpId>;
  static constexpr std::size_t most_in_group = 128;
  static constexpr int nearest_clusters = 16;

  void try_sink(OpId id) {
    const ValueId value = graph_.ops[id].results[0];
    const int from = clustering_.cluster_of.at(value);
    if (roles_.in_memory.contains(value)) {
      if (is_read(value)) return;
      const Group group = group_of(id, from);
      if (const int to = better_company(group, value, from); to > from && may_sink(group, from, to))
        sink(group, from, to);
      return;
    }
    const int to = only_reader(value);
    if (to <= from) return;
    // With all that only it needs, where that moves fewer words; else alone.
    for (const Group& group : {group_of(id, from), Group{id}})
      if (may_sink(group, from, to)) return sink(group, from, to);
  }

  bool is_read(ValueId value) const {
    return !ops_of(readers_, value).empty() || !ops_of(whole_readers_, value).empty() ||
           scalars_read_.contains(value) || host_reads_.contains(value);
  }

  /// For what leaves the block unread: the cluster of its domain in which the group adds fewer reads than it spares
  /// here, by most; -1 where there is none.
  int better_company(const Group& group, ValueId value, int from) const {
    const int last = std::min(from + nearest_clusters, static_cast<int>(clustering_.nodes.size()) - 1);
    int best = -1;
    std::ptrdiff_t most = 0;
    for (int to = from + 1; to <= last; ++to) {
      const Node& node = clustering_.nodes[to];
      if (!node.is_cluster() || node.ops.empty() || !(node.domain == domain_of(graph_.type(value)))) continue;
      const Moved moved = moved_reads(group, from, to);
      if (moved.spared - moved.added <= most) continue;
      best = to;
      most = moved.spared - moved.added;
    }
    return best;
  }

  /// The one cluster that reads `value`, always at the same point; -1 when there is none.
  int only_reader(ValueId value) const {
    int reader = -1;
    for (OpId id : ops_of(readers_, value)) {
      const int n = node_of_.at(id);
      if (reader >= 0 && reader != n) return -1;
      for (const Leaf& leaf : clustering_.leaves.at(id))
        if (leaf.root == value && (!reads_in_body(graph_.ops[id]) ||
                                   !is_identity(leaf.access, graph_.type(value), clustering_.nodes[n].domain)))
          return -1;
      reader = n;
    }
    return reader;
  }

  bool may_sink(const Group& group, int from, int to) const {
    return std::ranges::all_of(group, [&](OpId id) { return operands_stay_readable(id, group, from, to); }) &&
           !reads_more(group, from, to) && footprint_with(to, group).fits(limits_);
  }

  /// The op and the elementwise ops of its cluster that nobody else reads, those that they alone read, and so on.
  Group group_of(OpId last, int from) const {
    Group group = {last};
    std::map<std::size_t, OpId> next;  // by their order: readers before what they read
    const auto add_sources = [&](OpId id) {
      for (const Leaf& leaf : clustering_.leaves.at(id))
        if (const auto found = order_.find(graph_.values[leaf.root].op); found != order_.end())
          next.emplace(found->second, found->first);
    };
    for (add_sources(last); !next.empty() && group.size() < most_in_group;) {
      const OpId id = std::prev(next.end())->second;
      next.erase(std::prev(next.end()));
      const Op& op = graph_.ops[id];
      if (!roles_.is(id, Role::kernel) || !is_elementwise(op) || node_of_.at(id) != from) continue;
      const ValueId value = op.results[0];
      const std::vector<OpId>& readers = ops_of(readers_, value);
      if (roles_.in_memory.contains(value) || !ops_of(whole_readers_, value).empty()) continue;
      const auto is_inside = [&](OpId reader) { return group.contains(reader) && reads_as_it_is(reader, value); };
      if (!std::ranges::all_of(readers, is_inside)) continue;
      group.insert(id);
      add_sources(id);
    }
    return group;
  }

  /// At every point of its domain what stands at the same point.
  bool reads_as_it_is(OpId reader, ValueId value) const {
    return std::ranges::all_of(clustering_.leaves.at(reader), [&](const Leaf& leaf) {
      return leaf.root != value || is_identity(leaf.access, graph_.type(value), domain_of(graph_.type(value)));
    });
  }

  bool is_made_in(const Group& group, ValueId value) const { return group.contains(graph_.values[value].op); }

  /// Whether the move costs more reads than the store and the load that it saves.
  bool reads_more(const Group& group, int from, int to) const {
    const Moved moved = moved_reads(group, from, to);
    return !cost::saves_words(moved.spared + cost::words_of_handing_on, moved.added);
  }

  /// Matrices that `to` does not read yet, and that `from` does not read any more.
  struct Moved {
    std::ptrdiff_t added, spared;
  };
  Moved moved_reads(const Group& group, int from, int to) const {
    std::set<ValueId> roots;
    for (OpId id : group)
      for (const Leaf& leaf : clustering_.leaves.at(id))
        if (!is_made_in(group, leaf.root)) roots.insert(leaf.root);
    const auto reads = [&](int node, ValueId root) {
      return std::ranges::any_of(ops_of(readers_, root),
                                 [&](OpId reader) { return node_of_.at(reader) == node && !group.contains(reader); });
    };
    const auto at_hand = [&](int node, ValueId root) {
      const auto found = clustering_.cluster_of.find(root);
      return found != clustering_.cluster_of.end() && found->second == node;
    };
    const auto added =
        std::ranges::count_if(roots, [&](ValueId root) { return !reads(to, root) && !at_hand(to, root); });
    const auto spared =
        std::ranges::count_if(roots, [&](ValueId root) { return !reads(from, root) && !at_hand(from, root); });
    return {added, spared};
  }

  Footprint footprint_with(int to, const Group& group) const {
    const auto made_inside = [&](ValueId value) {
      const auto found = clustering_.cluster_of.find(value);
      return is_made_in(group, value) || (found != clustering_.cluster_of.end() && found->second == to);
    };
    Footprint footprint;
    const auto add = [&](OpId id) {
      add_to(footprint, graph_, roles_, counted_, graph_.ops[id], clustering_.leaves.at(id),
             clustering_.scalar_inputs.at(id), made_inside);
    };
    std::ranges::for_each(clustering_.nodes[to].ops, add);
    std::ranges::for_each(group, add);
    return footprint;
  }

  void sink(const Group& group, int from, int to) {
    for (OpId id : group) {
      std::erase(clustering_.nodes[from].ops, id);
      std::vector<OpId>& target = clustering_.nodes[to].ops;
      const std::size_t order = order_.at(id);
      const auto place = std::ranges::find_if(target, [&](OpId other) { return order_.at(other) > order; });
      target.insert(place, id);
      clustering_.cluster_of[graph_.ops[id].results[0]] = to;
      node_of_[id] = to;
    }
  }

  /// As in stored_values, for the result of a kernel op as the clusters are now.
  bool is_stored(ValueId value) const {
    const int home = clustering_.cluster_of.at(value);
    const auto elsewhere = [&](OpId reader) { return node_of_.at(reader) != home; };
    return !shares_result(graph_, *graph_.definition(value)) || roles_.in_memory.contains(value) ||
           std::ranges::any_of(ops_of(readers_, value), elsewhere) ||
           std::ranges::any_of(ops_of(whole_readers_, value), elsewhere);
  }

  /// What the op reads is in memory anyway and not overwritten before or in `to`, or is of the group.
  bool operands_stay_readable(OpId id, const Group& group, int from, int to) const {
    const std::vector<Leaf>& leaves = clustering_.leaves.at(id);
    const auto between = [&](OpId writer) { return node_of_.at(writer) >= from && node_of_.at(writer) <= to; };
    return std::ranges::none_of(leaves, [&](const Leaf& leaf) {
      if (is_made_in(group, leaf.root)) return false;
      const auto found = clustering_.cluster_of.find(leaf.root);
      if (found != clustering_.cluster_of.end() && found->second == from && !is_stored(leaf.root)) return true;
      return std::ranges::any_of(ops_of(overwriters_, leaf.root), between);
    });
  }

  void note_host(OpId id, OuterUses& outer) {
    const Op& op = graph_.ops[id];
    for_each_used_value(graph_, op, [&](ValueId value) { host_reads_.insert(value); });
    if (!op.blocks.empty())
      for (const ValueId value : outer.of(id).values) host_reads_.insert(value);
  }

  void add(OpId id, int node) {
    node_of_[id] = node;
    for_each_overwritten(graph_, graph_.ops[id], limits_.growth_in_place,
                         [&](ValueId value) { overwriters_[value].push_back(id); });
  }

  using OpsByValue = std::unordered_map<ValueId, std::vector<OpId>>;
  static const std::vector<OpId>& ops_of(const OpsByValue& ops, ValueId value) {
    static const std::vector<OpId> none;
    const auto found = ops.find(value);
    return found == ops.end() ? none : found->second;
  }

  const Graph& graph_;
  const Block& block_;
  const Roles& roles_;
  const Capabilities& limits_;
  const Outputs& counted_;
  Clustering& clustering_;
  std::unordered_map<OpId, std::size_t> order_;  ///< in the block
  std::unordered_map<OpId, int> node_of_;
  OpsByValue readers_, whole_readers_, overwriters_;  ///< by a leaf, by the whole operand, by what they write over
  std::unordered_set<ValueId> scalars_read_;          ///< by kernels; they are in memory (roles.h)
  std::unordered_set<ValueId> host_reads_;
};

Clustering cluster(const Graph& graph, BlockId block, const Reader& reader, const Roles& roles,
                   const Capabilities& capabilities, OuterUses& outer, const Outputs& counted) {
  Clustering result = Scheduler(graph, block, reader, roles, capabilities, outer, counted).run();
  if (capabilities.fusion) Sinker(graph, block, roles, capabilities, outer, counted, result).run();
  return result;
}

/// What the kernels with more than `most` results store.
std::unordered_set<ValueId> stored_by_the_full(const Graph& graph, const Clustering& clustering, const Roles& roles,
                                               std::size_t most) {
  const std::unordered_set<ValueId> stored = stored_values(graph, clustering, roles);
  std::unordered_set<ValueId> found;
  for (const Node& node : clustering.nodes) {
    std::vector<ValueId> outputs;
    for (OpId id : node.ops)
      std::ranges::copy_if(graph.ops[id].results, std::back_inserter(outputs),
                           [&](ValueId result) { return stored.contains(result); });
    if (outputs.size() > most) found.insert(outputs.begin(), outputs.end());
  }
  return found;
}

}  // namespace

Clustering cluster(const Graph& graph, BlockId block, const Reader& reader, const Roles& roles,
                   const Capabilities& capabilities, OuterUses& outer) {
  Outputs counted;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    Clustering result = cluster(graph, block, reader, roles, capabilities, outer, counted);
    const std::unordered_set<ValueId> more =
        stored_by_the_full(graph, result, roles, static_cast<std::size_t>(capabilities.max_outputs));
    if (more.empty()) return result;
    counted.stored.insert(more.begin(), more.end());
  }
  return cluster(graph, block, reader, roles, capabilities, outer, {.all = true});
}

bool shares_result(const Graph& graph, const Op& op) { return !is_reduction(op) && !is_update_in_place(graph, op); }

std::unordered_set<ValueId> stored_values(const Graph& graph, const Clustering& clustering, const Roles& roles) {
  std::unordered_set<ValueId> stored;
  for (int n = 0; n < static_cast<int>(clustering.nodes.size()); ++n)
    for (OpId id : clustering.nodes[n].ops) {
      const Op& op = graph.ops[id];
      for (ValueId value : op.results)
        if (!shares_result(graph, op) || roles.in_memory.contains(value)) stored.insert(value);
      const auto read = [&](ValueId value) {
        const auto found = clustering.cluster_of.find(value);
        if (found != clustering.cluster_of.end() && found->second != n) stored.insert(value);
      };
      for (const Leaf& leaf : clustering.leaves.at(id)) read(leaf.root);
      if (const ValueId whole = whole_operand(graph, op)) read(whole);
    }
  return stored;
}

}  // namespace lac::passes
