#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "ir/graph/builder.h"
#include "ir/graph/parse_text.h"
#include "runtime/interp/interpreter.h"
#include "runtime/tensor/convert.h"

using namespace lac;
using namespace lac::runtime;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

Graph read(const std::string& text) {
  Result<Graph> graph = parse_graph("graph \"g\" f64\n" + text);
  if (!graph) FAIL(graph.failure().message);
  return graph.take();
}

RunResult run(const std::string& text, const std::vector<Tensor>& parameters = {}, const RunOptions& options = {}) {
  return interpret(read(text), parameters, options);
}

Values flat(const Tensor& a) {
  Values values;
  for (std::int64_t j = 0; j < a.cols(); ++j)
    for (std::int64_t i = 0; i < a.rows(); ++i) values.push_back(a.at(i, j));
  return values;
}

/// The values of the outputs of a run that must succeed.
std::vector<Values> outputs(const std::string& text, const std::vector<Tensor>& parameters = {}) {
  const RunResult result = run(text, parameters);
  CHECK(result.status.message == "");
  REQUIRE(result.status.ok());
  std::vector<Values> values;
  for (const NamedTensor& output : result.outputs) values.push_back(flat(output.second));
  return values;
}

Tensor matrix(std::int64_t rows, std::int64_t cols, const Values& values) {
  return Tensor::dense(Element::real, rows, cols, values);
}

/// "parameter x: f64[r x c]" and its op as %0.
std::string one_parameter(const std::string& type) {
  return "parameter x: " + type + "\n%0: " + type + " = parameter x\n";
}

/// The 1-D Laplacian of order n in diagonal storage.
Tensor laplacian(std::int64_t n) {
  Tensor a = Tensor::diagonal(Element::real, n, n, {-1, 0, 1});
  for (std::int64_t i = 0; i < n; ++i) {
    if (i > 0) a.set_stored_value(i, -1);
    a.set_stored_value(n + i, 2);
    if (i + 1 < n) a.set_stored_value(2 * n + i, -1);
  }
  return a;
}

}  // namespace

TEST_CASE("elementwise ops broadcast and round to their element") {
  const auto x = outputs(one_parameter("f64[2 x 1]") + R"(
%1: int[1 x 3] = iota cols
%2: f64[2 x 3] = map add %0, %1
%3: f32 = constant 0.1
%4: f32[2 x 1] = map mul %0, %3
%5: logical[2 x 3] = map gt %2, %1
output "sum" %2
output "single" %4
output "truth" %5
)",
                         {matrix(2, 1, {0, 10})});
  CHECK(x[0] == Values{0, 10, 1, 11, 2, 12});
  CHECK(x[1] == Values{0, static_cast<double>(static_cast<float>(10.0 * 0.1f))});
  CHECK(x[2] == Values{0, 1, 0, 1, 0, 1});
}

TEST_CASE("rearrangements follow column-major order") {
  const auto x = outputs(one_parameter("f64[2 x 3]") + R"(
%1: f64[3 x 2] = transpose %0
%2: f64[3 x 2] = reshape %0
%3: f64[2 x 1] = diagonal 1 %0
%4: f64[2 x 2] = index [all 2, range 2 step -2 count 2] %0
%5: int = constant 2
%6: int[1 x 2] = fill %5
%7: f64[1 x 2] = index [vector 2] %0, %6
%8: f64[2 x 3] = update [at 0, all 3] %0, %5
%9: f64[3 x 3] = resize %0
%10: f64[4 x 3] = concat rows %0, %8
%11: f64[2 x 4] = concat cols %3, %0
output "transpose" %1
output "reshape" %2
output "diagonal" %3
output "index" %4
output "gather" %7
output "update" %8
output "resize" %9
output "rows" %10
output "cols" %11
)",
                         {matrix(2, 3, {1, 2, 3, 4, 5, 6})});
  CHECK(x[0] == Values{1, 3, 5, 2, 4, 6});
  CHECK(x[1] == Values{1, 2, 3, 4, 5, 6});
  CHECK(x[2] == Values{3, 6});
  CHECK(x[3] == Values{5, 6, 1, 2});
  CHECK(x[4] == Values{2, 2});
  CHECK(x[5] == Values{2, 2, 2, 4, 2, 6});
  CHECK(x[6] == Values{1, 2, 0, 3, 4, 0, 5, 6, 0});
  CHECK(x[7] == Values{1, 2, 2, 2, 3, 4, 2, 4, 5, 6, 2, 6});
  CHECK(x[8] == Values{3, 6, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("with repeated positions the last value wins") {
  const auto x = outputs(one_parameter("f64[3 x 1]") + R"(
%1: int = constant 2
%2: int[2 x 1] = fill %1
%3: int[2 x 1] = iota rows
%4: f64[3 x 1] = update [vector 2] %0, %2, %3
output "x" %4
)",
                         {matrix(3, 1, {7, 8, 9})});
  CHECK(x[0] == Values{7, 1, 9});
}

TEST_CASE("reductions skip NaN where Octave does") {
  const std::string text = one_parameter("f64[2 x 2]") + R"(
%1: f64[1 x 2] = reduce sum rows %0
%2: f64[2 x 1] = reduce max cols %0
%3: f64 = reduce min all %0
%4: f64[1 x 2], %5: int[1 x 2] = arg_reduce max rows %0
%6: f64[2 x 2] = scan sum cols %0
%7: logical[1 x 2] = reduce all rows %0
output "sum" %1
output "max" %2
output "min" %3
output "value" %4
output "place" %5
output "scan" %6
output "all" %7
)";
  const auto x = outputs(text, {matrix(2, 2, {1, 4, not_a_number, 4})});
  CHECK(x[0][0] == 5);
  CHECK(std::isnan(x[0][1]));
  CHECK(x[1] == Values{1, 4});
  CHECK(x[2] == Values{1});
  CHECK(x[3] == Values{4, 4});
  CHECK(x[4] == Values{2, 2});
  CHECK(x[5][3] == 8);
  CHECK(x[6] == Values{1, 1});
  const auto all_nan = outputs(text, {matrix(2, 2, {not_a_number, not_a_number, 3, 3})});
  CHECK(std::isnan(all_nan[3][0]));
  CHECK(all_nan[4] == Values{1, 1});
}

TEST_CASE("empty matrices reduce to identities") {
  const auto x = outputs(one_parameter("f64[0 x 3]") + R"(
%1: f64[1 x 3] = reduce sum rows %0
%2: f64[1 x 3] = reduce prod rows %0
%3: f64[0 x 1] = reduce max cols %0
%4: f64[3 x 3] = matmul tn %0, %0
output "sum" %1
output "prod" %2
output "max" %3
output "product" %4
)",
                         {matrix(0, 3, {})});
  CHECK(x[0] == Values{0, 0, 0});
  CHECK(x[1] == Values{1, 1, 1});
  CHECK(x[2].empty());
  CHECK(x[3] == Values(9, 0.0));
}

TEST_CASE("products in every storage agree, and absent entries are not multiplied") {
  const Tensor a = laplacian(4);
  const Tensor p = matrix(4, 1, {1, 2, 3, 4});
  const auto product = [&](const std::string& type, const Tensor& left, const Tensor& right) {
    return outputs("parameter A: " + type + "\nparameter p: f64[4 x 1]\n%0: " + type +
                       " = parameter A\n%1: f64[4 x 1] = parameter p\n%2: f64[4 x 1] = matmul tn %0, %1\n" +
                       "output \"q\" %2\n",
                   {left, right})[0];
  };
  const Values expected = {0, 0, 0, 5};
  CHECK(product("f64[4 x 4] diagonal(-1, 0, 1)", a, p) == expected);
  CHECK(product("f64[4 x 4] csr", to_csr(a), p) == expected);
  CHECK(product("f64[4 x 4]", to_dense(a), p) == expected);
  const Tensor infinite = matrix(4, 1, {1, 2, 3, INFINITY});
  CHECK(product("f64[4 x 4] csr", to_csr(a), infinite)[0] == 0);
  CHECK(std::isnan(product("f64[4 x 4]", to_dense(a), infinite)[0]));
}

TEST_CASE("a loop carries values, counts its trips and stops by its condition") {
  const std::string text = R"(%0: f64 = constant 1
%1: int = constant inf
%2: logical = constant 1
%3: int, %4: f64 = loop while_true "" %1, %2, %0 {
  arguments %5: int, %6: f64
  %7: f64 = map add %6, %6
  %8: f64 = constant 100
  %9: logical = map lt %7, %8
  yield %9, %7
}
output "trips" %3
output "x" %4
)";
  const auto x = outputs(text);
  CHECK(x[0] == Values{7});
  CHECK(x[1] == Values{128});
  CHECK(run(text).statistics.loops[0].trips == 7);
}

TEST_CASE("shapes may change from trip to trip") {
  const auto x = outputs(R"(symbol %3 lower 0
symbol %7 lower 0
symbol %11 lower 0
%0: int = constant 3
%1: logical = constant 1
%2: f64 = constant 5
%3: int = constant 1
%4: f64[%3 x 1] = fill %2
%5: int, %7: int, %6: f64[%7 x 1] = loop for_range "k" %0, %1, %3, %4 {
  arguments %10: int, %11: int, %12: f64[%11 x 1]
  %13: int = size %11 + 1
  %14: f64[%11 + 1 x 1] = resize %12
  yield %1, %13, %14
}
output "x" %6
)");
  CHECK(x[0] == Values{5, 0, 0, 0});
}

TEST_CASE("a branch runs one of its blocks") {
  const std::string text = one_parameter("logical") + R"(
%1: f64 = constant 3
%2: f64 = branch %0 {
  yield %1
} {
  %3: f64 = map neg %1
  yield %3
}
output "x" %2
)";
  CHECK(outputs(text, {Tensor::scalar(1, Element::logical)})[0] == Values{3});
  CHECK(outputs(text, {Tensor::scalar(0, Element::logical)})[0] == Values{-3});
}

TEST_CASE("a failed check stops with its text, its trips and no later effect") {
  std::string printed;
  RunOptions options;
  options.out = [&](std::string_view text) { printed += text; };
  const RunResult failed = run(R"(%0: int = constant 4
%1: logical = constant 1
%2: int = loop for_range "k" %0, %1 {
  arguments %3: int
  format out "trip %d\n" (_) %3
  %4: int = constant 2
  %5: logical = map lt %3, %4
  check err id "my:id" "index (%d,_): out of bound %d" (_, _) %5, %3, %0
  yield %1
}
format out "after\n"
)",
                               {}, options);
  CHECK(failed.status.code == RunCode::error);
  CHECK(failed.status.message == "error: index (2,_): out of bound 4");
  CHECK(failed.status.id == "my:id");
  CHECK(failed.status.trips == std::vector<std::int64_t>{3});
  CHECK(printed == "trip 0\ntrip 1\ntrip 2\n");
}

TEST_CASE("effects come in program order and warnings go on") {
  std::string printed, errors;
  RunOptions options;
  options.out = [&](std::string_view text) { printed += text; };
  options.err = [&](std::string_view text) { errors += text; };
  const RunResult result = run(one_parameter("f64[2 x 1]") + R"(
%1: logical = constant 0
format out "%g,%g;%s\n" (_, "text") %0
warn err "careful %d" (_) %1, %0
format err "done"
)",
                               {matrix(2, 1, {1.5, 2})}, options);
  REQUIRE(result.status.ok());
  CHECK(printed == "1.5,2;text\n");
  CHECK(errors == "done");
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].message.substr(0, 16) == "warning: careful");
}

TEST_CASE("an interrupt is seen at the next trip") {
  std::atomic<bool> interrupt{false};
  RunOptions options;
  options.interrupt = &interrupt;
  options.out = [&](std::string_view) { interrupt = true; };
  const RunResult result = run(R"(%0: int = constant inf
%1: logical = constant 1
%2: int = loop while_true "" %0, %1 {
  arguments %3: int
  format out "x"
  yield %1
}
)",
                               {}, options);
  CHECK(result.status.code == RunCode::interrupted);
  CHECK(result.status.trips == std::vector<std::int64_t>{2});
}

TEST_CASE("the NaN check names the variable") {
  RunOptions options;
  options.check_nan = true;
  const RunResult result = run(R"(%0: f64 = constant -1
%1 root: f64 = map sqrt %0
output "x" %1
)",
                               {}, options);
  CHECK(result.status.code == RunCode::error);
  CHECK(result.status.message == "error: NaN in root");
}

TEST_CASE("what no memory holds fails for want of memory") {
  const Size billions = 5'000'000'000;
  Graph graph;
  Builder b(graph);
  const ValueId one = b.constant(1, Element::real);
  b.output("s", b.reduce(b.fill(one, billions, billions), {ReduceOp::sum, Axis::all}));
  CHECK(interpret(graph, {}, {}).status.code == RunCode::out_of_memory);

  Graph measured;
  Builder c(measured);
  const ValueId huge =
      c.convert(c.reduce(c.fill(c.constant(1e100, Element::real), 2, 1), {ReduceOp::max, Axis::all}), Element::integer);
  c.output("x", c.fill(c.constant(1, Element::real), as_size(measured, huge), 1));
  CHECK(interpret(measured, {}, {}).status.code == RunCode::out_of_memory);
}

TEST_CASE("parameters of another shape are refused in words") {
  CHECK(run(one_parameter("f64[2 x 1]"), {matrix(3, 1, {1, 2, 3})}).status.message ==
        "error: parameter x is 3x1, expected 2x1");
}

TEST_CASE("random draws follow program order and the seed") {
  const std::string text = R"(%0: f64[2 x 1] = random uniform
%1: f64[3 x 1] = random uniform
output "a" %0
output "b" %1
)";
  const auto x = outputs(text);
  CHECK(outputs(text) == x);
  RunOptions other;
  other.seed = 7;
  CHECK(flat(run(text, {}, other).outputs[0].second) != x[0]);
  CHECK(x[0][0] != x[1][0]);
}
