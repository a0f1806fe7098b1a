#include "runtime/vulkan/loop/region_inner.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace lac::runtime::vulkan {
namespace {

/// Of a loop inside that might be one dispatch, behind a look of the host at what decides (about 100 us).
constexpr double most_sites_of_small = 256;

bool is_host_arithmetic(const Plan& plan, const Op& op) {
  return (op.kind == OpKind::constant || op.kind == OpKind::size || op.kind == OpKind::convert ||
          op.kind == OpKind::map) &&
         plan.places[op.results[0]] == Place::host;
}

/// Values that some of the loop's host arithmetic leads to.
class Leading {
 public:
  Leading(const Plan& plan, BlockId body) : plan_(plan) {
    for_each_block(plan, body, [&](BlockId block) {
      for (ValueId argument : plan.blocks[block].arguments)
        if (block != body) made_inside_.insert(argument);
    });
    for_each_op(plan, body, [&](OpId id) {
      order_.push_back(id);
      made_inside_.insert(plan.ops[id].results.begin(), plan.ops[id].results.end());
    });
  }

  /// False where something else in the loop makes it.
  bool add(ValueId value) {
    bool known = true;
    for (std::vector<ValueId> left = {value}; !left.empty();) {
      const ValueId next = left.back();
      left.pop_back();
      if (!wanted_.insert(next).second || !made_inside_.contains(next)) continue;
      const OpId id = plan_.values[next].op;
      if (!id || !is_host_arithmetic(plan_, plan_.ops[id])) {
        known = false;
        continue;
      }
      ops_.insert(id);
      for_each_used_value(plan_, plan_.ops[id], [&](ValueId used) { left.push_back(used); });
    }
    return known;
  }

  bool is_wanted(ValueId value) const { return wanted_.contains(value); }
  std::vector<OpId> in_order() const {
    std::vector<OpId> ops;
    std::ranges::copy_if(order_, std::back_inserter(ops), [&](OpId id) { return ops_.contains(id); });
    return ops;
  }

 private:
  const Plan& plan_;
  std::vector<OpId> order_;  ///< of all ops inside
  std::unordered_set<ValueId> made_inside_;
  std::unordered_set<ValueId> wanted_;
  std::unordered_set<OpId> ops_;
};

/// The loops of a block and of its branches' arms, each with the conditions on the way.
void find_loops(const Plan& plan, BlockId block, const std::vector<std::pair<ValueId, bool>>& when,
                const ShaderProgram& shaders, std::vector<InnerLoops::Loop>& found) {
  for (OpId id : plan.blocks[block].ops) {
    const Op& op = plan.ops[id];
    if (op.kind == OpKind::loop) found.push_back({id, trip_needs(plan, id, shaders), when});
    if (op.kind != OpKind::branch) continue;
    for (const std::size_t arm : {0U, 1U}) {
      std::vector<std::pair<ValueId, bool>> further = when;
      further.emplace_back(op.operands[0], arm == 0);
      find_loops(plan, op.blocks[arm], further, shaders, found);
    }
  }
}

/// The trips that it makes in the trip at hand.
double trips_of(Machine& machine, const InnerLoops::Loop& loop) {
  const bool is_come_to =
      std::ranges::all_of(loop.when, [&](const auto& each) { return machine.is_true(each.first) == each.second; });
  return is_come_to ? std::max(0.0, machine.number(machine.plan().ops[loop.id].operands[0])) : 0;
}

}  // namespace

std::optional<InnerLoops> inner_loops(const Plan& plan, OpId loop, const ShaderProgram& shaders) {
  const Block& body = plan.blocks[plan.ops[loop].blocks[0]];
  InnerLoops found;
  find_loops(plan, plan.ops[loop].blocks[0], {}, shaders, found.all);
  if (found.all.empty()) return found;
  Leading leading(plan, plan.ops[loop].blocks[0]);
  bool known = true;
  for (const InnerLoops::Loop& inner : found.all) {
    known = leading.add(plan.ops[inner.id].operands[0]) && known;
    for (const auto& [condition, wanted] : inner.when) known = leading.add(condition) && known;
  }
  if (!known) return std::nullopt;
  Leading later = leading;  // to what the next trip finds, too, which may hang on what that finds
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t n = 1; n < body.arguments.size(); ++n) {
      if (!later.is_wanted(body.arguments[n]) || later.is_wanted(body.yields[n])) continue;
      found.are_foreseen = later.add(body.yields[n]) && found.are_foreseen;
      grows = true;
    }
  }
  const Leading& used = found.are_foreseen ? later : leading;
  for (std::size_t n = 1; n < body.arguments.size(); ++n)
    if (used.is_wanted(body.arguments[n])) found.carried.push_back(n);
  found.leading = used.in_order();
  return found;
}

bool are_short(Machine& machine, const Op& loop, const TripNeeds& needs, const InnerLoops& inner) {
  if (inner.all.empty()) return true;
  const Block& body = machine.plan().blocks[loop.blocks[0]];
  for (std::size_t n : inner.carried) machine.define(body.arguments[n], Value(machine.value(loop.operands[n + 1])));
  Foresight(machine, body, inner).look_at(0);
  const auto is_short = [&](const InnerLoops::Loop& each) {
    return !machine.shaders().loops.contains(each.id) ||
           trips_of(machine, each) * each.needs.sites <= most_sites_of_small;
  };
  return room_for_trip(machine, needs, inner) && std::ranges::all_of(inner.all, is_short);
}

std::optional<ChunkCapacity> room_for_trip(Machine& machine, const TripNeeds& needs, const InnerLoops& inner) {
  double sites = needs.sites, log_slots = needs.log_slots, branches = needs.branches;
  for (const InnerLoops::Loop& each : inner.all) {
    const double trips = trips_of(machine, each);
    sites += trips * each.needs.sites;
    log_slots += trips * each.needs.log_slots;
    branches += trips * each.needs.branches;
  }
  if (!inner.all.empty() && !(std::max({sites, log_slots, branches}) <= most_sites)) return std::nullopt;
  return ChunkCapacity{static_cast<std::int32_t>(sites), static_cast<std::int32_t>(log_slots),
                       static_cast<std::int32_t>(branches)};
}

Foresight::Foresight(Machine& machine, const Block& body, const InnerLoops& inner)
    : machine_(machine), body_(body), inner_(inner) {
  for (std::size_t n : inner.carried) before_.push_back(machine.value(body.arguments[n]));
}

Foresight::~Foresight() {
  for (std::size_t n = 0; n < before_.size(); ++n)
    machine_.define(body_.arguments[inner_.carried[n]], std::move(before_[n]));
}

void Foresight::look_at(std::int64_t trip) {
  machine_.define(body_.arguments[0], {static_cast<double>(trip)});
  for (OpId op : inner_.leading) machine_.run_op(op);
}

void Foresight::go_on() {
  std::vector<Value> next;
  for (std::size_t n : inner_.carried) next.push_back(machine_.value(body_.yields[n]));
  for (std::size_t n = 0; n < next.size(); ++n) machine_.define(body_.arguments[inner_.carried[n]], std::move(next[n]));
}

}  // namespace lac::runtime::vulkan
