// LU of small matrices: lac's SmallLu beside LAPACK's xGETRF (of OpenBLAS, one thread) and Eigen's PartialPivLU of a
// fixed size, in turns. Times are the best of all rounds, in ns a matrix, over 64 matrices one after the other. LAPACK
// factors in place, so a copy of the matrix is its own cost; lac's factors are stored like its. A solve
// is a factorisation and one right-hand side; `checked` is lac's with what tells it that `A \ b` warns of nothing,
// which the others do not ask.
//
// usage: bench_lu [ROUNDS]     15
#include <dlfcn.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "runtime/steps/dense/small_lu.h"

namespace {

constexpr int matrices = 64;

double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void* openblas(const char* name) {
  static void* library = [] {
    void* opened = ::dlopen("libopenblas.so.0", RTLD_NOW);
    if (opened == nullptr) std::exit((std::fprintf(stderr, "%s\n", ::dlerror()), 1));
    reinterpret_cast<void (*)(int)>(::dlsym(opened, "openblas_set_num_threads"))(1);
    return opened;
  }();
  return ::dlsym(library, name);
}

template <class T>
struct Lapack {
  using Factor = void (*)(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info);
  using Solve = void (*)(const int* n, const int* sides, T* a, const int* lda, int* pivots, T* b, const int* ldb,
                         int* info);
  static constexpr bool single = std::is_same_v<T, float>;
  Factor factor = reinterpret_cast<Factor>(openblas(single ? "sgetrf_" : "dgetrf_"));
  Solve solve = reinterpret_cast<Solve>(openblas(single ? "sgesv_" : "dgesv_"));
};

struct Best {
  double lapack = std::numeric_limits<double>::infinity(), eigen = lapack, lac = lapack;
};

template <class F>
void measure(double& best, int repetitions, F&& once) {
  const double start = now();
  for (int k = 0; k < repetitions; ++k) once(k % matrices);
  best = std::min(best, (now() - start) / repetitions);
}

double sink = 0;  // so that nothing is left out

template <class T, int n>
void compare(int rounds) {
  using Fixed = Eigen::Matrix<T, n, n>;
  using Column = Eigen::Matrix<T, n, 1>;
  static const Lapack<T> lapack;
  std::srand(n);
  std::vector<T> a(matrices * n * n), work(n * n), b(n), x(n);
  for (T& element : a) element = static_cast<T>(std::rand()) / static_cast<T>(RAND_MAX) - T(0.5);
  for (T& element : b) element = static_cast<T>(std::rand()) / static_cast<T>(RAND_MAX);
  const auto of = [&](int which) { return a.data() + which * n * n; };
  const auto restore = [&](int which) { std::copy_n(of(which), n * n, work.data()); };
  const int repetitions = std::max(matrices, 400'000 / (n * n * n + 400));
  const int size = n, one = 1;
  int pivots[n], info = 0;
  Best factor, solve, checked;
  lac::runtime::SmallLu<T> lu;
  for (int round = 0; round < rounds; ++round) {
    measure(factor.lapack, repetitions, [&](int which) {
      restore(which);
      lapack.factor(&size, &size, work.data(), &size, pivots, &info);
    });
    measure(factor.eigen, repetitions, [&](int which) {
      const Eigen::PartialPivLU<Fixed> made(Eigen::Map<const Fixed>(of(which)));
      sink += static_cast<double>(made.matrixLU()(n - 1, n - 1));
    });
    measure(factor.lac, repetitions, [&](int which) {
      lu.factor(n, of(which));
      lu.store(work.data());
    });
    measure(solve.lapack, repetitions, [&](int which) {
      restore(which);
      std::copy_n(b.data(), n, x.data());
      lapack.solve(&size, &one, work.data(), &size, pivots, x.data(), &size, &info);
    });
    measure(solve.eigen, repetitions, [&](int which) {
      const Column found =
          Eigen::PartialPivLU<Fixed>(Eigen::Map<const Fixed>(of(which))).solve(Eigen::Map<const Column>(b.data()));
      sink += static_cast<double>(found[0]);
    });
    measure(solve.lac, repetitions, [&](int which) {
      lu.factor(n, of(which));
      lu.solve(1, b.data(), x.data());
      sink += static_cast<double>(x[0]);
    });
    measure(checked.lac, repetitions, [&](int which) {
      lu.factor(n, of(which));
      sink += lu.is_surely_regular(of(which)) ? 1 : 0;
      lu.solve(1, b.data(), x.data());
    });
  }
  std::printf("%2d %9.1f %9.1f %9.1f %6.2f %6.2f    %9.1f %9.1f %9.1f %6.2f %6.2f %9.1f\n", n, factor.lapack,
              factor.eigen, factor.lac, factor.lapack / factor.lac, factor.eigen / factor.lac, solve.lapack,
              solve.eigen, solve.lac, solve.lapack / solve.lac, solve.eigen / solve.lac, checked.lac);
  std::fflush(stdout);
}

template <class T, int... sizes>
void compare_all(int rounds, std::integer_sequence<int, sizes...>) {
  const char prefix = std::is_same_v<T, float> ? 's' : 'd';
  std::printf(
      " n   %cgetrf     Eigen       lac  times as fast       %cgesv     Eigen       lac  times as fast  checked\n",
      prefix, prefix);
  (compare<T, sizes>(rounds), ...);
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 15;
  using Sizes = std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40>;
  compare_all<float>(rounds, Sizes());
  compare_all<double>(rounds, Sizes());
  return sink == 0.1 ? 1 : 0;
}
