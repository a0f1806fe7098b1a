#include "passes/guard_launches.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ir/kernel/guard.h"
#include "passes/fusion/launches.h"
#include "passes/structure/loop_slots.h"

namespace lac::passes {
namespace {

/// A launch of an arm, for each result of which the other arm leaves what is there.
struct Guarded {
  OpId launch;
  bool wanted;                   ///< the condition, where the launch counts
  std::vector<ValueId> kept;     ///< by the launch's result: what the other arm leaves for it
  std::vector<ValueId> results;  ///< by the launch's result: the branch's
};

/// What is launched instead.
struct GuardedKernel {
  Kernel kernel;
  std::vector<ValueId> operands;
};

class BranchGuard {
 public:
  BranchGuard(Graph& graph, PassContext& context, BlockId body) : graph_(graph), context_(context), body_(body) {}

  bool run() {
    bool changed = false;
    for (std::size_t n = 0; n < graph_.blocks[body_].ops.size(); ++n) {
      std::vector<OpId>& ops = graph_.blocks[body_].ops;
      const std::vector<OpId> launches = launches_of(ops[n], std::span(ops).subspan(n + 1));
      if (launches.empty()) continue;
      const auto place = ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(n));
      ops.insert(place, launches.begin(), launches.end());
      n += launches.size() - 1;
      changed = true;
    }
    return changed;
  }

 private:
  bool is_launch(OpId id) const { return id && graph_.ops[id].kind == OpKind::launch; }

  /// What stands for the branch; nothing where it stays.
  std::vector<OpId> launches_of(OpId id, std::span<const OpId> behind) {
    const Op& branch = graph_.ops[id];
    if (branch.kind != OpKind::branch || !is_launch(graph_.values[branch.operands[0]].op) ||
        !is_of_trip(graph_, body_, branch.operands[0]))
      return {};
    const std::vector<Guarded> all = guarded(branch, behind);
    std::vector<GuardedKernel> kernels;
    for (const Guarded& each : all) {
      std::optional<GuardedKernel> kernel = with_guard(each, branch.operands[0]);
      if (!kernel) return {};
      kernels.push_back(std::move(*kernel));
    }
    std::vector<OpId> launches;
    for (std::size_t n = 0; n < all.size(); ++n) launches.push_back(launch(all[n], std::move(kernels[n])));
    return launches;
  }

  /// The launches of a branch that is nothing else; none where some result is no launch's of one arm.
  std::vector<Guarded> guarded(const Op& branch, std::span<const OpId> behind) const {
    std::vector<Guarded> all;
    std::size_t results = 0;
    for (const std::size_t arm : {0U, 1U})
      for (OpId id : graph_.blocks[branch.blocks[arm]].ops) {
        std::optional<Guarded> found = is_launch(id) ? guarded(branch, arm, id, behind) : std::nullopt;
        if (!found || meets(*found, all)) return {};
        results += found->results.size();
        all.push_back(std::move(*found));
      }
    return results == branch.results.size() ? all : std::vector<Guarded>();
  }

  std::optional<Guarded> guarded(const Op& branch, std::size_t arm, OpId id, std::span<const OpId> behind) const {
    const std::vector<ValueId>& yields = graph_.blocks[branch.blocks[arm]].yields;
    const std::vector<ValueId>& others = graph_.blocks[branch.blocks[1 - arm]].yields;
    Guarded found{id, arm == 0, {}, {}};
    for (ValueId made : graph_.ops[id].results) {
      if (std::ranges::count(yields, made) != 1) return std::nullopt;
      const auto place = static_cast<std::size_t>(std::ranges::find(yields, made) - yields.begin());
      const ValueId kept = others[place];
      if (std::ranges::count(others, kept) != 1 || !may_be_replaced(kept, made, behind)) return std::nullopt;
      found.kept.push_back(kept);
      found.results.push_back(branch.results[place]);
    }
    return found;
  }

  /// Whether it takes over, or reads, what a launch before it takes over (a copy in every trip), or reads what that
  /// makes.
  bool meets(const Guarded& found, const std::vector<Guarded>& before) const {
    const auto meets_one = [&](const Guarded& each, ValueId value) {
      return std::ranges::find(each.kept, value) != each.kept.end() || graph_.values[value].op == each.launch;
    };
    std::vector<ValueId> values = graph_.ops[found.launch].operands;
    values.insert(values.end(), found.kept.begin(), found.kept.end());
    return std::ranges::any_of(values, [&](ValueId value) {
      return std::ranges::any_of(before, [&](const Guarded& each) { return meets_one(each, value); });
    });
  }

  bool may_be_replaced(ValueId kept, ValueId made, std::span<const OpId> behind) const {
    const Type& type = graph_.type(kept);
    if (!type.is_dense() || type.is_scalar() || type != graph_.type(made) || !is_of_trip(graph_, body_, kept))
      return false;
    const Block& body = graph_.blocks[body_];
    if (std::ranges::find(body.yields, kept) != body.yields.end()) return false;
    const auto shows = [&](OpId id) {  // another name for its buffer
      const Op& op = graph_.ops[id];
      return op.kind == OpKind::reshape && (op.operands[0] == kept || op.results[0] == kept);
    };
    if (std::ranges::any_of(body.ops, shows)) return false;
    return std::ranges::none_of(behind, [&](OpId id) {
      bool reads = false;
      for_each_used_value_deep(graph_, graph_.ops[id], [&](ValueId used) { reads |= used == kept; });
      return reads;
    });
  }

  /// Takes the condition and each kept matrix; nothing where it may not be guarded.
  std::optional<GuardedKernel> with_guard(const Guarded& found, ValueId decider) const {
    const Op& launch = graph_.ops[found.launch];
    GuardedKernel made{graph_.kernels[attribute<KernelId>(launch)], launch.operands};
    Kernel& kernel = made.kernel;
    for (std::size_t n = 0; n < found.kept.size(); ++n) {
      if (kernel.outputs[n].base >= 0) return std::nullopt;
      const std::uint32_t base = input_of(made, found.kept[n]);
      if (reads_elsewhere(kernel, base)) return std::nullopt;
      kernel.outputs[n].base = static_cast<std::int32_t>(base);
    }
    const Guard guard{input_of(made, decider), found.wanted};
    if (kernel.inputs.size() > static_cast<std::size_t>(context_.capabilities.max_inputs)) return std::nullopt;
    const InstrId decides = kernel.body.push(load_of(kernel, guard.input, AccessMap::scalar()));
    for (Store& store : kernel.stores) {
      if (!stores_all(kernel, store)) return std::nullopt;
      choose(kernel, store, decides, found.wanted);
    }
    return guard_of(kernel) == guard ? std::optional(std::move(made)) : std::nullopt;
  }

  /// The new element where the condition is as wanted, else the old one.
  static void choose(Kernel& kernel, Store& store, InstrId decides, bool wanted) {
    const auto base = static_cast<std::uint32_t>(kernel.outputs[store.output].base);
    const InstrId old = kernel.body.push(load_of(kernel, base, store.map));
    Instr choice;
    choice.kind = InstrKind::apply;
    choice.op = ScalarOp::select;
    choice.element = kernel.body[old].element;
    choice.operands = {decides, wanted ? store.value : old, wanted ? old : store.value};
    store.value = kernel.body.push(choice);
  }

  /// Whether a point reads of the input what another one replaces.
  static bool reads_elsewhere(const Kernel& kernel, std::uint32_t input) {
    return std::ranges::any_of(kernel.body, [&](const Instr& instr) {
      return instr.kind == InstrKind::load && instr.argument == input && instr.map != AccessMap::identity();
    });
  }

  /// Which input the value is, a new one where it is none yet.
  std::uint32_t input_of(GuardedKernel& made, ValueId value) const {
    const auto known = std::ranges::find(made.operands, value);
    const auto input = static_cast<std::uint32_t>(known - made.operands.begin());
    if (known != made.operands.end()) return input;
    made.operands.push_back(value);
    made.kernel.inputs.push_back({graph_.type(value), graph_.values[value].name});
    return input;
  }

  static Instr load_of(const Kernel& kernel, std::uint32_t input, const AccessMap& map) {
    Instr load;
    load.kind = InstrKind::load;
    load.element = kernel.inputs[input].type.element;
    load.argument = input;
    load.map = map;
    return load;
  }

  /// Each element of its output, as it is computed.
  static bool stores_all(const Kernel& kernel, const Store& store) {
    const Type& type = kernel.outputs[store.output].type;
    return store.map == AccessMap::identity() && type.rows == kernel.rows && type.cols == kernel.cols &&
           kernel.body[store.value].element == type.element;
  }

  OpId launch(const Guarded& found, GuardedKernel made) {
    const LocationId location = graph_.ops[found.launch].location;
    const OpId id = make_launch(graph_, std::move(made.kernel), std::move(made.operands), found.results, location);
    remark(graph_.ops[id]);
    return id;
  }

  void remark(const Op& launch) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::remark;
    if (graph_.locations.contains(launch.location)) diagnostic.span = graph_.locations[launch.location].span;
    diagnostic.message = "is launched in every trip, and looks at the condition itself: no branch is taken for it";
    context_.remarks.push_back(std::move(diagnostic));
  }

  Graph& graph_;
  PassContext& context_;
  BlockId body_;
};

}  // namespace

bool guard_launches(Graph& graph, PassContext& context) {
  if (!context.capabilities.device_scalars || !context.capabilities.workgroups) return false;
  const bool changed = for_each_loop(graph, graph.body, [&](BlockId, OpId loop) {
    return BranchGuard(graph, context, graph.ops[loop].blocks[0]).run();
  });
  if (changed) renumber_kernels(graph);
  return changed;
}

}  // namespace lac::passes
