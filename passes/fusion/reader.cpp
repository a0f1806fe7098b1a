#include "passes/fusion/reader.h"

#include <algorithm>

#include "passes/cost/cost.h"
#include "passes/fusion/updates.h"

namespace lac::passes {
namespace {

void read_product(const Graph& graph, const Op& op, std::vector<OperandRead>& reads) {
  const Transposes& transposes = attribute<Transposes>(op);
  const AffineIndex i = coordinate_i(), j = coordinate_j(), k = coordinate_k();
  if (graph.type(op.operands[0]).is_dense())
    reads.push_back({op.operands[0], transposes.left ? Access::at(k, i) : Access::at(i, k)});
  reads.push_back({op.operands[1], transposes.right ? Access::at(j, k) : Access::at(k, j)});
}

void read_concat(const Graph& graph, const Op& op, std::vector<OperandRead>& reads) {
  const bool down = attribute<Axis>(op) == Axis::rows;
  Size offset = 0;
  for (ValueId operand : op.operands) {
    Access access = Access::identity();
    access.guarded = true;
    (down ? access.row : access.col).base = Size(0) - offset;
    reads.push_back({operand, access});
    offset = offset + (down ? graph.type(operand).rows : graph.type(operand).cols);
  }
}

void read_view(const Graph& graph, const Op& op, std::vector<OperandRead>& reads) {
  const Access access = *through_view(graph, op, Access::identity());  // a view of a whole value always composes
  reads.push_back({op.operands[0], access});
}

}  // namespace

bool is_view(const Op& op) { return has_trait(op.kind, trait::view); }
bool is_elementwise(const Op& op) { return op.kind == OpKind::map || op.kind == OpKind::convert; }

Domain kernel_domain(const Graph& graph, const Op& op) {
  if (op.kind == OpKind::reduce || op.kind == OpKind::arg_reduce) return domain_of(graph.type(op.operands[0]));
  if (is_update_in_place(graph, op)) return update_domain(graph, op);
  return domain_of(graph.type(op.results[0]));
}

std::vector<OperandRead> operand_reads(const Graph& graph, const Op& op) {
  std::vector<OperandRead> reads;
  switch (op.kind) {
    case OpKind::map:
    case OpKind::convert:
      for (ValueId operand : op.operands)
        reads.push_back({operand, broadcast_access(graph.type(operand), graph.type(op.results[0]))});
      break;
    case OpKind::fill: reads.push_back({op.operands[0], Access{}}); break;
    case OpKind::reduce:
    case OpKind::arg_reduce: reads.push_back({op.operands[0], Access::identity()}); break;
    case OpKind::matmul: read_product(graph, op, reads); break;
    case OpKind::concat: read_concat(graph, op, reads); break;
    case OpKind::update: {
      if (is_spread_update(graph, op)) {
        reads.push_back({op.operands[0], Access::identity()});
        reads.push_back({op.operands.back(), spread_value_access(graph, op)});
        break;
      }
      reads.push_back({op.operands.back(), update_value_access(graph, op)});
      const Access store = update_access(graph, op);
      for (const std::optional<Gather>& gather : {store.row_gather, store.col_gather})
        if (gather) reads.push_back({gather->vector, Access::at_position(gather->position)});
      break;
    }
    case OpKind::resize: {
      Access access = Access::identity();
      access.zero_outside = true;
      reads.push_back({op.operands[0], access});
      break;
    }
    default:
      if (is_view(op)) read_view(graph, op, reads);
  }
  return reads;
}

bool joins_pass(const Op& op) { return is_elementwise(op) || op.kind == OpKind::reduce; }

ValueId whole_operand(const Graph& graph, const Op& op) {
  if (is_update_in_place(graph, op)) return op.operands[0];
  if (op.kind == OpKind::matmul && graph.type(op.operands[0]).is_sparse()) return op.operands[0];
  return {};
}

Reader::Reader(const Graph& graph, BlockId block, const Capabilities& capabilities)
    : graph_(graph), fusion_(capabilities.fusion) {
  std::unordered_map<ValueId, int> cost;  // of repeating an inlined scalar
  for (OpId id : graph.blocks[block].ops) {
    local_.insert(id);
    const Op& op = graph.ops[id];
    if (!is_elementwise(op) || !graph.type(op.results[0]).is_scalar()) continue;
    if (!cost::is_as_fast_as_reading(cost::time_of(op))) continue;
    int total = 1;
    for (ValueId operand : op.operands)
      if (const auto found = cost.find(operand); found != cost.end()) total += found->second;
    if (total > capabilities.max_scalar_ops) continue;
    cost[op.results[0]] = total;
    inlined_scalars_.insert(op.results[0]);
  }
}

bool Reader::is_local(ValueId value) const { return local_.contains(graph_.values[value].op); }
bool Reader::inlines_scalar(ValueId value) const { return inlined_scalars_.contains(value) && !cut.contains(value); }

bool Reader::looks_through(ValueId value) const {
  const Op* op = graph_.definition(value);
  if (!op || !is_view(*op) || cut.contains(value) || graph_.type(op->operands[0]).is_sparse()) return false;
  if (is_local(value)) return true;
  if (op->kind == OpKind::reshape || op->kind == OpKind::shift) return true;
  if (op->kind != OpKind::index) return false;
  const auto& axes = attribute<Subscripts>(*op).axes;
  return std::none_of(axes.begin(), axes.end(), [](const Subscript& s) { return s.kind == SubscriptKind::vector; });
}

std::optional<Access> Reader::expand_view(ValueId value, const Access& access, const Domain& domain) const {
  if (!looks_through(value)) return std::nullopt;
  const Op& view = *graph_.definition(value);
  if (const std::optional<Access> inner = through_view(graph_, view, access)) return inner;
  return through_view(graph_, view, normalised(access, graph_.type(value), domain));  // a position may be a place
}

std::optional<Access> Reader::expand_element(ValueId value) const {
  const Op* op = graph_.definition(value);
  if (!op || !is_view(*op) || !is_local(value) || cut.contains(value)) return std::nullopt;
  return through_view(graph_, *op, Access{});
}

constexpr cost::Time never = 1 << 20;

cost::Time Reader::time_of_generating(ValueId value) const {
  if (graph_.type(value).is_scalar()) return 0;
  if (const auto found = generating_.find(value); found != generating_.end()) return found->second;
  generating_[value] = never;
  const Op* op = graph_.definition(value);
  if (!op || cut.contains(value)) return never;
  const bool computes = is_elementwise(*op) || op->kind == OpKind::iota || op->kind == OpKind::fill ||
                        (is_view(*op) && looks_through(value));
  if (!computes) return never;
  cost::Time total = cost::time_of(*op);
  for (ValueId operand : op->operands) total = std::min(total + time_of_generating(operand), never);
  return generating_[value] = total;
}

bool Reader::costs_no_read(ValueId value) const { return cost::is_as_fast_as_reading(time_of_generating(value)); }

bool Reader::can_generate(ValueId value, const Access& access, const Domain& domain) const {
  const Type& type = graph_.type(value);
  if (type.is_scalar()) return true;
  const Op& op = *graph_.definition(value);
  if (access.zero_outside || access.gathers()) return false;
  if (op.kind == OpKind::fill) return true;
  if (op.kind == OpKind::iota) return coordinates(access, type).has_value();
  if (is_view(op)) {
    const std::optional<Access> inner = expand_view(value, access, domain);
    return inner && can_generate(op.operands[0], *inner, domain);
  }
  const Access at = normalised(access, type, domain);
  return std::ranges::all_of(op.operands, [&](ValueId operand) {
    const std::optional<Access> inner = through_broadcast(at, graph_.type(operand), type);
    return inner && can_generate(operand, *inner, domain);
  });
}

bool Reader::is_generated(ValueId value, const Access& access, const Domain& domain) const {
  const Op* op = graph_.definition(value);
  return fusion_ && op && is_elementwise(*op) && costs_no_read(value) && can_generate(value, access, domain);
}

void Reader::walk(ValueId value, const Access& access, const Domain& domain, const Visitor& visitor) const {
  const Type& type = graph_.type(value);
  if (type.is_scalar()) return walk_scalar(value, domain, visitor);
  const Op* op = graph_.definition(value);
  const OpId id = graph_.values[value].op;
  if (op && op->kind == OpKind::iota && !access.zero_outside && coordinates(access, type)) return visitor.expanded(id);
  if (op && op->kind == OpKind::fill && !access.zero_outside) {
    visitor.expanded(id);
    return walk_scalar(op->operands[0], domain, visitor);
  }
  if (const std::optional<Access> inner = expand_view(value, access, domain)) {
    visitor.expanded(id);
    return walk(op->operands[0], *inner, domain, visitor);
  }
  if (inlined.contains(value) || is_generated(value, access, domain)) {
    visitor.expanded(id);
    const Access at = normalised(access, type, domain);  // for which it was found to compose
    for (ValueId operand : op->operands)
      walk(operand, *through_broadcast(at, graph_.type(operand), type), domain, visitor);
    return;
  }
  walk_gathers(access, domain, visitor);
  visitor.leaf(value, normalised(access, type, domain));
}

void Reader::walk_gathers(const Access& access, const Domain& domain, const Visitor& visitor) const {
  for (const std::optional<Gather>& gather : {access.row_gather, access.col_gather})
    if (gather) walk(gather->vector, Access::at_position(gather->position), domain, visitor);
}

void Reader::walk_scalar(ValueId value, const Domain& domain, const Visitor& visitor) const {
  const Op* op = graph_.definition(value);
  const OpId id = graph_.values[value].op;
  if (op && (op->kind == OpKind::constant || op->kind == OpKind::size)) return visitor.expanded(id);
  if (inlines_scalar(value)) {
    visitor.expanded(id);
    for (ValueId operand : op->operands) walk_scalar(operand, domain, visitor);
    return;
  }
  if (const std::optional<Access> inner = expand_element(value)) {
    visitor.expanded(id);
    return walk(op->operands[0], *inner, domain, visitor);
  }
  visitor.scalar(value);
}

}  // namespace lac::passes
