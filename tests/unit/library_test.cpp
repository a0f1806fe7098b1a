#include "runtime/steps/library.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "runtime/steps/arrays/random.h"
#include "runtime/steps/text/message.h"
#include "runtime/tensor/convert.h"

using namespace lac;
using namespace lac::runtime;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Values = std::vector<double>;

Tensor matrix(std::int64_t rows, std::int64_t cols, const Values& values, Element element = Element::real) {
  return Tensor::dense(element, rows, cols, values);
}

/// Row by row, as one writes a matrix.
Tensor square(const Values& row_major, Element element = Element::real) {
  const auto n = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(row_major.size()))));
  Tensor a = Tensor::dense(element, n, n);
  for (std::int64_t k = 0; k < n * n; ++k)
    a.set_stored_value(k % n * n + k / n, row_major[static_cast<std::size_t>(k)]);
  return a;
}

Values flat(const Tensor& a) {
  Values values;
  for (std::int64_t j = 0; j < a.cols(); ++j)
    for (std::int64_t i = 0; i < a.rows(); ++i) values.push_back(a.at(i, j));
  return values;
}

struct Outcome {
  std::vector<Tensor> results;
  std::vector<LibraryWarning> warnings;
  std::string failure;
};

Outcome run(LibraryFn fn, const std::vector<Tensor>& operands, const std::vector<ResultType>& types) {
  Outcome outcome;
  auto results = run_library(fn, operands, types, outcome.warnings, {});
  if (results) outcome.results = results.take();
  else outcome.failure = results.failure().message;
  return outcome;
}

ResultType dense(std::int64_t rows, std::int64_t cols, Element element = Element::real) {
  return {element, Storage::dense, rows, cols, {}};
}

void check_near(const Tensor& a, const Values& expected, double tolerance = 1e-14) {
  const Values values = flat(a);
  REQUIRE(values.size() == expected.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::isfinite(expected[k]))
      CHECK(values[k] == Approx(expected[k]).epsilon(0).margin(tolerance * (1 + std::abs(expected[k]))));
    else CHECK(values[k] == expected[k]);
}

const std::string singular = "warning: matrix singular to machine precision";

Outcome solve(const Tensor& a, const Values& b) {
  const auto rows = static_cast<std::int64_t>(b.size());
  return run(LibraryFn::solve, {a, matrix(rows, 1, b, a.element())}, {dense(a.cols(), 1, a.element())});
}

}  // namespace

TEST_CASE("which steps load LAPACK") {
  for (const LibraryFn fn : {LibraryFn::solve, LibraryFn::gemm, LibraryFn::svd, LibraryFn::sparse_solve,
                             LibraryFn::sparse_try_solve, LibraryFn::sparse_inverse})
    CHECK(calls_lapack(fn));
  for (const LibraryFn fn : {LibraryFn::sort, LibraryFn::sparse_lu, LibraryFn::write_picture}) CHECK(!calls_lapack(fn));
}

TEST_CASE("solve picks substitution, Cholesky, LU and least squares") {
  check_near(solve(square({2, 1, 0, 4}), {4, 8}).results[0], {1, 2});
  check_near(solve(square({2, 0, 1, 4}), {2, 9}).results[0], {1, 2});
  check_near(solve(square({4, 1, 1, 3}), {6, 7}).results[0], {1, 2});
  check_near(solve(square({1, 2, 3, 4}), {5, 11}).results[0], {1, 2});
  check_near(solve(matrix(3, 2, {1, 3, 5, 2, 4, 6}), {1, 2, 3}).results[0], {0, 0.5});
  check_near(solve(matrix(2, 3, {1, 1, 1, 1, 1, 1}), {1, 1}).results[0], {1.0 / 3, 1.0 / 3, 1.0 / 3});
  check_near(solve(square({1, 2, 3, 4}, Element::single), {5, 11}).results[0], {1, 2}, 1e-6);
  CHECK(flat(solve(matrix(1, 1, {0}), {5}).results[0]) == Values{infinity});
}

TEST_CASE("singular systems warn in Octave's words") {
  const Outcome exact = solve(square({1, 2, 2, 4}), {1, 2});
  check_near(exact.results[0], {0.2, 0.4});
  REQUIRE(exact.warnings.size() == 1);
  CHECK(exact.warnings[0].message == singular);
  CHECK(exact.warnings[0].id == "Octave:singular-matrix");
  const Outcome triangular = solve(square({1, 1, 0, 1e-20}), {1, 2});
  check_near(triangular.results[0], {-2e20, 2e20});
  REQUIRE(triangular.warnings.size() == 1);
  CHECK(triangular.warnings[0].message == singular + ", rcond = 5e-21");
  CHECK(triangular.warnings[0].id == "Octave:nearly-singular-matrix");
  const Outcome single = solve(square({1, 2, 3, 6.000001}, Element::single), {1, 2});
  REQUIRE(single.warnings.size() == 1);
  CHECK(single.warnings[0].message == singular + ", rcond = 1.98682e-08");
  CHECK(solve(square({1, 2, 3, 4}), {5, 11}).warnings.empty());
}

TEST_CASE("empty systems have empty or zero solutions") {
  CHECK(run(LibraryFn::solve, {matrix(0, 0, {}), matrix(0, 3, {})}, {dense(0, 3)}).results[0].cols() == 3);
  CHECK(flat(run(LibraryFn::solve, {matrix(0, 3, {}), matrix(0, 1, {})}, {dense(3, 1)}).results[0]) == Values{0, 0, 0});
}

TEST_CASE("systems that are not solved say so by name") {
  CHECK(run(LibraryFn::solve, {square({1, 2, 3, 4}), matrix(3, 1, {1, 2, 3})}, {dense(2, 1)}).failure ==
        "error: operator \\: nonconformant arguments (op1 is 2x2, op2 is 3x1)");
  CHECK(run(LibraryFn::solve, {to_csr(square({1, 2, 3, 4})), matrix(2, 1, {1, 2})}, {dense(2, 1)})
            .failure.find("sparse") != std::string::npos);
  CHECK(run(LibraryFn::det, {matrix(1, 2, {1, 2})}, {dense(1, 1), dense(1, 1)}).failure ==
        "error: det: A must be a square matrix");
}

TEST_CASE("lu returns factors and the row order") {
  const Outcome lu =
      run(LibraryFn::lu, {matrix(3, 2, {1, 3, 5, 2, 4, 6})}, {dense(3, 2), dense(2, 2), dense(1, 3, Element::integer)});
  check_near(lu.results[0], {1, 0.2, 0.6, 0, 1, 0.5});
  check_near(lu.results[1], {5, 0, 6, 0.8});
  CHECK(flat(lu.results[2]) == Values{3, 1, 2});
  CHECK(lu.results[2].element() == Element::integer);
}

TEST_CASE("det and inverse follow Octave's choices") {
  const auto det = [](const Tensor& a) {
    return run(LibraryFn::det, {a}, {dense(1, 1), dense(1, 1)}).results[0].as_scalar();
  };
  CHECK(det(square({1, 2, 3, 4})) == Approx(-2));
  CHECK(det(square({2, 1, 1, 2})) == Approx(3));
  CHECK(det(square({2, 1, 0, 2})) == 4);
  CHECK(det(square({1, 2, 2, 4})) == 0);
  CHECK(det(matrix(0, 0, {})) == 1);
  CHECK(det(square({1e200, 0, 0, 1e200})) == infinity);
  CHECK(det(square({1e200, 0, 0, 0, 1e200, 0, 0, 0, 1e-300})) == Approx(1e100));
  const auto inverse = [](const Tensor& a) {
    return run(LibraryFn::inverse, {a}, {dense(a.rows(), a.rows()), dense(1, 1)});
  };
  check_near(inverse(square({2, 1, 1, 3})).results[0], {0.6, -0.2, -0.2, 0.4});
  check_near(inverse(square({1, 2, 3, 4})).results[0], {-2, 1.5, 1, -0.5});
  check_near(inverse(square({2, 0, 1, 4})).results[0], {0.5, -0.125, 0, 0.25});
  const Outcome outcome = inverse(square({1, 2, 2, 4}));
  CHECK(flat(outcome.results[0]) == Values(4, infinity));
  REQUIRE(outcome.warnings.size() == 1);
  CHECK(outcome.warnings[0].message == singular);
}

TEST_CASE("cholesky stops at the first minor that is not positive") {
  const auto cholesky = [](const Tensor& a) {
    return run(LibraryFn::cholesky, {a}, {dense(a.rows(), a.rows()), dense(1, 1, Element::integer)}).results;
  };
  const auto good = cholesky(square({4, 2, 7, 3}));
  check_near(good[0], {2, 0, 1, std::sqrt(2.0)});
  CHECK(good[1].as_scalar() == 0);
  const auto bad = cholesky(square({4, 2, 1, 2, 3, 1, 1, 1, -5}));
  CHECK(bad[1].as_scalar() == 3);
  check_near(bad[0], {2, 0, 0, 1, std::sqrt(2.0), 0, 0, 0, 0});
}

TEST_CASE("qr returns orthogonal and upper factors, economical as the shapes say") {
  const Tensor a = matrix(3, 2, {1, 3, 5, 2, 4, 6});
  const auto complete = run(LibraryFn::qr, {a}, {dense(3, 3), dense(3, 2)}).results;
  const auto economical = run(LibraryFn::qr, {a}, {dense(3, 2), dense(2, 2)}).results;
  for (const auto& [q, r] : {std::pair{complete[0], complete[1]}, std::pair{economical[0], economical[1]}}) {
    check_near(run(LibraryFn::gemm, {q, r}, {dense(3, 2)}).results[0], flat(a));
    CHECK(r.at(1, 0) == 0);
  }
  const auto pivoted =
      run(LibraryFn::qr_pivoted, {a}, {dense(3, 3), dense(3, 2), dense(1, 2, Element::integer)}).results;
  CHECK(flat(pivoted[2]) == Values{2, 1});
  const auto none = run(LibraryFn::qr, {matrix(3, 0, {})}, {dense(3, 3), dense(3, 0)}).results;
  CHECK(flat(none[0]) == Values{1, 0, 0, 0, 1, 0, 0, 0, 1});
}

TEST_CASE("singular values refuse what is not finite; the pseudo-inverse passes it on") {
  check_near(run(LibraryFn::singular_values, {square({3, 0, 0, -4})}, {dense(2, 1)}).results[0], {4, 3});
  CHECK(run(LibraryFn::singular_values, {square({infinity, 0, 0, 1})}, {dense(2, 1)}).failure ==
        "error: svd: cannot take SVD of matrix containing Inf or NaN values");
  check_near(run(LibraryFn::pseudo_inverse, {square({1, 2, 2, 4}), Tensor::scalar(0)}, {dense(2, 2)}).results[0],
             {0.04, 0.08, 0.08, 0.16});
  CHECK(std::isnan(run(LibraryFn::pseudo_inverse, {matrix(1, 2, {infinity, 1}), Tensor::scalar(0)}, {dense(2, 1)})
                       .results[0]
                       .at(0, 0)));
}

TEST_CASE("eigenvalues ascend where the matrix is symmetric, and complex ones are refused by name") {
  const Tensor standard = Tensor::scalar(0);
  check_near(run(LibraryFn::eigenvalues, {square({2, 1, 1, 2}), standard}, {dense(2, 1)}).results[0], {1, 3});
  CHECK(run(LibraryFn::eigenvalues, {square({0, 1, -1, 0}), standard}, {dense(2, 1)}).failure.find("complex") !=
        std::string::npos);
  const Tensor a = square({1, 2, 2, 4}), b = square({2, 1, 1, 3});
  const auto pencil = run(LibraryFn::eigenvectors, {a, standard, b}, {dense(2, 2), dense(2, 1)}).results;
  check_near(pencil[1], {0, 1.4});
}

TEST_CASE("norms of matrices and vectors for any p") {
  const auto norm = [](const Tensor& a, double p) {
    return run(LibraryFn::norm, {a, Tensor::scalar(p)}, {dense(1, 1)}).results[0].as_scalar();
  };
  const Tensor a = square({1, 2, 3, 4}), v = matrix(1, 2, {3, -4});
  CHECK(norm(a, 1) == 6);
  CHECK(norm(a, infinity) == 7);
  CHECK(norm(a, 2) == Approx(5.464985704219043));
  CHECK(norm(a, 3) == Approx(5.733108));
  CHECK(norm(v, 0) == 2);
  CHECK(norm(v, -infinity) == 3);
  CHECK(norm(v, 3) == Approx(std::cbrt(91.0)));
  CHECK(run(LibraryFn::norm, {a, Tensor::scalar(0.5)}, {dense(1, 1)}).failure == "error: xnorm: p must be >= 1");
}

TEST_CASE("matrix powers: by squaring, by eigenvalues, or refused where complex") {
  const auto power = [](const Tensor& a, const Tensor& b) {
    return run(LibraryFn::matrix_power, {a, b}, {dense(2, 2)});
  };
  const Tensor a = square({1, 2, 3, 4}), s = square({2, 1, 1, 2});
  check_near(power(a, Tensor::scalar(3)).results[0], {37, 81, 54, 118}, 1e-12);
  check_near(power(a, Tensor::scalar(-1)).results[0], {-2, 1.5, 1, -0.5});
  check_near(power(s, Tensor::scalar(0.5)).results[0],
             {1.3660254037844386, 0.3660254037844386, 0.3660254037844386, 1.3660254037844386});
  check_near(power(Tensor::scalar(2), square({1, 2, 2, 1})).results[0], {4.25, 3.75, 3.75, 4.25});
  CHECK(power(a, Tensor::scalar(0.5)).failure.find("complex") != std::string::npos);
}

TEST_CASE("gemm multiplies in the result's precision") {
  const Tensor a = matrix(2, 3, {1, 4, 2, 5, 3, 6}), b = matrix(3, 2, {1, 0, 1, 2, 1, 0});
  CHECK(flat(run(LibraryFn::gemm, {a, b}, {dense(2, 2)}).results[0]) == Values{4, 10, 4, 13});
  CHECK(flat(run(LibraryFn::gemm, {to_element(a, Element::single), b}, {dense(2, 2, Element::single)}).results[0]) ==
        Values{4, 10, 4, 13});
  CHECK(flat(run(LibraryFn::gemm, {matrix(2, 0, {}), matrix(0, 1, {})}, {dense(2, 1)}).results[0]) == Values{0, 0});
}

TEST_CASE("gemm reads its operands transposed where that is asked for") {
  const Tensor a = matrix(2, 3, {1, 4, 2, 5, 3, 6}), b = matrix(2, 3, {1, 0, 1, 2, 1, 0});
  const auto product = [](const Tensor& left, const Tensor& right, double transposed, std::int64_t extent) {
    return flat(run(LibraryFn::gemm, {left, right, Tensor::scalar(transposed)}, {dense(extent, extent)}).results[0]);
  };
  CHECK(product(a, b, 1, 3) == Values{1, 2, 3, 9, 12, 15, 1, 2, 3});
  CHECK(product(a, b, 2, 2) == Values{6, 15, 4, 10});
  const Tensor square = matrix(2, 2, {1, 3, 2, 4}), other = matrix(2, 2, {0, 1, 1, 1});
  CHECK(product(square, other, 3, 2) == Values{3, 4, 4, 6});
}

TEST_CASE("a matrix times its own transpose is symmetric to the last bit") {
  Values elements;
  for (int k = 0; k < 70 * 90; ++k) elements.push_back(std::sin(k * 0.7) / 3);
  const Tensor a = matrix(70, 90, elements), copy = matrix(70, 90, elements);
  for (const double transposed : {1.0, 2.0}) {
    const std::int64_t n = transposed == 1 ? 90 : 70;
    const Tensor gram = run(LibraryFn::gemm, {a, a, Tensor::scalar(transposed)}, {dense(n, n)}).results[0];
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < j; ++i) REQUIRE(gram.at(i, j) == gram.at(j, i));
    check_near(gram, flat(run(LibraryFn::gemm, {a, copy, Tensor::scalar(transposed)}, {dense(n, n)}).results[0]),
               1e-12);
  }
}

TEST_CASE("find fills its buffer up to the count") {
  const auto found =
      run(LibraryFn::find, {matrix(2, 2, {0, 3, 0, 5})}, {dense(4, 1, Element::integer), dense(1, 1, Element::integer)})
          .results;
  CHECK(flat(found[0]) == Values{2, 4, 0, 0});
  CHECK(found[1].as_scalar() == 2);
}

TEST_CASE("sort is stable and puts NaN last") {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const auto sort = [](const Tensor& x) {
    return run(LibraryFn::sort, {x}, {dense(x.rows(), x.cols()), dense(x.rows(), x.cols(), Element::integer)}).results;
  };
  const auto row = sort(matrix(1, 5, {3, missing, 1, -infinity, 1}));
  CHECK(flat(row[1]) == Values{4, 3, 5, 1, 2});
  CHECK(row[0].at(0, 0) == -infinity);
  CHECK(std::isnan(row[0].at(0, 4)));
  const auto columns = sort(matrix(2, 2, {2, 1, 5, 5}));
  CHECK(flat(columns[0]) == Values{1, 2, 5, 5});
  CHECK(flat(columns[1]) == Values{2, 1, 1, 2});
  CHECK(sort(matrix(0, 3, {}))[0].cols() == 3);
}

TEST_CASE("orders keep equal values in place and put NaN last, or first when they descend") {
  const double nan = std::nan("");
  const Tensor x = matrix(2, 3, {2, nan, 1, 1, 2, nan});
  const auto sorted =
      run(LibraryFn::sort, {x, Tensor::scalar(2), Tensor::scalar(1)}, {dense(2, 3), dense(2, 3)}).results;
  CHECK(flat(sorted[1]) == Values{1, 1, 3, 3, 2, 2});
  const auto order = [&](const Tensor& a, const Tensor& columns) {
    return flat(run(LibraryFn::sort_rows, {a, columns}, {dense(a.rows(), 1)}).results[0]);
  };
  const Tensor a = matrix(4, 2, {1, 0, 1, 1, 3, 5, 2, 3});
  CHECK(order(a, matrix(0, 0, {})) == Values{2, 3, 1, 4});
  CHECK(order(a, matrix(1, 2, {-1, -2})) == Values{1, 4, 3, 2});
}

TEST_CASE("unique finds values, their first or last places and the place of each element") {
  const auto flag = [](bool set) { return Tensor::scalar(set, Element::logical); };
  const auto found = [&](bool last, bool stable) {
    return run(LibraryFn::unique, {matrix(1, 5, {3, 1, 2, 1, 3}), flag(false), flag(last), flag(stable)},
               {dense(5, 1), dense(5, 1), dense(5, 1), dense(1, 1)})
        .results;
  };
  CHECK(flat(found(false, false)[0]) == Values{1, 2, 3, 0, 0});
  CHECK(flat(found(false, false)[1]) == Values{2, 3, 1, 0, 0});
  CHECK(flat(found(true, false)[1]) == Values{4, 3, 5, 0, 0});
  CHECK(flat(found(false, true)[0]) == Values{3, 1, 2, 0, 0});
  CHECK(flat(found(false, true)[2]) == Values{1, 2, 3, 2, 1});
  CHECK(found(false, false)[3].as_scalar() == 3);
}

TEST_CASE("accumulate, lookup, filter and convolve") {
  const auto cells = [](double kind) {
    return flat(run(LibraryFn::accumulate,
                    {matrix(3, 1, {1, 3, 3}), matrix(3, 1, {5, 2, 4}), Tensor::scalar(-1), Tensor::scalar(kind)},
                    {dense(1, 3)})
                    .results[0]);
  };
  CHECK(cells(0) == Values{5, -1, 6});
  CHECK(cells(1) == Values{5, -1, 8});
  CHECK(cells(2) == Values{5, -1, 2});
  CHECK(cells(3) == Values{5, -1, 4});
  const Values y = {0, 1, 1.5, 3, 4, std::nan("")};
  CHECK(flat(run(LibraryFn::lookup, {matrix(1, 3, {1, 2, 3}), matrix(1, 6, y)}, {dense(1, 6)}).results[0]) ==
        Values{0, 1, 1, 3, 3, 3});
  CHECK(flat(run(LibraryFn::lookup, {matrix(1, 3, {3, 2, 1}), matrix(1, 6, y)}, {dense(1, 6)}).results[0]) ==
        Values{3, 3, 2, 1, 0, 3});
  const auto filtered =
      run(LibraryFn::filter, {matrix(1, 2, {1, 2}), matrix(1, 2, {2, 1}), matrix(3, 1, {2, 4, 6}), matrix(1, 1, {1})},
          {dense(3, 1), dense(1, 1)})
          .results;
  CHECK(flat(filtered[0]) == Values{2, 3, 5.5});
  CHECK(flat(filtered[1]) == Values{3.25});
  CHECK(run(LibraryFn::filter, {matrix(1, 1, {1}), matrix(1, 1, {0}), matrix(1, 1, {1}), matrix(0, 1, {})},
            {dense(1, 1), dense(0, 1)})
            .failure == "error: filter: the first element of A must be nonzero");
  CHECK(flat(run(LibraryFn::convolve, {matrix(2, 2, {1, 3, 2, 4}), matrix(1, 2, {1, 10})}, {dense(2, 3)}).results[0]) ==
        Values{1, 3, 12, 34, 20, 40});
}

TEST_CASE("sparse steps give the stated storage") {
  const Tensor a = to_csr(square({1, 0, 2, 3}));
  const ResultType csr{Element::real, Storage::csr, 2, 2, {}};
  const auto sum = run(LibraryFn::sparse_add, {a, a}, {csr}).results[0];
  CHECK(sum.storage() == Storage::csr);
  CHECK(flat(sum) == Values{2, 4, 0, 6});
  const ResultType diagonals{Element::real, Storage::diagonal, 2, 2, {-1, 0, 1}};
  const auto wide = run(LibraryFn::sparse_convert, {a}, {diagonals}).results[0];
  CHECK(wide.offsets() == std::vector<std::int64_t>{-1, 0, 1});
  CHECK(flat(wide) == Values{1, 2, 0, 3});
  const ResultType identity{Element::single, Storage::diagonal, 3, 2, {0}};
  CHECK(flat(run(LibraryFn::sparse_identity, {}, {identity}).results[0]) == Values{1, 0, 0, 0, 1, 0});
  CHECK(run(LibraryFn::sparse_nnz, {a}, {dense(1, 1, Element::integer)}).results[0].as_scalar() == 3);
  CHECK(flat(run(LibraryFn::sparse_diagonal, {a}, {dense(2, 1)}).results[0]) == Values{1, 3});
  const Tensor product = Tensor::scalar(static_cast<double>(ScalarOp::mul));
  CHECK(flat(run(LibraryFn::sparse_map, {product, a, Tensor::scalar(2)}, {csr}).results[0]) == Values{2, 4, 0, 6});
  CHECK(flat(run(LibraryFn::sparse_multiply, {a, a}, {csr}).results[0]) == Values{1, 8, 0, 9});
}

TEST_CASE("triplets add duplicates and refuse indices out of range") {
  const ResultType csr{Element::real, Storage::csr, 2, 2, {}};
  const Tensor i = matrix(3, 1, {1, 2, 1}), j = matrix(3, 1, {1, 2, 1}), v = matrix(3, 1, {1, 2, 3});
  CHECK(flat(run(LibraryFn::sparse_triplets, {i, j, v}, {csr}).results[0]) == Values{4, 0, 0, 2});
  CHECK(run(LibraryFn::sparse_triplets, {matrix(1, 1, {3}), matrix(1, 1, {1}), matrix(1, 1, {1})}, {csr}).failure ==
        "error: sparse: row index 3 out of bound 2");
}

TEST_CASE("random numbers are Philox's, open at both ends, and close in both precisions") {
  // Salmon et al.'s known answers for a zero key and counter.
  CHECK(philox(0, 0) == std::array<std::uint32_t, 4>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
  const Tensor x = random_tensor(Distribution::uniform, Element::real, 1000, 1, 42, 0);
  double sum = 0;
  for (double value : flat(x)) {
    REQUIRE((value > 0 && value < 1));
    sum += value;
  }
  CHECK(sum / 1000 == Approx(0.5).margin(0.05));
  CHECK(random_tensor(Distribution::uniform, Element::real, 1, 1, 42, 7).as_scalar() == x.at(7, 0));
  const Tensor single = random_tensor(Distribution::uniform, Element::single, 1000, 1, 42, 0);
  for (std::int64_t k = 0; k < 1000; ++k) REQUIRE(single.at(k, 0) == Approx(x.at(k, 0)).margin(2e-7));
  const Tensor normal = random_tensor(Distribution::normal, Element::real, 2000, 1, 42, 0);
  double squares = 0;
  for (double value : flat(normal)) squares += value * value;
  CHECK(squares / 2000 == Approx(1).margin(0.15));
}

TEST_CASE("messages mix literals and operands") {
  const Message message{Stream::out, "", "%s: %d of %d\n", {"x", std::nullopt, std::nullopt}};
  const std::vector<Tensor> operands = {Tensor::scalar(2), Tensor::scalar(3)};
  CHECK(format_message(message, operands).value() == "x: 2 of 3\n");
  CHECK(error_text(message, operands) == "error: x: 2 of 3");
  CHECK(is_true(matrix(1, 2, {1, 2})));
  CHECK_FALSE(is_true(matrix(0, 0, {})));
  const Tensor five = Tensor::scalar(5);
  CHECK(display_text({"x"}, {&five, 1}, ShownDigits::few) == "x = 5\n");
}

TEST_CASE("what agrees is not compared again for the text of a failed assert") {
  const Tensor headline = matrix(1, 1, {65}, Element::integer), no_tolerance = matrix(0, 0, {});
  const auto length = [&](double agree) {
    const std::vector<Tensor> operands = {Tensor::scalar(agree, Element::logical), headline, matrix(2, 1, {1, 2}),
                                          matrix(2, 1, {1, infinity}), no_tolerance};
    return run(LibraryFn::assert_text_length, operands, {dense(1, 1, Element::integer)}).results[0].as_scalar();
  };
  CHECK(length(1) == 0);
  CHECK(length(0) > 1);
}
