// Loops that are written out trip by trip, because what a trip does hangs on the number of the trip: which cell it
// takes, of which kind that is, how many of them there are.
#include <algorithm>
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
  return is_for_ && !plan_.stays_a_loop && plan_.limit.is_constant() && plan_.limit.constant() <= most;
}

// A while loop whose variables have known values: `while k <= numel(varargin), ... k += 2`.
bool Lowerer::LoopAttempt::goes_on_known_values() const {
  return plan_.info.kind == LoopKind::while_true && !plan_.stays_a_loop && emit_.constant_of(enters_) == 1.0 &&
         plan_.first_trip < most_unrolled;
}

// while mod(numel(c), 7), c{end + 1} = "", end: of cells whose number is known.
bool Lowerer::LoopAttempt::next_is_known() const {
  return goes_on_known_values() && going_on_ && emit_.constant_of(going_on_).has_value();
}

void Lowerer::LoopAttempt::unroll() {
  attempted_ = {};
  attempted_.unrolls = true;
}

bool Lowerer::LoopAttempt::tells(ValueId value) const {
  if (is_for_) return Dependence(emit_.graph, emit_.graph.blocks[body_].arguments.front()).reaches(value);
  return std::ranges::any_of(values_, [&](const CarriedValue& carried) {
    return emit_.constant_of(carried.init) && Dependence(emit_.graph, carried.argument).reaches(value);
  });
}

void Lowerer::unroll_where_it_tells(ValueId value, std::int64_t most) {
  for (auto attempt = attempts_.rbegin(); attempt != attempts_.rend(); ++attempt)
    if (((*attempt)->can_be_unrolled(most) || (*attempt)->goes_on_known_values()) && (*attempt)->tells(value))
      throw Unroll{*attempt};
}

}  // namespace lac::frontend
