// bench_cg [SIDE [ITERATIONS [ROUNDS]]]: milliseconds per CG iteration on the SIDE x SIDE 5-point Poisson matrix, in
// single precision, on one thread; medians over interleaved rounds, and ratios to Eigen in the same round. Binding the
// matrix (Eigen's compute, lac's storage detection and claim checks) is not counted on either side. Beside them the
// bandwidth of this machine, and what the form without a matrix has of it. Then the same on a matrix of a mesh.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/lac_cg.h"
#include "bench/medians.h"
#include "bench/mesh.h"
#include "bench/poisson.h"
#include "bench/triad.h"

namespace {

int argument(int argc, char** argv, int index, int otherwise) {
  const int value = index < argc ? std::atoi(argv[index]) : otherwise;
  return value > 0 ? value : otherwise;
}

void report(const std::vector<lac::bench::Contender>& contenders, int iterations) {
  std::printf("%-24s %12s %10s\n", "", "ms/iteration", "ratio");
  for (const lac::bench::Contender& contender : contenders) {
    std::printf("%-24s %12.3f %10.3f\n", contender.name.c_str(),
                1e3 * lac::bench::median(contender.seconds) / iterations,
                lac::bench::median_ratio(contender, contenders.front()));
  }
}

/// What `words` an element in the contender's time come to.
double gigabytes_per_second(const lac::bench::Contender& contender, int iterations, int words, double elements) {
  return words * sizeof(float) * elements * iterations / lac::bench::median(contender.seconds) * 1e-9;
}

/// Rows of many lengths, compressed.
void compare_on_mesh(int side, int iterations, int rounds) {
  const lac::bench::Matrix matrix = lac::bench::mesh(side);
  const Eigen::VectorXf right_side = matrix * Eigen::VectorXf::Ones(matrix.rows());
  lac::bench::EigenCg eigen(matrix, iterations);
  Eigen::VectorXf solution;
  lac::bench::LacCg csr(matrix, right_side, iterations, true);
  std::vector<lac::bench::Contender> contenders;
  contenders.push_back({"Eigen, mesh", [&] { return lac::bench::timed([&] { solution = eigen.solve(right_side); }); }});
  contenders.push_back({"lac, mesh", [&] { return csr.run(); }});
  lac::bench::interleave(contenders, rounds);
  report(contenders, iterations);
  std::printf("%.2f entries a row; largest difference to Eigen's x: %.2e\n",
              static_cast<double>(matrix.nonZeros()) / static_cast<double>(matrix.rows()),
              lac::bench::difference(csr.solution(), solution));
}

}  // namespace

int main(int argc, char** argv) {
  const int side = argument(argc, argv, 1, 1024);
  const int iterations = argument(argc, argv, 2, 40);
  const int rounds = argument(argc, argv, 3, 9);

  const lac::bench::Matrix matrix = lac::bench::poisson(side);
  const Eigen::VectorXf right_side = matrix * Eigen::VectorXf::Ones(matrix.rows());
  lac::bench::EigenCg eigen(matrix, iterations);
  Eigen::VectorXf solution;

  lac::bench::LacCg diagonal(matrix, right_side, iterations, true), csr(matrix, right_side, iterations, false),
      stencil(side, right_side, iterations);

  std::vector<lac::bench::Contender> contenders;
  contenders.push_back(
      {"Eigen ConjugateGradient", [&] { return lac::bench::timed([&] { solution = eigen.solve(right_side); }); }});
  contenders.push_back({"lac, diagonal storage", [&] { return diagonal.run(); }});
  contenders.push_back({"lac, CSR", [&] { return csr.run(); }});
  contenders.push_back({"lac, spdiags and kron", [&] { return stencil.run(); }});
  lac::bench::Triad triad(static_cast<std::size_t>(matrix.rows()));
  contenders.push_back({"a = b + s*c", [&] { return lac::bench::timed([&] { triad.run(iterations); }); }});
  lac::bench::interleave(contenders, rounds);
  report(contenders, iterations);
  constexpr int words_of_stencil_cg = 8;  // tests/kernels_test.py counts them
  const auto elements = static_cast<double>(matrix.rows());
  const double moved = gigabytes_per_second(contenders[3], iterations, words_of_stencil_cg, elements);
  const double most = gigabytes_per_second(contenders[4], iterations, lac::bench::Triad::words, elements);
  std::printf("bandwidth: spdiags and kron %.1f GB/s, a = b + s*c %.1f GB/s: %.2f\n", moved, most, moved / most);
  std::printf("largest difference to Eigen's x: diagonal %.2e, CSR %.2e, made %.2e\n",
              lac::bench::difference(diagonal.solution(), solution), lac::bench::difference(csr.solution(), solution),
              lac::bench::difference(stencil.solution(), solution));
  compare_on_mesh(side, iterations, rounds);
  return 0;
}
