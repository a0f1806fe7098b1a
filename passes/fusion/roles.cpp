#include "passes/fusion/roles.h"

#include <algorithm>

#include "passes/fusion/overwrites.h"
#include "passes/fusion/updates.h"

namespace lac::passes {
namespace {

/// A place where kernels read a value.
struct Use {
  Access access;
  Domain domain;
  int position;  ///< of the reader in the block
};

/// One place for all points.
bool is_uniform(const Access& access) {
  const auto stays = [](const AffineIndex& index) { return index.i.is(0) && index.j.is(0) && index.k.is(0); };
  return !access.gathers() && stays(access.row) && stays(access.col);
}

class Assignment {
 public:
  Assignment(const Graph& graph, BlockId block, Reader& reader, const Capabilities& capabilities,
             const std::unordered_set<ValueId>& device_values, OuterUses& outer)
      : graph_(graph),
        block_(graph.blocks[block]),
        reader_(reader),
        overwrites_(graph, block, capabilities.growth_in_place),
        fusion_(capabilities.fusion),
        device_values_(device_values),
        outer_(outer) {
    for (OpId id : block_.ops) {
      const std::vector<ValueId>& operands = graph.ops[id].operands;
      for (ValueId operand : std::unordered_set<ValueId>(operands.begin(), operands.end())) ++reads_[operand];
    }
  }

  Roles run() {
    for (ValueId yielded : block_.yields) demand(yielded);
    for (auto id = block_.ops.rbegin(); id != block_.ops.rend(); ++id) assign(*id);
    return std::move(roles_);
  }

 private:
  void assign(OpId id) {
    const Op& op = graph_.ops[id];
    const Role role = roles_.of[id] = role_of(op);
    demand_sizes(id);
    if (role == Role::kernel) read_operands(id);
    if (role == Role::host) demand_uses(id);
    if (role == Role::scalar) demand_for_scalar(op);
  }

  void demand_uses(OpId id) {
    const Op& op = graph_.ops[id];
    if (op.blocks.empty()) for_each_used_value(graph_, op, [&](ValueId value) { demand(value); });
    else
      for (ValueId value : outer_.of(id).values) demand(value);
  }

  /// The host knows every size, and how often a loop runs at most.
  void demand_sizes(OpId id) {
    const Op& op = graph_.ops[id];
    for_each_size_value(graph_, op, [&](ValueId value) { demand_on_host(value); });
    if (op.kind == OpKind::loop) demand_on_host(op.operands[0]);
    if (!op.blocks.empty()) on_host_.insert(outer_.of(id).sizes.begin(), outer_.of(id).sizes.end());
  }

  void demand_for_scalar(const Op& op) {
    const bool on_host = on_host_.contains(op.results[0]);
    for (ValueId operand : op.operands) {
      demand(operand);
      if (on_host) on_host_.insert(operand);
    }
  }

  Role role_of(const Op& op) {
    switch (op.kind) {
      case OpKind::parameter: return Role::scalar;
      case OpKind::constant:
      case OpKind::size: return demanded(op) ? Role::scalar : Role::expanded;
      case OpKind::reduce:
      case OpKind::arg_reduce:
      case OpKind::matmul:
      case OpKind::update:
      case OpKind::resize:
      case OpKind::concat: return Role::kernel;
      case OpKind::fill:
      case OpKind::iota: return demanded(op) ? Role::kernel : Role::expanded;
      case OpKind::map:
      case OpKind::convert:
        if (graph_.type(op.results[0]).is_scalar()) return scalar_role(op);
        return inline_where_read(op) ? Role::expanded : Role::kernel;
      default: break;
    }
    if (!is_view(op)) return Role::host;
    if (graph_.type(op.results[0]).is_scalar()) return scalar_role(op);
    if (!demanded(op)) return Role::expanded;
    return op.kind == OpKind::reshape ? Role::scalar : Role::kernel;
  }

  Role scalar_role(const Op& op) const {
    if (!demanded(op)) return Role::expanded;
    const ValueId value = op.results[0];
    return device_values_.contains(value) && !on_host_.contains(value) ? Role::kernel : Role::scalar;
  }

  bool demanded(const Op& op) const {
    return std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return roles_.in_memory.contains(v); });
  }
  void demand(ValueId value) { roles_.in_memory.insert(value); }
  void demand_on_host(ValueId value) {
    demand(value);
    on_host_.insert(value);
  }

  void read_operands(OpId id) {
    const Op& op = graph_.ops[id];
    if (const ValueId whole = whole_operand(graph_, op)) demand(whole);
    note_stored(id);
    cut_old_values(id);
    const Domain domain = kernel_domain(graph_, op);
    for (const OperandRead& read : operand_reads(graph_, op))
      this->read(read.value, {read.access, domain, overwrites_.position(id)});
  }

  /// What is stored by an update in place, point by point, so that one kernel could do both.
  void note_stored(OpId id) {
    const Op& op = graph_.ops[id];
    if (is_update_in_place(graph_, op)) stored_by_.try_emplace(op.operands.back(), id);
    if (op.kind != OpKind::map && op.kind != OpKind::convert) return;
    if (const auto update = stored_by_.find(op.results[0]); update != stored_by_.end())
      for (ValueId operand : op.operands) stored_by_.try_emplace(operand, OpId(update->second));
  }

  void read(ValueId value, const Use& use) {
    reader_.walk(value, use.access, use.domain,
                 {[&](ValueId root, const Access& at) {
                    demand_leaf(root);
                    uses_[root].push_back({at, use.domain, use.position});
                  },
                  [&](ValueId scalar) { demand(scalar); }, [](OpId) {}});
  }

  /// A leaf that is not computed by a kernel op anyway must be put in memory.
  void demand_leaf(ValueId root) {
    const Op* op = graph_.definition(root);
    if (op && (is_view(*op) || op->kind == OpKind::fill || op->kind == OpKind::iota)) demand(root);
  }

  /// What is computed from a value before an op takes its buffer over is not expanded behind that op: in
  /// t = x(i); x(i) = x(j); x(j) = t the old x need not live on as a whole then.
  void cut_old_values(OpId reader) {
    while (const ValueId value = old_expansion(reader)) reader_.cut.insert(value);
  }

  /// The last op that `reader` expands and that leads to an old value, if it stands before that is taken over.
  ValueId old_expansion(OpId reader) const {
    const Op& op = graph_.ops[reader];
    struct Old {
      int taken;            // where it is taken over
      bool elements_alone;  // what is read of it by all points is in the way
    };
    std::unordered_map<ValueId, Old> old;  // old values and what leads to them
    std::vector<std::pair<int, OpId>> expanded;
    const Reader::Visitor visitor{[&](ValueId root, const Access& at) {
                                    const int taken = overwrites_.of(root);
                                    if (is_old(root, at, reader)) old.insert_or_assign(root, Old{taken, false});
                                    else if (is_element_in_the_way(root, at, reader))
                                      old.emplace(root, Old{taken, true});
                                  },
                                  [](ValueId) {},
                                  [&](OpId id) { expanded.emplace_back(overwrites_.position(id), id); }};
    for (const OperandRead& read : operand_reads(graph_, op))
      reader_.walk(read.value, read.access, kernel_domain(graph_, op), visitor);
    if (old.empty()) return {};
    std::ranges::sort(expanded);  // operands before what reads them
    ValueId last;
    for (const auto& [position, id] : expanded)
      for (ValueId operand : graph_.ops[id].operands) {
        const auto found = old.find(operand);
        if (found == old.end() || position >= found->second.taken || !can_be_cut(graph_.ops[id])) continue;
        const ValueId result = graph_.ops[id].results[0];
        if (found->second.elements_alone && !graph_.type(result).is_scalar()) continue;
        last = result;
        old.emplace(last, Old(found->second));
      }
    return last;
  }

  /// Slices and scalar arithmetic: what is expanded whatever `cut` says (a fill, a reshape) is none.
  bool can_be_cut(const Op& op) const {
    return (is_view(op) && op.kind != OpKind::reshape) || reader_.inlines_scalar(op.results[0]);
  }

  /// An op takes the value over before `reader`, or `reader` itself does and stores where it reads.
  bool is_old(ValueId root, const Access& access, OpId reader) const {
    const int taken = overwrites_.of(root), position = overwrites_.position(reader);
    const Op& op = graph_.ops[reader];
    if (taken != position) return taken < position;
    return !is_update_in_place(graph_, op) || op.operands[0] != root || !reads_beside_stores(graph_, op, access, 1);
  }

  /// In `f = A(i, k)/A(k, k); A(i, k:n) -= f*A(k, k:n)` one point stores the element that all of them would read: read
  /// before, it leaves the row to one kernel.
  bool is_element_in_the_way(ValueId root, const Access& access, OpId reader) const {
    const Op& op = graph_.ops[reader];
    const auto stored = op.results.empty() ? stored_by_.end() : stored_by_.find(op.results[0]);
    if (stored == stored_by_.end() || !is_uniform(access)) return false;
    const Op& update = graph_.ops[stored->second];
    return update.operands[0] == root && kernel_domain(graph_, op) == update_domain(graph_, update) &&
           !reads_beside_stores(graph_, update, access, 1);
  }

  bool reads_old_value(ValueId value, const Use& use) const {
    bool old = false;
    reader_.walk(value, use.access, use.domain,
                 {[&](ValueId root, const Access&) { old = old || overwrites_.of(root) <= use.position; },
                  [](ValueId) {}, [](OpId) {}});
    return old;
  }

  /// A cheap elementwise value with one reader, through a map that is not the identity, is computed there.
  bool inline_where_read(const Op& op) {
    const ValueId value = op.results[0];
    const auto found = uses_.find(value);
    if (!demanded(op) && found == uses_.end()) return true;  // wherever it is read it is generated, if it is read
    if (!fusion_ || demanded(op) || found == uses_.end() || found->second.size() != 1) return false;
    if (!cost::is_as_fast_as_reading(cost::time_of(op))) return false;
    const Use use = found->second.front();
    const Type& type = graph_.type(value);
    const bool once = !type.is_vector() && (use.domain.rows.is(1) || use.domain.cols.is(1));  // (A + s*B)*x
    const bool per_term = !once && (!use.access.row.k.is(0) || !use.access.col.k.is(0));
    const bool repeated = use.domain != domain_of(type) && type.is_vector() && !use.domain.rows.is(1) &&
                          !use.domain.cols.is(1);  // a vector read by a whole matrix
    if (per_term || repeated || use.access.zero_outside || is_identity(use.access, type, use.domain)) return false;
    const auto composes = [&](ValueId operand) {
      return through_broadcast(use.access, graph_.type(operand), type).has_value();
    };
    if (!std::ranges::all_of(op.operands, composes) ||
        !cost::saves_words(cost::words_of_handing_on, words_added_by_inlining(op)))
      return false;
    reader_.inlined.insert(value);
    if (reads_old_value(value, use)) reader_.inlined.erase(value);
    else read(value, use);
    return reader_.inlined.contains(value);
  }

  /// What only the op reads moves along with it; what others read as well is read once more.
  std::int64_t words_added_by_inlining(const Op& op) const {
    std::unordered_set<ValueId> read;
    for (ValueId operand : op.operands)
      if (!graph_.type(operand).is_scalar() && !reader_.costs_no_read(operand) && reads_.at(operand) > 1)
        read.insert(operand);
    return static_cast<std::int64_t>(read.size());
  }

  const Graph& graph_;
  const Block& block_;
  Reader& reader_;
  const Overwrites overwrites_;
  const bool fusion_;
  const std::unordered_set<ValueId>& device_values_;
  OuterUses& outer_;
  std::unordered_map<ValueId, int> reads_;  ///< ops of the block that read a value themselves
  std::unordered_set<ValueId> on_host_;     ///< sizes, and what they are computed from
  Roles roles_;
  std::unordered_map<ValueId, std::vector<Use>> uses_;
  std::unordered_map<ValueId, OpId> stored_by_;  ///< see note_stored
};

}  // namespace

Roles assign_roles(const Graph& graph, BlockId block, Reader& reader, const Capabilities& capabilities,
                   const std::unordered_set<ValueId>& device_values, OuterUses& outer) {
  return Assignment(graph, block, reader, capabilities, device_values, outer).run();
}

}  // namespace lac::passes
