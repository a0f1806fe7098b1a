#include "passes/phases.h"

#include <optional>

namespace lac::passes {
namespace {

enum class Where { anywhere, graph_only, from_kernels, scalars_from_kernels, plan_only, not_kernels };

struct Legality {
  OpKind kind;
  Where where;
};

// Ops that are not listed may exist in every phase. scalars_from_kernels: once kernels exist, only with scalar results
// (and, but for index, scalar operands).
constexpr Legality table[] = {
    {OpKind::fill, Where::graph_only},
    {OpKind::iota, Where::graph_only},
    {OpKind::convert, Where::scalars_from_kernels},
    {OpKind::map, Where::scalars_from_kernels},
    {OpKind::transpose, Where::graph_only},
    {OpKind::diagonal, Where::graph_only},
    {OpKind::index, Where::scalars_from_kernels},
    {OpKind::shift, Where::graph_only},
    {OpKind::update, Where::graph_only},
    {OpKind::resize, Where::not_kernels},
    {OpKind::concat, Where::graph_only},
    {OpKind::reduce, Where::graph_only},
    {OpKind::arg_reduce, Where::graph_only},
    {OpKind::matmul, Where::graph_only},
    {OpKind::launch, Where::from_kernels},
    {OpKind::copy, Where::plan_only},
    {OpKind::release, Where::plan_only},
};

Where where(OpKind kind) {
  for (const Legality& entry : table)
    if (entry.kind == kind) return entry.where;
  return Where::anywhere;
}

bool all_scalar(const Graph& graph, const Op& op) {
  for (ValueId result : op.results)
    if (!graph.type(result).is_scalar()) return false;
  if (op.kind == OpKind::index) return true;
  for (ValueId operand : op.operands)
    if (!graph.type(operand).is_scalar()) return false;
  return true;
}

bool legal(const Graph& graph, const Op& op, Phase phase) {
  switch (where(op.kind)) {
    case Where::anywhere: return true;
    case Where::graph_only: return phase == Phase::graph;
    case Where::from_kernels: return phase != Phase::graph;
    case Where::scalars_from_kernels: return phase == Phase::graph || all_scalar(graph, op);
    case Where::not_kernels: return phase != Phase::kernels;
    case Where::plan_only: return phase == Phase::plan;
  }
  return false;
}

}  // namespace

std::vector<std::string> check_phase(const Graph& graph, Phase phase) {
  static constexpr std::string_view names[] = {"graph", "kernels", "plan"};
  std::vector<std::string> errors;
  for_each_op(graph, graph.body, [&](OpId id) {
    const Op& op = graph.ops[id];
    if (legal(graph, op, phase)) return;
    std::string what(info(op.kind).name);
    if (!op.results.empty())
      what += " %" + std::to_string(op.results[0].index) + ": " + graph.text(graph.type(op.results[0]));
    errors.push_back(what + " may not exist in phase " + std::string(names[static_cast<int>(phase)]));
  });
  return errors;
}

}  // namespace lac::passes
