#include "passes/order_products.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/cost/cost.h"
#include "passes/structure/loop_slots.h"

namespace lac::passes {
namespace {

constexpr std::size_t longest_chain = 32;  ///< the time of compiling grows with its third power

struct Factor {
  ValueId value;
  bool transposed = false;
};

/// Factors [first, last] of a chain.
using Range = std::pair<std::size_t, std::size_t>;

/// A product of several factors, and how the program computes it: where it splits a range of factors in two, and by
/// which ops.
struct Chain {
  std::vector<Factor> factors;
  std::map<Range, std::size_t> splits;  ///< by range: the last factor of its left part
  std::vector<OpId> ops;                ///< that nothing else needs
};

/// Extents of the factors of a chain: factor n is extents[n] x extents[n + 1].
using Extents = std::vector<Size>;

class Order {
 public:
  Order(const SymbolTable& symbols, const Extents& extents) : symbols_(symbols), extents_(extents) {
    constant_ = std::ranges::all_of(extents, [](const Size& extent) { return extent.is_constant(); });
  }

  /// Of the program's order.
  Size price(const Chain& chain, Range range) const {
    if (range.first == range.second) return 0;
    const std::size_t split = chain.splits.at(range);
    return price(chain, {range.first, split}) + price(chain, {split + 1, range.second}) + price_of_last(range, split);
  }

  /// Fills `splits` with those of an order that is provably no worse than the program's; its price.
  Size improve(const Chain& chain, std::map<Range, std::size_t>& splits) const {
    std::map<Range, Size> prices;
    const std::size_t count = chain.factors.size();
    for (std::size_t n = 0; n < count; ++n) prices[{n, n}] = 0;
    for (std::size_t length = 2; length <= count; ++length)
      for (std::size_t first = 0; first + length <= count; ++first) {
        const Range range = {first, first + length - 1};
        const auto written = chain.splits.find(range);
        std::size_t best = written == chain.splits.end() ? first : written->second;
        Size least = price_of(range, best, prices);
        for (std::size_t split = first; split < range.second; ++split) {
          const Size price = price_of(range, split, prices);
          if (is_less(price, least)) {
            best = split;
            least = price;
          }
        }
        splits[range] = best;
        prices[range] = least;
      }
    return prices.at({0, count - 1});
  }

  bool is_less(const Size& a, const Size& b) const { return a != b && at_most(symbols_, a, b); }

 private:
  Size price_of(Range range, std::size_t split, const std::map<Range, Size>& prices) const {
    return prices.at({range.first, split}) + prices.at({split + 1, range.second}) + price_of_last(range, split);
  }
  /// The product of both parts.
  Size price_of_last(Range range, std::size_t split) const {
    const Size &m = extents_[range.first], &k = extents_[split + 1], &n = extents_[range.second + 1];
    return constant_ ? Size(cost::product_time(m.constant(), k.constant(), n.constant())) : m * k * n;
  }

  const SymbolTable& symbols_;
  const Extents& extents_;
  bool constant_;
};

bool is_step(const Op& op, LibraryFn fn) { return op.kind == OpKind::library && attribute<LibraryFn>(op) == fn; }
bool is_product(const Op& op) { return op.kind == OpKind::matmul || is_step(op, LibraryFn::sparse_multiply); }

/// Two products at least. (Who uses what in a block and all inside it is asked only then.)
bool may_have_chain(const Graph& graph, BlockId block) {
  return std::ranges::count_if(graph.blocks[block].ops, [&](OpId op) { return is_product(graph.ops[op]); }) > 1;
}

class BlockOrderer {
 public:
  BlockOrderer(Graph& graph, BlockId block, bool in_loop, PassContext& context)
      : graph_(graph), block_(block), in_loop_(in_loop), context_(context), uses_(graph, block) {
    const Block& own = graph.blocks[block];
    arguments_.insert(own.arguments.begin(), own.arguments.end());
    yielded_.insert(own.yields.begin(), own.yields.end());
    if (in_loop)
      for (OpId id : own.ops) find_invariant(graph.ops[id]);
  }

  /// The last product of a chain first: the others are part of it.
  bool run() {
    const std::vector<OpId> ops = graph_.blocks[block_].ops;
    std::vector<OpId> kept;  // from the end
    for (auto id = ops.rbegin(); id != ops.rend(); ++id) {
      if (gone_.contains(*id)) continue;
      const std::vector<OpId> reordered = graph_.ops[*id].kind == OpKind::matmul ? reorder(*id) : std::vector<OpId>{};
      if (reordered.empty()) kept.push_back(*id);
      else kept.insert(kept.end(), reordered.rbegin(), reordered.rend());
    }
    std::ranges::reverse(kept);
    graph_.blocks[block_].ops = std::move(kept);
    replace_all_uses(graph_, replaced_);
    return !replaced_.empty();
  }

 private:
  // -- what is a chain

  void collect(ValueId value, bool transposed, bool is_alone, Chain& chain) const {
    const Op* op = graph_.definition(value);
    const bool local = op && uses_.is_local(value);
    is_alone = is_alone && local && uses_.readers(value).size() == 1 && !yielded_.contains(value);
    if (local && is_transpose(*op)) {
      if (is_alone) chain.ops.push_back(graph_.values[value].op);
      return collect(op->operands[0], !transposed, is_alone, chain);
    }
    if (!is_alone || !is_product(*op) || stays_before_loop(value)) return chain.factors.push_back({value, transposed});
    collect_product(graph_.values[value].op, transposed, chain);
  }

  void collect_product(OpId id, bool transposed, Chain& chain) const {
    const Op& op = graph_.ops[id];
    const Transposes flags = op.kind == OpKind::matmul ? attribute<Transposes>(op) : Transposes{};
    Factor parts[] = {{op.operands[0], flags.left != transposed}, {op.operands[1], flags.right != transposed}};
    if (transposed) std::swap(parts[0], parts[1]);
    const std::size_t first = chain.factors.size();
    collect(parts[0].value, parts[0].transposed, true, chain);
    const std::size_t split = chain.factors.size() - 1;
    collect(parts[1].value, parts[1].transposed, true, chain);
    chain.splits[{first, chain.factors.size() - 1}] = split;
    chain.ops.push_back(id);
  }

  static bool is_transpose(const Op& op) {
    return op.kind == OpKind::transpose || is_step(op, LibraryFn::sparse_transpose);
  }

  /// A product of what no trip changes: the loop has it once, or could.
  bool stays_before_loop(ValueId product) const { return !root_is_invariant_ && is_invariant(product); }
  /// Of operands and results of products in a loop.
  bool is_invariant(ValueId value) const {
    return in_loop_ && (invariant_.contains(value) || (!uses_.is_local(value) && !arguments_.contains(value)));
  }
  void find_invariant(const Op& op) {
    if ((is_transpose(op) || is_product(op)) &&
        std::ranges::all_of(op.operands, [&](ValueId operand) { return is_invariant(operand); }))
      invariant_.insert(op.results.begin(), op.results.end());
  }

  /// Nothing where they do not provably fit, or are of different precision.
  std::optional<Extents> extents_of(const Chain& chain) const {
    Extents extents;
    for (const Factor& factor : chain.factors) {
      const Type& type = graph_.type(factor.value);
      const Size &rows = factor.transposed ? type.cols : type.rows, &cols = factor.transposed ? type.rows : type.cols;
      if (type.is_scalar() || type.element != graph_.type(chain.factors[0].value).element) return std::nullopt;
      if (extents.empty()) extents.push_back(rows);
      else if (extents.back() != rows) return std::nullopt;
      extents.push_back(cols);
    }
    return extents;
  }

  // -- another order

  /// The ops that take its place; none where the order is kept.
  std::vector<OpId> reorder(OpId root) {
    const ValueId result = graph_.ops[root].results[0];
    Chain chain;
    root_is_invariant_ = is_invariant(result);
    collect_product(root, false, chain);
    if (chain.factors.size() < 3 || chain.factors.size() > longest_chain) return {};
    const std::optional<Extents> extents = extents_of(chain);
    if (!extents || graph_.type(result).element != graph_.type(chain.factors[0].value).element) return {};
    std::map<Range, std::size_t> splits;
    if (!(has_sparse(chain) ? from_the_right(chain, *extents, splits) : improved(chain, *extents, splits))) return {};
    gone_.insert(chain.ops.begin(), chain.ops.end());
    return build(root, chain, splits);
  }

  bool has_sparse(const Chain& chain) const {
    return std::ranges::any_of(chain.factors,
                               [&](const Factor& factor) { return graph_.type(factor.value).is_sparse(); });
  }

  bool from_the_right(const Chain& chain, const Extents& extents, std::map<Range, std::size_t>& splits) const {
    if (!extents.back().is(1) || !graph_.type(chain.factors.back().value).is_dense()) return false;
    const std::size_t last = chain.factors.size() - 1;
    for (std::size_t first = 0; first < last; ++first) splits[{first, last}] = first;
    return splits != chain.splits;
  }

  bool improved(const Chain& chain, const Extents& extents, std::map<Range, std::size_t>& splits) const {
    const Order order(graph_.symbols, extents);
    const Size written = order.price(chain, {0, chain.factors.size() - 1});
    if (written.is_constant() && written.constant() <= cost::product_time(8, 8, 8)) return false;
    return order.is_less(order.improve(chain, splits), written);
  }

  std::vector<OpId> build(OpId root, const Chain& chain, const std::map<Range, std::size_t>& splits) {
    graph_.blocks[block_].ops.clear();
    const LocationId location = graph_.ops[root].location;
    const ValueId result = graph_.ops[root].results[0];
    Builder builder(graph_, block_, location);
    std::string text;
    const ValueId product = multiply(builder, chain, splits, {0, chain.factors.size() - 1}, text).value;
    if (graph_.values[product].name.empty()) graph_.values[product].name = graph_.values[result].name;
    replaced_.emplace_back(result, product);
    remark(location, chain.factors.size(), text);
    return graph_.blocks[block_].ops;
  }

  Factor multiply(Builder& builder, const Chain& chain, const std::map<Range, std::size_t>& splits, Range range,
                  std::string& text) const {
    if (range.first == range.second) {
      const Factor& factor = chain.factors[range.first];
      const std::string& name = graph_.values[factor.value].name;
      text += (name.empty() ? "_" : name) + (factor.transposed ? "'" : "");
      return factor;
    }
    const std::size_t split = splits.at(range);
    const auto part = [&](Range of) {
      const bool several = of.first != of.second;
      if (several) text += "(";
      const Factor factor = multiply(builder, chain, splits, of, text);
      if (several) text += ")";
      return factor;
    };
    const Factor left = part({range.first, split});
    text += "*";
    const Factor right = part({split + 1, range.second});
    return {builder.matmul(left.value, right.value, {left.transposed, right.transposed}), false};
  }

  void remark(LocationId location, std::size_t count, const std::string& text) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::remark;
    if (graph_.locations.contains(location)) diagnostic.span = graph_.locations[location].span;
    diagnostic.message = "the product of " + std::to_string(count) + " matrices is computed as " + text;
    context_.remarks.push_back(std::move(diagnostic));
  }

  Graph& graph_;
  BlockId block_;
  bool in_loop_, root_is_invariant_ = false;
  PassContext& context_;
  BlockUses uses_;
  std::unordered_set<ValueId> arguments_, yielded_, invariant_;
  std::unordered_set<OpId> gone_;
  std::vector<std::pair<ValueId, ValueId>> replaced_;
};

bool order_block(Graph& graph, BlockId block, bool in_loop, PassContext& context) {
  bool changed = false;
  for (OpId id : std::vector<OpId>(graph.blocks[block].ops)) {
    const bool inside = in_loop || graph.ops[id].kind == OpKind::loop;
    for (BlockId inner : std::vector<BlockId>(graph.ops[id].blocks))
      changed |= order_block(graph, inner, inside, context);
  }
  if (!may_have_chain(graph, block)) return changed;
  return BlockOrderer(graph, block, in_loop, context).run() || changed;
}

}  // namespace

bool order_products(Graph& graph, PassContext& context) { return order_block(graph, graph.body, false, context); }

}  // namespace lac::passes
