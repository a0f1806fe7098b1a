#include <algorithm>

#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

class Assignment {
 public:
  explicit Assignment(Plan& plan) : plan_(plan) { plan_.buffer_of.assign(plan.values.size(), {}); }

  void block(BlockId id) {
    for (OpId op : plan_.blocks[id].ops) visit(op);
  }

 private:
  bool is_matrix(ValueId value) const { return !plan_.type(value).is_scalar(); }

  void visit(OpId id) {
    switch (plan_.ops[id].kind) {
      case OpKind::loop: return loop(plan_.ops[id]);
      case OpKind::branch: return branch(plan_.ops[id]);
      default: return results(plan_.ops[id]);
    }
  }

  void results(const Op& op) {
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const std::int32_t from = op.kind == OpKind::reshape ? 0 : taken_over(op, r);
      put(op.results[r], from < 0 ? BufferId{} : plan_.buffer(op.operands[static_cast<std::size_t>(from)]));
      if (op.kind == OpKind::parameter && is_matrix(op.results[r]))
        plan_.buffers[plan_.buffer(op.results[r])].borrowed = true;
    }
  }

  void loop(const Op& op) {
    const Block& body = plan_.blocks[op.blocks[0]];
    for (std::size_t n = 1; n < body.arguments.size(); ++n) put(body.arguments[n], plan_.buffer(op.operands[n + 1]));
    block(op.blocks[0]);
    for (std::size_t n = 1; n < op.results.size(); ++n) put(op.results[n], plan_.buffer(body.arguments[n]));
  }

  void branch(const Op& op) {
    for (BlockId arm : op.blocks) block(arm);
    for (std::size_t r = 0; r < op.results.size(); ++r)
      if (is_matrix(op.results[r])) put(op.results[r], chosen(op, r));
  }

  /// What both arms leave the result in; else a buffer that stands for either.
  BufferId chosen(const Op& branch, std::size_t result) {
    std::vector<BufferId> either;
    for (BlockId arm : branch.blocks) {
      const BufferId left = plan_.buffer(plan_.blocks[arm].yields[result]);
      if (!left) return {};  // a scalar becomes a matrix
      if (std::ranges::find(either, left) == either.end()) either.push_back(left);
    }
    return either.size() == 1 ? either[0] : plan_.buffers.push({{}, false, std::move(either)});
  }

  /// Into `buffer`, or a new one; scalars have none.
  void put(ValueId value, BufferId buffer) {
    if (!is_matrix(value)) return;
    if (!buffer) buffer = plan_.buffers.push({});
    plan_.buffer_of[value.index] = buffer;
    plan_.buffers[buffer].values.push_back(value);
  }

  Plan& plan_;
};

}  // namespace

void assign_buffers(Plan& plan) { Assignment(plan).block(plan.body); }

}  // namespace lac::passes
