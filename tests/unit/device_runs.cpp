#include "tests/unit/device_runs.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iostream>
#include <string_view>

namespace lac::test {

using namespace lac::api;

namespace {

bool same_bits(const Matrix& a, const Matrix& b) {
  const std::size_t bytes = a.element() == Element::single ? 4 : a.element() == Element::logical ? 1 : 8;
  return a.element() == b.element() && a.rows() == b.rows() && a.cols() == b.cols() && a.stored() == b.stored() &&
         std::memcmp(a.data(), b.data(), bytes * static_cast<std::size_t>(a.stored())) == 0;
}

}  // namespace

std::int64_t Run::looks_by_time() const { return 2 * static_cast<std::int64_t>(std::ceil(seconds)); }

bool has_device() {
  for (const Device& device : devices().list)
    if (device.usable && device.real) return true;
  std::cout << "skipped: no Vulkan device with double precision\n";
  return false;
}

Run run_with(const std::string& text, bool device_loops, Precision precision, std::int64_t device_memory) {
  Options options;
  options.target = Target::vulkan;
  options.precision = precision;
  options.device_loops = device_loops;
  options.native_loops = false;
  options.device_memory = device_memory;
  options.include_directories = {LAC_SOURCE_DIR "/solvers"};
  Program program = Program::from_text(text, "loop.la", options);
  INFO(program.message());
  REQUIRE(program.ok());
  Run outcome;
  RunOptions run;
  run.out = [&](std::string_view shown) { outcome.text += shown; };
  const auto start = std::chrono::steady_clock::now();
  outcome.result = program.run({}, run);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const Diagnostic& diagnostic : outcome.result.diagnostics()) outcome.text += diagnostic.rendered;
  return outcome;
}

std::int64_t trips(const Result& result) {
  std::int64_t trips = 0;
  for (const LoopStatistics& loop : result.statistics().loops) trips += loop.trips;
  return trips;
}

std::int64_t launches(const Result& result) {
  std::int64_t launches = 0;
  for (const KernelStatistics& kernel : result.statistics().kernels)
    if (kernel.kind == "main") launches += kernel.launches;
  return launches;
}

void compare(const Run& device, const Run& host) {
  CHECK(device.text == host.text);
  CHECK(device.result.outcome() == host.result.outcome());
  REQUIRE(device.result.outputs().size() == host.result.outputs().size());
  for (std::size_t n = 0; n < host.result.outputs().size(); ++n) {
    const Matrix& output = host.result.outputs()[n];
    INFO(output.name() << " by the host\n" << output.display() << device.result.outputs()[n].display());
    CHECK(same_bits(device.result.outputs()[n], output));
  }
}

Run check_run(const std::string& text) {
  Run last;
  for (Precision precision : {Precision::single, Precision::real}) {
    const Run device = run_with(text, true, precision), host = run_with(text, false, precision);
    INFO(text << "\n" << device.text);
    compare(device, host);
    CHECK(trips(device.result) == trips(host.result));
    CHECK(host.result.statistics().transfers.polls == 0);
    last = device;
  }
  CHECK(last.result.statistics().transfers.polls > 0);
  return last;
}

Result check(const std::string& text) { return check_run(text).result; }

}  // namespace lac::test
