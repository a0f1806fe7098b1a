#include "passes/dropped_sizes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/graph/builder.h"
#include "ir/types/extent.h"

namespace lac::passes {
namespace {

bool makes_larger(const Graph& graph, const Op& op) {
  const auto along = [](const Type& type) { return type.rows.is(1) || type.cols.is(1); };
  switch (op.kind) {
    case OpKind::iota:
      if (along(graph.type(op.results[0]))) return false;
      break;
    case OpKind::fill:
    case OpKind::resize:
    case OpKind::concat: break;
    case OpKind::index: {
      const auto& axes = attribute<Subscripts>(op).axes;
      if (std::ranges::none_of(axes, [](const Subscript& s) { return s.kind == SubscriptKind::vector; })) return false;
      break;
    }
    case OpKind::library:
      if (attribute<LibraryFn>(op) != LibraryFn::kron) return false;
      break;
    default: return false;
  }
  return !graph.type(op.results[0]).is_sparse();
}

/// Extents and counts that are possible: small numbers, and those of a matrix that is made.
class Possible {
 public:
  Possible(const Graph& graph, const std::function<bool(OpId)>& live) : graph_(graph) {
    for (OpId id : graph.blocks[graph.body].ops)
      if (live(id))
        for (ValueId result : graph.ops[id].results) add(graph.type(result));
  }

  void add(const Type& type) {
    if (type.is_scalar() || type.is_sparse()) return;
    for (const Size& size : {type.rows, type.cols, type.count()})
      if (!holds(size)) sizes_.push_back(size);
  }

  bool holds(const Size& size) const {
    if (size.is_constant()) return is_extent(size.constant());
    const std::optional<SymbolId> symbol = size.as_symbol();
    return (symbol && graph_.symbols[*symbol].origin < SymbolOrigin::parameter_value) || counts_elements(size) ||
           std::ranges::find(sizes_, size) != sizes_.end();
  }

  /// What must be checked of the type. A count of 1 or more of the one extent proves the other.
  std::vector<Size> open(const Type& type) const {
    const auto some = [](const Size& size) { return size.is_constant() && size.constant() > 0; };
    std::vector<Size> sizes;
    if (!holds(type.count())) sizes.push_back(type.count());
    if (!holds(type.rows) && !some(type.cols)) sizes.push_back(type.rows);
    if (!holds(type.cols) && !some(type.rows)) sizes.push_back(type.cols);
    return sizes;
  }

 private:
  /// The true elements of a mask, or a truth value: no more than there are elements.
  bool counts_elements(const Size& size) const {
    const std::vector<Size::Term> terms = size.terms();
    if (terms.size() != 1 || terms[0].coefficient != 1) return false;
    int counts = 0;
    const bool bounded = std::ranges::all_of(terms[0].factors, [&](SymbolId factor) {
      const SizeSymbol& symbol = graph_.symbols[factor];
      const Op* made = symbol.origin == SymbolOrigin::value ? graph_.definition(symbol.value) : nullptr;
      if (made && made->kind == OpKind::convert)
        return graph_.type(made->operands[0]).element == Element::logical && graph_.type(made->operands[0]).is_scalar();
      counts += 1;
      return made && made->kind == OpKind::library && attribute<LibraryFn>(*made) == LibraryFn::find;
    });
    return bounded && counts <= 1;
  }

  const Graph& graph_;
  std::vector<Size> sizes_;
};

void check(Builder& builder, const std::vector<Size>& sizes) {
  Message message;
  message.stream = Stream::err;
  message.id = "Octave:bad-alloc";
  message.format = too_large_text;
  const ValueId limit = builder.constant(static_cast<double>(largest_extent), Element::integer);
  ValueId possible;
  for (const Size& size : sizes) {
    const ValueId fits = builder.map(ScalarOp::le, builder.size(size), limit);
    possible = possible.valid() ? builder.map(ScalarOp::logical_and, possible, fits) : fits;
  }
  builder.check(possible, message, {});
}

}  // namespace

bool check_dropped_sizes(Graph& graph, const std::function<bool(OpId)>& live) {
  Possible possible(graph, live);
  bool changed = false;
  const std::vector<OpId> ops = std::exchange(graph.blocks[graph.body].ops, {});
  for (OpId id : ops) {
    if (!live(id) && makes_larger(graph, graph.ops[id])) {
      const Type type = graph.type(graph.ops[id].results[0]);
      if (const std::vector<Size> sizes = possible.open(type); !sizes.empty()) {
        Builder builder(graph, graph.body, graph.ops[id].location);
        check(builder, sizes);
        changed = true;
      }
      possible.add(type);
    }
    graph.blocks[graph.body].ops.push_back(id);
  }
  return changed;
}

}  // namespace lac::passes
