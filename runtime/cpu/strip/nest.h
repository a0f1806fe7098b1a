// One nest of a kernel that is run without compiling it, as codegen/llvm/kernel/walk has it.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/plan/walk.h"
#include "runtime/cpu/strip/body.h"
#include "runtime/cpu/strip/product.h"
#include "runtime/cpu/strip/reduction.h"

namespace lac::runtime {

struct StripStore {
  std::int32_t slot;
  Element element;
  std::int32_t value;
  StripMap map;
};

/// Decided once for a nest.
struct StripNest {
  StripNest(const Kernel& kernel, const Nest& nest, const SlotNumbers& numbers, VectorIsa isa);
  StripNest(const StripNest&) = delete;  // its products refer to `plan`
  StripNest& operator=(const StripNest&) = delete;

  std::int64_t lanes(const std::uint64_t* slots) const;
  std::int64_t others(const std::uint64_t* slots) const;
  /// Of the only nest of a kernel.
  std::int64_t blocks(const std::uint64_t* slots) const;

  struct Tile {
    std::int64_t lanes, others;
  };
  Tile tile(const std::uint64_t* slots) const;

  WalkPlan plan;
  SlotNumber rows, cols;
  StripBody body;
  std::vector<StripProduct> products;  ///< the sums of its contraction
  std::vector<StripStore> stores;
  std::vector<StripReduction> reductions;
  Axis lane_axis, other_axis, strips;
  std::int64_t partials = 0;  ///< of a block, but those that are spread over strips
};

/// Where the partial results of a nest are in a launch.
struct StripPartials {
  double* values = nullptr;     ///< partial p of block b: values[p * blocks + b]
  std::vector<double*> spread;  ///< of each reduction: element e of block b: spread[r][b * elements[r] + e]
  std::vector<std::int64_t> elements;
  std::int64_t blocks = 0;
};

/// The blocks of one call.
class StripNestWalk {
 public:
  StripNestWalk(const StripNest& nest, const std::uint64_t* slots, StripPartials partials, Scratch& scratch);

  /// A block of the only nest of a kernel.
  void block(std::int64_t block);

  /// Block by block, strip by strip of the axis that several nests share: [begin, end) of it.
  void begin_block(std::int64_t block);
  void strip(std::int64_t begin, std::int64_t end);
  void end_block();

 private:
  struct Range {
    std::int64_t lane_begin, lane_end, other_begin, other_end;
  };

  std::int64_t ahead() const { return nest_.products.empty() ? 0 : nest_.products.front().ahead(); }
  std::int64_t strip_length() const;
  Range range_of(std::int64_t block) const;
  void fill(std::int64_t first, std::int64_t end, std::int64_t other);
  void walk(const Range& range);
  void walk_lines(const Range& range);
  void walk_strips(const Range& range);
  void walk_chunks(const Range& range);
  void point(std::int64_t lane, std::int64_t live, std::int64_t other, std::int64_t buffer_offset);
  bool is_spread(const StripAccumulator& accumulator) const { return accumulator.reduction().axis == nest_.strips; }
  /// The partial results of the block at hand of a spread reduction.
  double* spread(const StripAccumulator& accumulator) const;

  template <class F>
  void each(Axis axis, const F& visit) {
    for (StripAccumulator& accumulator : accumulators_)
      if (accumulator.reduction().axis == axis) visit(accumulator);
  }
  template <class F>
  void pieces(std::int64_t begin, std::int64_t end, const F& visit) {
    for (std::int64_t first = begin; first < end; first += length_) visit(first, std::min(length_, end - first));
  }

  const StripNest& nest_;
  const std::uint64_t* slots_;
  StripPartials partials_;
  Scratch& scratch_;
  std::int64_t lanes_, others_, length_, block_ = 0;
  StripBody::State body_;
  std::vector<StripProduct::State> products_;
  std::vector<StripAccumulator> accumulators_;
};

}  // namespace lac::runtime
