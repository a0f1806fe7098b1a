// bench_cg [SIDE [ITERATIONS [ROUNDS]]]: milliseconds per CG iteration on the SIDE x SIDE 5-point Poisson matrix, in
// single precision, on one thread; medians over interleaved rounds, and ratios to Eigen in the same round.
#include <cstdio>
#include <cstdlib>
#include <vector>

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

  std::vector<lac::bench::Contender> contenders;
  contenders.push_back({"Eigen ConjugateGradient", [&] { solution = eigen.solve(right_side); }});
  lac::bench::interleave(contenders, rounds);
  report(contenders, iterations);
  return 0;
}
