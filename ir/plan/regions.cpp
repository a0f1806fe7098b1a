#include "ir/plan/regions.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lac {
namespace {

struct Obstacle {
  std::string reason;
  LocationId where;
};

/// Walks the body of one loop until something stands in the way.
class Walk {
 public:
  Walk(const Graph& plan, const IdVector<ValueId, Place>& places, const std::function<bool(OpId)>& has_shader,
       const Op& loop)
      : plan_(plan), places_(places), has_shader_(has_shader), loop_(loop) {}

  DeviceLoop run() {
    try {
      const Block& body = plan_.blocks[loop_.blocks[0]];
      define(body.arguments);
      for (ValueId argument : body.arguments) check_sizes(plan_.type(argument), loop_);
      block(loop_.blocks[0], false);
      if (!has_kernels_) throw Obstacle{"no kernel inside", loop_.location};
    } catch (const Obstacle& obstacle) {
      return {false, obstacle.reason, obstacle.where};
    }
    return {true, {}, {}};
  }

 private:
  /// `uncertain`: in an arm that a device scalar decides.
  void block(BlockId id, bool uncertain) {
    for (OpId op : plan_.blocks[id].ops) visit(op, uncertain);
  }

  void visit(OpId id, bool uncertain) {
    const Op& op = plan_.ops[id];
    define(op.results);
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
      case OpKind::loop: stop(op, "a loop inside");
      case OpKind::library: library(id, uncertain); break;
      default: step(id, uncertain);
    }
    check_sizes_of(op);
  }

  void kernel(const Op&) { has_kernels_ = true; }

  void step(OpId id, bool uncertain) {
    const Op& op = plan_.ops[id];
    if (!has_shader_(id)) stop(op, what(op));
    if (op.kind == OpKind::random && uncertain) stop(op, "random numbers where a device value decides");
    has_kernels_ = true;
  }

  /// A matrix literal of numbers that the host knows is uploaded as it is.
  void library(OpId id, bool uncertain) {
    const Op& op = plan_.ops[id];
    const auto known = [&](ValueId operand) { return !inside_.contains(operand) || places_[operand] == Place::host; };
    if (attribute<LibraryFn>(op) != LibraryFn::literal || has_shader_(id) ||
        !std::all_of(op.operands.begin(), op.operands.end(), known))
      step(id, uncertain);
  }

  /// Every operand is known while recording: a host scalar, or from outside the loop (read before it).
  void host_scalar(const Op& op) {
    for (ValueId operand : op.operands)
      if (inside_.contains(operand) && (!plan_.type(operand).is_scalar() || places_[operand] == Place::device))
        stop(op, op.kind == OpKind::index ? "an element read by the host" : "host arithmetic on a device scalar");
  }

  void text(const Op& op) {
    for (ValueId operand : op.operands)
      if (!plan_.type(operand).is_scalar()) stop(op, std::string(info(op.kind).name) + " of a matrix");
  }

  void branch(const Op& op, bool uncertain) {
    const bool decided_there = inside_.contains(op.operands[0]) && places_[op.operands[0]] == Place::device;
    for (BlockId arm : op.blocks) block(arm, uncertain || decided_there);
    if (!decided_there) return;
    for (ValueId result : op.results) buffer_of_its_own(op, result, "branch");
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
    if (inside_.contains(value) && places_[value] == Place::device) stop(op, "a size from a device scalar");
  }

  static std::string what(const Op& op) {
    if (op.kind == OpKind::library) return "library step " + std::string(name(attribute<LibraryFn>(op)));
    return std::string(info(op.kind).name);
  }

  void define(const std::vector<ValueId>& values) {
    for (ValueId value : values) inside_.insert(value);
  }

  [[noreturn]] void stop(const Op& op, std::string reason) { throw Obstacle{std::move(reason), op.location}; }

  const Graph& plan_;
  const IdVector<ValueId, Place>& places_;
  const std::function<bool(OpId)>& has_shader_;
  const Op& loop_;
  std::unordered_set<ValueId> inside_;  ///< defined by the loop's body so far
  bool has_kernels_ = false;
};

}  // namespace

std::map<OpId, DeviceLoop> device_loops(const Graph& plan, const IdVector<ValueId, Place>& places,
                                        const std::function<bool(OpId)>& has_shader) {
  std::map<OpId, DeviceLoop> loops;
  for_each_op(plan, plan.body, [&](OpId id) {
    if (plan.ops[id].kind == OpKind::loop) loops[id] = Walk(plan, places, has_shader, plan.ops[id]).run();
  });
  return loops;
}

}  // namespace lac
