// Conjugate gradients by lac, on matrices that it borrows: the contender of bench_cg.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/cg_text.h"
#include "bench/poisson.h"
#include "lac/lac.hpp"

namespace lac::bench {

/// Exactly `iterations` CG iterations from x = 0 in single precision, on one thread.
class LacCg {
 public:
  LacCg(const Matrix& matrix, const Eigen::VectorXf& right_side, int iterations, bool diagonal_storage)
      : LacCg(given, right_side, iterations, options(diagonal_storage)) {
    arguments_.csr("A", matrix.rows(), matrix.cols(), matrix.nonZeros(), matrix.outerIndexPtr(), matrix.innerIndexPtr(),
                   matrix.valuePtr());
  }
  /// On the matrix of the five-point formula, which the program makes of its diagonals.
  LacCg(int points, const Eigen::VectorXf& right_side, int iterations)
      : LacCg(std::string(side) + poisson_matrix, right_side, iterations, options(true)) {
    arguments_.scalar("m", points);
  }

  /// The seconds of the run itself.
  double run() {
    result_ = program_.run(arguments_, run_options_);
    if (!result_.ok()) {
      std::fputs(result_.message().c_str(), stderr);
      std::exit(1);
    }
    return result_.statistics().run_ms / 1e3;
  }
  const api::Matrix& solution() const { return *result_.output("x"); }

 private:
  LacCg(const std::string& matrix, const Eigen::VectorXf& right_side, int iterations, const api::Options& options)
      : program_(api::Program::from_text(matrix + "param iterations = 40\n" + cg_iteration, "cg.la", options)) {
    arguments_.matrix("b", right_side.data(), right_side.size(), 1).scalar("iterations", iterations);
    run_options_.threads = 1;
  }

  static constexpr const char* given = R"(
param A(n, n) sparse spd
param b(n, 1)
)";
  static constexpr const char* side = R"(
param m
param b(m*m, 1)
)";
  static api::Options options(bool diagonal_storage) {
    api::Options options;
    options.precision = api::Precision::single;
    options.detect_storage = diagonal_storage;
    options.compile = api::Compile::first;  // no run changes over to compiled code
    return options;
  }

  api::Program program_;
  api::Arguments arguments_;
  api::RunOptions run_options_;
  api::Result result_;
};

/// The largest absolute difference between two solutions.
inline double difference(const api::Matrix& a, const Eigen::VectorXf& b) {
  return (Eigen::Map<const Eigen::VectorXf>(a.values<float>(), b.size()) - b).lpNorm<Eigen::Infinity>();
}

}  // namespace lac::bench
