#include "passes/fusion/displaced.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/kernel/body.h"
#include "ir/kernel/shared_axis.h"

namespace lac::passes {
namespace {

/// From one map to the other, which both follow their point.
std::optional<Displacement> between(const AccessMap& from, const AccessMap& to) {
  const auto along = [&](Axis axis) -> std::optional<std::int64_t> {
    const auto begin = distance_along(axis, from, axis), end = distance_along(axis, to, axis);
    return begin && end ? std::optional(*end - *begin) : std::nullopt;
  };
  const auto rows = along(Axis::rows), cols = along(Axis::cols);
  return rows && cols ? std::optional(Displacement{*rows, *cols}) : std::nullopt;
}

class Comparison {
 public:
  Comparison(const Kernel& kernel, const Body& body) : kernel_(kernel), body_(body) {}

  bool same(InstrId value, InstrId copy) {
    const auto [seen, is_new] = same_.insert({{value, copy}, false});
    if (is_new) seen->second = compare(body_[value], body_[copy]);
    return seen->second;
  }
  /// Means something where they are the same.
  const std::optional<Displacement>& found() const { return found_; }

 private:
  bool compare(const Instr& value, const Instr& copy) {
    if (value.kind != copy.kind || value.element != copy.element) return false;
    switch (value.kind) {
      case InstrKind::constant:
      case InstrKind::size: return value == copy;
      case InstrKind::load: return value.argument == copy.argument && loads_displaced(value, copy);
      case InstrKind::convert: return same(value.operands[0], copy.operands[0]);
      case InstrKind::apply: break;
      case InstrKind::index:
      case InstrKind::reload:
      case InstrKind::matrix_element:
      case InstrKind::contraction: return false;
    }
    if (value.op != copy.op) return false;
    for (int n = 0; n < info(value.op).arity; ++n)
      if (!same(value.operands[static_cast<std::size_t>(n)], copy.operands[static_cast<std::size_t>(n)])) return false;
    return true;
  }

  bool loads_displaced(const Instr& value, const Instr& copy) {
    const AccessMap &from = value.map, &to = copy.map;
    if (kernel_.inputs[value.argument].type.is_scalar()) return from == to;
    const bool filled = from.out_of_range == OutOfRange::fill && to.out_of_range == OutOfRange::fill;
    const std::optional<Displacement> here = between(from, to);
    if (!here || (filled && from.fill != to.fill)) return false;
    if (!found_) found_ = here;
    return found_ == here;
  }

  const Kernel& kernel_;
  const Body& body_;
  std::map<std::pair<InstrId, InstrId>, bool> same_;
  std::optional<Displacement> found_;
};

/// What is still to be shown of a displaced point: that it is in the domain along rows, along columns.
struct Open {
  bool rows, cols;
};

class Paths {
 public:
  Paths(const Nest& nest, const Displacement& displacement)
      : nest_(nest), displacement_(displacement), users_(nest.body.size()), is_result_(nest.body.size()) {
    for (std::uint32_t n = 0; n < nest.body.size(); ++n)
      for (const InstrId operand : operands_of(nest.body[InstrId{n}])) users_[operand.index].push_back(InstrId{n});
    for (const InstrId result : results_of(nest)) is_result_[result.index] = true;
    for (const Instr& instr : nest.body)
      for (const InstrId gather : {instr.map.row_gather, instr.map.col_gather})
        if (gather) is_result_[gather.index] = true;
  }

  /// No result is reached from it but through selects that show what is open.
  bool end(InstrId id, const Open& open) {
    if (!open.rows && !open.cols) return true;
    if (is_result_[id.index]) return false;
    if (!seen_.insert({id, {open.rows, open.cols}}).second) return true;
    for (const InstrId user : users_[id.index])
      if (!end(user, behind(nest_.body[user], id, open))) return false;
    return true;
  }

 private:
  Open behind(const Instr& user, InstrId id, const Open& open) const {
    if (user.kind != InstrKind::apply || user.op != ScalarOp::select) return open;
    const bool is_first = user.operands[1] == id, is_second = user.operands[2] == id;
    if (user.operands[0] == id || is_first == is_second) return open;
    return left(nest_.body[user.operands[0]], is_first, open);
  }

  /// Where the condition holds, or does not.
  Open left(const Instr& condition, bool holds, Open open) const {
    if (condition.kind != InstrKind::apply) return open;
    if (condition.op == (holds ? ScalarOp::logical_and : ScalarOp::logical_or))
      return left(nest_.body[condition.operands[1]], holds, left(nest_.body[condition.operands[0]], holds, open));
    if (condition.op != ScalarOp::ge && condition.op != ScalarOp::lt) return open;
    const Instr& coordinate = nest_.body[condition.operands[0]];
    const std::optional<Size> bound = known_size(nest_.body[condition.operands[1]]);
    if (coordinate.kind != InstrKind::index || coordinate.axis == Axis::all || !bound) return open;
    const bool along_rows = coordinate.axis == Axis::rows;
    const std::int64_t distance = along_rows ? displacement_.rows : displacement_.cols;
    // Of the coordinates that are left `bound` is the least, or the first behind them.
    const bool is_low = (condition.op == ScalarOp::ge) == holds;
    const Size room = is_low ? *bound + distance : (along_rows ? nest_.rows : nest_.cols) - distance - *bound;
    const bool shows = is_low == (distance < 0);
    if (shows && room.is_constant() && room.constant() >= 0) (along_rows ? open.rows : open.cols) = false;
    return open;
  }

  const Nest& nest_;
  const Displacement& displacement_;
  std::vector<std::vector<InstrId>> users_;
  std::vector<bool> is_result_;
  std::set<std::pair<InstrId, std::pair<bool, bool>>> seen_;
};

}  // namespace

std::optional<Displacement> displacement(const Kernel& kernel, const Nest& nest, InstrId value, InstrId copy) {
  Comparison comparison(kernel, nest.body);
  return comparison.same(value, copy) ? comparison.found() : std::nullopt;
}

bool is_ignored_outside(const Nest& nest, InstrId id, const Displacement& displacement) {
  return Paths(nest, displacement).end(id, {displacement.rows != 0, displacement.cols != 0});
}

}  // namespace lac::passes
