// What must hold of every plan:
//
//  1. Its graph verifies (ir/graph/verifier.cpp).
//  2. Every matrix of the program lies in one buffer and is listed there; scalars lie in none.
//  3. A result that takes an operand over, and a view, lie in the operand's buffer where that has one.
//  4. A loop finds a carried matrix in its initial value's buffer where that has one, and leaves its result there.
//  5. A buffer holds one carried matrix of a loop at a time: no two that a trip finds there, no two that it leaves
//  there.
//  6. A choice stands for two buffers or more that exist before it; what a branch chooses among is all that its arms
//     leave the result in. (Where an arm leaves a scalar, the result has a buffer of its own.)
//  7. A borrowed buffer is a parameter's; nothing takes it over or releases it.
//  8. A scalar that an op of the host computes is with the host; a loop's argument and result are on the device where
//     the initial value or what a trip yields is. Matrices have no place.
//  9. Every loop is planned, and nothing else as a loop; one that a device counts has no loop inside, one that a device
//     ends only such, and a reason has only one that the host drives. Straight code and native loops hold no loops but
//     such, no launches but those that may stand in straight code.
// 10. Carried buffers are those of arguments and yields, in their order; compared values are numbers.
// 11. What a launch starts from and stores into (KernelOutput::base) it takes over, if it is a matrix.
// 12. A step of the device is an op that may have shaders (device_steps.h).
// 13. A tail is of a launch that ends in one workgroup and is in no tail itself. What it holds may stand in one, is in
//     no other, follows the launch in its block, and takes nothing that other ops between the two make; its sizes are
//     known before the launch. No other launch is of one of these kernels.
#include "ir/plan/plan_verifier.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "ir/graph/text.h"
#include "ir/graph/verifier.h"
#include "ir/plan/device_steps.h"

namespace lac {
namespace {

class Verifier {
 public:
  Verifier(const Plan& plan, std::vector<std::string>& faults) : plan_(plan), faults_(faults) {}

  void check() {
    if (!tables_fit() || !membership()) return;
    for_each_op(plan_, plan_.body, [&](OpId id) {
      op_ = id;
      const Op& op = plan_.ops[id];
      takeovers(op);
      borrowed(op);
      host_scalars(op);
      if (op.kind == OpKind::loop) loop(id, op);
      if (op.kind == OpKind::branch) branch(op);
    });
    choices();
    device_steps();
    tails();
  }

 private:
  void require(bool holds, const std::string& what) {
    if (!holds) faults_.push_back(what + (op_ ? ": " + print_op(plan_, op_) : ""));
  }
  bool is_matrix(ValueId value) const { return !plan_.type(value).is_scalar(); }
  bool on_device(ValueId value) const { return plan_.places[value] == Place::device; }

  // -- 2; and that every id is one, before anything is looked up
  bool tables_fit() {
    const auto is_value = [&](ValueId id) { return plan_.values.contains(id); };
    const auto is_buffer = [&](BufferId id) { return plan_.buffers.contains(id); };
    const auto is_buffer_or_none = [&](BufferId id) { return !id.valid() || is_buffer(id); };
    bool fit = plan_.buffer_of.size() == plan_.values.size() && plan_.places.size() == plan_.values.size() &&
               std::ranges::all_of(plan_.buffer_of, is_buffer_or_none);
    for (const Buffer& buffer : plan_.buffers)
      fit = fit && std::ranges::all_of(buffer.values, is_value) && std::ranges::all_of(buffer.either, is_buffer);
    for (const auto& [id, loop] : plan_.loops) {
      fit = fit && plan_.ops.contains(id) && plan_.ops[id].kind == OpKind::loop;
      for (const CarriedBuffer& each : loop.carried) fit = fit && is_buffer(each.found) && is_buffer_or_none(each.left);
      if (loop.compared) fit = fit && is_value(loop.compared->first) && is_value(loop.compared->second);
    }
    for (OpId id : plan_.device_steps) fit = fit && plan_.ops.contains(id);
    for (const auto& [launch, tail] : plan_.tails)
      fit = fit && plan_.ops.contains(launch) &&
            std::ranges::all_of(tail, [&](OpId id) { return plan_.ops.contains(id); });
    require(fit, "buffers, places, loops, steps or tails are not those of the plan's graph");
    return fit;
  }

  bool membership() {
    const std::size_t before = faults_.size();
    std::vector<BufferId> listed(plan_.values.size());
    for (std::uint32_t n = 0; n < plan_.buffers.size(); ++n)
      for (ValueId value : plan_.buffers[BufferId{n}].values) {
        require(!listed[value.index].valid(), "a value is listed in two buffers");
        listed[value.index] = BufferId{n};
      }
    require(listed == plan_.buffer_of, "buffers list other values than lie in them");
    const auto check = [&](ValueId value) {
      require(plan_.buffer(value).valid() == is_matrix(value), "a matrix without a buffer, or a scalar with one");
      require(!is_matrix(value) || !on_device(value), "a matrix has a place");
    };
    for_each_block(plan_, plan_.body,
                   [&](BlockId block) { std::ranges::for_each(plan_.blocks[block].arguments, check); });
    for_each_op(plan_, plan_.body, [&](OpId id) { std::ranges::for_each(plan_.ops[id].results, check); });
    return faults_.size() == before;
  }

  // -- 3, 11
  void takeovers(const Op& op) {
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const std::int32_t from = op.kind == OpKind::reshape ? 0 : taken_over(op, r);
      if (from < 0) continue;
      const BufferId source = plan_.buffer(op.operands[static_cast<std::size_t>(from)]);
      require(!source.valid() || !is_matrix(op.results[r]) || source == plan_.buffer(op.results[r]),
              "a result lies elsewhere than what it takes over");
    }
    if (op.kind != OpKind::launch) return;
    const Kernel& kernel = plan_.kernels[attribute<KernelId>(op)];
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const std::int32_t base = kernel.outputs[r].base;
      require(base < 0 || !is_matrix(op.operands[static_cast<std::size_t>(base)]) || taken_over(op, r) == base,
              "a result does not take over what it starts from");
    }
  }

  // -- 7
  void borrowed(const Op& op) {
    const auto is_borrowed = [&](ValueId value) {
      const BufferId buffer = plan_.buffer(value);
      return buffer.valid() && plan_.buffers[buffer].borrowed;
    };
    for (ValueId result : op.results)
      if (op.kind == OpKind::parameter)
        require(!is_matrix(result) || is_borrowed(result), "a parameter that is not borrowed");
    for (const std::int32_t from : op.reuse)
      if (op.kind != OpKind::reshape && from >= 0)
        require(!is_borrowed(op.operands[static_cast<std::size_t>(from)]), "a borrowed buffer is taken over");
    if (op.kind == OpKind::release)
      require(std::ranges::none_of(op.operands, is_borrowed), "a borrowed buffer is released");
  }

  // -- 8
  void host_scalars(const Op& op) {
    if (op.kind == OpKind::launch || op.kind == OpKind::copy || !op.blocks.empty()) return;
    for (ValueId result : op.results) require(!on_device(result), "the host computes a scalar of the device");
  }

  // -- 4, 5, 8, 9, 10
  void loop(OpId id, const Op& op) {
    const auto found = plan_.loops.find(id);
    if (found == plan_.loops.end()) return require(false, "a loop that is not planned");
    const LoopPlan& loop = found->second;
    const Block& body = plan_.blocks[op.blocks[0]];
    std::vector<CarriedBuffer> carried;
    std::set<BufferId> places_found, places_left;
    for (std::size_t n = 1; n < body.arguments.size(); ++n) {
      const ValueId argument = body.arguments[n];
      const BufferId initial = plan_.buffer(op.operands[n + 1]), here = plan_.buffer(argument);
      require(!initial.valid() || !here.valid() || initial == here, "a loop finds a matrix elsewhere than it was left");
      require(!is_matrix(op.results[n]) || !here.valid() || plan_.buffer(op.results[n]) == here,
              "a loop's result lies elsewhere than its argument");
      require(
          on_device(argument) || (!on_device(op.operands[n + 1]) && !on_device(body.yields[n])) || is_matrix(argument),
          "a carried scalar is with the host, and what is handed on is not");
      if (!here.valid()) continue;
      carried.push_back({here, plan_.buffer(body.yields[n])});
      require(places_found.insert(here).second, "two carried matrices are found in one buffer");
      if (carried.back().left)
        require(places_left.insert(carried.back().left).second, "two carried matrices are left in one buffer");
    }
    require(carried == loop.carried, "the carried buffers are others");
    require(loop.reason.empty() || loop.mode == LoopMode::host, "a reason against what is done");
    const auto is_real = [&](ValueId value) {
      return !is_matrix(value) && plan_.type(value).element != Element::logical;
    };
    if (loop.compared)
      require(is_real(loop.compared->first) && is_real(loop.compared->second), "what is compared is no number");
    require(!loop.native || loop.mode != LoopMode::straight, "straight code that is for another host");
    inside(op, loop);
  }

  static bool may_stand_in(LoopMode outer, LoopMode inner) {
    return (outer == LoopMode::straight && inner == LoopMode::straight) ||
           (outer == LoopMode::chunked && inner == LoopMode::counted);
  }

  // -- 9
  void inside(const Op& loop, const LoopPlan& decided) {
    const bool straight = decided.mode == LoopMode::straight;
    for_each_op(plan_, loop.blocks[0], [&](OpId id) {
      const Op& op = plan_.ops[id];
      if (op.kind == OpKind::launch && (straight || decided.native))
        require(stands_in_straight_code(plan_, op), "a launch in straight code");
      if (op.kind != OpKind::loop) return;
      const auto inner = plan_.loops.find(id);
      const bool known = inner != plan_.loops.end();
      require(decided.mode == LoopMode::host || (known && may_stand_in(decided.mode, inner->second.mode)),
              "a loop inside of one that the host does not drive");
      require(!decided.native || (known && inner->second.native), "a loop in a native one that is none");
    });
  }

  // -- 6
  void branch(const Op& op) {
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      if (!is_matrix(op.results[r])) continue;
      const Buffer& result = plan_.buffers[plan_.buffer(op.results[r])];
      for (BlockId arm : op.blocks) {
        const BufferId left = plan_.buffer(plan_.blocks[arm].yields[r]);
        if (!left.valid() || left == plan_.buffer(op.results[r])) continue;
        const bool known = std::ranges::find(result.either, left) != result.either.end();
        require(known || result.either.empty(), "a choice leaves out what an arm yields");
      }
    }
  }

  void choices() {
    op_ = {};
    for (std::uint32_t n = 0; n < plan_.buffers.size(); ++n) {
      const std::vector<BufferId>& either = plan_.buffers[BufferId{n}].either;
      const auto earlier = [&](BufferId id) { return id.index < n; };
      require(
          either.empty() || (std::set(either.begin(), either.end()).size() > 1 && std::ranges::all_of(either, earlier)),
          "a choice among fewer than two buffers that exist before");
    }
  }

  // -- 12
  void device_steps() {
    for (OpId id : plan_.device_steps)
      require(device_step_of(plan_, plan_.ops[id]).has_value(), "a step of the device that has no shaders");
  }

  // -- 13
  void tails() {
    const std::size_t before = faults_.size();
    std::set<OpId> known;
    for (const auto& [launch, tail] : plan_.tails) {
      op_ = launch;
      const Op& op = plan_.ops[launch];
      require(op.kind == OpKind::launch && ends_in_one_group(plan_.kernels[attribute<KernelId>(op)]),
              "a tail of what does not end in one workgroup");
      require(!tail.empty(), "a tail of nothing");
      for (OpId id : tail) {
        require(known.insert(id).second, "a launch in two tails");
        require(stands_in_tail(plan_, plan_.ops[id]), "a tail with more than scalars of one point");
      }
    }
    op_ = {};
    for (const auto& [launch, tail] : plan_.tails) require(!known.contains(launch), "a tail of a tail");
    if (faults_.size() > before) return;
    one_launch_each(known);
    for_each_block(plan_, plan_.body, [&](BlockId block) {
      for (std::size_t n = 0; n < plan_.blocks[block].ops.size(); ++n) order(plan_.blocks[block].ops, n, known);
    });
    op_ = {};
    require(known.empty(), "a tail that does not follow its launch");
  }

  void one_launch_each(const std::set<OpId>& in_tails) {
    std::map<KernelId, int> launches;
    for_each_op(plan_, plan_.body, [&](OpId id) {
      if (plan_.ops[id].kind == OpKind::launch) ++launches[attribute<KernelId>(plan_.ops[id])];
    });
    const auto once = [&](OpId id) {
      require(launches[attribute<KernelId>(plan_.ops[id])] == 1, "a kernel of a tail that has another launch");
    };
    for (const auto& [launch, tail] : plan_.tails) once(launch);
    std::ranges::for_each(in_tails, once);
  }

  /// Those that do are no longer `known`.
  void order(const std::vector<OpId>& ops, std::size_t at, std::set<OpId>& known) {
    const std::span<const OpId> tail = plan_.tail(ops[at]);
    op_ = tail.empty() ? OpId() : ops[at];
    const std::vector<ValueId>& first = plan_.ops[ops[at]].results;
    std::set<ValueId> between, unknown(first.begin(), first.end());
    auto next = tail.begin();
    for (std::size_t n = at + 1; n < ops.size() && next != tail.end(); ++n) {
      const Op& op = plan_.ops[ops[n]];
      const auto is_known = [&](ValueId value) {
        require(!unknown.contains(value), "a tail has a size that is not known before its launch");
      };
      if (ops[n] != *next) {
        between.insert(op.results.begin(), op.results.end());
      } else {
        for (ValueId operand : op.operands)
          require(!between.contains(operand), "a tail takes what is not there before its launch");
        for_each_size(plan_.kernels[attribute<KernelId>(op)],
                      [&](const Size& size) { for_each_value_in(plan_, size, is_known); });
        known.erase(*next++);
      }
      unknown.insert(op.results.begin(), op.results.end());
    }
  }

  const Plan& plan_;
  std::vector<std::string>& faults_;
  OpId op_ = {};
};

}  // namespace

std::vector<std::string> verify_plan(const Plan& plan) {
  std::vector<std::string> faults = verify(plan);
  if (faults.empty()) Verifier(plan, faults).check();
  return faults;
}

}  // namespace lac
