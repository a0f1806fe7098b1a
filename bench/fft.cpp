// fft of lac beside the library that it calls (Eigen's, after KISS FFT), called directly on interleaved values, one
// thread, in turns. Times are medians in ms; of lac that of a program's run, which makes its result.
//
// usage: bench_fft [ROUNDS]     15
#define EIGEN_MPL2_ONLY
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "bench/medians.h"
#include "lac/lac.hpp"

namespace {

struct Transform {
  explicit Transform(int n)
      : n(n),
        program(lac::api::Program::from_text("param re(n, 1)\nparam im(n, 1)\nX = fft(complex(re, im));\n"
                                             "a = real(X); b = imag(X);\noutput a b\n",
                                             "fft.la", options())),
        re(n),
        im(n),
        in(n),
        out(n) {
    for (int k = 0; k < n; ++k) in[k] = {re[k] = std::sin(k), im[k] = std::cos(2.0 * k)};
    arguments.matrix("re", re.data(), n, 1).matrix("im", im.data(), n, 1);
    run_options.threads = 1;
  }

  static lac::api::Options options() {
    lac::api::Options options;
    options.precision = lac::api::Precision::real;
    options.compile = lac::api::Compile::first;
    return options;
  }

  double by_lac() {
    const lac::api::Result result = program.run(arguments, run_options);
    if (!result.ok()) {
      std::fputs(result.message().c_str(), stderr);
      std::exit(1);
    }
    const double *a = result.output("a")->values<double>(), *b = result.output("b")->values<double>();
    for (int k = 0; k < n; ++k) worst = std::max(worst, std::abs(out[k] - std::complex<double>(a[k], b[k])));
    return result.statistics().run_ms;
  }

  double by_library() {
    const auto start = std::chrono::steady_clock::now();
    library.fwd(out.data(), in.data(), n);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  int n;
  lac::api::Program program;
  std::vector<double> re, im;
  std::vector<std::complex<double>> in, out;
  Eigen::internal::kissfft_impl<double> library;
  lac::api::Arguments arguments;
  lac::api::RunOptions run_options;
  double worst = 0;
};

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 15;
  std::printf("%9s %11s %9s %9s %12s\n", "length", "library, ms", "lac, ms", "lac/lib.", "difference");
  for (const int n : {1 << 12, 1 << 16, 1 << 18, 1 << 20, 1000000, 1 << 21}) {
    Transform transform(n);
    std::vector<double> library, lac;
    transform.by_library();
    transform.by_lac();
    for (int round = 0; round < rounds; ++round) {
      library.push_back(transform.by_library());
      lac.push_back(transform.by_lac());
    }
    const double direct = lac::bench::median(library), ours = lac::bench::median(lac);
    std::printf("%9d %11.3f %9.3f %9.2f %12.1e\n", n, direct, ours, ours / direct, transform.worst);
  }
}
