#include "runtime/vulkan/loop/region_trip.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "ir/support/result.h"
#include "runtime/vulkan/machine/pins.h"

namespace lac::runtime::vulkan {
namespace {

/// What an arm leaves for a scalar result: copied to `to`, which both arms write.
ScalarCopy scalar_copy(Machine& machine, const Value& value, const ScalarRef& to) {
  if (const auto known = machine.known_or_refuse(value)) return {nullptr, *known, to};
  static_cast<void>(machine.scalars().slot(*value.scalar));
  return {value.scalar, 0, to};
}

}  // namespace

bool TripRecorder::record(BlockId body, std::int64_t trip, std::vector<Entry>& entries) {
  entries_ = &entries;
  inner_.clear();
  trip_ = trip;
  return walk(body, true);
}

bool TripRecorder::walk(BlockId block, bool certain) {
  for (OpId id : machine_.plan().blocks[block].ops)
    if (!visit(id, certain)) return false;
  return true;
}

bool TripRecorder::visit(OpId id, bool certain) {
  const Op& op = machine_.plan().ops[id];
  machine_.set_location(op.location);
  switch (op.kind) {
    case OpKind::check: return check(id, certain);
    case OpKind::branch: return branch(id, certain);
    case OpKind::loop: return inner_loop(op, certain);
    case OpKind::warn:
      if (machine_.known(op.operands[0]).value_or(0) == 0 && !machine_.leaves_text_to_pack()) text(id);
      return true;
    case OpKind::format:
    case OpKind::print:
      if (!machine_.leaves_text_to_pack()) text(id);
      return true;
    case OpKind::copy:
      if (const auto target = targets_.find(op.results[0]); target != targets_.end()) copy_to(op, target->second);
      else machine_.run_op(id);
      return true;
    default: machine_.run_op(id); return true;
  }
}

// -- what the host does at the poll -----------------------------------------------------------------------------------

/// The operands of a check that fails are as they were when it did: nothing runs after it.
bool TripRecorder::check(OpId id, bool certain) {
  const Op& op = machine_.plan().ops[id];
  const std::optional<double> known = machine_.known(op.operands[0]);
  if (known && *known != 0) return true;
  Entry entry{id, trip_, inner_, -1, ++checks_, {}};
  for (ValueId operand : op.operands) {
    Value value = machine_.value(operand);
    if (value.matrix) value.matrix = cells_.owner(value.matrix);
    entry.operands.push_back({std::move(value), -1, Element::real});
  }
  entries_->push_back(std::move(entry));
  if (machine_.pack()) machine_.remark_in_pack("what is said where a check in a loop fails: that ends the loop");
  recorder_.check(known ? control::never : machine_.scalars().slot(*machine_.scalar(op.operands[0])), checks_);
  return !known || !certain;
}

void TripRecorder::text(OpId id) {
  const Op& op = machine_.plan().ops[id];
  Entry entry{id, trip_, inner_, -1, 0, {}};
  std::vector<std::int32_t> slots;
  std::vector<std::size_t> logged;
  const auto flush = [&] {
    const std::int32_t at = recorder_.log(slots);
    if (entry.mark < 0) entry.mark = at;
    for (std::size_t k = 0; k < slots.size(); ++k)
      entry.operands[logged[k]].slot = at + 1 + static_cast<std::int32_t>(k);
    slots.clear();
    logged.clear();
  };
  for (ValueId operand : op.operands) {
    const std::optional<double> known = machine_.known(operand);
    entry.operands.push_back({{known}, -1, machine_.plan().type(operand).element});
    if (known) continue;
    slots.push_back(machine_.scalars().slot(*machine_.scalar(operand)));
    logged.push_back(entry.operands.size() - 1);
    if (slots.size() == control::log_capacity) flush();
  }
  if (entry.mark < 0 || !slots.empty()) flush();
  entries_->push_back(std::move(entry));
}

// -- branches ---------------------------------------------------------------------------------------------------------

bool TripRecorder::branch(OpId id, bool certain) {
  const Op& op = machine_.plan().ops[id];
  const std::optional<double> known = machine_.known(op.operands[0]);
  if (!known) {
    device_branch(op);
    return true;
  }
  const BlockId taken = op.blocks[*known != 0 ? 0 : 1];
  if (!walk(taken, certain)) return false;
  machine_.move_values(machine_.plan().blocks[taken].yields, op.results, 0, 0);
  return true;
}

/// How many trips it makes is known (passes/plan/device_loops.cpp).
bool TripRecorder::inner_loop(const Op& op, bool certain) {
  const Block& body = machine_.plan().blocks[op.blocks[0]];
  const double limit = machine_.number(op.operands[0]);
  bool goes_on = machine_.is_true(op.operands[1]);
  machine_.move_values(op.operands, body.arguments, 2, 1);
  std::int64_t trip = 0;
  for (; goes_on && static_cast<double>(trip) < limit; ++trip) {
    inner_.push_back(trip + 1);
    machine_.define(body.arguments[0], {static_cast<double>(trip)});
    if (!walk(op.blocks[0], certain)) return false;
    goes_on = machine_.is_true(body.yields[0]);
    machine_.move_values(body.yields, body.arguments, 1, 1);
    inner_.pop_back();
  }
  inner_trips_[op.location] += trip;
  machine_.define(op.results[0], {static_cast<double>(trip)});
  machine_.move_values(body.arguments, op.results, 1, 1);
  return true;
}

/// Both arms are recorded, one of them will run. A matrix result lives at home, or where the first arm left it, and the
/// second copies its own there; scalar results have slots of their own. What the arms consume, each consumes.
void TripRecorder::device_branch(const Op& op) {
  // The first arm may release or consume what the second reads.
  const auto outside = values_from_outside(machine_, op);
  std::vector<ScalarRef> scalars;
  for (ValueId result : op.results) {
    const Type& type = machine_.plan().type(result);
    scalars.push_back(type.is_scalar() ? machine_.scalars().make(type.element) : nullptr);
  }
  const auto settle = [&](const std::vector<Value>& values) {
    std::vector<ScalarCopy> copies;
    for (std::size_t r = 0; r < values.size(); ++r)
      if (scalars[r]) copies.push_back(scalar_copy(machine_, values[r], scalars[r]));
    recorder_.copy_scalars(copies);
  };

  recorder_.open_branch(machine_.scalar(op.operands[0]));
  const std::vector<MatrixRef> homes = homes_of(op, outside);
  send_copies_home(op, homes);
  std::vector<Value> results = arm(op, 0), at_home = results;
  for (ValueId made : machine_.plan().blocks[op.blocks[0]].yields) targets_.erase(made);  // of this trip alone
  for (std::size_t r = 0; r < results.size(); ++r)
    if (homes[r]) at_home[r].matrix = homes[r];
  merge_matrices(at_home, results);
  results = at_home;
  settle(results);
  recorder_.other_arm();
  for (const auto& [id, value] : outside) machine_.define(id, value);
  const std::vector<Value> others = arm(op, 1);
  merge_matrices(results, others);
  settle(others);
  recorder_.close_branch();
  for (std::size_t r = 0; r < results.size(); ++r)
    machine_.define(op.results[r], scalars[r] ? Value{{}, scalars[r]} : results[r]);
}

/// By result: the matrix that the second arm leaves as it is and the first gives up. What the first arm made is copied
/// there, and the second copies nothing: often it is the one that runs.
std::vector<MatrixRef> TripRecorder::homes_of(const Op& op,
                                              const std::vector<std::pair<ValueId, Value>>& outside) const {
  const Graph& graph = machine_.plan();
  std::unordered_set<ValueId> given_up;
  for (OpId id : graph.blocks[op.blocks[0]].ops)
    if (graph.ops[id].kind == OpKind::release)
      given_up.insert(graph.ops[id].operands.begin(), graph.ops[id].operands.end());
  std::vector<MatrixRef> homes;
  for (ValueId left : graph.blocks[op.blocks[1]].yields) {
    const auto known = std::ranges::find(outside, left, &std::pair<ValueId, Value>::first);
    const bool fits =
        known != outside.end() && graph.type(left) == graph.type(op.results[homes.size()]) && given_up.erase(left) == 1;
    homes.push_back(fits ? known->second.matrix : nullptr);
  }
  return homes;
}

/// What the first arm makes by a copy behind the release of what was there is copied there at once.
void TripRecorder::send_copies_home(const Op& op, const std::vector<MatrixRef>& homes) {
  const Graph& graph = machine_.plan();
  const auto place_of = [&](auto&& is_it) {
    const std::vector<OpId>& ops = graph.blocks[op.blocks[0]].ops;
    return std::ranges::find_if(ops, [&](OpId id) { return is_it(graph.ops[id]); }) - ops.begin();
  };
  for (std::size_t r = 0; r < homes.size(); ++r) {
    if (!homes[r]) continue;
    const ValueId made = graph.blocks[op.blocks[0]].yields[r], before = graph.blocks[op.blocks[1]].yields[r];
    const Op* copy = graph.definition(made);
    if (!copy || copy->kind != OpKind::copy) continue;
    const auto given_up = place_of([&](const Op& other) {
      return other.kind == OpKind::release && std::ranges::find(other.operands, before) != other.operands.end();
    });
    if (given_up < place_of([&](const Op& other) { return &other == copy; })) targets_[made] = homes[r];
  }
}

std::vector<Value> TripRecorder::arm(const Op& op, std::size_t which) {
  const BlockId block = op.blocks[which];
  static_cast<void>(walk(block, false));
  machine_.move_values(machine_.plan().blocks[block].yields, op.results, 0, 0);
  std::vector<Value> values;
  for (ValueId result : op.results) {
    values.push_back(machine_.value(result));
    machine_.define(result, {});
  }
  return values;
}

void TripRecorder::merge_matrices(const std::vector<Value>& kept, const std::vector<Value>& other) {
  std::vector<std::pair<MatrixRef, MatrixRef>> copies;
  for (std::size_t r = 0; r < kept.size(); ++r)
    if (kept[r].matrix && kept[r].matrix != other[r].matrix) copies.emplace_back(other[r].matrix, kept[r].matrix);
  // As if all at once: first those over which no other one reads; where they go in a circle, one is put aside.
  while (!copies.empty()) {
    const auto is_read = [&](const auto& copy) {
      return std::ranges::find(copies, copy.second, &std::pair<MatrixRef, MatrixRef>::first) != copies.end();
    };
    const auto next = std::ranges::find_if_not(copies, is_read);
    if (next != copies.end()) {
      copy_contents(next->first, next->second);
      copies.erase(next);
      continue;
    }
    MatrixRef& from = copies.front().first;
    const MatrixRef aside = machine_.matrices().make(from->type(), from->form());
    copy_contents(from, aside);
    from = aside;
  }
}

void TripRecorder::copy_to(const Op& op, const MatrixRef& target) {
  Value copy = machine_.value(op.operands[0]);
  copy_contents(copy.matrix, target);
  copy.matrix = target;
  machine_.define(op.results[0], std::move(copy));
}

// What is there stays where the arm is not taken: it has to be on the device.
void TripRecorder::copy_contents(const MatrixRef& from, const MatrixRef& to) {
  const std::vector<MatrixUse> uses = {{from, residency::Access::read}, {to, residency::Access::update}};
  Matrices& matrices = machine_.matrices();
  matrices.prepare(uses);
  if (from->stored() > 0)
    recorder_.copy(matrices.resources(*from).values().buffer, matrices.resources(*to).values().buffer);
  matrices.finish(uses);
}

}  // namespace lac::runtime::vulkan
