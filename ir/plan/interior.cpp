#include "ir/plan/interior.h"

#include <algorithm>
#include <cmath>

namespace lac {
namespace {

bool is_fixed(const AffineIndex& index) { return index.i.is(0) && index.j.is(0) && index.k.is(0); }

/// What `index` being in [0, extent) says of the coordinates, added to the bounds; false where they cannot say it.
bool bind(Interior& interior, const AffineIndex& index, const Size& extent) {
  if (index.step != AffineIndex::Step::none || !index.k.is(0)) return false;
  if (is_fixed(index)) return index.base.is(0) && (extent.is_constant() ? extent.constant() > 0 : true);
  const bool along_i = index.i.is(1) && index.j.is(0), along_j = index.j.is(1) && index.i.is(0);
  if (!along_i && !along_j) return false;
  CoordinateBounds& bounds = along_i ? interior.i : interior.j;
  bounds.low.push_back({0, index.base});
  bounds.high.push_back({extent, index.base});
  return true;
}

void add_load(Interior& interior, const Kernel& kernel, const Instr& instr, InstrId id) {
  if (instr.kind != InstrKind::load) return;
  const AccessMap& map = instr.map;
  const Type& type = kernel.inputs[instr.argument].type;
  if (map.out_of_range != OutOfRange::fill || map.linear || map.row_gather || map.col_gather || type.is_scalar())
    return;
  Interior with = interior;
  if (!bind(with, map.row, type.rows) || !bind(with, map.col, type.cols)) return;
  interior = std::move(with);
  interior.in_range.insert(id);
}

std::optional<Size> known_size(const Instr& instr) {
  if (instr.kind == InstrKind::size) return instr.size;
  if (instr.kind != InstrKind::constant || instr.number != std::trunc(instr.number) || std::abs(instr.number) > 0x1p31)
    return std::nullopt;
  return Size(static_cast<std::int64_t>(instr.number));
}

/// coordinate >= size, coordinate < size
void add_test(Interior& interior, const Kernel& kernel, const Instr& instr, InstrId id) {
  if (instr.kind != InstrKind::apply || (instr.op != ScalarOp::ge && instr.op != ScalarOp::lt)) return;
  const Instr& coordinate = kernel.body[instr.operands[0]];
  const std::optional<Size> size = known_size(kernel.body[instr.operands[1]]);
  if (coordinate.kind != InstrKind::index || coordinate.axis == Axis::all || !size) return;
  CoordinateBounds& bounds = coordinate.axis == Axis::rows ? interior.i : interior.j;
  (instr.op == ScalarOp::ge ? bounds.low : bounds.high).push_back({*size, 0});
  interior.true_there.insert(id);
}

bool is_nowhere(const CoordinateBounds& bounds) {
  return std::ranges::any_of(bounds.low, [&](const SizeDifference& low) {
    return std::ranges::any_of(bounds.high, [&](const SizeDifference& high) {
      const Size width = (high.first - high.second) - (low.first - low.second);
      return width.is_constant() && width.constant() <= 0;
    });
  });
}

}  // namespace

std::optional<Interior> interior_of(const Kernel& kernel) {
  if (!kernel.ahead.empty()) return std::nullopt;
  Interior interior;
  const auto each = [&](auto add) {
    for (std::uint32_t n = 0; n < kernel.body.size(); ++n) add(interior, kernel, kernel.body[InstrId{n}], InstrId{n});
  };
  each(add_load);
  if (interior.in_range.empty()) return std::nullopt;
  each(add_test);
  if (is_nowhere(interior.i) || is_nowhere(interior.j)) return std::nullopt;
  return interior;
}

}  // namespace lac
