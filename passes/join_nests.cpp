#include "passes/join_nests.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/builder.h"
#include "ir/plan/interior.h"
#include "passes/fusion/launches.h"
#include "passes/fusion/nests.h"
#include "passes/fusion/recompute_reloads.h"
#include "passes/fusion/unroll_product.h"
#include "passes/structure/uses.h"

namespace lac::passes {
namespace {

constexpr std::size_t farthest = 32, most_tried = 4;  ///< ops between two launches, earlier launches for a later one
constexpr std::size_t most_nests = 8;

/// Launches that are becoming one.
struct Joined {
  Kernel kernel;
  std::vector<ValueId> operands, results;
};

/// What stands between a launch and a later one that waits for it.
struct Between {
  std::vector<OpId> needed;  ///< launches that the later one waits for, and that wait for the earlier one
  std::vector<OpId> others;  ///< what else waits for the earlier one; it can wait for both
};

/// What takes the place of the later launch.
struct Replacement {
  Joined joined;
  std::optional<Joined> rest;
};

/// A launch of several nests, with what it took the place of.
struct Group {
  std::vector<OpId> launches;   ///< it and the rests of products
  std::vector<OpId> originals;  ///< as they were, in order
};

class BlockJoiner {
 public:
  BlockJoiner(Graph& graph, BlockId block, PassContext& context) : graph_(graph), block_(block), context_(context) {}

  bool run() {
    bool changed = false;
    for (std::size_t place = 0; place < ops().size(); ++place)
      while (is_launch(ops()[place]) && join_into(place)) changed = true;
    if (groups_.empty()) return changed;
    const Uses uses(graph_, graph_.body);
    for (const Group& group : groups_) {
      drop_reloaded(group, uses);
      const std::vector<StripTest> tests = strip_tests(kernel_of(group.launches[0])).value();
      if (!tests.empty()) choose_when_running(group, tests);
    }
    return changed;
  }

 private:
  std::vector<OpId>& ops() { return graph_.blocks[block_].ops; }
  bool is_launch(OpId id) const { return graph_.ops[id].kind == OpKind::launch; }
  const Kernel& kernel_of(OpId id) const { return graph_.kernels[attribute<KernelId>(graph_.ops[id])]; }

  /// Tries the launches before it, the nearest first. `place` follows the launch.
  bool join_into(std::size_t& place) {
    const OpId later = ops()[place];
    if (!may_join(later)) return false;
    const std::size_t first = place > farthest ? place - farthest : 0;
    std::size_t tried = 0;
    for (std::size_t before = place; before-- > first && tried < most_tried;) {
      const OpId earlier = ops()[before];
      if (!is_launch(earlier) || !may_join(earlier) || makes_size(earlier) ||
          !may_share_matrix(graph_.ops[earlier], graph_.ops[later]))
        continue;
      ++tried;
      const std::optional<Between> between = what_is_between(before, place);
      if (!between) continue;
      std::optional<Replacement> joined = replacement(earlier, *between, later);
      if (!joined) continue;
      place = replace(before, place, *between, std::move(*joined));
      return true;
    }
    return false;
  }

  bool is_matrix(ValueId value) const {
    const Type& type = graph_.type(value);
    return type.is_dense() && !type.rows.is(1) && !type.cols.is(1);
  }

  /// A size is a number before a launch begins.
  bool makes_size(OpId id) const {
    return std::ranges::any_of(graph_.ops[id].results,
                               [&](ValueId value) { return graph_.values[value].symbol.valid(); });
  }

  /// The later one reads a matrix that the earlier one reads or makes.
  bool may_share_matrix(const Op& earlier, const Op& later) const {
    return std::ranges::any_of(later.operands, [&](ValueId value) {
      const auto has = [&](const std::vector<ValueId>& values) {
        return std::ranges::find(values, value) != values.end();
      };
      return is_matrix(value) && (has(earlier.operands) || has(earlier.results));
    });
  }

  /// What the op, or an op in its arms, wants to store into or carries through a loop: who reads the old value behind
  /// it needs a copy.
  void note_taken_over(const Op& op, std::unordered_set<ValueId>& values) const {
    if (op.kind == OpKind::launch)
      for (const KernelOutput& output : graph_.kernels[attribute<KernelId>(op)].outputs)
        if (output.base >= 0) values.insert(op.operands[static_cast<std::size_t>(output.base)]);
    if (op.kind == OpKind::resize) values.insert(op.operands[0]);
    if (op.kind == OpKind::loop) values.insert(op.operands.begin() + 2, op.operands.end());
    if (op.kind != OpKind::branch) return;
    for (const BlockId arm : op.blocks)
      for (const OpId inner : graph_.blocks[arm].ops) note_taken_over(graph_.ops[inner], values);
  }

  static bool reads_any(const Op& op, const std::unordered_set<ValueId>& values) {
    return std::ranges::any_of(op.operands, [&](ValueId value) { return values.contains(value); });
  }

  bool uses_any(OpId id, const std::unordered_set<ValueId>& values) const {
    bool uses = false;
    for_each_used_value_deep(graph_, graph_.ops[id], [&](ValueId value) { uses |= values.contains(value); });
    return uses;
  }

  /// Nothing where they cannot stand side by side, or where the later one does not wait for the earlier one at all.
  std::optional<Between> what_is_between(std::size_t earlier, std::size_t later) {
    const std::vector<ValueId>& made = graph_.ops[ops()[earlier]].results;
    std::unordered_set<ValueId> waiting(made.begin(), made.end());
    std::unordered_set<ValueId> overwritten;
    std::vector<OpId> dependent;
    for (std::size_t n = earlier + 1; n < later; ++n) {
      const OpId id = ops()[n];
      if (!uses_any(id, waiting)) {
        note_taken_over(graph_.ops[id], overwritten);
        continue;
      }
      dependent.push_back(id);
      waiting.insert(graph_.ops[id].results.begin(), graph_.ops[id].results.end());
    }
    if (!uses_any(ops()[later], waiting) || reads_any(graph_.ops[ops()[earlier]], overwritten)) return std::nullopt;
    Between between;
    std::unordered_set<ValueId> needed;
    const auto need = [&](OpId id) {
      for_each_used_value(graph_, graph_.ops[id], [&](ValueId value) { needed.insert(value); });
    };
    need(ops()[later]);
    for (auto id = dependent.rbegin(); id != dependent.rend(); ++id) {
      const Op& op = graph_.ops[*id];
      if (std::ranges::any_of(op.results, [&](ValueId value) { return needed.contains(value); })) {
        if (reads_any(op, overwritten)) return std::nullopt;
        if (op.kind != OpKind::launch || !may_join(*id) || makes_size(*id)) return std::nullopt;
        need(*id);
        between.needed.insert(between.needed.begin(), *id);
      } else {
        if (has_trait(op.kind, trait::effect | trait::region)) return std::nullopt;
        between.others.insert(between.others.begin(), *id);
      }
    }
    return between;
  }

  std::optional<Replacement> replacement(OpId earlier, const Between& between, OpId later) {
    const Op& first = graph_.ops[earlier];
    std::optional<Joined> joined = Joined{kernel_of(earlier), first.operands, first.results};
    for (const OpId id : between.needed) {
      const Op& op = graph_.ops[id];
      joined = add(*joined, kernel_of(id), op.operands, op.results);
      if (!joined) return std::nullopt;
    }
    const Op& last = graph_.ops[later];
    const std::size_t nests_before = joined->kernel.ahead.size() + 1;
    if (const auto whole = add(*joined, kernel_of(later), last.operands, last.results);
        whole && is_worth_it(whole->kernel, nests_before))
      return Replacement{*whole, std::nullopt};
    return unrolled(*joined, nests_before, kernel_of(later), last);
  }

  /// With the product of the last launch as a reduction.
  std::optional<Replacement> unrolled(const Joined& before, std::size_t nests_before, const Kernel& kernel,
                                      const Op& last) {
    std::optional<UnrolledProduct> product = unroll_product(kernel);
    if (!product) return std::nullopt;
    const ValueId sums = product->output >= 0
                             ? last.results[static_cast<std::size_t>(product->output)]
                             : graph_.values.push(Value{.type = product->sums.outputs[0].type, .name = {}});
    auto joined = add(before, product->sums, last.operands, {sums});
    if (!joined || !is_worth_it(joined->kernel, nests_before)) return std::nullopt;
    Replacement result{std::move(*joined), std::nullopt};
    if (!product->rest) return result;
    Joined rest{std::move(*product->rest), {}, last.results};
    for (const std::uint32_t input : product->rest_inputs) rest.operands.push_back(last.operands[input]);
    rest.operands.push_back(sums);
    if (product->output >= 0) rest.results.erase(rest.results.begin() + product->output);
    result.rest = std::move(rest);
    return result;
  }

  std::optional<Joined> add(const Joined& first, const Kernel& second, const std::vector<ValueId>& operands,
                            const std::vector<ValueId>& results) const {
    if (first.results.size() + results.size() > static_cast<std::size_t>(context_.capabilities.max_outputs) ||
        nests(first.kernel).size() + nests(second).size() > most_nests)
      return std::nullopt;
    Joined joined = first;
    std::optional<Kernel> kernel = join(first.kernel, second, join_operands(first.results, joined.operands, operands));
    if (!kernel) return std::nullopt;
    joined.kernel = std::move(*kernel);
    joined.results.insert(joined.results.end(), results.begin(), results.end());
    return joined;
  }

  bool is_worth_it(const Kernel& kernel, std::size_t nests_before) const {
    const Capabilities& can = context_.capabilities;
    std::size_t reductions = 0;
    for (const Nest* nest : nests(kernel)) reductions += nest->reductions.size();
    return kernel.inputs.size() <= static_cast<std::size_t>(can.max_inputs) &&
           reductions <= static_cast<std::size_t>(can.max_reductions) && waits_for_sums(kernel) &&
           shared_matrices(kernel, nests_before).any() && strip_tests(kernel).has_value();
  }

  /// The place of the new launch.
  std::size_t replace(std::size_t earlier, std::size_t later, const Between& between, Replacement replacement) {
    remark(ops()[earlier], ops()[later]);
    drop_reasons(ops()[earlier], between);
    const LocationId location = graph_.ops[ops()[later]].location;
    Group group = group_of(earlier, later, between);
    std::vector<OpId> order(ops().begin(), ops().begin() + static_cast<std::ptrdiff_t>(earlier));
    const auto moves = [&](OpId id) {
      return std::ranges::find(between.needed, id) != between.needed.end() ||
             std::ranges::find(between.others, id) != between.others.end();
    };
    for (std::size_t n = earlier + 1; n < later; ++n)
      if (!moves(ops()[n])) order.push_back(ops()[n]);
    const std::size_t place = order.size();
    group.launches.insert(group.launches.begin(), launch(std::move(replacement.joined), location));
    order.push_back(group.launches[0]);
    if (replacement.rest) {
      order.push_back(launch(std::move(*replacement.rest), location));
      group.launches.push_back(order.back());
      may_join_[order.back()] = false;
    }
    groups_.push_back(std::move(group));
    order.insert(order.end(), between.others.begin(), between.others.end());
    order.insert(order.end(), ops().begin() + static_cast<std::ptrdiff_t>(later) + 1, ops().end());
    ops() = std::move(order);
    return place;
  }

  /// Why they were apart.
  void drop_reasons(OpId earlier, const Between& between) {
    std::unordered_set<ValueId> made(graph_.ops[earlier].results.begin(), graph_.ops[earlier].results.end());
    for (const OpId id : between.needed) made.insert(graph_.ops[id].results.begin(), graph_.ops[id].results.end());
    std::erase_if(context_.apart, [&](const Apart& apart) { return made.contains(apart.value); });
  }

  /// Of the launches that become one: those that were several already bring theirs.
  Group group_of(std::size_t earlier, std::size_t later, const Between& between) {
    std::vector<OpId> members{ops()[earlier]};
    members.insert(members.end(), between.needed.begin(), between.needed.end());
    members.push_back(ops()[later]);
    Group group;
    for (const OpId member : members) {
      const auto found = std::ranges::find_if(groups_, [&](const Group& each) { return each.launches[0] == member; });
      if (found == groups_.end()) {
        group.originals.push_back(member);
        continue;
      }
      group.originals.insert(group.originals.end(), found->originals.begin(), found->originals.end());
      group.launches.insert(group.launches.end(), found->launches.begin() + 1, found->launches.end());
      groups_.erase(found);
    }
    return group;
  }

  /// Not a launch that goes with another one, wherever that goes; not a stencil, which reads beside its own place.
  /// (What is several nests already does not.)
  bool may_join(OpId id) {
    if (const auto found = may_join_.find(id); found != may_join_.end()) return found->second;
    const Kernel& kernel = kernel_of(id);
    return may_join_[id] = !kernel.ahead.empty() || !interior_of(kernel, kernel);
  }

  /// Matrices that only later nests of the launch read are computed again there, where that is quick.
  void drop_reloaded(const Group& group, const Uses& uses) {
    Op& op = graph_.ops[group.launches[0]];
    Kernel& kernel = graph_.kernels[attribute<KernelId>(op)];
    for (std::size_t n = op.results.size(); n-- > 0;) {
      if (uses.is_used(op.results[n]) || !is_matrix(op.results[n])) continue;
      if (recompute(kernel, static_cast<std::uint32_t>(n)))
        op.results.erase(op.results.begin() + static_cast<std::ptrdiff_t>(n));
    }
    for (std::uint32_t n = 0; n < op.results.size(); ++n) graph_.values[op.results[n]].index = n;
  }

  /// Where the run decides how large matrices are it decides whether that is worth it: a branch with the launches as
  /// they were in its other arm.
  void choose_when_running(const Group& group, const std::vector<StripTest>& tests) {
    std::vector<ValueId> results;
    for (const OpId launch : group.launches)
      for (const ValueId value : graph_.ops[launch].results)
        if (makes_any(group.originals, value)) results.push_back(value);
    const auto place = std::ranges::find(ops(), group.launches[0]) - ops().begin();
    std::vector<OpId> behind(ops().begin() + place + 1, ops().end());
    ops().resize(static_cast<std::size_t>(place));
    std::erase_if(behind, [&](OpId id) { return std::ranges::find(group.launches, id) != group.launches.end(); });

    Builder builder(graph_, block_, graph_.ops[group.launches[0]].location);
    Op branch;
    branch.kind = OpKind::branch;
    branch.operands = {condition(builder, tests)};
    branch.results = results;
    branch.blocks = {arm(group.launches, results), arm(group.originals, results)};
    builder.append(std::move(branch));
    ops().insert(ops().end(), behind.begin(), behind.end());
  }

  static ValueId condition(Builder& builder, const std::vector<StripTest>& tests) {
    ValueId all;
    for (const StripTest& test : tests) {
      const ScalarOp compare = test.at_least ? ScalarOp::ge : ScalarOp::le;
      const ValueId holds = builder.map(compare, builder.size(test.value), builder.size(test.limit));
      all = all ? builder.map(ScalarOp::logical_and, all, holds) : holds;
    }
    return all;
  }

  bool makes_any(const std::vector<OpId>& made, ValueId value) const {
    return std::ranges::any_of(made, [&](OpId id) {
      return std::ranges::find(graph_.ops[id].results, value) != graph_.ops[id].results.end();
    });
  }

  /// Copies of the ops, and what they make of `results`.
  BlockId arm(const std::vector<OpId>& copied, const std::vector<ValueId>& results) {
    Builder builder(graph_, block_, {});
    const BlockId block = builder.new_block();
    builder.block = block;
    std::unordered_map<ValueId, ValueId> copies;
    for (const OpId id : copied) {
      Op op = graph_.ops[id];
      for (ValueId& operand : op.operands)
        if (const auto found = copies.find(operand); found != copies.end()) operand = found->second;
      for (ValueId& result : op.results) {
        const Value original = graph_.values[result];
        result = copies[result] = builder.new_value(original.type, original.name);
      }
      const LocationId location = op.location;
      builder.location = location;
      builder.append(std::move(op));
    }
    for (const ValueId result : results) graph_.blocks[block].yields.push_back(copies.at(result));
    return block;
  }

  OpId launch(Joined joined, LocationId location) {
    return make_launch(graph_, std::move(joined.kernel), std::move(joined.operands), std::move(joined.results),
                       location);
  }

  void remark(OpId earlier, OpId later) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::remark;
    const auto span = [&](OpId id) {
      const LocationId location = graph_.ops[id].location;
      return graph_.locations.contains(location) ? graph_.locations[location].span : Span{};
    };
    diagnostic.span = span(later);
    diagnostic.message = "joins the kernel that its input comes from: both go over one matrix, strip by strip";
    if (span(earlier).valid()) diagnostic.notes.push_back({span(earlier), "here"});
    context_.remarks.push_back(std::move(diagnostic));
  }

  Graph& graph_;
  BlockId block_;
  PassContext& context_;
  std::vector<Group> groups_;
  std::unordered_map<OpId, bool> may_join_;
};

}  // namespace

bool join_nests(Graph& graph, PassContext& context) {
  if (!context.capabilities.several_nests || !context.capabilities.fusion) return false;
  bool changed = false;
  std::vector<BlockId> blocks;
  for_each_block(graph, graph.body, [&](BlockId block) { blocks.push_back(block); });
  for (const BlockId block : blocks) changed |= BlockJoiner(graph, block, context).run();
  if (changed) renumber_kernels(graph);
  return changed;
}

}  // namespace lac::passes
