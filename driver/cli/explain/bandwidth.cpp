#include "driver/cli/explain/bandwidth.h"

#include <algorithm>

namespace lac::cli {
namespace {

// 128 MB each in double, more than most caches hold. Pages are touched before the loop.
constexpr const char* triad = "n = 2^24;\nb = ones(n, 1);\nc = 2 * b;\nfor k = 1:5\n  c = b + 3 * c;\nend\noutput c\n";
constexpr std::int64_t trips = 5;  // of its loop
constexpr int runs = 3;

double bandwidth_of(const api::Statistics& statistics) {
  double best = 0;
  for (const api::KernelStatistics& kernel : statistics.kernels)
    if (kernel.launches == trips && kernel.ms > 0)
      best = std::max(best, static_cast<double>(kernel.bytes_read + kernel.bytes_written) / kernel.ms * 1e-6);
  return best;
}

}  // namespace

double measured_bandwidth(const CommandLine& line) {
  api::Options options;
  options.target = line.options.target;
  options.precision = line.options.precision;
  options.device = line.options.device;
  options.cpu = line.options.cpu;
  options.cache = line.options.cache;
  options.compile = api::Compile::first;
  options.retime = false;  // trips stay trips
  api::Program program = api::Program::from_text(triad, "triad", options);
  api::RunOptions run;
  run.threads = line.threads;
  run.statistics = true;
  double best = 0;
  for (int n = 0; n < runs; ++n) {
    const api::Result result = program.run({}, run);
    if (!result.ok()) return 0;
    best = std::max(best, bandwidth_of(result.statistics()));
  }
  return best;
}

}  // namespace lac::cli
