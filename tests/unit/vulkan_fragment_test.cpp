// Plans as render passes on a Vulkan device, against the interpreter.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "codegen/glsl/program/fragment.h"
#include "ir/graph/parse_text.h"
#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "runtime/tensor/convert.h"
#include "runtime/vulkan/fragment/fragment.h"
#include "tests/unit/device_kernels.h"
#include "tests/unit/plans.h"

using namespace lac;
using Catch::Contains;
using runtime::RunResult;
using runtime::Tensor;

namespace {

Graph parsed(std::string_view text) {
  Result<Graph> graph = parse_graph(text);
  if (!graph) FAIL(graph.failure().message);
  return graph.take();
}

Plan planned(Graph graph) {
  passes::ManagerOptions options;
  options.capabilities.device_scalars = true;
  options.capabilities.matrix_products = true;
  REQUIRE(passes::run_pipeline(graph, *passes::find_pipeline("vulkan"), options).ok());
  return test::fragment_plan(std::move(graph));
}

std::shared_ptr<runtime::vulkan::Device> checked_device() {
  if (!test::test_device()) return nullptr;
  auto device = runtime::vulkan::open_device({.validation = true});
  if (!device) device = runtime::vulkan::open_device({});  // the validation layer is not installed
  REQUIRE(device.ok());
  return device.take();
}

/// Runs the plan; then no message of the validation layer has come.
RunResult run(const Plan& plan, const std::vector<Tensor>& parameters, bool device_loops) {
  const auto device = checked_device();
  Result<FragmentProgram> passes = codegen::glsl::compile_fragments(plan, {.validate = true});
  if (!passes) FAIL(passes.failure().message);
  RunResult result = runtime::vulkan::run_fragment({&plan, &passes.value()}, parameters, {}, {device_loops}, device);
  INFO(result.status.message);
  CHECK(result.status.ok());
  INFO((device->messages()->texts.empty() ? "" : device->messages()->texts[0]));
  CHECK(device->messages()->count == 0);
  return result;
}

void check_close(const Tensor& found, const Tensor& expected, double tolerance) {
  REQUIRE(found.rows() == expected.rows());
  REQUIRE(found.cols() == expected.cols());
  double most = 1;
  for (std::int64_t k = 0; k < expected.stored(); ++k) most = std::max(most, std::abs(expected.stored_value(k)));
  for (std::int64_t k = 0; k < expected.stored(); ++k) {
    INFO("element " << k);
    REQUIRE(std::abs(found.stored_value(k) - expected.stored_value(k)) <= tolerance * most);
  }
}

void check_program(std::string_view text, const std::vector<Tensor>& parameters, double tolerance) {
  const Graph graph = parsed(text);
  const RunResult expected = runtime::interpret(graph, parameters, {});
  REQUIRE(expected.status.ok());
  const Plan plan = planned(graph);
  for (const bool device_loops : {false, true}) {
    const RunResult found = run(plan, parameters, device_loops);
    REQUIRE(found.outputs.size() == expected.outputs.size());
    for (std::size_t o = 0; o < found.outputs.size(); ++o) {
      INFO("output " << expected.outputs[o].first);
      check_close(found.outputs[o].second, expected.outputs[o].second, tolerance);
    }
  }
}

Tensor random_vector(std::int64_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = static_cast<double>(random() % 2001) / 1000.0 - 1;
  return Tensor::dense(Element::single, n, 1, values);
}

/// The five-point formula on a g x g grid, in diagonals.
Tensor poisson(std::int64_t g) {
  const std::int64_t n = g * g;
  Tensor matrix = Tensor::diagonal(Element::single, n, n, {-g, -1, 0, 1, g});
  const auto set = [&](std::int64_t d, std::int64_t i, double value) { matrix.set_stored_value(d * n + i, value); };
  for (std::int64_t i = 0; i < n; ++i) {
    if (i >= g) set(0, i, -1);
    if (i % g > 0) set(1, i, -1);
    set(2, i, 4);
    if (i % g < g - 1) set(3, i, -1);
    if (i < n - g) set(4, i, -1);
  }
  return matrix;
}

constexpr std::string_view conjugate_gradients = R"(graph "cg" f32
symbol g value 0 lower 2
symbol n rows 2 lower 2
parameter g: int
parameter A: f32[n x n] diagonal(-g, -1, 0, 1, g)
parameter b: f32[n x 1]
parameter limit: int
%0: f32[n x n] diagonal(-g, -1, 0, 1, g) = parameter A
%1: f32[n x 1] = parameter b
%2: int = parameter limit
%3: f32 = constant 0
%4: f32[n x 1] = fill %3
%5: f32[n x 1] = map mul %1, %1
%6: f32 = reduce sum all %5
%7: f32 = constant 1e-10
%8: f32 = map mul %7, %6
%9: logical = map gt %6, %8
%10: int, %11: f32[n x 1], %12: f32[n x 1], %13: f32[n x 1], %14: f32 = loop while_true "" %2, %9, %4, %1, %1, %6 {
  arguments %15: int, %16 x: f32[n x 1], %17 r: f32[n x 1], %18 p: f32[n x 1], %19 rho: f32
  %20 q: f32[n x 1] = matmul %0, %18
  %21: f32[n x 1] = map mul %18, %20
  %22: f32 = reduce sum all %21
  %23: f32 = map div %19, %22
  %24: f32[n x 1] = map mul %23, %18
  %25 x: f32[n x 1] = map add %16, %24
  %26: f32[n x 1] = map mul %23, %20
  %27 r: f32[n x 1] = map sub %17, %26
  %28: f32[n x 1] = map mul %27, %27
  %29 rho: f32 = reduce sum all %28
  %30: f32 = map div %29, %19
  %31: f32[n x 1] = map mul %30, %18
  %32 p: f32[n x 1] = map add %27, %31
  %33: logical = map gt %29, %8
  yield %33, %25, %27, %32, %29
}
output "x" %11
output "trips" %10
)";

std::vector<Tensor> cg_parameters(std::int64_t g, std::int64_t limit) {
  return {Tensor::scalar(static_cast<double>(g), Element::integer), poisson(g), random_vector(g * g),
          Tensor::scalar(static_cast<double>(limit), Element::integer)};
}

}  // namespace

TEST_CASE("conjugate gradients by render passes, with sizes that fill no texel") {
  if (!checked_device()) return;
  for (const std::int64_t g : {3, 5, 9}) {  // n = 9, 25, 81
    INFO("grid " << g);
    const Graph graph = parsed(conjugate_gradients);
    const std::vector<Tensor> parameters = cg_parameters(g, 300);
    const RunResult expected = runtime::interpret(graph, parameters, {});
    REQUIRE(expected.status.ok());
    const Plan plan = planned(graph);
    const RunResult host = run(plan, parameters, false), device = run(plan, parameters, true);
    check_close(device.outputs[0].second, expected.outputs[0].second, 1e-4);
    const double trips = device.outputs[1].second.as_scalar(), wanted = expected.outputs[1].second.as_scalar();
    CHECK(std::abs(trips - wanted) <= 0.08 * wanted + 1);
    CHECK(trips == host.outputs[1].second.as_scalar());
    for (std::int64_t k = 0; k < g * g; ++k)
      REQUIRE(device.outputs[0].second.stored_value(k) == host.outputs[0].second.stored_value(k));
    CHECK(device.statistics.transfers.render_passes > 0);
    CHECK(static_cast<double>(device.statistics.transfers.scalar_readbacks) <= trips / 8 + 4);
    CHECK(device.statistics.transfers.polls <= static_cast<std::int64_t>(trips) / 4 + 1);
  }
}

TEST_CASE("a loop on the device stops at its limit and may not run at all") {
  if (!checked_device()) return;
  for (const std::int64_t limit : {0, 1, 4, 5, 7}) {
    INFO("limit " << limit);
    check_program(conjugate_gradients, cg_parameters(5, limit), 1e-4);
  }
}

TEST_CASE("maps, several targets and reductions of every kind") {
  if (!checked_device()) return;
  constexpr std::string_view text = R"(graph "kinds" f32
symbol n rows 0 lower 2
parameter x: f32[n x 1]
%0: f32[n x 1] = parameter x
%1: f32[n x 1] = map mul %0, %0
%2: f32[n x 1] = map exp %0
%3: f32 = constant 0.5
%4: logical[n x 1] = map gt %0, %3
%5: f32 = reduce sum all %0
%6: f32 = reduce min all %0
%7: f32 = reduce max all %1
%8: logical = reduce any all %4
%9: logical = reduce all all %4
%10: f32 = reduce prod all %2
output "square" %1
output "exp" %2
output "above" %4
output "sum" %5
output "min" %6
output "max" %7
output "any" %8
output "all" %9
output "prod" %10
)";
  for (const std::int64_t n : {2, 3, 4, 7, 4097, 20001}) {
    INFO("n " << n);
    const Plan plan = planned(parsed(text));
    const auto passes = codegen::glsl::compile_fragments(plan, {});
    if (!passes) FAIL(passes.failure().message);
    check_program(text, {random_vector(n)}, 1e-4);
  }
}

TEST_CASE("reductions along an axis, positions of extrema") {
  if (!checked_device()) return;
  constexpr std::string_view text = R"(graph "axes" f32
symbol n rows 0 lower 0
symbol m cols 0 lower 0
parameter x: f32[n x m]
%0: f32[n x m] = parameter x
%1: f32[1 x m] = reduce sum rows %0
%2: f32[n x 1] = reduce prod cols %0
%3: f32[1 x m], %4: int[1 x m] = arg_reduce max rows %0
%5: f32, %6: int = arg_reduce min all %0
%7: f32 = constant 0.5
%8: logical[n x m] = map gt %0, %7
%9: int = reduce sum all %8
%10: int[n x 1] = reduce sum cols %8
output "sums" %1
output "products" %2
output "largest" %3
output "where" %4
output "least" %5
output "at" %6
output "count" %9
output "counts" %10
)";
  const auto matrix = [](std::int64_t n, std::int64_t m) { return random_vector(n * m).reshaped(n, m); };
  for (const auto& [n, m] : {std::pair{5, 7}, {1, 9}, {64, 33}, {300, 5}}) {
    INFO(n << " x " << m);
    check_program(text, {matrix(n, m)}, 1e-4);
  }
}

TEST_CASE("sums of nothing") {
  if (!checked_device()) return;
  constexpr std::string_view text = R"(graph "nothing" f32
symbol n rows 0 lower 0
symbol m cols 0 lower 0
parameter x: f32[n x m]
%0: f32[n x m] = parameter x
%1: f32[1 x m] = reduce sum rows %0
%2: f32[n x 1] = reduce prod cols %0
%3: f32 = reduce sum all %0
%4: f32[n x m] = map add %0, %3
output "columns" %1
output "rows" %2
output "all" %3
output "same" %4
)";
  for (const auto& [n, m] : {std::pair{0, 5}, {5, 0}, {0, 0}, {0, 5000}}) {
    INFO(n << " x " << m);
    check_program(text, {Tensor::dense(Element::single, n, m)}, 1e-6);
  }
}

TEST_CASE("points that write elsewhere: over what was there, and of several the last one") {
  if (!checked_device()) return;
  constexpr std::string_view text = R"(graph "scatter" f32
symbol n rows 0 lower 2
symbol k rows 1 lower 1
parameter x: f32[n x 1]
parameter p: int[k x 1]
%0: f32[n x 1] = parameter x
%1: int[k x 1] = parameter p
%2: f32[k x 1] = index [vector k] %0, %1
%3: f32[k x 1] = convert %1
%4: f32[k x 1] = map add %2, %3
%5: f32[n x 1] = update [vector k] %0, %1, %4
%6: f32 = constant 7
%7: f32[n x 1] = update [range 1 count n - 2] %5, %6
%8: int = constant 20000001
%9: int[k x 1] = update [range 1 count k - 2] %1, %8
output "x" %5
output "integers" %9
output "inner" %7
output "before" %0
)";
  for (const std::int64_t n : {4, 9, 5000}) {
    INFO("n " << n);
    const std::vector<double> positions = {3, 1, 3, static_cast<double>(n), 2, 3};
    const Tensor p = Tensor::dense(Element::integer, static_cast<std::int64_t>(positions.size()), 1, positions);
    check_program(text, {random_vector(n), p}, 1e-6);
  }
}

TEST_CASE("doubles are two singles") {
  if (!checked_device()) return;
  check_program(R"(graph "doubles" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]
%0 x: f64[n x 1] = parameter x
%1 y: f64[n x 1] = map mul %0, %0
%2 s: f64 = reduce sum all %1
output "y" %1
output "s" %2
)",
                {runtime::to_element(random_vector(1001), Element::real)}, 1e-13);
}
