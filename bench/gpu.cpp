// Kernels on a Vulkan device as a share of what a plain copy on it reaches, measured in the same run.
//
// usage: bench_gpu [LOG2 [ITERATIONS [DEVICE [NAME]]]]     2^LOG2 unknowns (24), single precision; DEVICE "" is the
// usual one, NAME a part of the names of the workloads that are wanted
//
// Times are the device's own (timestamps around every dispatch), summed over the kernels of a loop of ITERATIONS trips,
// and below that of each kernel; bytes are what the kernels must move: every distinct element once per launch.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "bench/cg_text.h"
#include "bench/device_copy.h"
#include "lac/lac.hpp"

namespace {

using namespace lac;

struct Workload {
  std::string name;
  double goal;  ///< share of the copy; 0: none
  std::string text;
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
    {"V'*w; w - V*c", 0.8, R"(
param V(t, 32)
param iterations
w = ones(t, 1);
for k = 1:iterations
  c = V'*w;
  w = w - V*c;
end
output w
)"},
    {"SpMV, CSR", 0.8, R"(
param S(n, n) sparse
param x(n, 1)
param iterations
y = x;
for k = 1:iterations
  y = S*y;
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
    {"CG iteration", 0.8, std::string(R"(
param A(n, n) sparse spd
param b(n, 1)
param iterations
)") + bench::cg_iteration},
    {"CG, matrix by kron", 0.8, std::string(R"(
param m
param b(m*m, 1)
param iterations
)") + bench::poisson_matrix + bench::cg_iteration},
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

struct Csr {
  std::vector<std::int32_t> row_pointers{0}, columns;
  std::vector<float> values;

  void add(std::int64_t column, float value) {
    columns.push_back(static_cast<std::int32_t>(column));
    values.push_back(value);
  }
  void end_row() { row_pointers.push_back(static_cast<std::int32_t>(columns.size())); }
};

/// The five-point matrix on a side x side grid, divided by 8 so that powers of it stay bounded.
Csr poisson(std::int64_t side) {
  Csr matrix;
  const std::int64_t order = side * side;
  for (std::int64_t row = 0; row < order; ++row) {
    const std::int64_t x = row % side, y = row / side;
    if (y > 0) matrix.add(row - side, -0.125F);
    if (x > 0) matrix.add(row - 1, -0.125F);
    matrix.add(row, 0.5F);
    if (x + 1 < side) matrix.add(row + 1, -0.125F);
    if (y + 1 < side) matrix.add(row + side, -0.125F);
    matrix.end_row();
  }
  return matrix;
}

/// Rows of 1 to 15 entries, 8 on average, at uneven places within 8 * 512 columns around the diagonal, as a mesh has
/// them once its points are numbered well; rows sum to at most 1.
Csr scattered(std::int64_t order) {
  Csr matrix;
  std::uint32_t state = 1;
  const auto drawn = [&state] { return (state = state * 1664525U + 1013904223U) >> 8; };
  for (std::int64_t row = 0; row < order; ++row) {
    const std::int64_t entries = 1 + drawn() % 15, step = 8 * 512 / entries;
    for (std::int64_t k = 0; k < entries; ++k) {
      const std::int64_t column = row - 4 * 512 + k * step + drawn() % step;
      if (column >= 0 && column < order) matrix.add(column, 1.0F / static_cast<float>(entries));
    }
    matrix.end_row();
  }
  return matrix;
}

/// Everything that workloads bind, at `order` = side^2 unknowns.
class Data {
 public:
  Data(std::int64_t side, int iterations)
      : side_(side),
        order_(side * side),
        iterations_(iterations),
        vector_(static_cast<std::size_t>(order_), 1.0F),
        matrix_(static_cast<std::size_t>(order_), 1.0F / static_cast<float>(side)),
        tall_(static_cast<std::size_t>(order_), 1.0F / static_cast<float>(order_)) {}

  int iterations() const { return iterations_; }
  /// What the program has parameters for.
  api::Arguments arguments(const api::Program& program, int iterations) const {
    api::Arguments result;
    for (const api::Parameter& parameter : program.parameters()) {
      const std::string& name = parameter.name;
      if (name == "iterations") result.scalar(name, iterations);
      if (name == "m") result.scalar(name, static_cast<double>(side_));
      if (name == "x" || name == "b") result.matrix(name, vector_.data(), order_, 1);
      if (name == "M") result.matrix(name, matrix_.data(), side_, side_);
      if (name == "V") result.matrix(name, tall_.data(), order_ / 32, 32);
      if (name == "A") bind(result, name, made(poisson_, [&] { return poisson(side_); }));
      if (name == "S") bind(result, name, made(scattered_, [&] { return scattered(order_); }));
    }
    return result;
  }

 private:
  /// Large: made when the first workload wants it.
  template <class Make>
  static const Csr& made(std::optional<Csr>& matrix, const Make& make) {
    if (!matrix) matrix = make();
    return *matrix;
  }

  void bind(api::Arguments& arguments, const std::string& name, const Csr& matrix) const {
    arguments.csr(name, order_, order_, static_cast<std::int64_t>(matrix.values.size()), matrix.row_pointers.data(),
                  matrix.columns.data(), matrix.values.data());
  }

  std::int64_t side_, order_;
  int iterations_;
  mutable std::optional<Csr> poisson_, scattered_;
  std::vector<float> vector_, matrix_, tall_;
};

struct Measured {
  double ms = 0, bytes = 0, flops = 0;              ///< of the kernels that every trip launches
  std::vector<api::KernelStatistics> kernels = {};  ///< those
};

api::Result checked(api::Result result) {
  if (result.ok()) return result;
  std::fputs(result.message().c_str(), stderr);
  std::exit(1);
}

Measured measure(const Workload& workload, const api::Options& options, const Data& data) {
  api::Program program = api::Program::from_text(workload.text, workload.name + ".la", options);
  const api::Arguments arguments = data.arguments(program, data.iterations());
  api::RunOptions run;
  run.statistics = true;
  checked(program.run(arguments, run));  // compiles, fills caches
  const api::Result result = checked(program.run(arguments, run));
  Measured measured;
  for (const api::KernelStatistics& kernel : result.statistics().kernels) {
    if (kernel.launches < data.iterations()) continue;
    measured.kernels.push_back(kernel);
    measured.ms += kernel.ms;
    measured.bytes += static_cast<double>(kernel.bytes_read + kernel.bytes_written);
    measured.flops += static_cast<double>(kernel.flops);
  }
  return measured;
}

void print(const std::string& name, double us, double bytes, double flops, double copy, double goal) {
  std::printf("%-22s %11.1f", name.c_str(), us);
  std::printf(" %9.1f %10.1f %7.2f", bytes / us / 1e3, flops / us / 1e3, bytes / us / 1e3 / copy);
  if (goal > 0) std::printf(" %5.2f", goal);
  std::printf("\n");
}

int number(int count, char** arguments, int place, int otherwise) {
  return count > place ? std::atoi(arguments[place]) : otherwise;
}

}  // namespace

int main(int count, char** arguments) {
  const int log2 = number(count, arguments, 1, 24), iterations = number(count, arguments, 2, 50);
  if (log2 < 5 || log2 > 28 || iterations < 1) {
    std::fputs("usage: bench_gpu [LOG2 [ITERATIONS [DEVICE [NAME]]]]\n", stderr);
    return 2;
  }
  const std::int64_t side = std::int64_t{1} << (log2 / 2), order = side * side;
  api::Options options;
  options.target = api::Target::vulkan;
  options.precision = api::Precision::single;
  options.layout = api::Layout::buffer;
  if (count > 3) options.device = arguments[3];
  const std::string wanted = count > 4 ? arguments[4] : "";

  const bench::DeviceCopy copied = bench::measure_copy(options.device, order * 4);
  const double copy = std::max(copied.by_transfer, copied.by_shader);
  std::printf("device  %s\ncopy    %.1f GB/s of reads and writes by a shader, %.1f by vkCmdCopyBuffer, %lld bytes\n\n",
              copied.device.c_str(), copied.by_shader, copied.by_transfer, static_cast<long long>(order * 4));

  const Data data(side, iterations);
  std::printf("%-22s %11s %9s %10s %7s %5s\n", "", "us per trip", "GB/s", "GFLOP/s", "share", "goal");
  for (const Workload& workload : workloads) {
    if (workload.name.find(wanted) == std::string::npos) continue;
    const Measured measured = measure(workload, options, data);
    print(workload.name, 1e3 * measured.ms / iterations, measured.bytes / iterations, measured.flops / iterations, copy,
          workload.goal);
    if (measured.kernels.size() > 1)
      for (const api::KernelStatistics& kernel : measured.kernels)
        print("  " + kernel.name + " " + kernel.kind, 1e3 * kernel.ms / iterations,
              static_cast<double>(kernel.bytes_read + kernel.bytes_written) / iterations,
              static_cast<double>(kernel.flops) / iterations, copy, 0);
    std::fflush(stdout);
  }
  return 0;
}
