#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "ir/plan/control.h"
#include "ir/plan/device_steps.h"
#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

struct Obstacle {
  std::string reason;
  LocationId where;
};

/// Walks the body of one loop until something stands in the way. The loops inside are decided.
class Walk {
 public:
  Walk(const Plan& plan, const Op& loop, DeviceLoops allowed) : plan_(plan), loop_(loop), allowed_(allowed) {}

  /// The first loop inside.
  const Op* first_inner() const { return first_inner_; }

  LoopPlan run() {
    try {
      const Block& body = plan_.blocks[loop_.blocks[0]];
      define(body.arguments);
      for (ValueId argument : body.arguments) check_sizes(plan_.type(argument), loop_);
      block(loop_.blocks[0], false);
      if (!has_kernels_) throw Obstacle{"no kernel inside", loop_.location};
    } catch (const Obstacle& obstacle) {
      return {.mode = LoopMode::host, .reason = obstacle.reason, .where = obstacle.where};
    }
    return {.mode = LoopMode::counted};
  }

 private:
  /// `uncertain`: in an arm that a device scalar decides.
  void block(BlockId id, bool uncertain) {
    for (OpId op : plan_.blocks[id].ops) visit(op, uncertain);
  }

  void visit(OpId id, bool uncertain) {
    const Op& op = plan_.ops[id];
    define(op.results);
    if (allowed_ == DeviceLoops::of_kernels) only_kernels(op);
    switch (op.kind) {
      case OpKind::constant:
      case OpKind::table:  // uploaded as it is
      case OpKind::release: break;
      case OpKind::launch: kernel(op); break;
      case OpKind::size:
      case OpKind::convert:
      case OpKind::map:
      case OpKind::index: host_scalar(op); break;
      case OpKind::parameter:
      case OpKind::reshape: break;
      case OpKind::copy: buffer_of_its_own(op, op.operands[0], "copy"); break;
      case OpKind::check: break;
      case OpKind::warn:
      case OpKind::format:
      case OpKind::print: text(op); break;
      case OpKind::branch: branch(op, uncertain); break;
      case OpKind::loop: inner_loop(id, uncertain); break;
      case OpKind::library: library(id, uncertain); break;
      default: step(id, uncertain);
    }
    check_sizes_of(op);
  }

  void kernel(const Op&) { has_kernels_ = true; }

  void only_kernels(const Op& op) const {
    switch (op.kind) {
      case OpKind::launch:
      case OpKind::reshape:
      case OpKind::copy:
      case OpKind::release:
      case OpKind::constant:
      case OpKind::size: return;
      case OpKind::map:
      case OpKind::convert:
        if (!std::ranges::all_of(op.operands, [&](ValueId operand) { return is_known(operand); }))
          stop(op, "host arithmetic on a device scalar");
        return;
      case OpKind::check:  // of a trip that may not run none may fail
        if (inside_.contains(op.operands[0])) stop(op, step_name(op));
        return;
      default: stop(op, step_name(op));
    }
  }

  bool is_known(ValueId value) const { return plan_.type(value).is_scalar() && !on_device(value); }
  bool on_device(ValueId value) const { return plan_.places[value] == Place::device; }

  void step(OpId id, bool uncertain) {
    const Op& op = plan_.ops[id];
    if (!plan_.device_steps.contains(id)) stop(op, step_name(op));
    if (op.kind == OpKind::random && uncertain) stop(op, "random numbers where a device value decides");
    has_kernels_ = true;
  }

  /// A matrix literal of numbers that the host knows is uploaded as it is.
  void library(OpId id, bool uncertain) {
    const Op& op = plan_.ops[id];
    const auto known = [&](ValueId operand) { return !inside_.contains(operand) || !on_device(operand); };
    if (attribute<LibraryFn>(op) != LibraryFn::literal || plan_.device_steps.contains(id) ||
        !std::all_of(op.operands.begin(), op.operands.end(), known))
      step(id, uncertain);
  }

  /// Every operand is known while recording: a host scalar, or from outside the loop (read before it).
  void host_scalar(const Op& op) {
    for (ValueId operand : op.operands)
      if (inside_.contains(operand) && (!plan_.type(operand).is_scalar() || on_device(operand)))
        stop(op, op.kind == OpKind::index ? "an element read by the host" : "host arithmetic on a device scalar");
  }

  void text(const Op& op) {
    for (ValueId operand : op.operands)
      if (!plan_.type(operand).is_scalar()) stop(op, std::string(info(op.kind).name) + " of a matrix");
  }

  void branch(const Op& op, bool uncertain) {
    const bool decided_there = inside_.contains(op.operands[0]) && on_device(op.operands[0]);
    for (BlockId arm : op.blocks) block(arm, uncertain || decided_there);
    if (!decided_there) return;
    for (ValueId result : op.results) buffer_of_its_own(op, result, "branch");
  }

  /// Its trips are recorded as a part of the trip around them: how many there are is known by then.
  void inner_loop(OpId id, bool uncertain) {
    const Op& op = plan_.ops[id];
    const auto finite = [&](ValueId limit) {
      const Op* made = plan_.definition(limit);
      return !made || made->kind != OpKind::constant || std::isfinite(attribute<double>(*made));
    };
    const bool is_counted = plan_.loop(id).mode == LoopMode::counted && is_known(op.operands[0]) &&
                            is_known(op.operands[1]) && finite(op.operands[0]);
    if (uncertain || !is_counted || allowed_ != DeviceLoops::all) stop(op, "a loop inside");
    if (first_inner_ == nullptr) first_inner_ = &op;
    const Block& body = plan_.blocks[op.blocks[0]];
    define(body.arguments);
    for (ValueId argument : body.arguments) check_sizes(plan_.type(argument), op);
    block(op.blocks[0], false);
    if (!is_known(body.yields[0])) stop(op, "a loop inside");
  }

  void buffer_of_its_own(const Op& op, ValueId value, const std::string& name) {
    if (plan_.type(value).is_sparse()) stop(op, name + " of a sparse matrix");
    if (plan_.values[value].layout != Layout::buffer) stop(op, name + " of an image");
  }

  void check_sizes_of(const Op& op) {
    for (ValueId result : op.results) check_sizes(plan_.type(result), op);
    if (op.kind != OpKind::launch) return;
    for_each_size(plan_.kernels[attribute<KernelId>(op)], [&](const Size& size) { check_size(size, op); });
  }

  void check_sizes(const Type& type, const Op& op) {
    for_each_value_in(plan_, type, [&](ValueId value) { known(value, op); });
  }

  void check_size(const Size& size, const Op& op) {
    for_each_value_in(plan_, size, [&](ValueId value) { known(value, op); });
  }

  void known(ValueId value, const Op& op) {
    if (inside_.contains(value) && on_device(value)) stop(op, "a size from a device scalar");
  }

  void define(const std::vector<ValueId>& values) {
    for (ValueId value : values) inside_.insert(value);
  }

  [[noreturn]] static void stop(const Op& op, std::string reason) { throw Obstacle{std::move(reason), op.location}; }

  const Plan& plan_;
  const Op& loop_;
  DeviceLoops allowed_;
  std::unordered_set<ValueId> inside_;  ///< defined by the loop's body so far
  bool has_kernels_ = false;
  const Op* first_inner_ = nullptr;
};

/// Counts what a trip records: an upper bound.
class Count {
 public:
  explicit Count(const Plan& plan) : plan_(plan) {}

  void trip(const Op& loop) {
    const Block& body = plan_.blocks[loop.blocks[0]];
    device_decides = on_device(loop.operands[1]) || on_device(body.yields[0]);
    needs.sites = 1 + count(body.yields.size());  // the end of the trip, and values that change their form
    block(loop.blocks[0]);
  }

  TripNeeds needs;
  bool device_decides = false;  ///< a condition, a branch or a check that depends on what kernels compute

 private:
  static std::int32_t count(std::size_t items) { return static_cast<std::int32_t>(items); }

  /// A loop inside has needs of its own, for each of its trips.
  void block(BlockId id) {
    for (OpId each : plan_.blocks[id].ops) {
      const Op& op = plan_.ops[each];
      add(op);
      if (op.kind == OpKind::loop) needs.sites += count(op.results.size());
      else
        for (BlockId inner : op.blocks) block(inner);
    }
  }

  void add(const Op& op) {
    if (op.kind == OpKind::launch)
      for (const KernelOutput& output : plan_.kernels[attribute<KernelId>(op)].outputs)
        needs.sites += output.base >= 0 && output.type.is_scalar();  // its copy
    if (op.kind == OpKind::copy || op.kind == OpKind::reshape) ++needs.sites;
    if (op.kind == OpKind::check) {
      ++needs.sites;
      device_decides |= on_device(op.operands[0]);
    }
    if (op.kind == OpKind::branch) branch(op);
    if (op.kind == OpKind::warn || op.kind == OpKind::format || op.kind == OpKind::print) text(op);
  }

  void branch(const Op& op) {
    device_decides |= on_device(op.operands[0]);
    ++needs.branches;
    needs.sites += 1 + 4 * count(op.results.size());
  }

  void text(const Op& op) {
    const std::int32_t pieces = 1 + count(op.operands.size()) / control::log_capacity;
    needs.sites += pieces;
    needs.log_slots += pieces + count(op.operands.size());
  }

  bool on_device(ValueId value) const { return plan_.places[value] == Place::device; }

  const Plan& plan_;
};

}  // namespace

LoopPlan device_loop_plan(const Plan& plan, const Op& loop, DeviceLoops allowed) {
  Walk walk(plan, loop, allowed);
  LoopPlan found = walk.run();
  if (!found.on_device()) return found;
  Count count(plan);
  count.trip(loop);
  // Without a decision on the device nobody waits for it, and the loop inside is one dispatch where it is small.
  if (walk.first_inner() != nullptr && !count.device_decides)
    return {.mode = LoopMode::host, .reason = "a loop inside", .where = walk.first_inner()->location};
  found.needs = count.needs;
  if (count.device_decides) found.mode = LoopMode::chunked;
  return found;
}

}  // namespace lac::passes
