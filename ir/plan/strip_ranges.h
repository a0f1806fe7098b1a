// The parts of a launch of several nests, in numbers: what codegen/llvm/kernel_strips emits for extents of the run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ir/plan/walk.h"

namespace lac {

/// [begin, end) of the shared axis.
struct IndexRange {
  std::int64_t begin, end;
};

/// What StripPlan says of a launch with these extents.
class StripRanges {
 public:
  StripRanges(const StripPlan& plan, std::int64_t width, std::int64_t extent)
      : reach_(plan.reach),
        extent_(extent),
        block_(block_length(plan, width)),
        length_(strip_length(plan, width)),
        blocks_((extent + block_ - 1) / block_) {}

  /// Calls visit(ahead, last) for every strip of it: what nests ahead have of the strip, and the last one.
  template <class F>
  void of_part(std::int64_t part, const F& visit) const {
    const bool is_seam = part >= blocks_;
    const std::int64_t begin = (is_seam ? part - blocks_ + 1 : part) * block_;
    if (is_seam) return visit(IndexRange{begin, begin}, IndexRange{begin - reach_, std::min(begin + reach_, extent_)});
    const std::int64_t end = std::min(begin + block_, extent_);
    const std::int64_t last_begin = begin == 0 ? 0 : begin + reach_, last_end = end == extent_ ? end : end - reach_;
    for (std::int64_t first = begin; first < end; first += length_) {
      const std::int64_t behind = std::min(first + length_, end);
      visit(IndexRange{first, behind},
            IndexRange{std::max(last_begin, first - reach_), behind == end ? last_end : behind - reach_});
    }
  }

  std::int64_t parts() const { return part_count(blocks_, reach_ > 0); }

 private:
  std::int64_t reach_, extent_, block_, length_, blocks_;
};

}  // namespace lac
