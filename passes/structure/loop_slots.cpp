#include "passes/structure/loop_slots.h"

#include <algorithm>
#include <utility>

#include "passes/safety.h"

namespace lac::passes {

BlockUses::BlockUses(const Graph& graph, BlockId block) : graph_(graph) {
  const std::vector<OpId>& ops = graph.blocks[block].ops;
  for (std::size_t n = 0; n < ops.size(); ++n) {
    place_[ops[n]] = n;
    for_each_used_value_deep(graph, graph.ops[ops[n]], [&](ValueId value) { readers_[value].push_back(ops[n]); });
  }
}

const std::vector<OpId>& BlockUses::readers(ValueId value) const {
  static const std::vector<OpId> none;
  const auto found = readers_.find(value);
  return found == readers_.end() ? none : found->second;
}

bool for_each_loop(Graph& graph, BlockId block, const std::function<bool(BlockId, OpId)>& visit) {
  bool any = false;
  for (OpId id : std::vector<OpId>(graph.blocks[block].ops)) {
    for (BlockId inner : std::vector<BlockId>(graph.ops[id].blocks)) any |= for_each_loop(graph, inner, visit);
    if (graph.ops[id].kind == OpKind::loop) any |= visit(block, id);
  }
  return any;
}

void move_ops(Graph& graph, BlockId block, std::size_t first, std::size_t to) {
  std::vector<OpId>& ops = graph.blocks[block].ops;
  std::rotate(ops.begin() + static_cast<std::ptrdiff_t>(to), ops.begin() + static_cast<std::ptrdiff_t>(first),
              ops.end());
}

std::uint32_t add_slot(Graph& graph, BlockId outside, OpId loop, ValueId initial, ValueId yielded, std::string name) {
  Builder build(graph, outside, graph.ops[loop].location);
  const BlockId body = graph.ops[loop].blocks[0];
  const Type type = graph.type(initial);
  build.add_argument(body, type, name);
  graph.blocks[body].yields.push_back(yielded);
  const ValueId result = build.new_value(type, std::move(name));
  Op& op = graph.ops[loop];
  graph.values[result].op = loop;
  graph.values[result].index = static_cast<std::uint32_t>(op.results.size());
  op.operands.push_back(initial);
  op.results.push_back(result);
  return static_cast<std::uint32_t>(graph.blocks[body].arguments.size() - 1);
}

void append_copies(Graph& graph, BlockId block, const std::vector<Op>& ops,
                   std::unordered_map<ValueId, ValueId>& image) {
  for (Op op : ops) {
    Builder build(graph, block, op.location);
    for (ValueId& operand : op.operands)
      if (const auto found = image.find(operand); found != image.end()) operand = found->second;
    for (ValueId& result : op.results) {
      const Type type = graph.type(result);
      const std::string name = graph.values[result].name;
      result = image[result] = build.new_value(type, name);
    }
    build.append(std::move(op));
  }
}

bool has_stencil(const Graph& graph, BlockId body) {
  return std::ranges::any_of(graph.blocks[body].ops, [&](OpId id) { return graph.ops[id].kind == OpKind::shift; });
}

bool mentions_trip(const Graph& graph, BlockId body, const Type& type) {
  bool found = false;
  for_each_value_in(graph, type, [&](ValueId size) {
    const Block& block = graph.blocks[body];
    found |= std::ranges::find(block.arguments, size) != block.arguments.end() ||
             std::ranges::find(block.ops, graph.values[size].op) != block.ops.end();
  });
  return found;
}

bool may_leave_trip(const Graph& graph, BlockId body, const Op& op) {
  return is_safe_anywhere(graph, op) && std::ranges::none_of(op.results, [&](ValueId result) {
           return mentions_trip(graph, body, graph.type(result));
         });
}

}  // namespace lac::passes
