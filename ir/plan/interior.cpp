#include "ir/plan/interior.h"

#include <algorithm>
#include <map>

#include "ir/kernel/body.h"
#include "ir/kernel/shared_axis.h"

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
  if (!is_load(instr)) return;
  const AccessMap& map = instr.map;
  const Type& type = loaded_type(kernel, instr);
  if (map.out_of_range != OutOfRange::fill || map.linear || map.row_gather || map.col_gather || type.is_scalar())
    return;
  Interior with = interior;
  if (!bind(with, map.row, type.rows) || !bind(with, map.col, type.cols)) return;
  interior = std::move(with);
  interior.in_range.insert(id);
}

/// Whether more of the coordinates below `extent` are less than `size` than are not. A number is less than a symbol.
bool most_are_less(const Size& size, const Size& extent) {
  const Size rest = extent - size;
  if (size.is_constant() && rest.is_constant()) return size.constant() >= rest.constant();
  return !size.is_constant();
}

/// coordinate >= size, coordinate < size
void add_test(Interior& interior, const Nest& nest, const Instr& instr, InstrId id) {
  if (instr.kind != InstrKind::apply || (instr.op != ScalarOp::ge && instr.op != ScalarOp::lt)) return;
  const Instr& coordinate = nest.body[instr.operands[0]];
  const std::optional<Size> size = known_size(nest.body[instr.operands[1]]);
  if (coordinate.kind != InstrKind::index || coordinate.axis == Axis::all || !size) return;
  const bool along_rows = coordinate.axis == Axis::rows,
             less = most_are_less(*size, along_rows ? nest.rows : nest.cols);
  CoordinateBounds& bounds = along_rows ? interior.i : interior.j;
  (less ? bounds.high : bounds.low).push_back({*size, 0});
  interior.answers[id] = less == (instr.op == ScalarOp::lt);
}

/// The column that a load is at, beside its point's own; nothing where it does not follow the point.
std::optional<std::int64_t> column_beside(const AccessMap& map) {
  return distance_along(Axis::rows, map, Axis::rows) ? distance_along(Axis::cols, map, Axis::cols) : std::nullopt;
}

/// One load of each input, the farthest to the right; none where all inputs are read in one column.
std::unordered_set<InstrId> leading_loads(const Kernel& kernel, const Nest& nest) {
  struct Columns {
    std::int64_t first, last;
    InstrId leading;
  };
  std::map<std::uint32_t, Columns> inputs;
  for (std::uint32_t n = 0; n < nest.body.size(); ++n) {
    const Instr& instr = nest.body[InstrId{n}];
    const auto column = instr.kind == InstrKind::load && !loaded_type(kernel, instr).is_scalar()
                            ? column_beside(instr.map)
                            : std::nullopt;
    if (!column) continue;
    const auto [found, is_new] = inputs.try_emplace(instr.argument, Columns{*column, *column, InstrId{n}});
    if (is_new) continue;
    found->second.first = std::min(found->second.first, *column);
    if (*column > found->second.last) found->second = {found->second.first, *column, InstrId{n}};
  }
  std::unordered_set<InstrId> leading;
  if (std::ranges::none_of(inputs, [](const auto& input) { return input.second.first < input.second.last; }))
    return leading;
  for (const auto& [input, columns] : inputs) leading.insert(columns.leading);
  return leading;
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

std::optional<Interior> interior_of(const Kernel& kernel, const Nest& nest) {
  Interior interior;
  const auto each = [&](const auto& of, auto add) {
    for (std::uint32_t n = 0; n < nest.body.size(); ++n) add(interior, of, nest.body[InstrId{n}], InstrId{n});
  };
  each(kernel, add_load);
  if (interior.in_range.empty()) return std::nullopt;
  each(nest, add_test);
  if (is_nowhere(interior.i) || is_nowhere(interior.j)) return std::nullopt;
  interior.leading = leading_loads(kernel, nest);
  return interior;
}

}  // namespace lac
