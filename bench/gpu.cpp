// Kernels on a Vulkan device as a share of what a plain copy on it reaches, measured in the same run.
//
// usage: bench_gpu [LOG2 [ITERATIONS [DEVICE]]]     2^LOG2 unknowns (24), single precision
//
// Times are the device's own (timestamps around every dispatch), summed over the kernels of a loop of ITERATIONS trips;
// bytes are what the kernels must move: every distinct element once per launch.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/device_copy.h"
#include "lac/lac.hpp"

namespace {

using namespace lac;

struct Workload {
  std::string name;
  double goal;  ///< share of the copy; 0: none
  const char* text;
};

const Workload workloads[] = {
    {"map", 0.85, R"(
param x(n, 1)
param iterations
y = x;
for k = 1:iterations
  y = 0.5*y + x;
end
output y
)"},
    {"reduce", 0.85, R"(
param x(n, 1)
param iterations
y = 0;
for k = 1:iterations
  y = 0.5*y + sum(abs(x - y))/numel(x);
end
output y
)"},
    {"A*x", 0.8, R"(
param M(m, m)
param iterations
y = ones(m, 1);
for k = 1:iterations
  y = M*y;
end
output y
)"},
    {"A'*x", 0.8, R"(
param M(m, m)
param iterations
y = ones(m, 1);
for k = 1:iterations
  y = M'*y;
end
output y
)"},
    {"SpMV, diagonals", 0.8, R"(
param A(n, n) sparse
param x(n, 1)
param iterations
y = x;
for k = 1:iterations
  y = A*y;
end
output y
)"},
    {"CG iteration", 0.8, R"(
param A(n, n) sparse spd
param x(n, 1)
param iterations
y = zeros(numel(x), 1);
r = x;
p = r;
rho = r'*r;
for k = 1:iterations
  q = A*p;
  alpha = rho/(p'*q);
  y += alpha*p;
  r -= alpha*q;
  rho1 = r'*r;
  p = r + (rho1/rho)*p;
  rho = rho1;
end
output y
)"},
    {"A*B", 0, R"(
param M(m, m)
param iterations
y = M;
for k = 1:iterations
  y = M*y;
end
output y
)"},
};

/// The five-point matrix on a side x side grid, divided by 8 so that powers of it stay bounded.
struct Poisson {
  explicit Poisson(std::int64_t side) : order(side * side) {
    row_pointers.push_back(0);
    for (std::int64_t row = 0; row < order; ++row) {
      const std::int64_t x = row % side, y = row / side;
      if (y > 0) add(row - side, -0.125F);
      if (x > 0) add(row - 1, -0.125F);
      add(row, 0.5F);
      if (x + 1 < side) add(row + 1, -0.125F);
      if (y + 1 < side) add(row + side, -0.125F);
      row_pointers.push_back(static_cast<std::int32_t>(columns.size()));
    }
  }
  void add(std::int64_t column, float value) {
    columns.push_back(static_cast<std::int32_t>(column));
    values.push_back(value);
  }

  std::int64_t order;
  std::vector<std::int32_t> row_pointers, columns;
  std::vector<float> values;
};

/// Everything that workloads bind, at `order` = side^2 unknowns.
class Data {
 public:
  Data(std::int64_t side, int iterations)
      : side_(side),
        iterations_(iterations),
        poisson_(side),
        vector_(static_cast<std::size_t>(poisson_.order), 1.0F),
        matrix_(static_cast<std::size_t>(poisson_.order), 1.0F / static_cast<float>(side)) {}

  int iterations() const { return iterations_; }
  /// What the program has parameters for.
  api::Arguments arguments(const api::Program& program) const {
    api::Arguments result;
    for (const api::Parameter& parameter : program.parameters()) {
      if (parameter.name == "iterations") result.scalar("iterations", iterations_);
      if (parameter.name == "x") result.matrix("x", vector_.data(), poisson_.order, 1);
      if (parameter.name == "M") result.matrix("M", matrix_.data(), side_, side_);
      if (parameter.name == "A")
        result.csr("A", poisson_.order, poisson_.order, static_cast<std::int64_t>(poisson_.values.size()),
                   poisson_.row_pointers.data(), poisson_.columns.data(), poisson_.values.data());
    }
    return result;
  }

 private:
  std::int64_t side_;
  int iterations_;
  Poisson poisson_;
  std::vector<float> vector_, matrix_;
};

struct Measured {
  double ms = 0, bytes = 0, flops = 0;  ///< of the kernels that every trip launches
};

Measured measure(const Workload& workload, const api::Options& options, const Data& data) {
  api::Program program = api::Program::from_text(workload.text, workload.name + ".la", options);
  const api::Arguments arguments = data.arguments(program);
  api::RunOptions run;
  run.statistics = true;
  api::Result result = program.run(arguments, run);  // compiles, fills caches
  if (result.ok()) result = program.run(arguments, run);
  if (!result.ok()) {
    std::fputs(result.message().c_str(), stderr);
    std::exit(1);
  }
  Measured measured;
  for (const api::KernelStatistics& kernel : result.statistics().kernels) {
    if (kernel.launches < data.iterations()) continue;
    measured.ms += kernel.ms;
    measured.bytes += static_cast<double>(kernel.bytes_read + kernel.bytes_written);
    measured.flops += static_cast<double>(kernel.flops);
  }
  return measured;
}

int number(int count, char** arguments, int place, int otherwise) {
  return count > place ? std::atoi(arguments[place]) : otherwise;
}

}  // namespace

int main(int count, char** arguments) {
  const int log2 = number(count, arguments, 1, 24), iterations = number(count, arguments, 2, 50);
  if (log2 < 2 || log2 > 28 || iterations < 1) {
    std::fputs("usage: bench_gpu [LOG2 [ITERATIONS [DEVICE]]]\n", stderr);
    return 2;
  }
  const std::int64_t side = std::int64_t{1} << (log2 / 2), order = side * side;
  api::Options options;
  options.target = api::Target::vulkan;
  options.precision = api::Precision::single;
  options.layout = api::Layout::buffer;
  if (count > 3) options.device = arguments[3];

  const bench::DeviceCopy copy = bench::measure_copy(options.device, order * 4);
  std::printf("device  %s\ncopy    %.1f GB/s of reads and writes, %lld bytes\n\n", copy.device.c_str(),
              copy.gigabytes_per_second, static_cast<long long>(order * 4));

  const Data data(side, iterations);
  std::printf("%-18s %12s %10s %10s %8s %6s\n", "", "us per trip", "GB/s", "GFLOP/s", "share", "goal");
  for (const Workload& workload : workloads) {
    const Measured measured = measure(workload, options, data);
    const double rate = measured.bytes / measured.ms / 1e6;
    std::printf("%-18s %12.1f %10.1f %10.1f %8.2f", workload.name.c_str(), 1e3 * measured.ms / iterations, rate,
                measured.flops / measured.ms / 1e6, rate / copy.gigabytes_per_second);
    if (workload.goal > 0) std::printf(" %6.2f", workload.goal);
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
