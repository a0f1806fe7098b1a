#include "passes/plan_memory.h"

#include <algorithm>
#include <set>

#include "ir/kernel/growth.h"
#include "passes/memory/donors.h"
#include "passes/memory/liveness.h"
#include "passes/memory/sink_views.h"

namespace lac::passes {
namespace {

using Owned = std::set<ValueId>;  // ordered, so that plans are deterministic

class Planner {
 public:
  Planner(Graph& graph, PassContext& context) : graph_(graph), context_(context) {}

  /// `owned` are values of enclosing blocks that this one must consume or release.
  void block(BlockId id, Owned owned) {
    for (ValueId argument : graph_.blocks[id].arguments)
      if (is_buffer(argument)) owned.insert(argument);
    sink_views(graph_, id, outer_);
    BlockState state{last_uses(graph_, id, aliases_, outer_), std::move(owned), {}, 0};
    const std::vector<OpId> ops = graph_.blocks[id].ops;
    release_unused(state);
    for (OpId op : ops) {
      plan(op, state);
      own_results(op, state);
      release_dead(state);
      ++state.position;
    }
    for (ValueId& yielded : graph_.blocks[id].yields)
      if (is_buffer(yielded) && state.owned.erase(yielded) == 0) yielded = copy(yielded, {}, state);
    release({state.owned.begin(), state.owned.end()}, state);  // what a yielded view showed
    graph_.blocks[id].ops = std::move(state.ops);
  }

 private:
  struct BlockState {
    std::unordered_map<ValueId, int> last;
    Owned owned;
    std::vector<OpId> ops;  ///< the block's new ops
    int position;           ///< in the old ones

    bool dies_here(ValueId value) const {
      const auto found = last.find(value);
      return owned.contains(value) && (found == last.end() || found->second <= position);
    }
  };

  bool is_buffer(ValueId value) const { return !graph_.type(value).is_scalar(); }

  void plan(OpId id, BlockState& state) {
    switch (graph_.ops[id].kind) {
      case OpKind::launch: plan_launch(id, state); break;
      case OpKind::reshape: plan_reshape(id, state); break;
      case OpKind::loop: plan_loop(id, state); break;
      case OpKind::branch: plan_branch(id, state); break;
      case OpKind::library: remark_on_step(id); break;
      case OpKind::output: plan_output(id, state); break;
      default: break;
    }
    state.ops.push_back(id);
  }

  void own_results(OpId id, BlockState& state) {
    if (graph_.ops[id].kind == OpKind::parameter) return;
    for (ValueId result : graph_.ops[id].results)
      if (is_buffer(result) && !aliases_.contains(result)) state.owned.insert(result);
  }

  // -- kernels

  void plan_launch(OpId id, BlockState& state) {
    if (context_.capabilities.growth_in_place && plan_growth(id, state)) return;
    const Kernel& kernel = graph_.kernels[attribute<KernelId>(graph_.ops[id])];
    std::vector<std::int32_t> reuse(graph_.ops[id].results.size(), -1);
    for (std::uint32_t n = 0; n < reuse.size(); ++n)
      if (kernel.outputs[n].base >= 0) reuse[n] = take_base(id, kernel.outputs[n].base, state);
    for (std::uint32_t n = 0; n < reuse.size(); ++n)
      if (reuse[n] < 0 && is_buffer(graph_.ops[id].results[n])) reuse[n] = take_donor(id, kernel, n, state);
    if (std::any_of(reuse.begin(), reuse.end(), [](std::int32_t operand) { return operand >= 0; }))
      graph_.ops[id].reuse = std::move(reuse);
  }

  /// A kernel that only extends what nobody needs any more, or only leaves out its end, takes the buffer over, as a
  /// `resize` where the target needs no kernel for it.
  bool plan_growth(OpId id, BlockState& state) {
    Op& op = graph_.ops[id];
    const Kernel& kernel = graph_.kernels[attribute<KernelId>(op)];
    const bool resizes = extends(kernel) || (!context_.capabilities.growth_launches && leaves_out_end(op, kernel));
    if (!resizes || !state.dies_here(op.operands[0])) return false;
    state.owned.erase(op.operands[0]);
    op.reuse = {0};
    if (context_.capabilities.growth_launches) return true;
    op.kind = OpKind::resize;
    op.attribute = {};
    return true;
  }

  /// Of sizes that the run knows: what has small constant ones is held by the program's code.
  bool leaves_out_end(const Op& op, const Kernel& kernel) const {
    return takes_first(kernel) && !graph_.type(op.operands[0]).count().is_constant() &&
           !graph_.type(op.results[0]).count().is_constant();
  }

  std::int32_t take_base(OpId id, std::int32_t base, BlockState& state) {
    ValueId value = graph_.ops[id].operands[static_cast<std::size_t>(base)];
    if (!is_buffer(value)) return -1;
    if (state.dies_here(value) && read_once(id, value)) {
      state.owned.erase(value);
      return base;
    }
    value = copy(value, id, state);
    graph_.ops[id].operands[static_cast<std::size_t>(base)] = value;
    return base;
  }

  std::int32_t take_donor(OpId id, const Kernel& kernel, std::uint32_t output, BlockState& state) {
    for (std::uint32_t input : donors(kernel, output)) {
      const ValueId value = graph_.ops[id].operands[input];
      if (!state.dies_here(value) || !read_once(id, value)) continue;
      state.owned.erase(value);
      return static_cast<std::int32_t>(input);
    }
    return -1;
  }

  ValueId owner(ValueId value) const {
    for (auto shown = aliases_.find(value); shown != aliases_.end(); shown = aliases_.find(value))
      value = shown->second;
    return value;
  }

  /// No other operand shows the same buffer.
  bool read_once(OpId id, ValueId value) const {
    const std::vector<ValueId>& operands = graph_.ops[id].operands;
    return std::count_if(operands.begin(), operands.end(),
                         [&](ValueId operand) { return owner(operand) == owner(value); }) == 1;
  }

  // -- outputs

  /// The host gets the buffer itself where nobody needs it any more, else a copy.
  void plan_output(OpId id, BlockState& state) {
    const ValueId value = graph_.ops[id].operands[0];
    if (!is_buffer(value) || !state.dies_here(value)) return;
    state.owned.erase(value);
    graph_.ops[id].reuse = {0};
  }

  // -- views

  /// Takes the buffer over, or becomes another name for it and keeps it alive.
  void plan_reshape(OpId id, BlockState& state) {
    const ValueId source = graph_.ops[id].operands[0], result = graph_.ops[id].results[0];
    if (!is_buffer(source) || !is_buffer(result)) return;
    if (state.dies_here(source)) {
      state.owned.erase(source);
      graph_.ops[id].reuse = {0};
      return;
    }
    aliases_[result] = source;
    const auto last = state.last.find(result);
    if (last == state.last.end()) return;
    for (ValueId shown = source;; shown = aliases_.at(shown)) {
      state.last[shown] = std::max(state.last[shown], last->second);
      if (!aliases_.contains(shown)) break;
    }
  }

  // -- regions

  /// Each carried value needs a buffer that nobody else reads: not after the loop, not inside it under its old name.
  void plan_loop(OpId id, BlockState& state) {
    const BlockId body = graph_.ops[id].blocks[0];
    const std::unordered_set<ValueId> captured = used_inside(graph_, body, aliases_, outer_);
    for (std::size_t n = 2; n < graph_.ops[id].operands.size(); ++n) {
      const ValueId initial = graph_.ops[id].operands[n];
      if (!is_buffer(initial)) continue;
      if (state.dies_here(initial) && !captured.contains(initial)) {
        state.owned.erase(initial);
      } else {
        const ValueId own = copy(initial, id, state);
        graph_.ops[id].operands[n] = own;
      }
    }
    ++loop_depth_;
    block(body, {});
    --loop_depth_;
  }

  void plan_branch(OpId id, BlockState& state) {
    Owned dying;
    for (ValueId value : state.owned)
      if (state.dies_here(value)) dying.insert(value);
    for (ValueId value : dying) state.owned.erase(value);
    for (BlockId arm : std::vector<BlockId>(graph_.ops[id].blocks)) block(arm, dying);
  }

  // -- new ops

  /// A buffer of its own for what `user` (or the block's yield, when invalid) would consume.
  ValueId copy(ValueId value, OpId user, BlockState& state) {
    if (loop_depth_ > 0) remark(value, user);
    const ValueId result = graph_.values.push({graph_.type(value), {}, {}, 0, graph_.values[value].name, {}, {}});
    Op op;
    op.kind = OpKind::copy;
    op.operands = {value};
    op.results = {result};
    if (user) op.location = graph_.ops[user].location;
    const OpId id = graph_.ops.push(std::move(op));
    graph_.values[result].op = id;
    state.ops.push_back(id);
    return result;
  }

  void remark(ValueId value, OpId user) {
    const std::string& name = graph_.values[value].name;
    remark("a copy of " + (name.empty() ? "a whole matrix" : "all of '" + name + "'") +
               " is made in every trip of the loop: its old value is still needed",
           user);
  }

  void remark(std::string message, OpId place) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::remark;
    diagnostic.message = std::move(message);
    if (place && graph_.locations.contains(graph_.ops[place].location))
      diagnostic.span = graph_.locations[graph_.ops[place].location].span;
    context_.remarks.push_back(std::move(diagnostic));
  }

  /// Parts of a sparse matrix are library steps, which make new matrices.
  void remark_on_step(OpId id) {
    if (loop_depth_ == 0) return;
    const LibraryFn step = attribute<LibraryFn>(graph_.ops[id]);
    if (graph_.ops[id].operands.empty()) return;  // sparse(m, n)
    const std::string& name = graph_.values[graph_.ops[id].operands[0]].name;
    const std::string matrix = name.empty() ? "a sparse matrix" : "the sparse matrix '" + name + "'";
    if (step == LibraryFn::sparse_update)
      remark("every assignment to a part of " + matrix +
                 " copies it, in every trip of the loop: collect rows, columns and values, and build it once with "
                 "sparse(i, j, v, m, n)",
             id);
    if (step == LibraryFn::sparse_rows || step == LibraryFn::sparse_columns)
      remark("a part of " + matrix +
                 " is made in every trip of the loop, by a library step: a product with the whole matrix is one kernel",
             id);
  }

  void release(const std::vector<ValueId>& values, BlockState& state) {
    if (values.empty()) return;
    Op op;
    op.kind = OpKind::release;
    op.operands = values;
    state.ops.push_back(graph_.ops.push(std::move(op)));
    for (ValueId value : values) state.owned.erase(value);
  }

  void release_dead(BlockState& state) {
    std::vector<ValueId> dead;
    for (ValueId value : state.owned)
      if (state.dies_here(value)) dead.push_back(value);
    release(dead, state);
  }

  /// What the block was handed and never uses.
  void release_unused(BlockState& state) {
    std::vector<ValueId> unused;
    for (ValueId value : state.owned)
      if (!state.last.contains(value)) unused.push_back(value);
    release(unused, state);
  }

  Graph& graph_;
  PassContext& context_;
  OuterUses outer_{graph_};
  Aliases aliases_;
  int loop_depth_ = 0;
};

/// Kernels in the order of their first launches, as the text numbers them, and only those that are launched: the number
/// of a kernel is the same in every dump of the plan, in generated code and in statistics.
void number_by_launches(Graph& graph) {
  std::vector<KernelId> numbers(graph.kernels.size());
  IdVector<KernelId, Kernel> launched;
  for_each_op(graph, graph.body, [&](OpId id) {
    KernelId* kernel = std::get_if<KernelId>(&graph.ops[id].attribute);
    if (kernel == nullptr) return;
    KernelId& number = numbers[kernel->index];
    if (!number.valid()) number = launched.push(std::move(graph.kernels[*kernel]));
    *kernel = number;
  });
  graph.kernels = std::move(launched);
}

}  // namespace

bool plan_memory(Graph& graph, PassContext& context) {
  const std::size_t ops = graph.ops.size();
  Planner(graph, context).block(graph.body, {});
  number_by_launches(graph);
  bool reused = false;
  for_each_op(graph, graph.body, [&](OpId id) { reused = reused || !graph.ops[id].reuse.empty(); });
  return reused || graph.ops.size() != ops;
}

}  // namespace lac::passes
