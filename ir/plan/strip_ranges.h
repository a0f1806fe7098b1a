// The parts of a launch of several nests, in numbers: what codegen/llvm/kernel/strips emits for extents of the run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "ir/plan/walk.h"

namespace lac {

/// [begin, end) of the shared axis.
struct IndexRange {
  std::int64_t begin, end;
};

/// What StripPlan says of a launch with these extents.
class StripRanges {
 public:
  StripRanges(const StripPlan& plan, std::int64_t width, std::int64_t extent, std::int64_t reach)
      : has_seams_(plan.has_seams()),
        extent_(extent),
        lengths_(strip_lengths(plan, width, extent, reach)),
        blocks_((extent + lengths_.block - 1) / lengths_.block) {}

  std::int64_t parts() const { return has_seams_ ? PartCount{blocks_, lengths_.is_far}.parts() : blocks_; }
  bool is_seam(std::int64_t part) const { return part >= blocks_; }

  /// Calls visit(ahead, last) for every strip of a block: what nests ahead have of the strip, and the last one.
  template <class F>
  void of_block(std::int64_t number, const F& visit) const {
    const IndexRange ahead = of_block(number), last = behind(ahead);
    for (std::int64_t first = ahead.begin; first < ahead.end; first += lengths_.strip) {
      const std::int64_t end = std::min(first + lengths_.strip, ahead.end);
      const std::int64_t from = std::max(last.begin, first - lengths_.reach);
      const std::int64_t to = end == ahead.end ? last.end : end - lengths_.reach;
      visit(IndexRange{first, end}, IndexRange{from, std::max(from, to)});
    }
  }

  /// What the last nest has of it.
  IndexRange of_seam(std::int64_t part) const {
    if (lengths_.is_far) return of_block(part - blocks_);
    const std::int64_t border = (part - blocks_ + 1) * lengths_.block;
    return {border - lengths_.reach, std::min(border + lengths_.reach, extent_)};
  }

  /// The seam that a block begins with where the call has the block before it as well.
  std::optional<std::int64_t> seam_of(std::int64_t number, std::int64_t first_of_call) const {
    if (!has_seams_ || lengths_.is_far || number == first_of_call) return std::nullopt;
    return blocks_ + number - 1;
  }
  /// Whether it may run behind this strip of what is ahead, the first one of which that is true.
  bool ends_seam(std::int64_t number, const IndexRange& ahead) const {
    const IndexRange block = of_block(number);
    const std::int64_t read = std::min(block.begin + std::max<std::int64_t>(2 * lengths_.reach, 1), block.end);
    return ahead.begin < read && ahead.end >= read;
  }

 private:
  IndexRange of_block(std::int64_t number) const {
    const std::int64_t begin = number * lengths_.block;
    return {begin, std::min(begin + lengths_.block, extent_)};
  }
  IndexRange behind(const IndexRange& block) const {
    if (lengths_.is_far) return {block.end, block.end};
    return {block.begin == 0 ? 0 : block.begin + lengths_.reach,
            block.end == extent_ ? block.end : block.end - lengths_.reach};
  }

  bool has_seams_;
  std::int64_t extent_;
  StripLengths lengths_;
  std::int64_t blocks_;
};

}  // namespace lac
