#include "passes/join_branches.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/branches/scalar_work.h"
#include "passes/cost/cost.h"
#include "passes/fusion/origins.h"

namespace lac::passes {
namespace {

/// An arm of a branch that ends in a branch.
struct Nesting {
  OpId outer, inner;
  std::size_t with;  ///< the arm of the outer that has the inner
  std::size_t idle;  ///< the arm of the inner that ends like the other arm of the outer
};

class Joiner {
 public:
  Joiner(Graph& graph, const Capabilities& capabilities)
      : graph_(graph), device_(device_values(graph, capabilities.device_counters)) {}

  bool run() {
    visit(graph_.body);
    return changed_;
  }

 private:
  /// Inner branches first: what they become may be joined again.
  void visit(BlockId block) {
    for (std::size_t n = 0; n < graph_.blocks[block].ops.size(); ++n) {
      const OpId id = graph_.blocks[block].ops[n];
      for (BlockId inner : std::vector<BlockId>(graph_.ops[id].blocks)) visit(inner);
      if (graph_.ops[id].kind != OpKind::branch) continue;
      if (const std::optional<Nesting> found = nesting(id)) n = join(block, n, *found);
    }
  }

  /// What the host knows it decides without a device: such a branch stays.
  std::optional<Nesting> nesting(OpId outer) const {
    if (!device_.contains(graph_.ops[outer].operands[0])) return std::nullopt;
    for (std::size_t with : {0u, 1u}) {
      const std::vector<OpId>& ops = arm(outer, with).ops;
      if (!arm(outer, 1 - with).ops.empty() || ops.empty() || graph_.ops[ops.back()].kind != OpKind::branch) continue;
      if (!decides_only(std::span(ops).first(ops.size() - 1))) continue;
      for (std::size_t idle : {0u, 1u}) {
        const Nesting found = {outer, ops.back(), with, idle};
        if (arm(found.inner, idle).ops.empty() && ends_alike(found)) return found;
      }
    }
    return std::nullopt;
  }

  bool decides_only(std::span<const OpId> ops) const {
    std::int64_t work = 0;
    for (OpId id : ops) {
      if (!is_scalar_arithmetic(graph_, graph_.ops[id])) return false;
      work += graph_.ops[id].kind != OpKind::constant;
    }
    return work <= cost::branch;
  }

  /// Results are what the inner branch leaves, or the same from either arm of the outer.
  bool ends_alike(const Nesting& nesting) const {
    const std::vector<ValueId>& other = arm(nesting.outer, 1 - nesting.with).yields;
    for (std::size_t n = 0; n < other.size(); ++n) {
      const ValueId result = graph_.ops[nesting.outer].results[n];
      if (graph_.type(result) != graph_.type(other[n]) || yielded(nesting, n, nesting.idle) != other[n] ||
          graph_.type(result) != graph_.type(yielded(nesting, n, 1 - nesting.idle)))
        return false;
    }
    return true;
  }

  /// What result n of the outer branch is where the inner one takes this arm.
  ValueId yielded(const Nesting& nesting, std::size_t n, std::size_t inner_arm) const {
    const ValueId value = arm(nesting.outer, nesting.with).yields[n];
    const Value& known = graph_.values[value];
    return known.op == nesting.inner ? arm(nesting.inner, inner_arm).yields[known.index] : value;
  }

  /// The place of the joined branch.
  std::size_t join(BlockId block, std::size_t place, const Nesting& nesting) {
    std::vector<ValueId> yields[2];
    for (std::size_t n = 0; n < graph_.ops[nesting.outer].results.size(); ++n)
      for (std::size_t a : {0u, 1u}) yields[a].push_back(yielded(nesting, n, a));

    std::vector<OpId>& ops = graph_.blocks[block].ops;
    const std::vector<OpId> behind(ops.begin() + static_cast<std::ptrdiff_t>(place) + 1, ops.end());
    ops.resize(place);
    std::vector<OpId>& inside = arm(nesting.outer, nesting.with).ops;
    ops.insert(ops.end(), inside.begin(), inside.end() - 1);

    const Op outer = graph_.ops[nesting.outer];
    const Op inner = graph_.ops[nesting.inner];
    Builder builder(graph_, block, outer.location);
    const auto holds = [&](ValueId condition, bool as_is) {
      return as_is ? condition : builder.map(ScalarOp::logical_not, condition);
    };
    const ValueId reached = holds(outer.operands[0], nesting.with == 0);
    const ValueId works = holds(inner.operands[0], nesting.idle == 1);
    const ValueId both = builder.map(ScalarOp::logical_and, reached, works);
    device_.insert(both);
    Op& joined = graph_.ops[nesting.outer];
    joined.operands = {both};
    joined.blocks = {inner.blocks[1 - nesting.idle], inner.blocks[nesting.idle]};
    joined.location = inner.location;
    for (BlockId arm : joined.blocks) graph_.blocks[arm].parent = nesting.outer;
    graph_.blocks[joined.blocks[0]].yields = yields[1 - nesting.idle];
    graph_.blocks[joined.blocks[1]].yields = yields[nesting.idle];

    std::vector<OpId>& now = graph_.blocks[block].ops;
    now.push_back(nesting.outer);
    const std::size_t at = now.size() - 1;
    now.insert(now.end(), behind.begin(), behind.end());
    changed_ = true;
    return at;
  }

  const Block& arm(OpId branch, std::size_t n) const { return graph_.blocks[graph_.ops[branch].blocks[n]]; }
  Block& arm(OpId branch, std::size_t n) { return graph_.blocks[graph_.ops[branch].blocks[n]]; }

  Graph& graph_;
  std::unordered_set<ValueId> device_;
  bool changed_ = false;
};

}  // namespace

bool join_branches(Graph& graph, PassContext& context) { return Joiner(graph, context.capabilities).run(); }

}  // namespace lac::passes
