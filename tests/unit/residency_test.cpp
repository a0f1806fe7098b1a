// The residency policy, without a device: the actions it asks for, in order, and its counters.
#include "runtime/residency/residency.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace lac;
using namespace lac::runtime::residency;

namespace {

/// "allocate 0:r0 upload 0:r0": kind, item, resource.
std::string text(const Actions& actions) {
  static const char* const names[] = {"allocate", "reuse", "upload", "download", "release", "free"};
  std::string result;
  for (const Action& action : actions) {
    if (!result.empty()) result += ", ";
    result += names[static_cast<int>(action.kind)];
    if (action.item) result += " " + std::to_string(action.item.index);
    result += " r" + std::to_string(action.resource.index);
  }
  return result;
}

DeviceShape buffer(std::int64_t bytes) { return {.bytes = bytes}; }

/// One launch.
std::string launch(Residency& residency, const std::vector<Use>& uses) {
  auto actions = residency.prepare(uses);
  REQUIRE(actions.ok());
  std::string result = text(actions.value());
  const std::string after = text(residency.finish(uses));
  return after.empty() ? result : result + " | " + after;
}

/// Does what the policy says on imaginary memories and complains where an action makes no sense.
struct Machine {
  std::map<ResourceId, DeviceShape> resources;
  std::map<ResourceId, int> device;
  std::map<ItemId, int> host;
  std::int64_t bytes = 0;

  void run(const Actions& actions) {
    for (const Action& action : actions) {
      switch (action.kind) {
        case ActionKind::allocate:
          REQUIRE(resources.emplace(action.resource, action.shape).second);
          bytes += action.shape.bytes;
          device[action.resource] = -1;
          break;
        case ActionKind::reuse:
          REQUIRE(resources.at(action.resource).bytes >= action.shape.bytes);
          device[action.resource] = -1;
          break;
        case ActionKind::upload: device.at(action.resource) = host.at(action.item); break;
        case ActionKind::download: host[action.item] = device.at(action.resource); break;
        case ActionKind::release: REQUIRE(resources.count(action.resource) == 1); break;
        case ActionKind::free:
          bytes -= resources.at(action.resource).bytes;
          resources.erase(action.resource);
          device.erase(action.resource);
          break;
      }
    }
  }
};

}  // namespace

TEST_CASE("A value is uploaded once, and only where its contents are needed") {
  Residency residency;
  const ItemId a = residency.add(buffer(1000), true), b = residency.add(buffer(1000), false);
  CHECK(launch(residency, {{a, Access::read}, {b, Access::write}}) == "allocate 0 r0, upload 0 r0, allocate 1 r1");
  CHECK(launch(residency, {{a, Access::read}, {b, Access::update}}).empty());
  CHECK(residency.valid_on_host(a));
  CHECK_FALSE(residency.valid_on_host(b));
  CHECK(residency.counters().upload_bytes == 1000);
  CHECK(residency.counters().bytes == 2048);
}

TEST_CASE("A value is downloaded once, until the device changes it") {
  Residency residency;
  const ItemId a = residency.add(buffer(8), false);
  CHECK(residency.use_on_host(a).empty());  // it has no contents yet
  launch(residency, {{a, Access::write}});
  CHECK(text(residency.use_on_host(a)) == "download 0 r0");
  CHECK(residency.use_on_host(a).empty());
  launch(residency, {{a, Access::update}});
  CHECK(text(residency.use_on_host(a)) == "download 0 r0");
  CHECK(residency.counters().downloads == 2);
}

TEST_CASE("What the host wrote is uploaded at the next use") {
  Residency residency;
  const ItemId a = residency.add(buffer(8), true);
  launch(residency, {{a, Access::read}});
  CHECK(text(residency.write_on_host(a)) == "release 0 r0");
  CHECK(launch(residency, {{a, Access::read}}) == "reuse 0 r0, upload 0 r0");
  residency.pin(a);
  CHECK(residency.write_on_host(a).empty());
  CHECK(launch(residency, {{a, Access::read}}) == "upload 0 r0");
}

TEST_CASE("Resources of ended values serve later ones of like size") {
  Residency residency;
  const ItemId a = residency.add(buffer(10000), false), b = residency.add(buffer(4000), false);
  launch(residency, {{a, Access::write}, {b, Access::write}});
  CHECK(text(residency.drop(a)) == "release 0 r0");
  const ItemId small = residency.add(buffer(5000), false);
  CHECK(launch(residency, {{small, Access::write}}) == "allocate 0 r2");  // half of r0 would lie idle
  const ItemId fits = residency.add(buffer(9000), false);
  CHECK(launch(residency, {{fits, Access::write}}) == "reuse 2 r0");
  CHECK(residency.counters().pool_hits == 1);
  CHECK(text(residency.trim()).empty());
  residency.drop(fits);
  CHECK(text(residency.trim()) == "free r0");
}

TEST_CASE("Images are reused at their very size and never as buffers") {
  Residency residency;
  const DeviceShape image{.bytes = 16 * 64 * 16, .width = 64, .height = 16};
  const ItemId a = residency.add(image, false);
  launch(residency, {{a, Access::write}});
  residency.drop(a);
  CHECK(launch(residency, {{residency.add(buffer(image.bytes), false), Access::write}}) == "allocate 0 r1");
  const DeviceShape turned{.bytes = image.bytes, .width = 16, .height = 64};
  CHECK(launch(residency, {{residency.add(turned, false), Access::write}}) == "allocate 1 r2");
  CHECK(launch(residency, {{residency.add(image, false), Access::write}}) == "reuse 2 r0");
}

TEST_CASE("Under a budget the least recently used value makes room") {
  Residency residency({.budget = 2048});
  const ItemId a = residency.add(buffer(1024), false), b = residency.add(buffer(1024), true);
  launch(residency, {{a, Access::write}});
  launch(residency, {{b, Access::read}});
  const ItemId c = residency.add(buffer(1024), false);
  CHECK(launch(residency, {{c, Access::write}}) == "download 0 r0, release 0 r0, reuse 2 r0");
  const ItemId d = residency.add(buffer(512), false);
  CHECK(launch(residency, {{d, Access::write}}) == "release 1 r1, free r1, allocate 3 r2");  // b has a host copy
  CHECK(launch(residency, {{a, Access::read}}) == "download 2 r0, release 2 r0, reuse 0 r0, upload 0 r0");
  CHECK(residency.counters().evictions == 3);
  CHECK(residency.counters().peak_bytes <= 2048);
}

TEST_CASE("What is needed at once and passes the budget is refused, and nothing changes") {
  Residency residency({.budget = 4096});
  const ItemId large = residency.add(buffer(5000), true);
  CHECK(residency.prepare({{large, Access::read}}).failure().message ==
        "a matrix takes 5120 bytes on the device, and --device-memory allows 4096");
  const ItemId a = residency.add(buffer(2048), true), b = residency.add(buffer(2560), true);
  CHECK(residency.prepare({{a, Access::read}, {b, Access::read}}).failure().message ==
        "4608 bytes are needed on the device at once, and --device-memory allows 4096");
  launch(residency, {{a, Access::read}});
  residency.pin(a);
  CHECK(residency.prepare({{b, Access::read}}).failure().message ==
        "4608 bytes (2048 of them for a whole loop) are needed on the device at once, and --device-memory allows 4096");
  CHECK(launch(residency, {{a, Access::read}, {a, Access::update}}).empty());
  residency.unpin(a);
  CHECK(launch(residency, {{b, Access::read}}) == "download 1 r0, release 1 r0, free r0, allocate 2 r1, upload 2 r1");
}

TEST_CASE("A device without memory gets room from the pool first, then from values") {
  Residency residency;
  const ItemId a = residency.add(buffer(1024), true), b = residency.add(buffer(1024), true);
  launch(residency, {{a, Access::update}, {b, Access::read}});
  launch(residency, {{residency.add(buffer(256), false), Access::write}});
  residency.drop(b);
  CHECK(text(residency.make_room(1000).value()) == "free r1");
  CHECK(text(residency.make_room(1000).value()) == "download 0 r0, release 0 r0, free r0");
  residency.trim();
  REQUIRE(residency.make_room(1).ok());
  CHECK(residency.make_room(100).failure().message == "the device has no memory for 100 bytes more; 0 are in use");
}

TEST_CASE("Every unpinned value leaves after each use where that is asked for") {
  Residency residency({.evict_all = true});
  const ItemId a = residency.add(buffer(8), true), b = residency.add(buffer(8), false);
  residency.pin(b);
  CHECK(launch(residency, {{a, Access::read}, {b, Access::write}}) ==
        "allocate 0 r0, upload 0 r0, allocate 1 r1 | release 0 r0");
  residency.unpin(b);
  CHECK(launch(residency, {{b, Access::read}}) == " | download 1 r1, release 1 r1");
}

TEST_CASE("Random programs see their own values whatever the budget") {
  for (const Options options : {Options{}, Options{.budget = 6000}, Options{.budget = 6000, .evict_all = true}}) {
    std::mt19937 random(7);
    Residency residency(options);
    Machine machine;
    std::map<ItemId, int> expected;
    const auto pick = [&] { return std::next(expected.begin(), random() % expected.size())->first; };
    for (int step = 1; step < 4000; ++step) {
      if (expected.size() < 4 || (random() % 4 == 0 && expected.size() < 12)) {
        const ItemId id = residency.add(buffer(1 + random() % 1500), true);
        REQUIRE(expected.emplace(id, step).second);
        machine.host[id] = step;
      }
      const ItemId read = pick(), written = pick();
      const Access access = random() % 2 == 0 ? Access::write : Access::update;
      std::vector<Use> uses = {{read, Access::read}};
      if (written != read) uses.push_back({written, access});
      auto actions = residency.prepare(uses);
      REQUIRE(actions.ok());
      machine.run(actions.value());
      REQUIRE(machine.device.at(residency.resource(read)) == expected.at(read));
      if (written != read) {
        int& value = machine.device.at(residency.resource(written));
        if (access == Access::update) REQUIRE(value == expected.at(written));
        value = expected[written] = 100000 + step;
      }
      machine.run(residency.finish(uses));
      if (random() % 3 == 0) {
        const ItemId id = pick();
        machine.run(residency.use_on_host(id));
        REQUIRE(machine.host.at(id) == expected.at(id));
      }
      if (random() % 5 == 0) {
        const ItemId id = pick();
        machine.run(residency.drop(id));
        expected.erase(id);
      }
      REQUIRE(machine.bytes == residency.counters().bytes);
      REQUIRE((options.budget == 0 || machine.bytes <= options.budget));
    }
    CHECK((residency.counters().evictions > 0) == (options.budget > 0));
  }
}
