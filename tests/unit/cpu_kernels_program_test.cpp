// Plans with kernels: a conjugate gradient iteration as the passes leave it, on every storage, precision and thread
// count.
#include <catch2/catch.hpp>
#include <cstring>

#include "codegen/llvm/machine/object.h"
#include "driver/native/native_code.h"
#include "ir/graph/parse_text.h"
#include "ir/plan/manifest.h"
#include "runtime/cpu/executor.h"
#include "runtime/interp/interpreter.h"
#include "runtime/tensor/convert.h"
#include "tests/unit/plans.h"

using namespace lac;
using runtime::RunOptions;
using runtime::RunResult;
using runtime::Tensor;

namespace {

// p, r, x and rho carried; three kernels: q = A p and p'q; x, r and r'r; p.
std::string cg(const std::string& element, const std::string& matrix, const std::string& contraction) {
  std::string text = R"ir(graph "cg" ELEMENT
symbol n rows 0 lower 2
parameter A: ELEMENT[n x n] MATRIX
parameter b: ELEMENT[n x 1]
parameter trips: int
%0 A: ELEMENT[n x n] MATRIX = parameter A
%1 b: ELEMENT[n x 1] = parameter b
%2 trips: int = parameter trips
%3: logical = constant 1
%4 rho: ELEMENT = launch k3 %1
%5 r: ELEMENT[n x 1] = copy %1
%6 p: ELEMENT[n x 1] = copy %1
%7 x: ELEMENT[n x 1] = launch k4
%8 made: int, %9 x: ELEMENT[n x 1], %10 r: ELEMENT[n x 1], %11 p: ELEMENT[n x 1], %12 rho: ELEMENT = loop while_true "" %2, %3, %7, %5, %6, %4 {
  arguments %13: int, %14 x: ELEMENT[n x 1], %15 r: ELEMENT[n x 1], %16 p: ELEMENT[n x 1], %17 rho: ELEMENT
  %18 q: ELEMENT[n x 1], %19 pq: ELEMENT = launch k0 %0, %16
  %20 x: ELEMENT[n x 1], %21 r: ELEMENT[n x 1], %22 rr: ELEMENT = launch k1 %14, %15, %16, %18, %17, %19 reuse (0, 1, -1)
  release %18
  %23: ELEMENT = constant 1e-6
  %24: logical = map gt %22, %23
  %25 p: ELEMENT[n x 1] = launch k2 %21, %16, %22, %17 reuse (1)
  yield %24, %20, %21, %25, %22
}
release %10, %11
output "x" %9
output "rho" %12
output "trips" %8
release %9

kernel k0 "q_pq" domain [n x 1] rows block 4 lanes 16 {
  in A: ELEMENT[n x n] MATRIX, p: ELEMENT[n x 1]
  out q: ELEMENT[n x 1], pq: ELEMENT
  CONTRACTION
  $0 = contraction
  $1 = load p[i]
  $2 = mul $1, $0
  store q[i] = $0
  reduce pq = sum all $2
}

kernel k1 "x_r_rr" domain [n x 1] flat block 8 lanes 16 {
  in x: ELEMENT[n x 1], r: ELEMENT[n x 1], p: ELEMENT[n x 1], q: ELEMENT[n x 1], rho: ELEMENT, pq: ELEMENT
  out x1: ELEMENT[n x 1], r1: ELEMENT[n x 1], rr: ELEMENT
  $0 = load rho
  $1 = load pq
  $2 = div $0, $1
  $3 = load p[i]
  $4 = mul $2, $3
  $5 = load x[i]
  $6 = add $5, $4
  $7 = load q[i]
  $8 = mul $2, $7
  $9 = load r[i]
  $10 = sub $9, $8
  $11 = mul $10, $10
  store x1[i] = $6
  store r1[i] = $10
  reduce rr = sum all $11
}

kernel k2 "p" domain [n x 1] flat block 8 lanes 16 {
  in r: ELEMENT[n x 1], p: ELEMENT[n x 1], rr: ELEMENT, rho: ELEMENT
  out p1: ELEMENT[n x 1]
  $0 = load rr
  $1 = load rho
  $2 = div $0, $1
  $3 = load p[i]
  $4 = mul $2, $3
  $5 = load r[i]
  $6 = add $5, $4
  store p1[i] = $6
}

kernel k3 "rho" domain [n x 1] flat block 8 lanes 16 {
  in b: ELEMENT[n x 1]
  out rho: ELEMENT
  $0 = load b[i]
  $1 = mul $0, $0
  reduce rho = sum all $1
}

kernel k4 "zero" domain [n x 1] flat block 8 lanes 16 {
  out x: ELEMENT[n x 1]
  $0: ELEMENT = constant 0
  store x[i] = $0
}
)ir";
  const auto replace_all = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace_all("CONTRACTION", contraction);
  replace_all("MATRIX", matrix);
  replace_all("ELEMENT", element);
  return text;
}

constexpr const char* sparse_sum = R"ir(contract k over STORAGE row of A: ELEMENT {
    $0 = matrix_element
    $1 = load p[k]
    $2 = mul $0, $1
    sum $2
  })ir";
constexpr const char* dense_sum = R"ir(contract k below n: ELEMENT {
    $0 = load A[i, k]
    $1 = load p[k]
    $2 = mul $0, $1
    sum $2
  })ir";

std::string contraction(Storage storage) {
  if (storage == Storage::dense) return dense_sum;
  std::string text = sparse_sum;
  return text.replace(text.find("STORAGE"), 7, name(storage));
}

Tensor tridiagonal(Element element, std::int64_t n) {
  Tensor a = Tensor::diagonal(element, n, n, {-1, 0, 1});
  for (std::int64_t i = 0; i < n; ++i) {
    if (i > 0) a.set_stored_value(i, -1);
    a.set_stored_value(n + i, 2.5);
    if (i + 1 < n) a.set_stored_value(2 * n + i, -1);
  }
  return a;
}

struct Program {
  Plan graph;
  Manifest manifest;
  driver::NativeCode code;

  explicit Program(const std::string& text) : graph(read(text)), manifest(make_manifest(graph)), code(compile(graph)) {}

  RunResult run(const std::vector<Tensor>& parameters, int threads = 1) const {
    RunOptions options;
    options.threads = threads;
    return runtime::run_cpu(code.program(manifest), parameters, options);
  }

 private:
  static Plan read(const std::string& text) {
    Result<Graph> parsed = parse_graph(text);
    if (!parsed) FAIL(parsed.failure().message);
    return test::cpu_plan(parsed.take());
  }

  static driver::NativeCode compile(const Plan& graph) {
    Result<driver::NativeCode> code = driver::NativeCode::make(graph, {"native", true}, nullptr);
    if (!code) FAIL(code.failure().message);
    return code.take();
  }
};

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.value_bytes() == b.value_bytes() && std::memcmp(a.data(), b.data(), a.value_bytes()) == 0;
}

}  // namespace

TEST_CASE("conjugate gradients agree with the interpreter on every storage and precision") {
  for (const Element element : {Element::real, Element::single})
    for (const Storage storage : {Storage::dense, Storage::csr, Storage::diagonal}) {
      const std::string matrix = storage == Storage::dense ? ""
                                 : storage == Storage::csr ? "csr spd"
                                                           : "diagonal(-1, 0, 1) spd";
      const Program program(cg(std::string(name(element)), matrix, contraction(storage)));
      for (const std::int64_t n : {2, 3, 16, 33, 100}) {
        INFO(name(element) << " " << name(storage) << " " << n);
        const Tensor a = runtime::to_storage(tridiagonal(element, n), storage);
        const Tensor b = Tensor::dense(element, n, 1, std::vector<double>(static_cast<std::size_t>(n), 1.0));
        const std::vector<Tensor> parameters = {a, b, Tensor::scalar(6, Element::integer)};
        const RunResult got = program.run(parameters);
        const RunResult want = runtime::interpret(program.graph, parameters, {});
        REQUIRE(want.status.message == "");
        REQUIRE(got.status.message == "");
        const double scale = element == Element::real ? 1e-12 : 1e-5;
        for (std::int64_t i = 0; i < n; ++i)
          CHECK(got.outputs[0].second.at(i, 0) == Approx(want.outputs[0].second.at(i, 0)).epsilon(scale));
        CHECK(got.outputs[2].second.as_scalar() == want.outputs[2].second.as_scalar());
      }
    }
}

TEST_CASE("results are bit-equal for any number of threads, and resources independent of trips") {
  const Program program(cg("f64", "csr spd", contraction(Storage::csr)));
  const std::int64_t n = 40000;
  const Tensor a = runtime::to_csr(tridiagonal(Element::real, n));
  const Tensor b = Tensor::dense(Element::real, n, 1, std::vector<double>(static_cast<std::size_t>(n), 1.0));
  const RunResult one = program.run({a, b, Tensor::scalar(20, Element::integer)}, 1);
  for (const int threads : {2, 3, 0}) {
    const RunResult many = program.run({a, b, Tensor::scalar(20, Element::integer)}, threads);
    CHECK(same_bits(one.outputs[0].second, many.outputs[0].second));
    CHECK(same_bits(one.outputs[1].second, many.outputs[1].second));
  }
  const RunResult longer = program.run({a, b, Tensor::scalar(40, Element::integer)}, 1);
  CHECK(longer.statistics.memory.resources_created == one.statistics.memory.resources_created);
  CHECK(longer.statistics.memory.resources_created == 4);
}

TEST_CASE("statistics count the bytes of matrices and vectors by extents") {
  const Program program(cg("f64", "csr spd", contraction(Storage::csr)));
  const std::int64_t n = 100, nonzeros = 3 * n - 2, trips = 5;
  const Tensor a = runtime::to_csr(tridiagonal(Element::real, n));
  const Tensor b = Tensor::dense(Element::real, n, 1, std::vector<double>(n, 1.0));
  const RunResult result = program.run({a, b, Tensor::scalar(trips, Element::integer)});
  const auto kernel = [&](const std::string& name) {
    for (const runtime::KernelStatistics& kernel : result.statistics.kernels)
      if (kernel.name == name) return kernel;
    FAIL("no kernel " << name);
    return runtime::KernelStatistics{};
  };
  CHECK(result.statistics.kernels.size() == 6);
  CHECK(kernel("copy").kind == runtime::KernelKind::copy);  // b is borrowed: r and p start as copies of it
  CHECK(kernel("copy").vector_bytes == kernel("copy").launches * 2 * 8 * n);
  const runtime::KernelStatistics product = kernel("q_pq");
  CHECK(product.launches == trips);
  CHECK(product.matrix_bytes == trips * (12 * nonzeros + 4 * (n + 1)));
  CHECK(product.vector_bytes == trips * 2 * 8 * n);  // p is read, q written
  CHECK(product.matrix_bytes + product.vector_bytes == product.bytes_read + product.bytes_written);
  CHECK(kernel("x_r_rr").vector_bytes == trips * 6 * 8 * n);  // x, r, p, q read, x, r written
  CHECK(kernel("x_r_rr").bytes_written == trips * 2 * 8 * n);
  CHECK(kernel("p").vector_bytes == trips * 3 * 8 * n);
  CHECK(kernel("rho").launches == 1);
}

TEST_CASE("kernels that differ in names and symbols alone share their code") {
  std::string text = R"ir(graph "twins" f64
symbol n rows 0 lower 2
symbol m rows 1 lower 2
parameter a: f64[n x 1]
parameter b: f64[m x 1]
%0: f64[n x 1] = parameter a
%1: f64[m x 1] = parameter b
%2: f64[n x 1] = launch k0 %0
%3: f64[m x 1] = launch k1 %1
%4: f64[m x 1] = launch k2 %1
output "a2" %2
output "b2" %3
output "b3" %4
)ir";
  for (const auto& [kernel, size, factor] : {std::tuple("k0", "n", "2"), {"k1", "m", "2"}, {"k2", "m", "3"}})
    text += std::string("\nkernel ") + kernel + " \"twice " + size + "\" domain [" + size +
            " x 1] flat block 8 lanes 16 {\n  in " + size + "1: f64[" + size + " x 1]\n  out " + size + "2: f64[" +
            size + " x 1]\n  $0: f64 = constant " + factor + "\n  $1 = load " + size +
            "1[i]\n  $2 = mul $0, $1\n  store " + size + "2[i] = $2\n}\n";
  const Program program(text);
  const RunResult result =
      program.run({Tensor::dense(Element::real, 2, 1, {1, 2}), Tensor::dense(Element::real, 3, 1, {3, 4, 5})});
  REQUIRE(result.status.message == "");
  CHECK(result.outputs[0].second.at(1, 0) == 4);
  CHECK(result.outputs[1].second.at(2, 0) == 10);
  CHECK(result.outputs[2].second.at(2, 0) == 15);
  const std::string code = codegen::emit_llvm_text(program.graph, {}, {}).value();
  std::size_t kernels = 0;
  for (std::size_t at = code.find("define internal void @k"); at != std::string::npos;
       at = code.find("define internal void @k", at + 1))
    ++kernels;
  CHECK(kernels == 2);
}

TEST_CASE("the check for NaN stops at the kernel that made one") {
  const Program program(cg("f64", "csr spd", contraction(Storage::csr)));
  const Tensor a = runtime::to_csr(tridiagonal(Element::real, 20));
  Tensor b = Tensor::dense(Element::real, 20, 1);
  RunOptions options;
  options.check_nan = true;
  const auto run = [&] {
    return runtime::run_cpu(program.code.program(program.manifest), {a, b, Tensor::scalar(3, Element::integer)},
                            options);
  };
  const RunResult zero = run();  // 0/0 in the first step
  CHECK(zero.status.message == "error: NaN in x1");
  CHECK(zero.status.trips == std::vector<std::int64_t>{1});
  for (std::int64_t i = 0; i < 20; ++i) b.set_stored_value(i, 1);
  CHECK(run().status.ok());
}
