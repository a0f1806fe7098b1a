#include "ir/plan/strip_ranges.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace lac;

namespace {

struct Count {
  std::vector<int> ahead, last;
  bool in_order = true;  ///< what the last nest reads is made by its own part before, or by a block where it is a seam
};

Count count(const StripPlan& plan, std::int64_t width, std::int64_t extent) {
  const StripRanges ranges(plan, width, extent);
  Count found{std::vector<int>(static_cast<std::size_t>(extent)), std::vector<int>(static_cast<std::size_t>(extent))};
  const std::int64_t blocks = blocks_of_parts(ranges.parts(), plan.reach > 0);
  for (std::int64_t part = 0; part < ranges.parts(); ++part) {
    std::vector<bool> made(static_cast<std::size_t>(extent), part >= blocks);
    ranges.of_part(part, [&](const IndexRange& ahead, const IndexRange& last) {
      for (std::int64_t n = ahead.begin; n < ahead.end; ++n) {
        ++found.ahead[static_cast<std::size_t>(n)];
        made[static_cast<std::size_t>(n)] = true;
      }
      for (std::int64_t n = last.begin; n < last.end; ++n) {
        ++found.last[static_cast<std::size_t>(n)];
        const std::int64_t begin = std::max<std::int64_t>(n - plan.reach, 0),
                           end = std::min(n + plan.reach + 1, extent);
        for (std::int64_t read = begin; read < end; ++read)
          found.in_order = found.in_order && made[static_cast<std::size_t>(read)];
      }
    });
  }
  return found;
}

}  // namespace

TEST_CASE("every index is made once and followed once, behind all that it reads") {
  for (const std::int64_t reach : {0, 1, 2, 8})
    for (const std::int64_t strip : {1, 64, 4096})
      for (const std::int64_t width : {1, 3, 40})
        for (const std::int64_t extent : {1, 2, 7, 63, 64, 65, 128, 129, 513, 1030}) {
          StripPlan plan;
          plan.block = 200;
          plan.strip = strip;
          plan.reach = reach;
          plan.shortest_block = std::max<std::int64_t>(reaches_of_a_block * reach, 1);
          plan.block_in_elements = true;
          CAPTURE(reach, strip, width, extent);
          const Count found = count(plan, width, extent);
          CHECK(found.ahead == std::vector<int>(static_cast<std::size_t>(extent), 1));
          CHECK(found.last == std::vector<int>(static_cast<std::size_t>(extent), 1));
          CHECK(found.in_order);
        }
}

TEST_CASE("an axis of nothing has no parts") {
  StripPlan plan;
  plan.block = plan.strip = plan.reach = 1;
  CHECK(StripRanges(plan, 5, 0).parts() == 0);
}
