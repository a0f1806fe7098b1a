// Steps over complex matrices, of which the real and the imaginary parts are tensors of their own, and Fourier
// transforms.
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>

#include "runtime/steps/library.h"

using namespace lac;
using namespace lac::runtime;

namespace {

using Number = std::complex<double>;

/// Column by column.
struct Matrix {
  std::int64_t rows, cols;
  std::vector<Number> values;

  Number at(std::int64_t i, std::int64_t j) const { return values[static_cast<std::size_t>(j * rows + i)]; }
};

/// Numbers without a pattern, from -1 to 1.
Matrix sample(std::int64_t rows, std::int64_t cols, unsigned seed = 1) {
  Matrix a{rows, cols, {}};
  const auto next = [&] {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<double>(seed >> 8) / (1 << 23) - 1;
  };
  for (std::int64_t k = 0; k < rows * cols; ++k) {
    const double re = next();
    a.values.emplace_back(re, next());
  }
  return a;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{a.rows, b.cols, std::vector<Number>(static_cast<std::size_t>(a.rows * b.cols))};
  for (std::int64_t j = 0; j < b.cols; ++j)
    for (std::int64_t k = 0; k < a.cols; ++k)
      for (std::int64_t i = 0; i < a.rows; ++i)
        c.values[static_cast<std::size_t>(j * a.rows + i)] += a.at(i, k) * b.at(k, j);
  return c;
}

Matrix adjoint(const Matrix& a) {
  Matrix b{a.cols, a.rows, {}};
  for (std::int64_t j = 0; j < a.rows; ++j)
    for (std::int64_t i = 0; i < a.cols; ++i) b.values.push_back(std::conj(a.at(j, i)));
  return b;
}

Tensor part(const Matrix& a, bool imaginary) {
  std::vector<double> values;
  for (const Number z : a.values) values.push_back(imaginary ? z.imag() : z.real());
  return Tensor::dense(Element::real, a.rows, a.cols, values);
}

Matrix joined(const Tensor& re, const Tensor& im) {
  Matrix a{re.rows(), re.cols(), {}};
  for (std::int64_t k = 0; k < re.count(); ++k) a.values.emplace_back(re.stored_value(k), im.stored_value(k));
  return a;
}

ResultType dense(std::int64_t rows, std::int64_t cols, Element element = Element::real) {
  return {element, Storage::dense, rows, cols, {}};
}

struct Outcome {
  std::vector<Tensor> results;
  std::vector<LibraryWarning> warnings;
};

Outcome run(LibraryFn fn, const std::vector<Tensor>& operands, const std::vector<ResultType>& types) {
  Outcome outcome;
  auto results = run_library(fn, operands, types, outcome.warnings, {});
  REQUIRE(results);
  outcome.results = results.take();
  return outcome;
}

Outcome run(LibraryFn fn, const Matrix& a, const std::vector<ResultType>& types) {
  return run(fn, std::vector{part(a, false), part(a, true)}, types);
}

void check_near(const Matrix& a, const Matrix& b, double tolerance = 1e-12) {
  REQUIRE(a.rows == b.rows);
  REQUIRE(a.cols == b.cols);
  for (std::size_t k = 0; k < a.values.size(); ++k) CHECK(std::abs(a.values[k] - b.values[k]) < tolerance);
}

Matrix solve(const Matrix& a, const Matrix& b, std::vector<LibraryWarning>* warnings = nullptr) {
  const auto outcome = run(LibraryFn::complex_solve, {part(a, false), part(a, true), part(b, false), part(b, true)},
                           {dense(a.cols, b.cols), dense(a.cols, b.cols)});
  if (warnings) *warnings = outcome.warnings;
  return joined(outcome.results[0], outcome.results[1]);
}

/// sum over j of x(j) exp(-+ 2 pi i jk / n), column by column
Matrix plain_transform(const Matrix& x, bool inverse) {
  Matrix y = x;
  const auto n = static_cast<double>(x.rows);
  for (std::int64_t c = 0; c < x.cols; ++c)
    for (std::int64_t k = 0; k < x.rows; ++k) {
      Number sum = 0;
      for (std::int64_t j = 0; j < x.rows; ++j)
        sum += x.at(j, c) *
               std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(j * k % x.rows) / n);
      y.values[static_cast<std::size_t>(c * x.rows + k)] = inverse ? sum / n : sum;
    }
  return y;
}

Matrix fourier(const Matrix& x, int along, bool inverse, std::int64_t rows, std::int64_t cols) {
  const auto outcome =
      run(LibraryFn::fourier, {part(x, false), Tensor::scalar(along), Tensor::scalar(inverse ? 1 : 0), part(x, true)},
          {dense(rows, cols), dense(rows, cols)});
  return joined(outcome.results[0], outcome.results[1]);
}

}  // namespace

TEST_CASE("complex systems: general, hermitian, triangular, least squares, singular") {
  for (const std::int64_t n : {1, 2, 5, 20}) {
    const Matrix a = sample(n, n), b = sample(n, 3, 2);
    check_near(product(a, solve(a, b)), b, 1e-9);
    const Matrix gram = product(adjoint(a), a);
    check_near(product(gram, solve(gram, b)), b, 1e-6);
  }
  Matrix upper = sample(3, 3);
  upper.values[1] = upper.values[2] = upper.values[5] = 0;
  check_near(product(upper, solve(upper, sample(3, 1))), sample(3, 1));
  const Matrix tall = sample(6, 3), right = sample(6, 2, 5), x = solve(tall, right);
  check_near(product(adjoint(tall), product(tall, x)), product(adjoint(tall), right), 1e-10);
  std::vector<LibraryWarning> warnings;
  solve({2, 2, {{1, 1}, {2, 2}, {1, 1}, {2, 2}}}, sample(2, 1), &warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].message == "warning: matrix singular to machine precision");
  CHECK(solve({0, 0, {}}, {0, 2, {}}).values.empty());
}

TEST_CASE("inverses and determinants of complex matrices") {
  const Matrix a = sample(4, 4);
  const auto inverse = run(LibraryFn::complex_inverse, a, {dense(4, 4), dense(4, 4)}).results;
  Matrix identity{4, 4, std::vector<Number>(16)};
  for (std::size_t k = 0; k < 4; ++k) identity.values[5 * k] = 1;
  check_near(product(a, joined(inverse[0], inverse[1])), identity);
  const Matrix b{2, 2, {{1, 1}, {3, 0}, {2, 0}, {4, -1}}};
  const auto det = run(LibraryFn::complex_det, b, {dense(1, 1), dense(1, 1)}).results;
  check_near(joined(det[0], det[1]), {1, 1, {Number(-1, 3)}});
}

TEST_CASE("factors of complex matrices multiply to the matrix") {
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{4, 4}, {5, 3}, {3, 5}, {1, 1}}) {
    const Matrix a = sample(m, n);
    const std::int64_t inner = std::min(m, n);
    const auto lu =
        run(LibraryFn::complex_lu, a, {dense(m, inner), dense(m, inner), dense(inner, n), dense(inner, n), dense(1, m)})
            .results;
    Matrix permuted = a;
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        permuted.values[static_cast<std::size_t>(j * m + i)] = a.at(static_cast<std::int64_t>(lu[4].at(0, i)) - 1, j);
    check_near(product(joined(lu[0], lu[1]), joined(lu[2], lu[3])), permuted);
    const auto qr = run(LibraryFn::complex_qr, a, {dense(m, m), dense(m, m), dense(m, n), dense(m, n)}).results;
    check_near(product(joined(qr[0], qr[1]), joined(qr[2], qr[3])), a);
    const auto svd = run(LibraryFn::complex_svd, a,
                         {dense(m, inner), dense(m, inner), dense(inner, 1), dense(n, inner), dense(n, inner)})
                         .results;
    Matrix scaled = joined(svd[0], svd[1]);
    for (std::int64_t j = 0; j < inner; ++j)
      for (std::int64_t i = 0; i < m; ++i) scaled.values[static_cast<std::size_t>(j * m + i)] *= svd[2].at(j, 0);
    check_near(product(scaled, adjoint(joined(svd[3], svd[4]))), a);
    const Matrix gram = product(adjoint(sample(n, n)), sample(n, n));
    const auto chol = run(LibraryFn::complex_cholesky, gram, {dense(n, n), dense(n, n), dense(1, 1)}).results;
    CHECK(chol[2].as_scalar() == 0);
    check_near(product(adjoint(joined(chol[0], chol[1])), joined(chol[0], chol[1])), gram, 1e-10);
  }
}

TEST_CASE("eigenvalues of complex and of real matrices with their vectors") {
  for (const Matrix& a : {sample(5, 5), product(adjoint(sample(4, 4)), sample(4, 4))}) {
    const std::int64_t n = a.rows;
    const auto parts =
        run(LibraryFn::complex_spectrum_vectors, a, {dense(n, n), dense(n, n), dense(n, 1), dense(n, 1)}).results;
    const Matrix vectors = joined(parts[0], parts[1]), values = joined(parts[2], parts[3]);
    Matrix scaled = vectors;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) scaled.values[static_cast<std::size_t>(j * n + i)] *= values.at(j, 0);
    check_near(product(a, vectors), scaled, 1e-10);
  }
  Matrix real = sample(5, 5);
  for (Number& z : real.values) z = z.real();
  const auto parts = run(LibraryFn::spectrum_vectors, {part(real, false), Tensor::scalar(0)},
                         {dense(5, 5), dense(5, 5), dense(5, 1), dense(5, 1)})
                         .results;
  const Matrix vectors = joined(parts[0], parts[1]), values = joined(parts[2], parts[3]);
  Matrix scaled = vectors;
  for (std::int64_t j = 0; j < 5; ++j)
    for (std::int64_t i = 0; i < 5; ++i) scaled.values[static_cast<std::size_t>(j * 5 + i)] *= values.at(j, 0);
  check_near(product(real, vectors), scaled, 1e-10);
}

TEST_CASE("Fourier transforms of lengths of every kind are the sum that defines them") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 16, 30, 37, 64, 97, 127, 131, 210, 257, 262}) {
    const Matrix x = sample(n, 2);
    check_near(fourier(x, 1, false, n, 2), plain_transform(x, false), 1e-10);
    check_near(fourier(x, 1, true, n, 2), plain_transform(x, true), 1e-12);
    check_near(fourier(fourier(x, 1, false, n, 2), 1, true, n, 2), x);
  }
  const Matrix rows{2, 3, {1, 4, 2, 5, 3, 6}};
  check_near(fourier(rows, 2, false, 2, 3), {2,
                                             3,
                                             {6, 15, Number(-1.5, std::sqrt(3) / 2), Number(-1.5, std::sqrt(3) / 2),
                                              Number(-1.5, -std::sqrt(3) / 2), Number(-1.5, -std::sqrt(3) / 2)}});
  check_near(fourier({2, 1, {1, 2}}, 1, false, 4, 1), {4, 1, {3, Number(1, -2), -1, Number(1, 2)}});
  check_near(fourier({3, 1, {1, 2, 9}}, 1, false, 2, 1), {2, 1, {3, -1}});
}

TEST_CASE("what is real by symmetry is real to the last bit") {
  for (const std::int64_t n : {3, 30, 37, 131}) {
    Matrix x = sample(n, 1);
    for (Number& z : x.values) z = z.real();
    const Matrix back = fourier(fourier(x, 1, false, n, 1), 1, true, n, 1);
    for (const Number z : back.values) CHECK(z.imag() == 0);
    Matrix square = sample(n, 4, 3);
    for (Number& z : square.values) z = z.real();
    for (const Number z : fourier(fourier(square, 0, false, n, 4), 0, true, n, 4).values) CHECK(z.imag() == 0);
  }
}
