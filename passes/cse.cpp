#include "passes/cse.h"

#include <bit>
#include <unordered_map>

#include "passes/safety.h"

namespace lac::passes {
namespace {

std::size_t mixed(std::size_t hash, std::size_t more) { return (hash ^ (more + (hash << 6) + (hash >> 2))) * 1000003; }

std::size_t hash_of(const Size& size) {
  auto hash = static_cast<std::size_t>(size.constant());
  size.for_each_symbol([&](SymbolId symbol) { hash = mixed(hash, symbol.index); });
  return hash;
}

/// What many ops of a program differ by is part of it: without the numbers, all constants would meet in one place.
std::size_t hash_of(const Attribute& attribute) {
  if (const double* number = std::get_if<double>(&attribute)) return std::bit_cast<std::uint64_t>(*number);
  if (const Numbers* numbers = std::get_if<Numbers>(&attribute)) {
    std::size_t hash = numbers->values->size();
    for (double number : *numbers->values) hash = mixed(hash, std::bit_cast<std::uint64_t>(number));
    return hash;
  }
  if (const std::string* text = std::get_if<std::string>(&attribute)) return std::hash<std::string>()(*text);
  if (const Size* size = std::get_if<Size>(&attribute)) return hash_of(*size);
  if (const Subscripts* subscripts = std::get_if<Subscripts>(&attribute)) {
    std::size_t hash = subscripts->axes.size();
    for (const Subscript& axis : subscripts->axes)
      hash = mixed(mixed(mixed(hash, static_cast<std::size_t>(axis.kind)), hash_of(axis.first)), hash_of(axis.count));
    return hash;
  }
  if (const ScalarOp* op = std::get_if<ScalarOp>(&attribute)) return static_cast<std::size_t>(*op);
  if (const LibraryFn* fn = std::get_if<LibraryFn>(&attribute)) return static_cast<std::size_t>(*fn);
  return 0;
}

/// x + y = y + x and x * y = y * x, to the last bit.
bool commutes(const Op& op) {
  if (op.kind != OpKind::map) return false;
  const ScalarOp f = attribute<ScalarOp>(op);
  return f == ScalarOp::add || f == ScalarOp::mul;
}

std::size_t hash_of(const Op& op) {
  std::size_t hash = mixed(static_cast<std::size_t>(op.kind), op.attribute.index());
  const bool swap = commutes(op) && op.operands[1] < op.operands[0];
  for (std::size_t n = 0; n < op.operands.size(); ++n) hash = mixed(hash, op.operands[swap ? 1 - n : n].index);
  return mixed(hash, hash_of(op.attribute));
}

class Merger {
 public:
  explicit Merger(Graph& graph) : graph_(graph) {}

  bool run() {
    merge_block(graph_.body);
    replace_all_uses(graph_, merged_);
    return !merged_.empty();
  }

 private:
  using Table = std::unordered_multimap<std::size_t, OpId>;

  void merge_block(BlockId block) {
    std::vector<Table::iterator> scope;
    std::erase_if(graph_.blocks[block].ops, [&](OpId id) {
      resolve_operands(id);
      for (BlockId inner : graph_.ops[id].blocks) merge_block(inner);
      if (!is_mergeable(graph_.ops[id])) return false;
      const std::size_t hash = hash_of(graph_.ops[id]);
      const auto [first, last] = table_.equal_range(hash);
      for (auto place = first; place != last; ++place)
        if (equal(graph_.ops[place->second], graph_.ops[id])) return merge(place->second, id);
      scope.push_back(table_.insert({hash, id}));
      return false;
    });
    for (Table::iterator place : scope) table_.erase(place);
  }

  static bool is_mergeable(const Op& op) {
    if (op.kind == OpKind::library) return is_quiet(attribute<LibraryFn>(op));
    return has_trait(op.kind, trait::pure);
  }

  bool equal(const Op& a, const Op& b) const {
    if (a.kind != b.kind || !equal_attributes(a.attribute, b.attribute) || a.results.size() != b.results.size() ||
        !equal_operands(a, b))
      return false;
    for (std::size_t n = 0; n < a.results.size(); ++n)
      if (graph_.type(a.results[n]) != graph_.type(b.results[n])) return false;
    return true;
  }

  static bool equal_operands(const Op& a, const Op& b) {
    return a.operands == b.operands ||
           (commutes(a) && a.operands[0] == b.operands[1] && a.operands[1] == b.operands[0]);
  }

  /// Numbers by their bits: 0 and -0 differ, NaN equals itself.
  static bool equal_attributes(const Attribute& a, const Attribute& b) {
    const double *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
    if (x && y) return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
    return a == b;
  }

  bool merge(OpId kept, OpId dropped) {
    for (std::size_t n = 0; n < graph_.ops[kept].results.size(); ++n) {
      const ValueId from = graph_.ops[dropped].results[n], to = graph_.ops[kept].results[n];
      merged_.push_back({from, to});
      image_[from] = to;
      if (graph_.values[to].name.empty()) graph_.values[to].name = graph_.values[from].name;
    }
    return true;
  }

  void resolve_operands(OpId id) {
    for (ValueId& operand : graph_.ops[id].operands)
      if (const auto found = image_.find(operand); found != image_.end()) operand = found->second;
  }

  Graph& graph_;
  Table table_;
  std::vector<std::pair<ValueId, ValueId>> merged_;
  std::unordered_map<ValueId, ValueId> image_;
};

}  // namespace

bool cse(Graph& graph, PassContext&) { return Merger(graph).run(); }

}  // namespace lac::passes
