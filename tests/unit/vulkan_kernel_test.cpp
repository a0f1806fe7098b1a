// What a launch hands to its shaders, as far as no device is needed: workgroups, elements, slots. Kernels on a device:
// glsl_kernel_test.cpp and its sisters.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "runtime/vulkan/memory/elements.h"
#include "runtime/vulkan/stream/launch.h"

using namespace lac;
using namespace lac::runtime;
using namespace lac::runtime::vulkan;

TEST_CASE("workgroups cover the elements, within what the kernel states") {
  const SizeOf size_of = [](const Size& size) { return size.constant(); };
  const auto along = [&](const GroupCount& count) {
    ShaderStage stage;
    stage.groups[0] = count;
    return group_counts(stage, size_of)[0];
  };
  CHECK(along({1000, 256, 0, 0}) == 4);
  CHECK(along({1024, 256, 0, 0}) == 4);
  CHECK(along({1025, 256, 0, 0}) == 5);
  CHECK(along({0, 256, 0, 0}) == 0);
  CHECK(along({0, 256, 1, 0}) == 1);
  CHECK(along({1 << 24, 256, 1, 64}) == 64);
  CHECK(along({1, 1, 0, 0}) == 1);
}

TEST_CASE("elements travel as the device has them and come back the same") {
  const std::vector<double> values = {0, 1, 1, 0, 1};
  for (Element element : {Element::logical, Element::integer, Element::single, Element::real}) {
    const Tensor tensor = Tensor::dense(element, 5, 1, values);
    std::vector<std::byte> converted;
    const auto bytes = to_device(tensor, converted);
    CHECK(bytes.size() == 5 * static_cast<std::size_t>(device_bytes(element)));
    Tensor back = Tensor::dense(element, 5, 1);
    from_device(bytes, back);
    for (std::int64_t k = 0; k < 5; ++k) CHECK(back.stored_value(k) == values[static_cast<std::size_t>(k)]);
  }
}

TEST_CASE("a slot holds every scalar") {
  CHECK(from_slot(to_slot(3, Element::logical), Element::logical) == 1);
  CHECK(from_slot(to_slot(-0.5, Element::single), Element::single) == -0.5);
  CHECK(from_slot(to_slot(0.1, Element::real), Element::real) == 0.1);
  CHECK(from_slot(to_slot(9007199254740993.0, Element::integer), Element::integer) == 9007199254740992.0);
  CHECK(std::isnan(from_slot(to_slot(std::nan(""), Element::real), Element::real)));
  CHECK(std::signbit(from_slot(to_slot(-0.0, Element::single), Element::single)));
  CHECK(from_slot(to_slot(std::numeric_limits<double>::infinity(), Element::single), Element::single) ==
        std::numeric_limits<double>::infinity());
}
