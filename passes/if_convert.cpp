#include "passes/if_convert.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/fusion/reader.h"
#include "passes/safety.h"
#include "passes/structure/loop_slots.h"
#include "passes/structure/possible_values.h"

namespace lac::passes {
namespace {

/// On matrices, of arms that run on every trip from now on, whichever way the branch goes.
constexpr std::ptrdiff_t most_operations = 16;

bool is_made_in(const Graph& graph, const Op& branch, std::size_t arm, ValueId value) {
  const std::vector<OpId>& ops = graph.blocks[branch.blocks[arm]].ops;
  return std::ranges::find(ops, graph.values[value].op) != ops.end();
}

bool is_made_by_elements(const Graph& graph, const Op& branch, std::size_t arm, ValueId value) {
  return is_made_in(graph, branch, arm, value) && is_elementwise(*graph.definition(value));
}

/// Puts what the arms of a branch do in its place, and behind it what chooses.
class Replacement {
 public:
  /// The ops of both arms, or of the one that runs `ahead`: the other ends the loop, and what is seen of it stays in
  /// the branch, before them.
  Replacement(Graph& graph, BlockId block, std::size_t place, std::optional<std::size_t> ahead)
      : graph_(graph),
        block_(block),
        place_(place),
        ahead_(ahead),
        id_(graph.blocks[block].ops[place]),
        branch_(graph.ops[id_]) {}

  /// `wanted`: by result, whether it matters when the loop ends here.
  void run(const std::vector<bool>& wanted) {
    const std::vector<Choice> choices = all_choices(wanted);
    std::vector<OpId> behind(ops().begin() + static_cast<std::ptrdiff_t>(place_) + 1, ops().end());
    ops().resize(place_);
    if (ahead_) {
      take_constants(branch_.blocks[1 - *ahead_]);
      const std::vector<OpId> moved = std::exchange(graph_.blocks[branch_.blocks[*ahead_]].ops, {});
      keep_effects();
      take(moved);
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

  std::vector<Choice> all_choices(const std::vector<bool>& wanted) const {
    std::vector<Choice> choices;
    for (std::size_t n = 0; n < branch_.results.size(); ++n) {
      Choice choice{branch_.results[n], graph_.blocks[branch_.blocks[0]].yields[n],
                    graph_.blocks[branch_.blocks[1]].yields[n]};
      if (ahead_ && !wanted[n]) (*ahead_ == 0 ? choice.no : choice.yes) = *ahead_ == 0 ? choice.yes : choice.no;
      const bool yes = is_made_by_elements(graph_, branch_, 0, choice.yes);
      const bool no = is_made_by_elements(graph_, branch_, 1, choice.no);
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
    if (!others.empty()) choose_by_branch(others);
  }

  ValueId select(const Choice& choice) {
    const std::string name = graph_.values[choice.result].name;
    const ValueId value =
        Builder(graph_, block_, branch_.location).map(ScalarOp::select, branch_.operands[0], choice.yes, choice.no);
    graph_.values[value].name = name;
    if (choice.made && !graph_.type(value).is_scalar()) let_arm_read(choice.made, value);
    return value;
  }

  /// What the arm goes on to compute from a matrix it made is of no account where the matrix is not chosen. So it may
  /// take the chosen one, and the other need not be in memory.
  void let_arm_read(ValueId made, ValueId chosen) {
    const OpId select = ops().back();
    ops().pop_back();
    const auto behind = std::ranges::find(ops(), graph_.values[made].op) + 1;
    for (auto id = behind; id != ops().end(); ++id) {
      std::ranges::replace(graph_.ops[*id].operands, made, chosen);
      for (BlockId inner : graph_.ops[*id].blocks) replace_in(inner, made, chosen);
    }
    ops().insert(behind, select);
  }

  void replace_in(BlockId block, ValueId from, ValueId to) {
    for_each_block(graph_, block, [&](BlockId inner) {
      for (OpId id : graph_.blocks[inner].ops) std::ranges::replace(graph_.ops[id].operands, from, to);
      std::ranges::replace(graph_.blocks[inner].yields, from, to);
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
    if (dead_ends.contains(made) || std::ranges::find(ops(), id) == ops().end() ||
        graph_.ops[id].kind != OpKind::branch)
      return false;
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
  std::unordered_map<OpId, std::size_t> led_;  ///< branches of the arm, and the way they are led
};

class LoopStraightener {
 public:
  LoopStraightener(Graph& graph, OpId loop) : graph_(graph), loop_(loop), body_(graph.ops[loop].blocks[0]) {
    const Op& op = graph.ops[loop];
    for (std::size_t n = 2; n < op.operands.size(); ++n) held_.push_back(graph.type(op.operands[n]).count());
  }

  bool run() {
    for_each_block(graph_, body_, [&](BlockId block) {
      for (OpId id : graph_.blocks[block].ops)
        if (graph_.ops[id].kind == OpKind::branch) home_[id] = block;
    });
    return straighten_block(body_);
  }

 private:
  /// Inner branches first: what they chose is then made elementwise. Loops inside have had their turn.
  bool straighten_block(BlockId block) {
    bool changed = false;
    for (std::size_t n = 0; n < graph_.blocks[block].ops.size(); ++n) {
      const OpId id = graph_.blocks[block].ops[n];
      if (graph_.ops[id].kind != OpKind::branch) continue;
      for (BlockId arm : std::vector<BlockId>(graph_.ops[id].blocks)) changed |= straighten_block(arm);
      changed |= straighten(block, n);
    }
    return changed;
  }

  const Block& arm_of(const Op& branch, std::size_t arm) const { return graph_.blocks[branch.blocks[arm]]; }

  bool straighten(BlockId block, std::size_t place) {
    const OpId id = graph_.blocks[block].ops[place];
    const Op& branch = graph_.ops[id];
    if (!keeps_types(branch)) return false;
    for (std::size_t ending : {0u, 1u})
      if (works_on_matrices(arm_of(branch, 1 - ending)) && ends_loop(id, ending) && can_run_ahead(branch, ending)) {
        std::vector<bool> wanted;
        for (ValueId result : branch.results) wanted.push_back(!ends_with_loop(block, result));
        Replacement(graph_, block, place, 1 - ending).run(wanted);
        return true;
      }
    if (!both_make_the_same(block, branch)) return false;
    Replacement(graph_, block, place, std::nullopt).run(std::vector<bool>(branch.results.size(), true));
    return true;
  }

  /// A matrix that is nothing but carried on, and that nobody reads behind the loop: on the last trip it does not
  /// matter.
  bool ends_with_loop(BlockId where, ValueId value) const {
    if (graph_.type(value).is_scalar() || is_read_in(graph_, where, value) || is_yielded_inside(where, value))
      return false;
    const Block& block = graph_.blocks[where];
    for (std::size_t n = 0; n < block.yields.size(); ++n) {
      if (block.yields[n] != value) continue;
      if (where != body_) {
        if (!ends_with_loop(home_.at(block.parent), graph_.ops[block.parent].results[n])) return false;
      } else if (is_used_behind(graph_.ops[loop_].results[n])) {
        return false;
      }
    }
    return true;
  }

  bool is_used_behind(ValueId result) const {
    return is_yielded_inside(graph_.body, result) || yields(graph_.body, result) ||
           is_read_in(graph_, graph_.body, result);
  }

  bool yields(BlockId block, ValueId value) const {
    const std::vector<ValueId>& yielded = graph_.blocks[block].yields;
    return std::ranges::find(yielded, value) != yielded.end();
  }

  bool is_yielded_inside(BlockId where, ValueId value) const {
    bool yielded = false;
    for_each_block(graph_, where, [&](BlockId block) { yielded |= block != where && yields(block, value); });
    return yielded;
  }

  bool keeps_types(const Op& branch) const {
    for (std::size_t n = 0; n < branch.results.size(); ++n)
      for (std::size_t arm : {0u, 1u})
        if (graph_.type(branch.results[n]) != graph_.type(arm_of(branch, arm).yields[n])) return false;
    return true;
  }

  bool works_on_matrices(const Block& arm) const {
    return std::ranges::any_of(arm.ops, [&](OpId id) {
      const Op& op = graph_.ops[id];
      return (is_elementwise(op) || op.kind == OpKind::reduce) && !graph_.type(op.operands[0]).is_scalar();
    });
  }

  // -- an arm that ends the loop

  bool ends_loop(OpId branch, std::size_t arm) const {
    return !stops(PossibleValues(graph_)) && stops(PossibleValues(graph_, branch, arm));
  }

  bool stops(PossibleValues values) const {
    const auto going_on = values.of(graph_.blocks[body_].yields[0]);
    return going_on && std::ranges::all_of(*going_on, [](double number) { return number == 0; });
  }

  /// What the ending arm yields is known without its branch, and the other arm does no harm on the last trip.
  bool can_run_ahead(const Op& branch, std::size_t ending) const {
    const Block& last = arm_of(branch, ending);
    const auto is_early = [&](ValueId value) {
      return !is_made_in(graph_, branch, ending, value) || is_scalar_constant(value);
    };
    return std::ranges::all_of(last.yields, is_early) && is_harmless(arm_of(branch, 1 - ending));
  }

  bool is_scalar_constant(ValueId value) const {
    const Op* op = graph_.definition(value);
    return op && op->kind == OpKind::constant;
  }

  bool is_harmless(const Block& arm) const {
    return std::ranges::all_of(arm.ops, [&](OpId id) { return is_harmless(id); });
  }
  bool is_harmless(OpId id) const {
    const Op& op = graph_.ops[id];
    if (op.kind == OpKind::branch)
      return std::ranges::all_of(op.blocks, [&](BlockId block) { return is_harmless(graph_.blocks[block]); });
    return is_pass(op) && is_safe_anywhere(graph_, op) && needs_no_more_memory(graph_, op, held_);
  }

  /// Work that memory bounds, like what its result is selected for: done once in vain it takes a trip's time at most.
  /// Not steps and products of matrices; nor what is stored into a matrix, which could not stay where it is then.
  bool is_pass(const Op& op) const {
    switch (op.kind) {
      case OpKind::constant:
      case OpKind::size:
      case OpKind::fill:
      case OpKind::iota:
      case OpKind::reduce:
      case OpKind::arg_reduce: return true;
      case OpKind::matmul: return graph_.type(op.operands[0]).is_sparse() && graph_.type(op.results[0]).cols.is(1);
      default: return is_elementwise(op) || is_view(op);
    }
  }

  // -- arms that make whole matrices from the same ones

  bool both_make_the_same(BlockId where, const Op& branch) const {
    if (!works_on_matrices(arm_of(branch, 0)) && !works_on_matrices(arm_of(branch, 1))) return false;
    std::unordered_set<ValueId> read[2];
    for (std::size_t arm : {0u, 1u}) {
      const Block& block = arm_of(branch, arm);
      if (!is_harmless(block) || count_of_matrix_operations(block) > most_operations) return false;
      for (OpId id : block.ops) {
        const Op& op = graph_.ops[id];
        if (op.kind != OpKind::constant && op.kind != OpKind::size && op.kind != OpKind::fill && !is_quick(op))
          return false;
        add_matrices(op.operands, branch, read[arm]);
      }
      add_matrices(block.yields, branch, read[arm]);
    }
    const auto includes = [](const auto& all, const auto& some) {
      return std::ranges::all_of(some, [&](ValueId value) { return all.contains(value); });
    };
    return nothing_stays(where, branch) && (includes(read[0], read[1]) || includes(read[1], read[0]));
  }

  bool is_quick(const Op& op) const {
    if (!is_elementwise(op)) return false;
    return op.kind == OpKind::convert || graph_.type(op.results[0]).is_scalar() || is_cheap(attribute<ScalarOp>(op));
  }

  std::ptrdiff_t count_of_matrix_operations(const Block& arm) const {
    return std::ranges::count_if(arm.ops, [&](OpId id) {
      return std::ranges::any_of(graph_.ops[id].results, [&](ValueId made) { return !graph_.type(made).is_scalar(); });
    });
  }

  void add_matrices(const std::vector<ValueId>& values, const Op& branch, std::unordered_set<ValueId>& read) const {
    for (ValueId value : values)
      if (!graph_.type(value).is_scalar() && !is_made_in(graph_, branch, 0, value) &&
          !is_made_in(graph_, branch, 1, value))
        read.insert(value);
  }

  /// No arm leaves a carried matrix as it is: that costs nothing in a branch.
  bool nothing_stays(BlockId where, const Op& branch) const {
    for (std::size_t n = 0; n < branch.results.size(); ++n) {
      if (graph_.type(branch.results[n]).is_scalar()) continue;
      for (std::size_t slot : slots_of(where, branch.results[n]))
        for (std::size_t arm : {0u, 1u})
          if (arm_of(branch, arm).yields[n] == graph_.blocks[body_].arguments[slot]) return false;
    }
    return true;
  }

  /// The slots in which the loop carries on what is yielded as `value`, through the branches around it.
  std::vector<std::size_t> slots_of(BlockId where, ValueId value) const {
    std::vector<std::size_t> slots;
    const Block& block = graph_.blocks[where];
    for (std::size_t n = 0; n < block.yields.size(); ++n) {
      if (block.yields[n] != value) continue;
      if (where == body_) {
        slots.push_back(n);
        continue;
      }
      const std::vector<std::size_t> outer = slots_of(home_.at(block.parent), graph_.ops[block.parent].results[n]);
      slots.insert(slots.end(), outer.begin(), outer.end());
    }
    return slots;
  }

  Graph& graph_;
  OpId loop_;
  BlockId body_;
  std::vector<Size> held_;                  ///< elements of what the loop carries
  std::unordered_map<OpId, BlockId> home_;  ///< of branches as they were: inner ones go first
};

bool straighten_loops(Graph& graph, BlockId block) {
  bool changed = false;
  for (OpId id : std::vector<OpId>(graph.blocks[block].ops)) {
    if (graph.ops[id].kind == OpKind::loop) changed |= LoopStraightener(graph, id).run();
    for (BlockId inner : std::vector<BlockId>(graph.ops[id].blocks)) changed |= straighten_loops(graph, inner);
  }
  return changed;
}

}  // namespace

bool if_convert(Graph& graph, PassContext&) { return straighten_loops(graph, graph.body); }

}  // namespace lac::passes
