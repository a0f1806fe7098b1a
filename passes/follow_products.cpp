#include "passes/follow_products.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/graph/builder.h"
#include "ir/kernel/shared_axis.h"
#include "passes/cost/cost.h"
#include "passes/fusion/launches.h"
#include "passes/fusion/nest_parts.h"
#include "passes/fusion/nests.h"

namespace lac::passes {
namespace {

/// Where a value is made: behind so many ops of the block.
struct Place {
  BlockId block;
  std::size_t behind = 0;
};

/// One nest along the rows of columns, whose results are columns like that or sums over all of it.
bool is_along_rows(const Kernel& kernel) {
  const auto stores = [](const Store& store) { return store.map == AccessMap::identity(); };
  const auto sums = [](const KernelReduction& sum) { return sum.reduction.axis == Axis::all && sum.index_output < 0; };
  return kernel.ahead.empty() && !takes_over(kernel) && kernel.cols.is(1) &&
         cost::is_long_enough_for_nests(kernel.rows, kernel.cols) && std::ranges::all_of(kernel.stores, stores) &&
         std::ranges::all_of(kernel.reductions, sums);
}

bool is_product(const Kernel& kernel) {
  return kernel.contraction && kernel.contraction->storage == Storage::csr && is_along_rows(kernel);
}

/// The inputs that the product reads at k.
std::vector<std::uint32_t> read_at_entries(const Kernel& kernel) {
  std::vector<std::uint32_t> found;
  for (const Instr& instr : kernel.contraction->prologue)
    if (instr.kind == InstrKind::load && reads_at_entries(instr.map)) found.push_back(instr.argument);
  return found;
}

class ProductFollower {
 public:
  ProductFollower(Graph& graph, PassContext& context) : graph_(graph), context_(context) {}

  bool run() {
    std::vector<BlockId> blocks;
    for_each_block(graph_, graph_.body, [&](BlockId block) { blocks.push_back(block); });
    bool changed = false;
    for (const BlockId block : blocks)
      for (std::size_t place = 0; place < ops(block).size();)
        if (follow(block, place)) changed = true;  // the one before is gone: the next one is here
        else ++place;
    return changed;
  }

 private:
  std::vector<OpId>& ops(BlockId block) { return graph_.blocks[block].ops; }
  const Op& op_at(BlockId block, std::size_t place) { return graph_.ops[ops(block)[place]]; }
  const Kernel& kernel_of(const Op& launch) const { return graph_.kernels[attribute<KernelId>(launch)]; }

  bool follow(BlockId block, std::size_t later) {
    const Op& product = op_at(block, later);
    if (product.kind != OpKind::launch || !is_product(kernel_of(product))) return false;
    const ValueId matrix = product.operands[kernel_of(product).contraction->matrix];
    const std::optional<Place> made = place_of(matrix);
    if (!made || !has_loop_between(made->block, block)) return false;
    for (const std::uint32_t input : read_at_entries(kernel_of(product)))
      for (std::size_t before = later; before-- > 0;)
        if (makes(op_at(block, before), product.operands[input])) {
          if (join_at(block, before, later, matrix, *made)) return true;
          break;
        }
    return false;
  }

  /// Whether a loop inside of `outer` has `inner`: what is found in `outer` is found once for all of its trips.
  bool has_loop_between(BlockId outer, BlockId inner) {
    for (const OpId id : graph_.blocks[outer].ops)
      for (const BlockId body : graph_.ops[id].blocks) {
        bool contains = false;
        for_each_block(graph_, body, [&](BlockId block) { contains |= block == inner; });
        if (contains) return graph_.ops[id].kind == OpKind::loop || (body != inner && has_loop_between(body, inner));
      }
    return false;
  }

  static bool makes(const Op& op, ValueId value) { return std::ranges::find(op.results, value) != op.results.end(); }

  bool join_at(BlockId block, std::size_t earlier, std::size_t later, ValueId matrix, const Place& made) {
    const Op first = op_at(block, earlier), second = op_at(block, later);
    if (first.kind != OpKind::launch || !may_move(block, earlier, later)) return false;
    const Kernel& ahead = kernel_of(first);
    if (!is_along_rows(ahead) || ahead.contraction || ahead.rows != kernel_of(second).rows ||
        first.results.size() + second.results.size() > static_cast<std::size_t>(context_.capabilities.max_outputs))
      return false;
    std::vector<ValueId> operands = first.operands;
    const std::vector<InputOrigin> origins = join_operands(first.results, operands, second.operands);
    Kernel behind = kernel_of(second);
    behind.contraction->reach = 1;  // not known before the two are known to fit
    if (operands.size() > static_cast<std::size_t>(context_.capabilities.max_inputs) || !join(ahead, behind, origins))
      return false;
    behind.contraction->reach = reach_of(matrix, made, second.location);
    std::vector<ValueId> results = first.results;
    results.insert(results.end(), second.results.begin(), second.results.end());
    remark(first, second);
    ops(block)[later] = make_launch(graph_, *join(kernel_of(first), behind, origins), std::move(operands),
                                    std::move(results), second.location);
    ops(block).erase(ops(block).begin() + static_cast<std::ptrdiff_t>(earlier));
    return true;
  }

  /// Nobody between them waits for the earlier one, or changes what it reads; nor is one of its results a size.
  bool may_move(BlockId block, std::size_t earlier, std::size_t later) {
    const Op& first = op_at(block, earlier);
    if (std::ranges::any_of(first.results, [&](ValueId value) { return graph_.values[value].symbol.valid(); }))
      return false;
    for (std::size_t n = earlier + 1; n < later; ++n) {
      const Op& op = op_at(block, n);
      const bool changes =
          !op.blocks.empty() || op.kind == OpKind::resize || (op.kind == OpKind::launch && takes_over(kernel_of(op)));
      const auto waits = [&](ValueId operand) { return makes(first, operand); };
      if (changes || std::ranges::any_of(op.operands, waits)) return false;
    }
    return true;
  }

  std::optional<Place> place_of(ValueId value) {
    std::optional<Place> found;
    for_each_block(graph_, graph_.body, [&](BlockId id) {
      const Block& block = graph_.blocks[id];
      if (std::ranges::find(block.arguments, value) != block.arguments.end()) found = Place{id, 0};
      for (std::size_t n = 0; n < block.ops.size(); ++n)
        if (makes(graph_.ops[block.ops[n]], value)) found = Place{id, n + 1};
    });
    return found;
  }

  /// Found where the matrix is made.
  Size reach_of(ValueId matrix, const Place& made, LocationId location) {
    if (const auto known = reaches_.find(matrix); known != reaches_.end()) return known->second;
    Builder builder(graph_, made.block, location);
    const ValueId reach = builder.library(LibraryFn::sparse_reach, {matrix}, {Type::scalar(Element::integer)}).front();
    std::vector<OpId>& all = ops(made.block);
    std::rotate(all.begin() + static_cast<std::ptrdiff_t>(made.behind), all.end() - 1, all.end());
    return reaches_[matrix] = Size::symbol(symbol_of(graph_, reach));
  }

  void remark(const Op& first, const Op& second) {
    const auto span = [&](const Op& op) {
      return graph_.locations.contains(op.location) ? graph_.locations[op.location].span : Span{};
    };
    Diagnostic diagnostic;
    diagnostic.severity = Severity::remark;
    diagnostic.span = span(second);
    diagnostic.message =
        "joins the kernel that makes what it multiplies, and follows it as far behind as an entry of the "
        "matrix is from the diagonal";
    if (span(first).valid()) diagnostic.notes.push_back({span(first), "here"});
    context_.remarks.push_back(std::move(diagnostic));
  }

  Graph& graph_;
  PassContext& context_;
  std::unordered_map<ValueId, Size> reaches_;  ///< by matrix
};

}  // namespace

bool follow_products(Graph& graph, PassContext& context) {
  if (!context.capabilities.several_nests || !context.capabilities.fusion) return false;
  const bool changed = ProductFollower(graph, context).run();
  if (changed) renumber_kernels(graph);
  return changed;
}

}  // namespace lac::passes
