#include "passes/structure/loop_slots.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "passes/safety.h"
#include "passes/structure/uses.h"

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

namespace {

/// The size as arithmetic on images of the values that it names.
ValueId spelled_out(Builder& build, const Size& size, const std::unordered_map<ValueId, ValueId>& image) {
  ValueId sum;
  for (const Size::Term& term : size.terms()) {
    ValueId product;
    if (term.coefficient != 1 || term.factors.empty())
      product = build.constant(static_cast<double>(term.coefficient), Element::integer);
    for (SymbolId factor : term.factors) {
      const ValueId named = build.graph.symbols[factor].value;
      const auto found = named ? image.find(named) : image.end();
      const ValueId value = found != image.end() ? found->second : build.size(Size::symbol(factor));
      product = product ? build.map(ScalarOp::mul, product, value) : value;
    }
    sum = sum ? build.map(ScalarOp::add, sum, product) : product;
  }
  return sum ? sum : build.constant(0, Element::integer);
}

bool names_an_image(const Graph& graph, const Op& op, const std::unordered_map<ValueId, ValueId>& image) {
  bool found = false;
  for_each_size_value(graph, op, [&](ValueId value) { found |= image.contains(value); });
  return found;
}

}  // namespace

void append_copies(Graph& graph, BlockId block, const std::vector<Op>& ops,
                   std::unordered_map<ValueId, ValueId>& image) {
  for (Op op : ops) {
    Builder build(graph, block, op.location);
    if (op.kind == OpKind::size && names_an_image(graph, op, image)) {
      const ValueId value = spelled_out(build, attribute<Size>(op), image);
      image[op.results[0]] = value;
      continue;
    }
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

namespace {

/// result = trips > 0 ? twin : initial
void choose_behind(Graph& graph, BlockId outside, OpId loop, std::size_t slot, std::size_t twin) {
  const Op op = graph.ops[loop];
  const std::size_t built = graph.blocks[outside].ops.size();
  Builder build(graph, outside, op.location);
  const ValueId went = build.map(ScalarOp::gt, op.results[0], build.constant(0, Element::integer));
  Op choice;
  choice.kind = OpKind::branch;
  choice.operands = {went};
  choice.blocks = {build.new_block(), build.new_block()};
  graph.blocks[choice.blocks[0]].yields = {op.results[twin]};
  graph.blocks[choice.blocks[1]].yields = {op.operands[slot + 1]};
  choice.results = {build.new_value(graph.type(op.results[slot]), graph.values[op.results[slot]].name)};
  const ValueId chosen = choice.results[0];
  replace_all_uses(graph, op.results[slot], chosen);
  build.append(std::move(choice));
  const std::vector<OpId>& ops = graph.blocks[outside].ops;
  move_ops(graph, outside, built, static_cast<std::size_t>(std::ranges::find(ops, loop) - ops.begin()) + 1);
}

}  // namespace

bool drop_twins(Graph& graph, BlockId outside, OpId loop) {
  const Block body = graph.blocks[graph.ops[loop].blocks[0]];
  const auto type_of = [&](std::size_t slot) -> const Type& { return graph.type(body.arguments[slot]); };
  std::unordered_map<ValueId, std::vector<std::size_t>> alike;
  for (std::size_t slot = 1; slot < body.yields.size(); ++slot)
    if (!type_of(slot).is_scalar()) alike[body.yields[slot]].push_back(slot);
  std::erase_if(alike, [](const auto& slots) { return slots.second.size() < 2; });
  if (alike.empty()) return false;
  const Uses inside(graph, graph.ops[loop].blocks[0]), behind(graph, outside);
  const auto may_leave = [&](std::size_t slot) {
    const Op& op = graph.ops[loop];
    return type_of(slot) == graph.type(op.operands[slot + 1]) && type_of(slot) == graph.type(op.results[slot]) &&
           !inside.is_used(body.arguments[slot]) && behind.is_used(op.results[slot]);
  };
  std::unordered_set<std::size_t> left;
  for (std::size_t slot = 1; slot < body.yields.size(); ++slot) {
    const auto slots = alike.find(body.yields[slot]);
    if (slots == alike.end() || !may_leave(slot)) continue;
    const auto twin = std::ranges::find_if(slots->second, [&](std::size_t other) {
      return other != slot && !left.contains(other) && type_of(other) == type_of(slot);
    });
    if (twin == slots->second.end()) continue;
    choose_behind(graph, outside, loop, slot, *twin);
    left.insert(slot);
  }
  return !left.empty();
}

std::unordered_set<ValueId> values_read(const Graph& graph) {
  std::unordered_set<ValueId> read;
  for_each_block(graph, graph.body, [&](BlockId id) {
    const Block& block = graph.blocks[id];
    read.insert(block.yields.begin(), block.yields.end());
    for (OpId op_id : block.ops) {
      const Op& op = graph.ops[op_id];
      if (op.kind == OpKind::output || op.kind == OpKind::release) continue;
      read.insert(op.operands.begin(), op.operands.end());
      for_each_size_value(graph, op, [&](ValueId value) { read.insert(value); });
    }
  });
  return read;
}

std::vector<ValueId> counted_on_device(const Graph& graph, const Op& loop, bool ends_early,
                                       const std::unordered_set<ValueId>& read) {
  const std::optional<double> limit = constant_value(graph, loop.operands[0]);
  const bool has_limit = limit && std::isfinite(*limit);
  if (has_limit && !ends_early) return {};
  const Block& body = graph.blocks[loop.blocks[0]];
  std::vector<ValueId> counted;
  for (std::size_t i = 1; i < body.arguments.size(); ++i)
    if (body.yields[i] != body.arguments[i] && (!has_limit || read.contains(loop.results[i])))
      counted.push_back(body.arguments[i]);
  return counted;
}

bool has_stencil(const Graph& graph, BlockId body) {
  return std::ranges::any_of(graph.blocks[body].ops, [&](OpId id) { return graph.ops[id].kind == OpKind::shift; });
}

bool is_of_trip(const Graph& graph, BlockId body, ValueId value) {
  const Block& block = graph.blocks[body];
  return std::ranges::find(block.arguments, value) != block.arguments.end() ||
         std::ranges::find(block.ops, graph.values[value].op) != block.ops.end();
}

bool mentions_trip(const Graph& graph, BlockId body, const Type& type) {
  bool found = false;
  for_each_value_in(graph, type, [&](ValueId size) { found |= is_of_trip(graph, body, size); });
  return found;
}

bool may_leave_trip(const Graph& graph, BlockId body, const Op& op) {
  return is_safe_anywhere(graph, op) && std::ranges::none_of(op.results, [&](ValueId result) {
           return mentions_trip(graph, body, graph.type(result));
         });
}

}  // namespace lac::passes
