// Graphs as bytes: what is read is what was written, but for what is dead.
#include "ir/plan/graph_bytes.h"

#include <catch2/catch.hpp>

#include "ir/graph/text.h"
#include "ir/graph/verifier.h"
#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "tests/unit/random_graph.h"

using namespace lac;

namespace {

Graph planned(std::uint32_t seed, std::string_view pipeline, const Capabilities& capabilities) {
  Graph graph = test::random_program(seed, 4 + static_cast<int>(seed % 40)).graph;
  passes::ManagerOptions options;
  options.capabilities = capabilities;
  REQUIRE(passes::run_pipeline(graph, *passes::find_pipeline(pipeline), options).ok());
  return graph;
}

void check_survives(const Graph& graph) {
  const std::string bytes = to_bytes(graph);
  const std::optional<Graph> read = graph_from_bytes(bytes);
  REQUIRE(read);
  CHECK(print(*read) == print(graph));
  CHECK(print_kernels(*read) == print_kernels(graph));
  CHECK(verify(*read).empty());
  CHECK(to_bytes(*read) == bytes);
}

}  // namespace

TEST_CASE("random graphs and their plans survive their bytes") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    test::RandomProgram program = test::random_program(seed, 4 + static_cast<int>(seed % 40));
    check_survives(program.graph);
    const Graph plan = planned(seed, "cpu", {.growth_in_place = true});
    check_survives(plan);
    check_survives(planned(seed, "vulkan", {.device_scalars = true, .matrix_products = true, .workgroups = true}));
    const std::string found =
        test::difference(runtime::interpret(plan, program.parameters, {}),
                         runtime::interpret(*graph_from_bytes(to_bytes(plan)), program.parameters, {}));
    CHECK(found == "");
  }
}

TEST_CASE("bytes that are cut, longer or of something else are refused") {
  const std::string bytes = to_bytes(planned(7, "cpu", {}));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50)
    CHECK(!graph_from_bytes(bytes.substr(0, size)));
  CHECK(!graph_from_bytes(bytes + "x"));
  CHECK(!graph_from_bytes("lac manifest 2\n"));
}

TEST_CASE("numbers of every size survive their bytes") {
  Graph graph;
  graph.name = "sizes";
  const SymbolId n = graph.symbols.push({"n", SymbolOrigin::parameter_rows, 0, {}, SizeSymbol::unbounded});
  const SymbolId m = graph.symbols.push({"m", SymbolOrigin::parameter_cols, 0, {}, -7});
  const Size symbol = Size::symbol(n), other = Size::symbol(m);
  for (const std::int64_t number : {INT64_MAX, -INT64_MAX, std::int64_t{0}, std::int64_t{-1}, std::int64_t{63},
                                    std::int64_t{64}, std::int64_t{-64}, std::int64_t{-65}, std::int64_t{1} << 53}) {
    graph.parameters.push_back({"p", Type::matrix(Element::real, number, symbol + number), {}});
    graph.parameters.push_back({"q", Type::matrix(Element::real, symbol * other * number - 1, other - symbol), {}});
  }
  const std::optional<Graph> read = graph_from_bytes(to_bytes(graph));
  REQUIRE(read);
  REQUIRE(read->parameters.size() == graph.parameters.size());
  for (std::size_t k = 0; k < graph.parameters.size(); ++k) CHECK(read->parameters[k].type == graph.parameters[k].type);
  CHECK(read->symbols[n].lower == SizeSymbol::unbounded);
  CHECK(read->symbols[m].lower == -7);
}
