#include "bench/classic_peers.h"

#include <dlfcn.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace lac::bench {
namespace {

using Eigen::MatrixXf;
using Eigen::VectorXf;
using Result = std::vector<float>;
using Work = std::function<void(const Data&, Result&)>;
using Matrices = Eigen::Map<const MatrixXf>;
using Vectors = Eigen::Map<const VectorXf>;
using Arrays = Eigen::Map<const Eigen::ArrayXf>;

// -- OpenBLAS, on one thread -----------------------------------------------------------------------------------------

template <class Function>
Function blas(const char* name) {
  static void* library = [] {
    void* opened = ::dlopen("libopenblas.so.0", RTLD_NOW);
    if (opened == nullptr) std::exit((std::fprintf(stderr, "%s\n", ::dlerror()), 1));
    reinterpret_cast<void (*)(int)>(::dlsym(opened, "openblas_set_num_threads"))(1);
    return opened;
  }();
  return reinterpret_cast<Function>(::dlsym(library, name));
}

constexpr int one = 1;

void scale(int n, float s, float* x) {
  static const auto sscal = blas<void (*)(const int*, const float*, float*, const int*)>("sscal_");
  sscal(&n, &s, x, &one);
}
/// y += s*x
void axpy(int n, float s, const float* x, float* y) {
  static const auto saxpy =
      blas<void (*)(const int*, const float*, const float*, const int*, float*, const int*)>("saxpy_");
  saxpy(&n, &s, x, &one, y, &one);
}
float dot(int n, const float* x, const float* y) {
  static const auto sdot = blas<float (*)(const int*, const float*, const int*, const float*, const int*)>("sdot_");
  return sdot(&n, x, &one, y, &one);
}
/// y = A*x, n x n
void gemv(int n, const float* a, const float* x, float* y) {
  static const auto sgemv = blas<void (*)(const char*, const int*, const int*, const float*, const float*, const int*,
                                          const float*, const int*, const float*, float*, const int*)>("sgemv_");
  const float alpha = 1, beta = 0;
  sgemv("N", &n, &n, &alpha, a, &n, x, &one, &beta, y, &one);
}
/// c = A*b or A'*b, n x n
void gemm(bool transposed, int n, const float* a, const float* b, float* c) {
  static const auto sgemm =
      blas<void (*)(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                    const int*, const float*, const int*, const float*, float*, const int*)>("sgemm_");
  const float alpha = 1, beta = 0;
  sgemm(transposed ? "T" : "N", "N", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n);
}

// -- forms ------------------------------------------------------------------------------------------------------------

int length(const Result& values) { return static_cast<int>(values.size()); }
Arrays array(const std::vector<float>& values) { return {values.data(), static_cast<Eigen::Index>(values.size())}; }
Eigen::Map<Eigen::ArrayXf> array(Result& out) { return {out.data(), static_cast<Eigen::Index>(out.size())}; }

float larger(float a, float bound) { return a > bound ? a : bound; }
auto larger(const Arrays& a, float bound) { return a.max(bound); }

/// Naive loops and Eigen by one formula of elements a, b, c, d and the number s.
template <class F>
std::vector<Peer> of_elements(F f) {
  return {{"naive C++",
           [f](const Data& data, Result& out) {
             out.resize(data["a"].size());
             const float *a = data["a"].data(), *b = data["b"].data(), *c = data["c"].data(), *d = data["d"].data();
             const float s = data.scalar("s");
             float* x = out.data();
             for (std::size_t i = 0; i < out.size(); ++i) x[i] = f(a[i], b[i], c[i], d[i], s);
           }},
          {"Eigen", [f](const Data& data, Result& out) {
             out.resize(data["a"].size());
             array(out) = f(array(data["a"]), array(data["b"]), array(data["c"]), array(data["d"]), data.scalar("s"));
           }}};
}

/// The same for a sum over all elements of what the formula gives.
template <class F>
std::vector<Peer> sum_of_elements(F f) {
  return {{"naive C++",
           [f](const Data& data, Result& out) {
             const float *a = data["a"].data(), *b = data["b"].data();
             float sum = 0;
             for (std::size_t i = 0; i < data["a"].size(); ++i) sum += f(a[i], b[i]);
             out = {sum};
           }},
          {"Eigen", [f](const Data& data, Result& out) { out = {f(array(data["a"]), array(data["b"])).sum()}; }}};
}

std::vector<Peer> with_blas(std::vector<Peer> peers, Work work) {
  peers.push_back({"OpenBLAS", std::move(work)});
  return peers;
}

// -- solvers: one text for naive loops, Eigen and BLAS, who bring products --------------------------------------------

struct Algebra {
  std::function<void(const float* x, float* y)> product;  ///< y = A*x
  std::function<float(const Result& x, const Result& y)> dot;
  std::function<void(float s, const Result& x, Result& y)> add;              ///< y += s*x
  std::function<void(const Result& x, float s, Result& y)> add_to_multiple;  ///< y = x + s*y
};

/// From x with the residual r.
void conjugate_gradients(const Algebra& with, Result& x, Result r, int trips, float limit) {
  Result p = r, q(r.size());
  float rho = with.dot(r, r);
  for (int k = 0; k < trips && rho > limit; ++k) {
    with.product(p.data(), q.data());
    const float alpha = rho / with.dot(p, q);
    with.add(alpha, p, x);
    with.add(-alpha, q, r);
    const float before = rho;
    rho = with.dot(r, r);
    with.add_to_multiple(r, rho / before, p);
  }
}

Algebra loops(std::function<void(const float*, float*)> product) {
  return {std::move(product),
          [](const Result& x, const Result& y) {
            float sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
            return sum;
          },
          [](float s, const Result& x, Result& y) {
            for (std::size_t i = 0; i < x.size(); ++i) y[i] += s * x[i];
          },
          [](const Result& x, float s, Result& y) {
            for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + s * y[i];
          }};
}
Algebra of_eigen(std::function<void(const float*, float*)> product) {
  return {std::move(product), [](const Result& x, const Result& y) { return (array(x) * array(y)).sum(); },
          [](float s, const Result& x, Result& y) { array(y) += s * array(x); },
          [](const Result& x, float s, Result& y) { array(y) = array(x) + s * array(y); }};
}
Algebra of_blas(std::function<void(const float*, float*)> product) {
  return {std::move(product),
          [](const Result& x, const Result& y) { return bench::dot(length(x), x.data(), y.data()); },
          [](float s, const Result& x, Result& y) { axpy(length(x), s, x.data(), y.data()); },
          [](const Result& x, float s, Result& y) {
            scale(length(y), s, y.data());
            axpy(length(y), 1, x.data(), y.data());
          }};
}

using Products = std::vector<std::pair<std::string, std::function<Algebra(const Data&)>>>;

void naive_product(const Data& data, const float* x, float* y) {
  const std::int64_t n = data.size("n");
  const float* A = data["A"].data();
  std::fill(y, y + n, 0.0F);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) y[i] += A[j * n + i] * x[j];
}

/// Of the dense matrix A.
Products dense_products() {
  return {{"naive C++",
           [](const Data& data) { return loops([&data](const float* x, float* y) { naive_product(data, x, y); }); }},
          {"Eigen",
           [](const Data& data) {
             const std::int64_t n = data.size("n");
             return of_eigen([&data, n](const float* x, float* y) {
               Eigen::Map<VectorXf>(y, n).noalias() = Matrices(data["A"].data(), n, n) * Vectors(x, n);
             });
           }},
          {"OpenBLAS", [](const Data& data) {
             return of_blas(
                 [&data](const float* x, float* y) { gemv(static_cast<int>(data.size("n")), data["A"].data(), x, y); });
           }}};
}

std::vector<Peer> dense_solvers(float tolerance) {
  std::vector<Peer> peers;
  for (const auto& [name, algebra] : dense_products())
    peers.push_back({name, [tolerance, algebra](const Data& data, Result& x) {
                       x.assign(data["v"].size(), 0);
                       const Algebra with = algebra(data);
                       const bool fixed = tolerance == 0;
                       conjugate_gradients(with, x, data["v"], static_cast<int>(data.size(fixed ? "trips" : "n")),
                                           tolerance * tolerance * with.dot(data["v"], data["v"]));
                     }});
  return peers;
}

std::vector<Peer> projected_jacobi() {
  std::vector<Peer> peers;
  for (const auto& [name, algebra] : dense_products())
    peers.push_back({name, [algebra](const Data& data, Result& x) {
                       const std::int64_t n = data.size("n"), trips = data.size("trips");
                       const Algebra with = algebra(data);
                       Result v = data["v"], y(v.size());
                       x.assign(v.size(), 0);
                       const auto sweep = [&] {
                         with.product(x.data(), y.data());
                         for (std::int64_t i = 0; i < n; ++i)
                           x[i] = std::max(0.0F, x[i] - 0.8F * (y[i] - v[i]) / data["A"][i * n + i]);
                       };
                       for (std::int64_t k = 0; k < trips; ++k) sweep();
                       for (float& value : v) value *= 1.01F;
                       for (std::int64_t k = 0; k < trips / 3; ++k) sweep();
                     }});
  return peers;
}

/// Steps of the wave: what applies K to a vector of the grid decides who it is.
struct Grid {
  std::int64_t n, m;
  float dt, scale;  ///< of a step; of K: 1 / h^2
};
Grid grid_of(const Data& data) {
  const auto points = static_cast<float>(data.size("n") + 1);
  return {data.size("n"), data.size("m"), 1 / points, points * points};
}

void wave(const Data& data, Result& u, const std::function<Algebra(std::function<void(const float*, float*)>)>& algebra,
          const std::function<void(const float*, float*)>& stiffness) {
  const Grid grid = grid_of(data);
  const float factor = grid.dt * grid.dt / 4;
  const Algebra with = algebra([&](const float* x, float* y) {
    stiffness(x, y);
    for (std::int64_t i = 0; i < grid.n * grid.m; ++i) y[i] = x[i] + factor * y[i];
  });
  u = data["u"];
  Result w(u.size(), 0), b(u.size());
  for (std::int64_t step = 0; step < data.size("steps"); ++step) {
    stiffness(u.data(), b.data());
    for (std::size_t i = 0; i < u.size(); ++i) b[i] = u[i] - factor * b[i] + grid.dt * w[i];
    Result x = u, r(u.size());
    with.product(x.data(), r.data());
    with.add_to_multiple(b, -1, r);
    conjugate_gradients(with, x, std::move(r), 500, 1e-10F * with.dot(b, b));
    for (std::size_t i = 0; i < u.size(); ++i) w[i] = 2 / grid.dt * (x[i] - u[i]) - w[i];
    u = std::move(x);
  }
}

void five_points(const Grid& grid, const float* x, float* y) {
  const auto [n, m, dt, scale] = grid;
  for (std::int64_t j = 0; j < m; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t at = j * n + i;
      float sum = 4 * x[at];
      if (i > 0) sum -= x[at - 1];
      if (i + 1 < n) sum -= x[at + 1];
      if (j > 0) sum -= x[at - n];
      if (j + 1 < m) sum -= x[at + n];
      y[at] = scale * sum;
    }
}

Eigen::SparseMatrix<float, Eigen::RowMajor> five_points(const Grid& grid) {
  const auto [n, m, dt, scale] = grid;
  std::vector<Eigen::Triplet<float>> entries;
  for (std::int64_t j = 0; j < m; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<int>(j * n + i), step = static_cast<int>(n);
      entries.emplace_back(at, at, 4 * scale);
      if (i > 0) entries.emplace_back(at, at - 1, -scale);
      if (i + 1 < n) entries.emplace_back(at, at + 1, -scale);
      if (j > 0) entries.emplace_back(at, at - step, -scale);
      if (j + 1 < m) entries.emplace_back(at, at + step, -scale);
    }
  Eigen::SparseMatrix<float, Eigen::RowMajor> matrix(n * m, n * m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

std::vector<Peer> wave_peers() {
  return {{"naive C++",
           [](const Data& data, Result& u) {
             const Grid grid = grid_of(data);
             wave(data, u, loops, [&](const float* x, float* y) { five_points(grid, x, y); });
           }},
          {"Eigen", [](const Data& data, Result& u) {
             const Grid grid = grid_of(data);
             const auto matrix = five_points(grid);
             wave(data, u, of_eigen, [&](const float* x, float* y) {
               Eigen::Map<VectorXf>(y, matrix.rows()).noalias() = matrix * Vectors(x, matrix.rows());
             });
           }}};
}

// -- lines ------------------------------------------------------------------------------------------------------------

std::vector<Peer> products(bool transposed) {
  return {{"naive C++",
           [transposed](const Data& data, Result& out) {
             const std::int64_t n = data.size("n");
             const float *a = data["a"].data(), *b = data["b"].data();
             out.assign(data["a"].size(), 0);
             for (std::int64_t j = 0; j < n; ++j) {
               float* c = out.data() + j * n;
               if (transposed)
                 for (std::int64_t i = 0; i < n; ++i)
                   for (std::int64_t k = 0; k < n; ++k) c[i] += a[i * n + k] * b[j * n + k];
               else
                 for (std::int64_t k = 0; k < n; ++k)
                   for (std::int64_t i = 0; i < n; ++i) c[i] += a[k * n + i] * b[j * n + k];
             }
           }},
          {"Eigen",
           [transposed](const Data& data, Result& out) {
             const std::int64_t n = data.size("n");
             out.resize(data["a"].size());
             const Matrices a(data["a"].data(), n, n), b(data["b"].data(), n, n);
             Eigen::Map<MatrixXf> c(out.data(), n, n);
             if (transposed) c.noalias() = a.transpose() * b;
             else c.noalias() = a * b;
           }},
          {"OpenBLAS", [transposed](const Data& data, Result& out) {
             out.resize(data["a"].size());
             gemm(transposed, static_cast<int>(data.size("n")), data["a"].data(), data["b"].data(), out.data());
           }}};
}

std::vector<Peer> copies() {
  return {{"naive C++",
           [](const Data& data, Result& out) {
             out = data["a"];
             out[0] = 1;
           }},
          {"Eigen", [](const Data& data, Result& out) {
             out.resize(data["a"].size());
             array(out) = array(data["a"]);
             out[0] = 1;
           }}};
}

std::vector<Peer> accumulations() {
  constexpr int sums = 16;
  return {{"naive C++",
           [](const Data& data, Result& out) {
             out = data["a"];
             const float* b = data["b"].data();
             for (int k = 0; k < sums; ++k)
               for (std::size_t i = 0; i < out.size(); ++i) out[i] += b[i];
           }},
          {"Eigen",
           [](const Data& data, Result& out) {
             out = data["a"];
             for (int k = 0; k < sums; ++k) array(out) += array(data["b"]);
           }},
          {"OpenBLAS", [](const Data& data, Result& out) {
             out = data["a"];
             for (int k = 0; k < sums; ++k) axpy(length(out), 1, data["b"].data(), out.data());
           }}};
}

std::vector<Peer> made(bool identity) {
  return {{"naive C++",
           [identity](const Data& data, Result& out) {
             const std::int64_t n = data.size("n");
             out.assign(static_cast<std::size_t>(n * n), 0);
             for (std::int64_t i = 0; identity && i < n; ++i) out[i * n + i] = 1;
           }},
          {"Eigen", [identity](const Data& data, Result& out) {
             const std::int64_t n = data.size("n");
             out.resize(static_cast<std::size_t>(n * n));
             Eigen::Map<MatrixXf> x(out.data(), n, n);
             if (identity) x.setIdentity();
             else x.setZero();
           }}};
}

std::vector<Peer> vector_operation() {
  return {{"naive C++",
           [](const Data& data, Result& out) {
             out.resize(data["u"].size());
             const float *u = data["u"].data(), *v = data["v"].data();
             const float s = data.scalar("s");
             for (std::size_t i = 0; i < out.size(); ++i) out[i] = u[i] + s * v[i];
           }},
          {"Eigen",
           [](const Data& data, Result& out) {
             out.resize(data["u"].size());
             array(out) = array(data["u"]) + data.scalar("s") * array(data["v"]);
           }},
          {"OpenBLAS", [](const Data& data, Result& out) {
             out = data["u"];
             axpy(length(out), data.scalar("s"), data["v"].data(), out.data());
           }}};
}

void axpy_of_parameters(const Data& data, Result& out) {
  out = data["a"];
  axpy(length(out), data.scalar("s"), data["b"].data(), out.data());
}

std::vector<std::pair<std::string, std::vector<Peer>>> operations() {
  const auto multiple_and_add = [](auto a, auto b, auto, auto, float s) { return a + s * b; };
  return {
      {"copy", copies()},
      {"add", with_blas(of_elements([](auto a, auto b, auto, auto, float) { return a + b; }),
                        [](const Data& data, Result& out) {
                          out = data["a"];
                          axpy(length(out), 1, data["b"].data(), out.data());
                        })},
      {"accumulate", accumulations()},
      {"scale", with_blas(of_elements([](auto a, auto, auto, auto, float s) { return s * a; }),
                          [](const Data& data, Result& out) {
                            out = data["a"];
                            scale(length(out), data.scalar("s"), out.data());
                          })},
      {"maximum", of_elements([](auto a, auto, auto, auto, float s) { return larger(a, s); })},
      {"axpy", with_blas(of_elements(multiple_and_add), axpy_of_parameters)},
      {"sum_and_multiple", with_blas(of_elements(multiple_and_add), axpy_of_parameters)},
      {"add_products", of_elements([](auto a, auto b, auto c, auto, float) { return c + a * b; })},
      {"sum_times_matrix", of_elements([](auto a, auto b, auto c, auto d, float) { return a + (b + c) * d; })},
      {"multiply", products(false)},
      {"transposed_multiply", products(true)},
      {"dot_product", with_blas(sum_of_elements([](auto a, auto b) { return a * b; }),
                                [](const Data& data, Result& out) {
                                  out = {dot(length(data["a"]), data["a"].data(), data["b"].data())};
                                })},
      {"squared_norm", with_blas(sum_of_elements([](auto a, auto) { return a * a; }),
                                 [](const Data& data, Result& out) {
                                   out = {dot(length(data["a"]), data["a"].data(), data["a"].data())};
                                 })},
      {"zero_matrix", made(false)},
      {"identity_matrix", made(true)},
      {"cg_fixed", dense_solvers(0)},
      {"cg_threshold", dense_solvers(1e-4F)},
      {"projected_jacobi", projected_jacobi()},
  };
}

HostMatrix matrix(std::int64_t rows, std::int64_t cols, const std::function<double(double, double)>& value) {
  HostMatrix made = {rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols))};
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i)
      made.values[static_cast<std::size_t>(j * rows + i)] = static_cast<float>(value(double(i + 1), double(j + 1)));
  return made;
}

}  // namespace

std::vector<Line> lines() {
  constexpr std::int64_t side = 1000;
  std::vector<Line> all;
  for (auto& [name, peers] : operations())
    all.push_back({"operations", name, "1000x1000", side, side, std::move(peers)});
  constexpr std::pair<std::int64_t, std::int64_t> sizes[] = {{256, 256},  {512, 256},   {512, 512},
                                                             {1024, 512}, {1024, 1024}, {2048, 1024}};
  for (const auto& [rows, cols] : sizes) {
    const std::string size = std::to_string(rows) + "x" + std::to_string(cols);
    all.push_back({"sizes", "reduce", size, rows, cols, sum_of_elements([](auto a, auto) { return 1.0F * a; })});
    all.push_back({"sizes", "vector_operation", size, rows, cols, vector_operation()});
    all.push_back({"sizes", "wave_step", size, rows, cols, wave_peers()});
  }
  return all;
}

Data data_of(const Line& line) {
  const auto n = static_cast<double>(line.rows);
  Data data;
  data.scalars = {
      {"n", n},    {"m", double(line.cols)}, {"s", line.name == "maximum" ? 0.5 : 2.5}, {"trips", 30}, {"tol", 1e-4},
      {"steps", 4}};
  const std::pair<const char*, std::function<double(double, double)>> values[] = {
      {"a", [](double i, double j) { return std::cos(i * j); }},
      {"b", [](double i, double j) { return std::sin(i * j); }},
      {"c", [n](double i, double j) { return std::cos(i * (n + 1 - j)); }},
      {"d", [n](double i, double j) { return std::sin(i * (n + 1 - j)); }}};
  for (const auto& [name, value] : values) data.matrices[name] = matrix(line.rows, line.cols, value);
  data.matrices["u"] = matrix(line.rows * line.cols, 1, [](double i, double) { return std::sin(i); });
  data.matrices["v"] = matrix(line.rows * line.cols, 1, [](double i, double) { return std::cos(i); });
  if (line.name.starts_with("cg") || line.name == "projected_jacobi") {
    data.matrices["A"] = matrix(line.rows, line.rows,
                                [n](double i, double j) { return std::cos(i * j) / n + (i == j ? 1 + i / 10 : 0); });
    data.matrices["v"] = matrix(line.rows, 1, [](double i, double) { return std::cos(i); });
  }
  return data;
}

}  // namespace lac::bench
