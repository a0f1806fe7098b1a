// bench_cg_worker lac|eigen|triad SIDE ITERATIONS: a worker of bench/peers.py, which says what goes through the pipes.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "bench/lac_cg.h"
#include "bench/medians.h"
#include "bench/poisson.h"
#include "bench/triad.h"

namespace {

/// What answers to "run" with its seconds and to "solution" with the column that the last run found.
struct Worker {
  std::string about;
  std::function<double()> run;
  std::function<const float*()> solution;
};

Worker lac_worker(int side, const Eigen::VectorXf& right_side, int iterations) {
  auto cg = std::make_shared<lac::bench::LacCg>(side, right_side, iterations);
  return {"spdiags and kron", [cg] { return cg->run(); }, [cg] { return cg->solution().values<float>(); }};
}

Worker eigen_worker(int side, const Eigen::VectorXf& right_side, int iterations) {
  struct State {
    lac::bench::Matrix matrix;
    lac::bench::EigenCg cg;
    Eigen::VectorXf solution;
    State(int side, int iterations) : matrix(lac::bench::poisson(side)), cg(matrix, iterations) {}
  };
  auto state = std::make_shared<State>(side, iterations);
  const auto solve = [state, &right_side] { state->solution = state->cg.solve(right_side); };
  return {"CSR, Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
              std::to_string(EIGEN_MINOR_VERSION),
          [solve] { return lac::bench::timed(solve); }, [state] { return state->solution.data(); }};
}

Worker triad_worker(const Eigen::VectorXf& right_side, int iterations) {
  auto triad = std::make_shared<lac::bench::Triad>(static_cast<std::size_t>(right_side.size()));
  return {"C++, large pages", [=] { return lac::bench::timed([&] { triad->run(iterations); }); }, {}};
}

std::optional<Worker> worker(const std::string& name, int side, const Eigen::VectorXf& right_side, int iterations) {
  if (name == "lac") return lac_worker(side, right_side, iterations);
  if (name == "eigen") return eigen_worker(side, right_side, iterations);
  if (name == "triad") return triad_worker(right_side, iterations);
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int side = std::atoi(argv[2]), iterations = std::atoi(argv[3]);
  Eigen::VectorXf right_side(Eigen::Index{side} * side);
  const auto bytes = static_cast<std::streamsize>(right_side.size() * sizeof(float));
  if (!std::cin.read(reinterpret_cast<char*>(right_side.data()), bytes)) return 2;

  const std::optional<Worker> it = worker(argv[1], side, right_side, iterations);
  if (!it) return 2;
  it->run();
  std::cout << "ready " << it->about << std::endl;
  for (std::string request; std::getline(std::cin, request);) {
    if (request == "run") std::cout << it->run() << std::endl;
    else std::cout.write(reinterpret_cast<const char*>(it->solution()), bytes).flush();
  }
  return 0;
}
