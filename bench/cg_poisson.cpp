// bench_cg [SIDE [ITERATIONS [ROUNDS]]]: milliseconds per CG iteration on the SIDE x SIDE 5-point Poisson matrix, in
// single precision, on one thread; medians over interleaved rounds, and ratios to Eigen in the same round. Binding the
// matrix (Eigen's compute, lac's storage detection and claim checks) is not counted on either side.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/lac_cg.h"
#include "bench/medians.h"
#include "bench/poisson.h"

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
  lac::bench::interleave(contenders, rounds);
  report(contenders, iterations);
  std::printf("largest difference to Eigen's x: diagonal %.2e, CSR %.2e, made %.2e\n",
              lac::bench::difference(diagonal.solution(), solution), lac::bench::difference(csr.solution(), solution),
              lac::bench::difference(stencil.solution(), solution));
  return 0;
}
