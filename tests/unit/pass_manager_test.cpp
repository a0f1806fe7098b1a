#include "passes/pass_manager.h"

#include <catch2/catch.hpp>

#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"
#include "runtime/interp/interpreter.h"
#include "tests/unit/random_graph.h"

using namespace lac;
using test::difference;

namespace {

const char* const small_graph = R"ir(graph "g" f64
symbol n rows 0 lower 2
parameter x: f64[n x 1]

%0: f64[n x 1] = parameter x
%1: f64[n x 1] = map neg %0
%2: f64 = reduce sum all %1
output "s" %2
)ir";

void check_random_programs(std::string_view pipeline, const Capabilities& capabilities, std::uint32_t count) {
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    INFO("seed " << seed);
    test::RandomProgram program = test::random_program(seed, 4 + static_cast<int>(seed % 24));
    const Graph original = program.graph;
    const runtime::RunResult expected = runtime::interpret(original, program.parameters, {});
    REQUIRE(expected.status.message == "");
    passes::ManagerOptions options;
    options.capabilities = capabilities;
    options.verify = true;
    std::string wrong;
    options.after = [&](std::string_view name, const Graph& graph) {
      if (!wrong.empty()) return;
      const std::string found = difference(expected, runtime::interpret(graph, program.parameters, {}));
      if (!found.empty()) wrong = "after " + std::string(name) + ": " + found + "\n" + print(graph);
    };
    REQUIRE(passes::run_pipeline(program.graph, *passes::find_pipeline(pipeline), options).ok());
    if (!wrong.empty()) FAIL(print(original) + wrong);
  }
}

}  // namespace

TEST_CASE("every pass of every pipeline exists") {
  for (const passes::Pipeline& pipeline : passes::all_pipelines())
    for (std::string_view name : pipeline.passes) CHECK(passes::find_pass(name) != nullptr);
  CHECK(passes::find_pass("nothing") == nullptr);
}

TEST_CASE("the manager shows the graph after each pass and stops where told") {
  Graph graph = parse_graph(small_graph).take();
  passes::ManagerOptions options;
  options.verify = true;
  options.stop_after = "fuse";
  std::vector<std::string> seen;
  options.after = [&](std::string_view name, const Graph&) { seen.emplace_back(name); };
  const auto report = passes::run_pipeline(graph, *passes::find_pipeline("cpu"), options);
  REQUIRE(report.ok());
  CHECK(seen.front().empty());
  CHECK(seen.back() == "fuse");
  CHECK(report.value().times.size() + 1 == seen.size());
  CHECK(graph.kernels.size() == 1);
}

TEST_CASE("a pass that is not in the pipeline cannot be stopped after") {
  Graph graph = parse_graph(small_graph).take();
  passes::ManagerOptions options;
  options.stop_after = "frobnicate";
  CHECK_FALSE(passes::run_pipeline(graph, *passes::find_pipeline("cpu"), options).ok());
}

TEST_CASE("a graph that does not verify is an internal error with its text") {
  Graph graph = parse_graph(small_graph).take();
  graph.values[ValueId{2}].type.rows = 3;
  passes::ManagerOptions options;
  options.verify = true;
  try {
    (void)passes::run_pipeline(graph, *passes::find_pipeline("cpu"), options);
    FAIL("it verified");
  } catch (const InternalError& error) {
    CHECK(std::string(error.what()).find("graph \"g\"") != std::string::npos);
  }
}

TEST_CASE("random programs compute the same after every pass") { check_random_programs("cpu", {}, 600); }

TEST_CASE("random programs compute the same where scalars stay on a device") {
  Capabilities capabilities;
  capabilities.device_scalars = capabilities.matrix_products = true;
  check_random_programs("vulkan", capabilities, 600);
}

TEST_CASE("kernels respect what the target can do") {
  passes::ManagerOptions options;
  options.capabilities.max_inputs = 5;
  options.capabilities.max_outputs = 2;
  options.capabilities.max_reductions = 1;
  options.capabilities.max_concat = 2;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    test::RandomProgram program = test::random_program(seed, 4 + static_cast<int>(seed % 24));
    const runtime::RunResult expected = runtime::interpret(program.graph, program.parameters, {});
    REQUIRE(passes::run_pipeline(program.graph, *passes::find_pipeline("cpu"), options).ok());
    CHECK(difference(expected, runtime::interpret(program.graph, program.parameters, {})) == "");
    for (const Kernel& kernel : program.graph.kernels) {
      CHECK(kernel.inputs.size() <= 5);
      CHECK(kernel.outputs.size() <= 2);
      CHECK(kernel.reductions.size() <= 1);
    }
  }
}
