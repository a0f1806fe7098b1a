// Access maps with their sizes evaluated, and buffers that count what is touched.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/kernel/kernel.h"
#include "runtime/interp/evaluate_op.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::interp {

/// A point of the domain, and the contraction's coordinate.
struct Point {
  std::int64_t i = 0, j = 0, k = 0;
};

/// An AffineIndex with numbers for sizes.
struct BoundIndex {
  BoundIndex(const AffineIndex& index, const SizeOf& size_of);
  std::int64_t at(const Point& point) const;

  std::int64_t base, i, j, k, amount;
  AffineIndex::Step step;
};

/// An AccessMap with numbers for sizes, on a matrix of `rows` x `cols`.
class BoundMap {
 public:
  BoundMap(const AccessMap& map, std::int64_t rows, std::int64_t cols, const SizeOf& size_of);

  static constexpr std::int64_t outside = -1;
  /// The column-major position, or `outside` where the map fills. `values` are the body's, for gathered indices.
  std::int64_t position(const Point& point, const std::vector<double>& values) const;

 private:
  /// In [0, extent), or `outside`.
  std::int64_t settle(std::int64_t index, std::int64_t extent) const;

  AccessMap map_;
  BoundIndex row_, col_;
  std::int64_t rows_, cols_;
};

/// Which elements of a buffer were touched.
class Touched {
 public:
  explicit Touched(std::int64_t count) : touched_(static_cast<std::size_t>(count), false) {}
  void mark(std::int64_t position) {
    count_ += !touched_[static_cast<std::size_t>(position)];
    touched_[static_cast<std::size_t>(position)] = true;
  }
  std::int64_t count() const { return count_; }
  bool all() const { return count_ == static_cast<std::int64_t>(touched_.size()); }

 private:
  std::vector<bool> touched_;
  std::int64_t count_ = 0;
};

}  // namespace lac::runtime::interp
