#include "runtime/interp/access.h"

#include <string>

#include "ir/support/result.h"

namespace lac::runtime::interp {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

std::int64_t floor_modulo(std::int64_t a, std::int64_t b) { return a - b * floor_divide(a, b); }

}  // namespace

BoundIndex::BoundIndex(const AffineIndex& index, const SizeOf& size_of)
    : base(size_of(index.base)),
      i(size_of(index.i)),
      j(size_of(index.j)),
      k(size_of(index.k)),
      amount(size_of(index.amount)),
      step(index.step) {}

std::int64_t BoundIndex::at(const Point& point) const {
  const std::int64_t index = base + i * point.i + j * point.j + k * point.k;
  if (step == AffineIndex::Step::none) return index;
  return step == AffineIndex::Step::divide ? floor_divide(index, amount) : floor_modulo(index, amount);
}

BoundMap::BoundMap(const AccessMap& map, std::int64_t rows, std::int64_t cols, const SizeOf& size_of)
    : map_(map), row_(map.row, size_of), col_(map.col, size_of), rows_(rows), cols_(cols) {}

std::int64_t BoundMap::settle(std::int64_t index, std::int64_t extent) const {
  if (index >= 0 && index < extent) return index;
  if (map_.out_of_range == OutOfRange::fill) return outside;
  throw InternalError("a kernel's index " + std::to_string(index) + " is outside 0.." + std::to_string(extent - 1));
}

std::int64_t BoundMap::position(const Point& point, const std::vector<double>& values) const {
  const auto index = [&](const BoundIndex& affine, InstrId gather) {
    return gather ? static_cast<std::int64_t>(values[gather.index]) - 1 : affine.at(point);
  };
  if (map_.linear) return settle(index(row_, map_.row_gather), rows_ * cols_);
  const std::int64_t row = settle(index(row_, map_.row_gather), rows_);
  const std::int64_t col = settle(index(col_, map_.col_gather), cols_);
  return row == outside || col == outside ? outside : col * rows_ + row;
}

}  // namespace lac::runtime::interp
