#include "ir/plan/strip_ranges.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace lac;

namespace {

struct Count {
  std::vector<int> ahead, last;
  bool in_order = true;  ///< what the last nest reads is made by its own part before, or by a block where it is a seam
};

/// What two nests do in calls of so many blocks each, and where those meet behind them.
class Calls {
 public:
  Calls(const StripPlan& plan, std::int64_t width, std::int64_t extent, std::int64_t reach)
      : ranges_(plan, width, extent, reach),
        extent_(extent),
        reach_(reach),
        made_(static_cast<std::size_t>(extent)),
        found_{std::vector<int>(made_.size()), std::vector<int>(made_.size())} {}

  Count count(std::int64_t blocks_of_a_call) {
    const auto [blocks, is_far] = PartCount::of(ranges_.parts());
    for (std::int64_t first = 0; first < blocks; first += blocks_of_a_call) {
      made_.assign(made_.size(), false);
      for (std::int64_t block = first; block < std::min(first + blocks_of_a_call, blocks); ++block)
        run_block(block, first);
    }
    made_.assign(made_.size(), true);
    for (std::int64_t part = blocks; part < ranges_.parts(); ++part)
      if (is_far || (part - blocks + 1) % blocks_of_a_call == 0) follow(ranges_.of_seam(part));
    return found_;
  }

 private:
  void run_block(std::int64_t block, std::int64_t first_of_call) {
    const std::optional<std::int64_t> seam = ranges_.seam_of(block, first_of_call);
    ranges_.of_block(block, [&](const IndexRange& ahead, const IndexRange& last) {
      for (std::int64_t n = ahead.begin; n < ahead.end; ++n) {
        ++found_.ahead[static_cast<std::size_t>(n)];
        made_[static_cast<std::size_t>(n)] = true;
      }
      if (seam && ranges_.ends_seam(block, ahead)) follow(ranges_.of_seam(*seam));
      follow(last);
    });
  }

  void follow(const IndexRange& range) {
    for (std::int64_t n = range.begin; n < range.end; ++n) {
      ++found_.last[static_cast<std::size_t>(n)];
      for (std::int64_t read = std::max<std::int64_t>(n - reach_, 0); read < std::min(n + reach_ + 1, extent_); ++read)
        found_.in_order = found_.in_order && made_[static_cast<std::size_t>(read)];
    }
  }

  StripRanges ranges_;
  std::int64_t extent_, reach_;
  std::vector<bool> made_;
  Count found_;
};

void check_parts(const StripPlan& plan, std::int64_t width, std::int64_t extent, std::int64_t reach) {
  for (const std::int64_t blocks_of_a_call : {1, 2, 3, 1000}) {
    CAPTURE(plan.strip, plan.block, width, extent, reach, blocks_of_a_call);
    const Count found = Calls(plan, width, extent, reach).count(blocks_of_a_call);
    CHECK(found.ahead == std::vector<int>(static_cast<std::size_t>(extent), 1));
    CHECK(found.last == std::vector<int>(static_cast<std::size_t>(extent), 1));
    CHECK(found.in_order);
  }
}

}  // namespace

TEST_CASE("every index is made once and followed once, behind all that it reads") {
  for (const std::int64_t reach : {1, 2, 8})
    for (const std::int64_t strip : {1, 64, 4096})
      for (const std::int64_t width : {1, 3, 40})
        for (const std::int64_t extent : {1, 2, 7, 63, 64, 65, 128, 129, 513, 1030}) {
          StripPlan plan;
          plan.block = 200;
          plan.strip = strip;
          plan.reach = reach;
          plan.block_in_elements = true;
          check_parts(plan, width, extent, reach);
        }
}

TEST_CASE("a reach that the run finds, of whole vectors or too far for a cache") {
  for (const std::int64_t fewest_blocks : {0, 3})
    for (const std::int64_t reach : {0, 1, 16, 17, 32, 33, 60, 64, 65, 500, 5000, 20000})
      for (const std::int64_t strip : {32, 64, 4096})
        for (const std::int64_t extent : {1, 31, 64, 65, 128, 129, 513, 1030, 2100}) {
          StripPlan plan;
          plan.block = 128;
          plan.strip = strip;
          plan.shortest = 32;
          plan.whole_vectors = true;
          plan.reach = Size::symbol(SymbolId{0});
          plan.fewest_blocks = fewest_blocks;
          check_parts(plan, 1, extent, reach);
        }
}

TEST_CASE("an axis of nothing has no parts, and far blocks have two each") {
  StripPlan plan;
  plan.block = plan.strip = 1;
  plan.reach = 1;
  CHECK(StripRanges(plan, 5, 0, 1).parts() == 0);
  for (const std::int64_t blocks : {0, 1, 2, 7})
    for (const bool is_far : {false, true}) {
      const PartCount count = PartCount::of(PartCount{blocks, is_far}.parts());
      CHECK(count.blocks == blocks);
      CHECK(count.is_far == (is_far && blocks > 0));
    }
}
