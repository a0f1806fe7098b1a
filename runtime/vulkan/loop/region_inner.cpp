#include "runtime/vulkan/loop/region_inner.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>

#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/loop/region_size.h"

namespace lac::runtime::vulkan {
namespace {

constexpr double most_sites_of_trip = 1 << 24;  ///< the loops inside counted
/// Of a loop inside that might be one dispatch, behind a look of the host at what decides (about 100 us).
constexpr std::int64_t most_sites_of_small = 256;

bool is_host_arithmetic(const Plan& plan, const Op& op) {
  return (op.kind == OpKind::constant || op.kind == OpKind::size || op.kind == OpKind::convert ||
          op.kind == OpKind::map) &&
         plan.places[op.results[0]] == Place::host;
}

/// Values that some of the body's host arithmetic leads to.
class Leading {
 public:
  Leading(const Plan& plan, const Block& body) : plan_(plan), body_(body), in_body_(body.ops.begin(), body.ops.end()) {}

  /// False where something else in the body makes it.
  bool add(ValueId value) {
    bool known = true;
    for (std::vector<ValueId> left = {value}; !left.empty();) {
      const ValueId next = left.back();
      left.pop_back();
      const OpId id = plan_.values[next].op;
      if (!wanted_.insert(next).second || !id || !in_body_.contains(id)) continue;
      known = is_host_arithmetic(plan_, plan_.ops[id]) && known;
      ops_.insert(id);
      for_each_used_value(plan_, plan_.ops[id], [&](ValueId used) { left.push_back(used); });
    }
    return known;
  }

  bool is_wanted(ValueId value) const { return wanted_.contains(value); }
  std::vector<OpId> in_order() const {
    std::vector<OpId> ops;
    std::ranges::copy_if(body_.ops, std::back_inserter(ops), [&](OpId id) { return ops_.contains(id); });
    return ops;
  }

 private:
  const Plan& plan_;
  const Block& body_;
  const std::unordered_set<OpId> in_body_;
  std::unordered_set<ValueId> wanted_;
  std::unordered_set<OpId> ops_;
};

}  // namespace

std::optional<InnerLoops> inner_loops(const Plan& plan, OpId loop, const ShaderProgram& shaders) {
  const Block& body = plan.blocks[plan.ops[loop].blocks[0]];
  InnerLoops found;
  Leading leading(plan, body);
  bool known = true;
  for_each_op(plan, plan.ops[loop].blocks[0], [&](OpId id) {
    if (plan.ops[id].kind != OpKind::loop) return;
    found.all.push_back({id, trip_needs(plan, id, shaders)});
    known = leading.add(plan.ops[id].operands[0]) && known;
  });
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

/// Whether the loops inside are short enough in the first trip to be recorded. One that has a shader of its own may be
/// a single dispatch where the host drives the loop around it.
bool are_short(Machine& machine, const Op& loop, const InnerLoops& inner) {
  const Block& body = machine.plan().blocks[loop.blocks[0]];
  for (std::size_t n : inner.carried) machine.define(body.arguments[n], Value(machine.value(loop.operands[n + 1])));
  Foresight(machine, body, inner).look_at(0);
  return std::ranges::all_of(inner.all, [&](const InnerLoops::Loop& each) {
    const std::int64_t most = machine.shaders().loops.contains(each.id) ? most_sites_of_small : most_sites;
    return machine.number(machine.plan().ops[each.id].operands[0]) * each.needs.sites <= static_cast<double>(most);
  });
}

ChunkCapacity room_for_trip(Machine& machine, const TripNeeds& needs, const InnerLoops& inner) {
  ChunkCapacity room{needs.sites, needs.log_slots, needs.branches};
  for (const InnerLoops::Loop& each : inner.all) {
    const double limit = std::max(0.0, machine.number(machine.plan().ops[each.id].operands[0]));
    if (limit * each.needs.sites > most_sites_of_trip)
      throw DeviceError(DeviceErrorKind::limit, "a loop inside a loop on the device makes " +
                                                    std::to_string(static_cast<std::int64_t>(limit)) +
                                                    " trips: run with --loops=host");
    const auto trips = static_cast<std::int32_t>(limit);
    room.sites += trips * each.needs.sites;
    room.log_slots += trips * each.needs.log_slots;
    room.branches += trips * each.needs.branches;
  }
  return room;
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
