#include "bench/device_copy.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/medians.h"
#include "runtime/vulkan/device.h"
#include "runtime/vulkan/stream.h"

namespace lac::bench {

DeviceCopy measure_copy(const std::string& choice, std::int64_t bytes) {
  constexpr int rounds = 9, copies = 20;
  runtime::vulkan::DeviceOptions options;
  options.choice = choice;
  const auto opened = runtime::vulkan::open_device(options);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.failure().message.c_str());
    std::exit(1);
  }
  runtime::vulkan::Device& device = *opened.value();
  const auto size = static_cast<std::uint64_t>(bytes);
  const runtime::vulkan::BufferRange from{device.make_buffer(size), 0, size}, to{device.make_buffer(size), 0, size};
  runtime::vulkan::Stream stream(device);
  stream.fill(from, 0);
  std::vector<double> seconds;
  for (int round = -1; round < rounds; ++round) {
    const double taken = timed([&] {
      for (int n = 0; n < copies; ++n) stream.copy(from, to);
      stream.finish();
    });
    if (round >= 0) seconds.push_back(taken / copies);
  }
  return {device.info().name, 2 * static_cast<double>(bytes) / median(seconds) / 1e9};
}

}  // namespace lac::bench
