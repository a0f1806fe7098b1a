#include "ir/graph/graph.h"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

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
  if (!symbol) symbol = graph.symbols.push({graph.values[value].name, SymbolOrigin::value, 0, value, SizeSymbol::unbounded});
  return symbol;
}

std::optional<double> constant_value(const Graph& graph, ValueId value) {
  const Op* op = graph.definition(value);
  if (op && op->kind == OpKind::constant) return attribute<double>(*op);
  if (op && op->kind == OpKind::size && attribute<Size>(*op).is_constant())
    return static_cast<double>(attribute<Size>(*op).constant());
  return std::nullopt;
}

Size as_size(Graph& graph, ValueId value) {
  const std::optional<double> number = constant_value(graph, value);
  if (number && std::trunc(*number) == *number && std::abs(*number) < 9e15) return static_cast<std::int64_t>(*number);
  const Op* op = graph.definition(value);
  if (op && op->kind == OpKind::size) return attribute<Size>(*op);
  if (op && op->kind == OpKind::map && op->results.size() == 1 && graph.type(value).element == Element::integer) {
    const std::vector<ValueId> operands = op->operands;
    const auto exact = [&](ValueId operand) {
      const Type& type = graph.type(operand);
      return type.is_scalar() && (type.element == Element::integer || type.element == Element::logical);
    };
    const ScalarOp function = attribute<ScalarOp>(*op);
    if (operands.size() == 2 && exact(operands[0]) && exact(operands[1])) {
      if (function == ScalarOp::add) return as_size(graph, operands[0]) + as_size(graph, operands[1]);
      if (function == ScalarOp::sub) return as_size(graph, operands[0]) - as_size(graph, operands[1]);
      if (function == ScalarOp::mul) return as_size(graph, operands[0]) * as_size(graph, operands[1]);
    }
    if (function == ScalarOp::neg && exact(operands[0])) return Size(0) - as_size(graph, operands[0]);
  }
  return Size::symbol(symbol_of(graph, value));
}

}  // namespace lac
