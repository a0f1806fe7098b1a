// Which commands wait for which, and which bytes of a block are free: without a device.
#include "runtime/vulkan/stream/hazards.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "runtime/vulkan/memory/ranges.h"

using namespace lac::runtime::vulkan;

namespace {

constexpr std::uint64_t x = 1, y = 2, counts = 3;

bool waits(HazardTracker& tracker, std::vector<ResourceAccess> command) { return tracker.before(command).needed(); }

ResourceAccess reads(std::uint64_t resource) { return {resource, 0, 64, Access::compute_read}; }
ResourceAccess writes(std::uint64_t resource) { return {resource, 0, 64, Access::compute_write}; }

}  // namespace

TEST_CASE("The first commands of a buffer wait for nothing") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {reads(x), writes(y)}));
  CHECK_FALSE(waits(tracker, {reads(x)}));
}

TEST_CASE("A reader waits for the writer, once") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {writes(x)}));
  CHECK(waits(tracker, {reads(x)}));
  CHECK_FALSE(waits(tracker, {reads(x)}));
}

TEST_CASE("A writer waits for readers and for writers") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {reads(x)}));
  CHECK(waits(tracker, {writes(x)}));
  CHECK(waits(tracker, {writes(x)}));
}

TEST_CASE("Disjoint bytes and disjoint resources do not wait") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {{x, 0, 12, Access::compute_write}}));
  CHECK_FALSE(waits(tracker, {{x, 12, 24, Access::compute_write}}));
  CHECK_FALSE(waits(tracker, {{x, 24, 36, Access::indirect_read}}));
  CHECK(waits(tracker, {{x, 8, 16, Access::compute_read}}));
}

TEST_CASE("One barrier serves every resource") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {writes(x)}));
  CHECK_FALSE(waits(tracker, {writes(y)}));
  CHECK(waits(tracker, {reads(x)}));
  CHECK_FALSE(waits(tracker, {reads(y)}));
}

TEST_CASE("A barrier serves only the kinds it names") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {{counts, 0, 12, Access::compute_write}}));
  const Barrier first = tracker.before(std::array{ResourceAccess{counts, 0, 12, Access::compute_read}});
  CHECK((first.after & bit(Access::indirect_read)) == 0);
  const Barrier second = tracker.before(std::array{ResourceAccess{counts, 0, 12, Access::indirect_read}});
  CHECK((second.before & bit(Access::compute_write)) != 0);
  CHECK((second.after & bit(Access::indirect_read)) != 0);
}

TEST_CASE("Counts are written only after the dispatch that read them has begun") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {{counts, 0, 12, Access::indirect_read}}));
  const Barrier barrier = tracker.before(std::array{ResourceAccess{counts, 0, 24, Access::compute_write}});
  CHECK((barrier.before & bit(Access::indirect_read)) != 0);
}

TEST_CASE("Compute and transfers wait for each other") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {{x, 0, 64, Access::transfer_write}}));
  CHECK(waits(tracker, {reads(x), writes(y)}));
  CHECK(waits(tracker, {{y, 0, 64, Access::transfer_read}}));
  CHECK(waits(tracker, {{x, 0, 64, Access::transfer_write}}));
}

TEST_CASE("A chain through a whole write is not forgotten") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {{x, 0, 32, Access::transfer_write}}));
  CHECK(waits(tracker, {writes(x)}));  // stands for the transfer from here on
  CHECK(waits(tracker, {{x, 0, 32, Access::transfer_read}}));
}

TEST_CASE("A pass waits for another that writes its target or what it reads") {
  HazardTracker tracker;
  CHECK_FALSE(waits(tracker, {{x, 0, 64, Access::attachment_write}}));
  CHECK_FALSE(waits(tracker, {{y, 0, 64, Access::attachment_write}}));
  CHECK(waits(tracker, {{x, 0, 64, Access::attachment_write}}));
  CHECK(waits(tracker, {{x, 0, 64, Access::graphics_read}}));
}

TEST_CASE("The ends of a command buffer order everything") {
  CHECK((start_barrier(false).after & bit(Access::indirect_read)) != 0);
  CHECK((start_barrier(false).before & bit(Access::attachment_write)) == 0);
  CHECK((start_barrier(true).before & bit(Access::attachment_write)) != 0);
  CHECK(end_barrier(false).after == bit(Access::host_read));
}

// Brute force: whatever the tracker does, every conflicting pair has a barrier of the right kinds between it.
TEST_CASE("Every conflict of random commands has its barrier") {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 200; ++round) {
    HazardTracker tracker;
    std::vector<std::vector<ResourceAccess>> commands;
    std::vector<Barrier> barriers;
    for (int c = 0; c < 20; ++c) {
      std::vector<ResourceAccess> command;
      for (int n = 0; n < 3; ++n) {
        const auto begin = static_cast<std::uint64_t>(pick(4)) * 8;
        command.push_back({std::uint64_t(pick(2)), begin, begin + 8u * static_cast<unsigned>(1 + pick(3)),
                           static_cast<Access>(pick(5))});
      }
      barriers.push_back(tracker.before(command));
      commands.push_back(command);
    }
    // Ordered directly, or through a chain of barriers by way of a command between: reach[k] = kinds of accesses that
    // are ordered after the access once the barrier of command k has passed.
    for (std::size_t i = 0; i < commands.size(); ++i) {
      for (const ResourceAccess& past : commands[i]) {
        AccessSet reach = bit(past.access), ordered = 0;
        for (std::size_t k = i + 1; k < commands.size(); ++k) {
          if ((barriers[k].before & reach) != 0) {
            ordered |= barriers[k].after;
            reach |= barriers[k].after;
          }
          for (const ResourceAccess& now : commands[k]) {
            const bool conflict = past.resource == now.resource && past.begin < now.end && now.begin < past.end &&
                                  (is_write(past.access) || is_write(now.access));
            if (conflict) REQUIRE((ordered & bit(now.access)) != 0);
          }
        }
      }
    }
  }
}

TEST_CASE("Ranges of memory are aligned, apart, and one piece again in the end") {
  std::mt19937 random(11);
  for (const bool from_end : {false, true}) {
    MemoryRanges ranges(4096);
    struct Taken {
      std::uint64_t offset, size;
    };
    std::vector<Taken> taken;
    for (int step = 0; step < 2000; ++step) {
      if (random() % 3 != 0) {
        const std::uint64_t size = 1 + random() % 200, alignment = std::uint64_t{1} << random() % 7;
        const auto offset = ranges.take(size, alignment, from_end);
        if (!offset) continue;
        REQUIRE(*offset % alignment == 0);
        REQUIRE(*offset + size <= 4096);
        for (const Taken& other : taken) {
          REQUIRE((*offset + size <= other.offset || other.offset + other.size <= *offset));
        }
        taken.push_back({*offset, size});
      } else if (!taken.empty()) {
        std::swap(taken[random() % taken.size()], taken.back());
        ranges.give(taken.back().offset, taken.back().size);
        taken.pop_back();
      }
    }
    for (const Taken& rest : taken) ranges.give(rest.offset, rest.size);
    CHECK(ranges.empty());
    CHECK(ranges.pieces() == 1);
    CHECK(ranges.take(4096, 64, from_end) == std::optional<std::uint64_t>(0));
    CHECK_FALSE(ranges.take(1, 1, from_end));
  }
}
