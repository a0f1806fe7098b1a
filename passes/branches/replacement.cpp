#include "passes/branches/replacement.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/graph/builder.h"
#include "passes/fusion/reader.h"

namespace lac::passes {

Arm::Arm(const Graph& graph, const Op& branch, std::size_t arm) : graph_(&graph), id_(branch.blocks[arm]) {
  ops_.insert(block().ops.begin(), block().ops.end());
}

bool Arm::makes_by_elements(ValueId value) const { return makes(value) && is_elementwise(*graph_->definition(value)); }

namespace {

/// Puts what the arms of a branch do in its place, and behind it what chooses.
class Replacement {
 public:
  Replacement(Graph& graph, BlockId block, std::size_t place, std::optional<std::size_t> ahead)
      : graph_(graph),
        block_(block),
        place_(place),
        ahead_(ahead),
        id_(graph.blocks[block].ops[place]),
        branch_(graph.ops[id_]) {}

  void run(const std::vector<bool>& matters) {
    const std::vector<Choice> choices = all_choices(matters);
    std::vector<OpId> behind(ops().begin() + static_cast<std::ptrdiff_t>(place_) + 1, ops().end());
    ops().resize(place_);
    if (ahead_) {
      take_constants(branch_.blocks[1 - *ahead_]);
      const std::vector<OpId> moved = std::exchange(graph_.blocks[branch_.blocks[*ahead_]].ops, {});
      keep_effects();
      take(moved);
      moved_.insert(moved.begin(), moved.end());
    } else {
      for (BlockId arm : branch_.blocks) take(graph_.blocks[arm].ops);
    }
    choose(choices);
    take(behind);
    replace_all_uses(graph_, chosen_);
  }

 private:
  struct Choice {
    ValueId result, yes, no;
    bool by_elements = false;  ///< a scalar, or what a kernel makes: a select joins it
    ValueId made = {};         ///< by elements, in the arm that runs ahead
  };

  std::vector<OpId>& ops() { return graph_.blocks[block_].ops; }
  void take(const std::vector<OpId>& moved) { ops().insert(ops().end(), moved.begin(), moved.end()); }

  void take_constants(BlockId arm) {
    std::vector<OpId> staying;
    for (OpId id : graph_.blocks[arm].ops) (graph_.ops[id].kind == OpKind::constant ? ops() : staying).push_back(id);
    graph_.blocks[arm].ops = std::move(staying);
  }

  void keep_effects() {
    graph_.ops[id_].results.clear();
    for (BlockId arm : branch_.blocks) graph_.blocks[arm].yields.clear();
    if (std::ranges::any_of(branch_.blocks, [&](BlockId arm) { return !graph_.blocks[arm].ops.empty(); }))
      ops().push_back(id_);
  }

  std::vector<Choice> all_choices(const std::vector<bool>& matters) const {
    const Arm first(graph_, branch_, 0), second(graph_, branch_, 1);
    std::vector<Choice> choices;
    for (std::size_t n = 0; n < branch_.results.size(); ++n) {
      Choice choice{branch_.results[n], graph_.blocks[branch_.blocks[0]].yields[n],
                    graph_.blocks[branch_.blocks[1]].yields[n]};
      if (ahead_ && !matters[n]) (*ahead_ == 0 ? choice.no : choice.yes) = *ahead_ == 0 ? choice.yes : choice.no;
      const bool yes = first.makes_by_elements(choice.yes);
      const bool no = second.makes_by_elements(choice.no);
      choice.by_elements = graph_.type(choice.result).is_scalar() || yes || no;
      if (ahead_ && (*ahead_ == 0 ? yes : no)) choice.made = *ahead_ == 0 ? choice.yes : choice.no;
      choices.push_back(choice);
    }
    return choices;
  }

  /// Matrices that kernels do not make are chosen by a branch that was there, or by one that has nothing else to do.
  void choose(const std::vector<Choice>& choices) {
    std::vector<Choice> others;
    for (const Choice& choice : choices) {
      if (choice.yes == choice.no) chosen_.emplace_back(choice.result, choice.yes);
      else if (choice.by_elements) chosen_.emplace_back(choice.result, select(choice));
      else if (const ValueId steered = steer(choice)) chosen_.emplace_back(choice.result, steered);
      else others.push_back(choice);
    }
    let_arm_read_chosen();
    if (!others.empty()) choose_by_branch(others);
  }

  ValueId select(const Choice& choice) {
    const std::string name = graph_.values[choice.result].name;
    const ValueId value =
        Builder(graph_, block_, branch_.location).map(ScalarOp::select, branch_.operands[0], choice.yes, choice.no);
    graph_.values[value].name = name;
    if (choice.made && !graph_.type(value).is_scalar() && chosen_for_.emplace(choice.made, value).second)
      ops().pop_back();
    return value;
  }

  /// What the arm goes on to compute from a matrix it made is of no account where the matrix is not chosen. So it may
  /// take the chosen one, and the other need not be in memory.
  void let_arm_read_chosen() {
    if (chosen_for_.empty()) return;
    const std::vector<OpId> before = std::exchange(ops(), {});
    std::unordered_map<ValueId, ValueId> image;
    const auto replace = [&](ValueId& value) {
      if (const auto found = image.find(value); found != image.end()) value = found->second;
    };
    for (OpId id : before) {
      replace_in(id, replace);
      ops().push_back(id);
      if (graph_.ops[id].results.size() != 1) continue;
      const auto chosen = chosen_for_.find(graph_.ops[id].results[0]);
      if (chosen == chosen_for_.end()) continue;
      ops().push_back(graph_.values[chosen->second].op);
      image.insert(*chosen);
    }
  }

  void replace_in(OpId id, const std::function<void(ValueId&)>& replace) {
    std::ranges::for_each(graph_.ops[id].operands, replace);
    for (BlockId block : graph_.ops[id].blocks)
      for_each_block(graph_, block, [&](BlockId inner) {
        for (OpId op : graph_.blocks[inner].ops) std::ranges::for_each(graph_.ops[op].operands, replace);
        std::ranges::for_each(graph_.blocks[inner].yields, replace);
      });
  }

  /// What branches of the arm make, where they can be led to leave what the other arm wants.
  ValueId steer(const Choice& choice) {
    if (!ahead_) return {};
    const ValueId made = *ahead_ == 0 ? choice.yes : choice.no, wanted = *ahead_ == 0 ? choice.no : choice.yes;
    std::vector<std::pair<OpId, std::size_t>> ways;
    std::unordered_set<ValueId> dead_ends;
    if (!find_ways(made, wanted, ways, dead_ends)) return {};
    for (const auto& [id, way] : ways)
      if (led_.emplace(id, way).second) lead(id, way, *ahead_ == 1);
    return made;
  }

  /// Which way branches have to go for `made` to be `wanted`.
  bool find_ways(ValueId made, ValueId wanted, std::vector<std::pair<OpId, std::size_t>>& ways,
                 std::unordered_set<ValueId>& dead_ends) {
    if (made == wanted) return true;
    const OpId id = graph_.values[made].op;
    if (dead_ends.contains(made) || !moved_.contains(id) || graph_.ops[id].kind != OpKind::branch) return false;
    for (std::size_t way : {0u, 1u}) {
      const auto led = led_.find(id);
      if (led != led_.end() && led->second != way) continue;
      ways.emplace_back(id, way);
      const ValueId yielded = graph_.blocks[graph_.ops[id].blocks[way]].yields[graph_.values[made].index];
      if (find_ways(yielded, wanted, ways, dead_ends)) return true;
      ways.pop_back();
    }
    dead_ends.insert(made);
    return false;
  }

  /// The branch goes `way` where the condition of the replaced one is `on`, and elsewhere as before.
  void lead(OpId id, std::size_t way, bool on) {
    const std::vector<OpId> behind(std::ranges::find(ops(), id), ops().end());
    ops().resize(ops().size() - behind.size());
    Builder build(graph_, block_, branch_.location);
    const auto no = [&](ValueId value) { return build.map(ScalarOp::logical_not, value); };
    const ValueId led = on ? branch_.operands[0] : no(branch_.operands[0]), before = graph_.ops[id].operands[0];
    const ValueId condition =
        way == 0 ? build.map(ScalarOp::logical_or, led, before) : build.map(ScalarOp::logical_and, no(led), before);
    graph_.ops[id].operands[0] = condition;
    take(behind);
  }

  void choose_by_branch(const std::vector<Choice>& choices) {
    Builder build(graph_, block_, branch_.location);
    Op op;
    op.kind = OpKind::branch;
    op.operands = branch_.operands;
    op.blocks = {build.new_block(), build.new_block()};
    for (const Choice& choice : choices) {
      op.results.push_back(choice.result);
      graph_.blocks[op.blocks[0]].yields.push_back(choice.yes);
      graph_.blocks[op.blocks[1]].yields.push_back(choice.no);
    }
    build.append(std::move(op));
  }

  Graph& graph_;
  BlockId block_;
  std::size_t place_;
  std::optional<std::size_t> ahead_;
  OpId id_;
  const Op branch_;
  std::vector<std::pair<ValueId, ValueId>> chosen_;
  std::unordered_set<OpId> moved_;                   ///< ops of the arm that runs ahead
  std::unordered_map<ValueId, ValueId> chosen_for_;  ///< what the arm makes: the select that stands behind it
  std::unordered_map<OpId, std::size_t> led_;        ///< branches of the arm, and the way they are led
};

}  // namespace

void replace_by_both_arms(Graph& graph, BlockId block, std::size_t place) {
  const std::size_t results = graph.ops[graph.blocks[block].ops[place]].results.size();
  Replacement(graph, block, place, std::nullopt).run(std::vector<bool>(results, true));
}

void replace_by_arm_ahead(Graph& graph, BlockId block, std::size_t place, std::size_t ahead,
                          const std::vector<bool>& matters) {
  Replacement(graph, block, place, ahead).run(matters);
}

}  // namespace lac::passes
