// Draws and scans as shaders, against the interpreter.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <span>

#include "codegen/glsl/program/program.h"
#include "ir/graph/parse_text.h"
#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "runtime/steps/arrays/random.h"
#include "runtime/vulkan/machine/run.h"
#include "runtime/vulkan/stream/launch.h"
#include "tests/unit/device_kernels.h"
#include "tests/unit/plans.h"

using namespace lac;
using runtime::Tensor;

namespace {

struct Compiled {
  Graph graph;
  Plan plan;
  ShaderProgram shaders;
};

Compiled compile(Graph graph) {
  Compiled compiled;
  compiled.graph = graph;
  passes::ManagerOptions options;
  options.capabilities.device_scalars = true;
  REQUIRE(passes::run_pipeline(graph, *passes::find_pipeline("vulkan"), options).ok());
  compiled.plan = test::device_plan(std::move(graph));
  Result<ShaderProgram> shaders = codegen::glsl::compile_shaders(compiled.plan, {.validate = true});
  if (!shaders) FAIL(shaders.failure().message);
  compiled.shaders = shaders.take();
  return compiled;
}

Compiled compile(const std::string& text, const std::string& precision = "f64") {
  Result<Graph> graph = parse_graph("graph \"steps\" " + precision +
                                    "\nsymbol n rows 0 lower 2\nsymbol m cols 0 lower 2\n"
                                    "parameter x: f64[n x m]\n%0 x: f64[n x m] = parameter x\n" +
                                    text);
  if (!graph) FAIL(graph.failure().message);
  return compile(graph.take());
}

Tensor values(std::int64_t rows, std::int64_t cols) {
  Tensor x = Tensor::dense(Element::real, rows, cols);
  for (std::int64_t e = 0; e < x.count(); ++e)
    x.set_stored_value(e, e % 11 == 3 ? std::nan("") : std::sin(static_cast<double>(e)) + 0.1);
  return x;
}

void check_outputs(const runtime::RunResult& actual, const runtime::RunResult& expected, double tolerance) {
  REQUIRE(actual.status.ok());
  REQUIRE(actual.outputs.size() == expected.outputs.size());
  for (std::size_t n = 0; n < expected.outputs.size(); ++n) {
    const Tensor &a = actual.outputs[n].second, &e = expected.outputs[n].second;
    INFO("output " << expected.outputs[n].first);
    REQUIRE((a.rows() == e.rows() && a.cols() == e.cols()));
    int wrong = 0;
    for (std::int64_t k = 0; k < e.count(); ++k) {
      const double got = a.stored_value(k), want = e.stored_value(k);
      if (got == want || (std::isnan(got) && std::isnan(want))) continue;
      if (tolerance == 0 || !(std::abs(got - want) <= tolerance * (1 + std::abs(want)))) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("scans along every axis, in every shape") {
  const auto device = test::test_device();
  if (!device) return;
  const Compiled compiled = compile(R"(%1: f64 = constant 1.5
%2 v: f64[n x m] = map min %1, %0
%3 down: f64[n x m] = scan sum rows %2
%4 across: f64[n x m] = scan sum cols %2
%5 lowest: f64[n x m] = scan min rows %0
%6 highest: f64[n x m] = scan max cols %0
%8: logical[n x m] = map gt %0, %1
%9: logical[n x m] = map is_nan %0
%10 count: int[n x m] = scan sum cols %9
%11 s: f32[n x m] = convert %2
%12 singles: f32[n x m] = scan prod rows %11
output "down" %3
output "across" %4
output "lowest" %5
output "highest" %6
output "count" %10
output "singles" %12
)");
  CHECK(compiled.shaders.steps.size() == 6);
  for (auto [rows, cols] : {std::pair{2, 2}, {2, 3}, {33, 5}, {5, 700}, {1000, 3}, {5000, 2}, {2, 6000}}) {
    INFO(rows << " x " << cols);
    const std::vector<Tensor> parameters = {values(rows, cols)};
    const runtime::RunResult expected = runtime::interpret(compiled.graph, parameters, {});
    const auto run = [&] {
      return runtime::vulkan::run_vulkan({&compiled.plan, &compiled.shaders}, parameters, {}, {}, device);
    };
    const runtime::RunResult once = run();
    check_outputs(once, expected, 1e-5);
    check_outputs(run(), once, 0);
  }
}

TEST_CASE("a long scan is work for 256 workgroups and more") {
  const Compiled compiled = compile("%1: f64[n x m] = scan sum rows %0\noutput \"x\" %1\n");
  const Result<ShaderProgram> shaders =
      codegen::glsl::compile_shaders(compiled.plan, {.max_groups = codegen::glsl::groups_of_gpu, .split = true});
  REQUIRE(shaders);
  const auto size_of = [&](const Size& size) {
    return size.evaluate([&](SymbolId id) { return compiled.plan.symbols[id].name == "n" ? 3000000 : 2; });
  };
  runtime::vulkan::DeviceLimits limits;
  limits.group_count = {65535, 65535, 65535};
  const runtime::vulkan::LaunchShape shape = runtime::vulkan::launch_shape(
      shaders.value().steps.begin()->second, size_of, [](std::uint32_t) { return std::int64_t{0}; }, limits);
  std::int64_t most = 0;
  for (const runtime::vulkan::GroupCounts& groups : shape.groups)
    most = std::max(most, std::int64_t{groups.x} * groups.y * groups.z);
  CHECK(most >= 256);
  CHECK(shape.turns <= 32768);
}

TEST_CASE("uniform numbers have the bits of the host's, wherever the counter and the seed stand") {
  const auto device = test::test_device();
  if (!device) return;
  const Compiled doubles = compile(R"(%1 a: f64[n x m] = random uniform
%2 b: f64[n x 1] = random normal
%3 c: f64[n x n] = random uniform
output "a" %1
output "b" %2
output "c" %3
)");
  const Compiled singles = compile(R"(%1 a: f32[m x n] = random uniform
%2 b: f32[n x 1] = random uniform
output "a" %1
output "b" %2
)",
                                   "f32");
  CHECK(doubles.shaders.steps.size() == 2);
  CHECK(singles.shaders.steps.size() == 2);
  for (const Compiled* compiled : {&doubles, &singles})
    for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{42}, ~std::uint64_t{1}}) {
      runtime::RunOptions options;
      options.seed = seed;
      const std::vector<Tensor> parameters = {values(300, 7)};
      const runtime::RunResult expected = runtime::interpret(compiled->graph, parameters, options);
      check_outputs(runtime::vulkan::run_vulkan({&compiled->plan, &compiled->shaders}, parameters, options, {}, device),
                    expected, 0);
    }
}

TEST_CASE("the counter of draws carries into its high word") {
  const auto device = test::test_device();
  if (!device) return;
  const Compiled compiled = compile("%1 a: f64[n x m] = random uniform\noutput \"a\" %1\n");
  constexpr std::uint64_t seed = 0x123456789abcdef0, counter = (std::uint64_t{3} << 32) - 5;
  constexpr std::int64_t count = 12;
  runtime::vulkan::Stream stream(*device);
  runtime::vulkan::Launcher launcher(*device);
  std::vector<double> drawn(count);
  const runtime::vulkan::BufferRange range{device->make_buffer(count * sizeof(double)), 0, count * sizeof(double)};
  runtime::vulkan::LaunchOutput output;
  output.values.buffer = range;
  const runtime::vulkan::SizeOf size_of = [](const Size& size) {
    return size.evaluate([](SymbolId id) { return id.index == 0 ? count : 1; });
  };
  const runtime::vulkan::LaunchNumbers numbers{size_of, {device->make_buffer(8)}, seed, counter};
  launcher.record(stream, launcher.bind(compiled.shaders.steps.begin()->second, {}, {output}, numbers));
  stream.read(range, std::as_writable_bytes(std::span(drawn)));
  for (std::uint64_t e = 0; e < count; ++e)
    CHECK(drawn[e] == runtime::random_value(Distribution::uniform, Element::real, seed, counter + e));
}

TEST_CASE("draws inside a loop that the device ends count the trips that were made") {
  const auto device = test::test_device();
  if (!device) return;
  const Compiled compiled = compile(R"(%1: f64 = constant 1
%2: int = constant 100
%3: logical = constant 1
%4: f64[n x m] = map max %0, %1
%5: int, %6: f64[n x m] = loop while_true "" %2, %3, %4 {
  arguments %7: int, %8: f64[n x m]
  %9 r: f64[n x m] = random uniform
  %10: f64[n x m] = map mul %8, %9
  %11: f64 = reduce sum all %10
  %12: logical = map gt %11, %1
  yield %12, %10
}
%13 after: f64[n x m] = random uniform
output "trips" %5
output "x" %6
output "after" %13
)");
  const std::vector<Tensor> parameters = {values(20, 7)};
  const runtime::RunResult expected = runtime::interpret(compiled.graph, parameters, {});
  for (bool device_loops : {false, true}) {
    INFO("device loops: " << device_loops);
    check_outputs(runtime::vulkan::run_vulkan({&compiled.plan, &compiled.shaders}, parameters, {},
                                              {.device_loops = device_loops}, device),
                  expected, 1e-12);
  }
}

TEST_CASE("triangular solves, forward and backward, with any number of right-hand sides") {
  const auto device = test::test_device();
  if (!device) return;
  for (const std::string property : {"lower", "upper"})
    for (const std::string element : {"f64", "f32"}) {
      const std::string a = element + "[n x n] " + property, b = element + "[n x m]";
      Result<Graph> graph = parse_graph("graph \"solve\" " + element +
                                        "\nsymbol n rows 0 lower 2\nsymbol m cols 1 lower 2\nparameter a: " + a +
                                        "\nparameter b: " + b + "\n%0: " + a + " = parameter a\n%1: " + b +
                                        " = parameter b\n%2 x: " + b + " = library solve %0, %1\noutput \"x\" %2\n");
      if (!graph) FAIL(graph.failure().message);
      const Compiled compiled = compile(graph.take());
      CHECK(compiled.shaders.steps.size() == 1);
      const Element kind = compiled.graph.precision;
      for (auto [n, m] : {std::pair{2, 2}, {31, 3}, {32, 2}, {33, 2}, {300, 5}}) {
        INFO(property << " " << element << " " << n << " x " << m);
        Tensor matrix = Tensor::dense(kind, n, n), right = Tensor::dense(kind, n, m);
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i)
            if (i == j || (i > j) == (property == "lower"))
              matrix.set_stored_value(i + j * n, i == j ? 2 : std::sin(static_cast<double>(7 * i + j)) / n);
        for (std::int64_t k = 0; k < right.count(); ++k) right.set_stored_value(k, std::cos(static_cast<double>(k)));
        const std::vector<Tensor> parameters = {matrix, right};
        check_outputs(runtime::vulkan::run_vulkan({&compiled.plan, &compiled.shaders}, parameters, {}, {}, device),
                      runtime::interpret(compiled.graph, parameters, {}), kind == Element::single ? 1e-5 : 1e-13);
      }
    }
}

TEST_CASE("sorts count what goes before: along both axes, up and down, NaN above all, equal ones in their order") {
  const auto device = test::test_device();
  if (!device) return;
  for (const std::string element : {"f64", "f32"}) {
    const std::string x = element + "[n x m]";
    Result<Graph> graph = parse_graph(
        "graph \"sort\" " + element + "\nsymbol n rows 0 lower 0\nsymbol m cols 0 lower 0\nparameter x: " + x +
        "\n%0: " + x +
        " = parameter x\n%1: int = constant 1\n%2: int = constant 2\n%3: logical = constant 0\n%4: logical = constant "
        "1\n" +
        "%5 down: " + x + ", %6 rows: int[n x m] = library sort %0, %1, %3\n" + "%7 falling: " + x +
        ", %8 columns: int[n x m] = library sort %0, %2, %4\n" + "%9 alone: " + x +
        ", %10: int[0 x 0] = library sort %0, %2, %3\n" +
        "output \"down\" %5\noutput \"rows\" %6\noutput \"falling\" %7\noutput \"columns\" %8\noutput \"alone\" %9\n");
    if (!graph) FAIL(graph.failure().message);
    const Compiled compiled = compile(graph.take());
    CHECK(compiled.shaders.steps.size() == (element == "f64" ? 3 : 1));  // positions of singles stay with the host
    for (auto [rows, cols] :
         {std::pair{0, 0}, {0, 3}, {2, 0}, {1, 2}, {7, 1}, {300, 3}, {3, 300}, {4096, 1}, {4097, 1}}) {
      INFO(element << " " << rows << " x " << cols);
      Tensor matrix = Tensor::dense(compiled.graph.precision, rows, cols);
      constexpr double odd[] = {
          std::numeric_limits<double>::quiet_NaN(), -0.0, 0.0, std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity(), 1,    1,   -1};
      for (std::int64_t e = 0; e < matrix.count(); ++e)
        matrix.set_stored_value(e, e % 3 == 0 ? odd[(e / 3) % 8] : std::sin(static_cast<double>(e * e)));
      const runtime::RunResult actual =
          runtime::vulkan::run_vulkan({&compiled.plan, &compiled.shaders}, {matrix}, {}, {}, device);
      check_outputs(actual, runtime::interpret(compiled.graph, {matrix}, {}), 0);
    }
  }
}

TEST_CASE("accumulated values are summed up in their order, and what no position names is the filler") {
  const auto device = test::test_device();
  if (!device) return;
  for (const std::string kind : {"0", "1", "2", "3"}) {
    Result<Graph> graph = parse_graph(
        "graph \"accumulate\" f64\nsymbol n rows 0 lower 0\nsymbol m rows 1 lower 0\nparameter v: f64[n x 1]\n"
        "parameter to: f64[m x 1]\n%0: f64[n x 1] = parameter v\n%1: f64[m x 1] = parameter to\n%2: f64 = constant 7\n"
        "%3: f64[n x 1] = map abs %0\n%4: f64[n x 1] = map ceil %3\n%5: f64 = constant -3\n%6: int = constant " +
        kind +
        "\n%7: f64[n x 1] = map min %4, %2\n%8: f64[m x 1] = library accumulate %7, %0, %5, %6\noutput \"x\" %8\n");
    if (!graph) FAIL(graph.failure().message);
    const Compiled compiled = compile(graph.take());
    CHECK(compiled.shaders.steps.size() == 1);
    for (auto [n, m] : {std::pair{0, 9}, {1, 9}, {1000, 9}, {1000, 0}, {5000, 9}}) {
      INFO("kind " << kind << ", " << n << " values in " << m << " cells");
      Tensor v = Tensor::dense(Element::real, n, 1), to = Tensor::dense(Element::real, m, 1);
      for (std::int64_t e = 0; e < n; ++e)
        v.set_stored_value(e, e % 50 == 7 ? std::nan("") : 8.5 * std::sin(static_cast<double>(e)));
      const runtime::RunResult actual =
          runtime::vulkan::run_vulkan({&compiled.plan, &compiled.shaders}, {v, to}, {}, {}, device);
      check_outputs(actual, runtime::interpret(compiled.graph, {v, to}, {}), 1e-12);
    }
  }
}
