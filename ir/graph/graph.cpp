#include "ir/graph/graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

#include "ir/types/extent.h"

namespace lac {
namespace {

using namespace trait;
constexpr OpInfo op_infos[] = {
#define LAC_OP(kind, fewest, most, results, traits) {#kind, fewest, most, results, traits},
#include "ir/graph/ops.def"
#undef LAC_OP
};

void for_each_size_in_attribute(const Op& op, const std::function<void(const Size&)>& visit) {
  if (const Size* size = std::get_if<Size>(&op.attribute)) visit(*size);
  if (const Subscripts* subscripts = std::get_if<Subscripts>(&op.attribute))
    for (const Subscript& axis : subscripts->axes) {
      visit(axis.first);
      visit(axis.step);
      visit(axis.count);
    }
}

}  // namespace

const OpInfo& info(OpKind kind) { return op_infos[static_cast<int>(kind)]; }

std::string Graph::symbol_name(SymbolId id) const {
  const SizeSymbol& symbol = symbols[id];
  return symbol.origin == SymbolOrigin::value ? "%" + std::to_string(symbol.value.index) : symbol.name;
}

std::string Graph::text(const Size& size) const {
  return to_string(size, [this](SymbolId id) { return symbol_name(id); });
}

std::string Graph::text(const Type& type) const {
  return to_string(type, [this](SymbolId id) { return symbol_name(id); });
}

void for_each_value_in(const Graph& graph, const Size& size, const std::function<void(ValueId)>& visit) {
  size.for_each_symbol([&](SymbolId id) {
    if (graph.symbols[id].origin == SymbolOrigin::value) visit(graph.symbols[id].value);
  });
}

void for_each_value_in(const Graph& graph, const Type& type, const std::function<void(ValueId)>& visit) {
  for_each_value_in(graph, type.rows, visit);
  for_each_value_in(graph, type.cols, visit);
  for (const Size& offset : type.offsets) for_each_value_in(graph, offset, visit);
}

void for_each_used_value(const Graph& graph, const Op& op, const std::function<void(ValueId)>& visit) {
  for (ValueId operand : op.operands) visit(operand);
  const auto visit_size = [&](const Size& size) { for_each_value_in(graph, size, visit); };
  for_each_size_in_attribute(op, visit_size);
  if (const KernelId* kernel = std::get_if<KernelId>(&op.attribute)) for_each_size(graph.kernels[*kernel], visit_size);
  // The result types of regions refer to the region's own results.
  const auto visit_foreign = [&](ValueId value) {
    for (ValueId result : op.results)
      if (result == value) return;
    visit(value);
  };
  for (ValueId result : op.results) for_each_value_in(graph, graph.type(result), visit_foreign);
}

void for_each_size_value(const Graph& graph, const Op& op, const std::function<void(ValueId)>& visit) {
  const std::size_t operand_count = op.operands.size();
  std::size_t seen = 0;  // operands come first in for_each_used_value
  for_each_used_value(graph, op, [&](ValueId value) {
    if (seen++ >= operand_count) visit(value);
  });
}

void for_each_used_value_deep(const Graph& graph, const Op& op, const std::function<void(ValueId)>& visit) {
  for_each_used_value(graph, op, visit);
  for (BlockId block : op.blocks) {
    for (ValueId argument : graph.blocks[block].arguments) for_each_value_in(graph, graph.type(argument), visit);
    for (OpId inner : graph.blocks[block].ops) for_each_used_value_deep(graph, graph.ops[inner], visit);
    for (ValueId yielded : graph.blocks[block].yields) visit(yielded);
  }
}

void for_each_block(const Graph& graph, BlockId block, const std::function<void(BlockId)>& visit) {
  visit(block);
  for (OpId op : graph.blocks[block].ops)
    for (BlockId inner : graph.ops[op].blocks) for_each_block(graph, inner, visit);
}

void for_each_op(const Graph& graph, BlockId block, const std::function<void(OpId)>& visit) {
  for (OpId op : graph.blocks[block].ops) {
    visit(op);
    for (BlockId inner : graph.ops[op].blocks) for_each_op(graph, inner, visit);
  }
}

bool is_read(const Graph& graph, ValueId value) {
  if (graph.values[value].symbol) return true;
  bool found = false;
  const auto look = [&](const std::vector<ValueId>& values) {
    found = found || std::ranges::find(values, value) != values.end();
  };
  for_each_block(graph, graph.body, [&](BlockId block) {
    look(graph.blocks[block].yields);
    for (const OpId op : graph.blocks[block].ops) look(graph.ops[op].operands);
  });
  return found;
}

void replace_all_uses(Graph& graph, ValueId from, ValueId to) { replace_all_uses(graph, {{from, to}}); }

void replace_all_uses(Graph& graph, const std::vector<std::pair<ValueId, ValueId>>& replacements) {
  if (replacements.empty()) return;
  std::unordered_map<ValueId, ValueId> image(replacements.begin(), replacements.end());
  const auto replace = [&](ValueId& value) {
    for (auto found = image.find(value); found != image.end(); found = image.find(value)) value = found->second;
  };
  for_each_block(graph, graph.body, [&](BlockId block) {
    for (OpId op : graph.blocks[block].ops)
      for (ValueId& operand : graph.ops[op].operands) replace(operand);
    for (ValueId& yielded : graph.blocks[block].yields) replace(yielded);
  });
  for (std::uint32_t i = 0; i < graph.symbols.size(); ++i) {
    SizeSymbol& symbol = graph.symbols[SymbolId{i}];
    if (symbol.origin != SymbolOrigin::value) continue;
    replace(symbol.value);
    if (!graph.values[symbol.value].symbol) graph.values[symbol.value].symbol = SymbolId{i};
  }
}

SymbolId symbol_of(Graph& graph, ValueId value) {
  SymbolId& symbol = graph.values[value].symbol;
  if (!symbol)
    symbol = graph.symbols.push({graph.values[value].name, SymbolOrigin::value, 0, value, SizeSymbol::unbounded});
  return symbol;
}

bool operator==(const Numbers& a, const Numbers& b) {
  const auto same_bits = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return a.values == b.values || std::ranges::equal(*a.values, *b.values, same_bits);
}

std::optional<std::span<const double>> constant_elements(const Graph& graph, ValueId value) {
  const Op* op = graph.definition(value);
  if (op && op->kind == OpKind::table) return std::span(*attribute<Numbers>(*op).values);
  if (op && op->kind == OpKind::constant) return std::span(&attribute<double>(*op), 1);
  return std::nullopt;
}

std::optional<double> constant_value(const Graph& graph, ValueId value) {
  const Op* op = graph.definition(value);
  if (op && op->kind == OpKind::constant) return attribute<double>(*op);
  if (op && op->kind == OpKind::size && attribute<Size>(*op).is_constant())
    return static_cast<double>(attribute<Size>(*op).constant());
  return std::nullopt;
}

namespace {

// A sum of sums of ... of one value has as many paths as 2^depth, a power of a power as many terms: what is larger than
// this is an unknown like any other, and so is what has coefficients that the run does not hold exactly.
constexpr int most_steps = 256;
constexpr std::size_t most_terms = 32, most_factors = 8;

bool is_small(const Size& size) {
  const auto fits = [](const Size::Term& term) {
    return term.factors.size() <= most_factors && is_extent(std::abs(term.coefficient));
  };
  if (size.is_constant()) return is_extent(std::abs(size.constant()));
  const std::vector<Size::Term> terms = size.terms();
  return terms.size() <= most_terms && std::ranges::all_of(terms, fits);
}

using Unknown = std::function<std::optional<Size>(ValueId)>;

/// `unknown` says what a value that cannot be looked through counts as.
class NormalForm {
 public:
  NormalForm(const Graph& graph, const Unknown& unknown) : graph_(graph), unknown_(unknown) {}

  std::optional<Size> of(ValueId value) {
    if (--steps_ < 0) return unknown_(value);
    if (const std::optional<double> number = constant_value(graph_, value)) {
      if (std::trunc(*number) == *number && std::abs(*number) < 9e15) return static_cast<std::int64_t>(*number);
      return unknown_(value);
    }
    const Op* op = graph_.definition(value);
    if (op && op->kind == OpKind::size) return attribute<Size>(*op);
    if (!op || !is_exact_arithmetic(*op)) return unknown_(value);
    const std::optional<Size> size = combined(attribute<ScalarOp>(*op), op->operands);
    return size && is_small(*size) ? size : unknown_(value);
  }

 private:
  bool is_exact_arithmetic(const Op& op) const {
    const auto exact = [this](ValueId operand) {
      const Type& type = graph_.type(operand);
      return type.is_scalar() && (type.element == Element::integer || type.element == Element::logical);
    };
    if (op.kind != OpKind::map || graph_.type(op.results[0]).element != Element::integer) return false;
    const ScalarOp f = attribute<ScalarOp>(op);
    const bool known = f == ScalarOp::add || f == ScalarOp::sub || f == ScalarOp::mul || f == ScalarOp::neg;
    return known && std::all_of(op.operands.begin(), op.operands.end(), exact);
  }

  std::optional<Size> combined(ScalarOp function, const std::vector<ValueId>& operands) {
    const std::optional<Size> a = of(operands[0]);
    if (!a) return std::nullopt;
    if (function == ScalarOp::neg) return Size(0) - *a;
    const std::optional<Size> b = of(operands[1]);
    if (!b) return std::nullopt;
    return function == ScalarOp::add ? *a + *b : function == ScalarOp::sub ? *a - *b : *a * *b;
  }

  const Graph& graph_;
  const Unknown& unknown_;
  int steps_ = most_steps;
};

}  // namespace

Size as_size(Graph& graph, ValueId value) {
  const Unknown symbol = [&](ValueId unknown) { return Size::symbol(symbol_of(graph, unknown)); };
  return *NormalForm(graph, symbol).of(value);
}

std::optional<Size> known_size(const Graph& graph, ValueId value) {
  const Unknown symbol = [&](ValueId unknown) -> std::optional<Size> {
    const SymbolId id = graph.values[unknown].symbol;
    return id ? std::optional(Size::symbol(id)) : std::nullopt;
  };
  return NormalForm(graph, symbol).of(value);
}

}  // namespace lac
