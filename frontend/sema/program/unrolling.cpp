// Loops that are written out trip by trip, because what a trip does hangs on the number of the trip: which cell it
// takes, of which kind that is, how many of them there are.
#include <set>

#include "frontend/sema/program/loop_attempt.h"

namespace lac::frontend {
namespace {

/// Whether `value` is computed from `source`.
class Dependence {
 public:
  Dependence(const Graph& graph, ValueId source) : graph_(graph), source_(source) {}

  bool reaches(ValueId value) {
    if (value == source_) return true;
    if (!seen_.insert(value.index).second) return false;
    const Value& made = graph_.values[value];
    const OpId id = made.op ? made.op : graph_.blocks[made.block].parent;
    if (!id) return false;
    const Op& op = graph_.ops[id];
    bool found = false;
    for_each_size_value(graph_, op, [&](ValueId size) { found = found || reaches(size); });
    for (const ValueId operand : op.operands) found = found || reaches(operand);
    if (found) return true;
    for (const BlockId block : op.blocks)
      for (const ValueId yield : graph_.blocks[block].yields)
        if (reaches(yield)) return true;
    return false;
  }

 private:
  const Graph& graph_;
  const ValueId source_;
  std::set<std::uint32_t> seen_;
};

}  // namespace

bool Lowerer::LoopAttempt::can_be_unrolled(std::int64_t most) const {
  return is_for_ && plan_.limit.is_constant() && plan_.limit.constant() <= most;
}

void Lowerer::LoopAttempt::unroll() {
  attempted_ = {};
  attempted_.unrolls = true;
}

bool Lowerer::LoopAttempt::tells(ValueId value) const {
  return Dependence(emit_.graph, emit_.graph.blocks[body_].arguments.front()).reaches(value);
}

void Lowerer::unroll_where_it_tells(ValueId value, std::int64_t most) {
  for (auto attempt = attempts_.rbegin(); attempt != attempts_.rend(); ++attempt)
    if ((*attempt)->can_be_unrolled(most) && (*attempt)->tells(value)) throw Unroll{*attempt};
}

}  // namespace lac::frontend
