// Random programs, compiled for this machine, against the interpreter on the graph as it was.
#include <catch2/catch.hpp>

#include "codegen/llvm/jit.h"
#include "ir/graph/text.h"
#include "ir/plan/manifest.h"
#include "passes/pass_manager.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/symbols.h"
#include "runtime/interp/interpreter.h"
#include "tests/unit/random_graph.h"

using namespace lac;
using test::difference;

namespace {

runtime::RunResult run(const test::RandomProgram& program) {
  std::vector<codegen::HostSymbol> symbols;
  for (const runtime::AbiSymbol& symbol : runtime::abi_symbols()) symbols.push_back({symbol.name, symbol.address});
  Result<codegen::JitProgram> code = codegen::jit(program.graph, {"native", true}, symbols);
  if (!code) throw InternalError(code.failure().message);
  const Manifest manifest = make_manifest(program.graph);
  return runtime::run_cpu({code.value().entry(), &manifest}, program.parameters, {});
}

}  // namespace

TEST_CASE("random programs compute on the cpu what the interpreter computes") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    test::RandomProgram program = test::random_program(seed, 4 + static_cast<int>(seed % 24));
    const runtime::RunResult expected = runtime::interpret(program.graph, program.parameters, {});
    REQUIRE(passes::run_pipeline(program.graph, *passes::find_pipeline("cpu"), {}).ok());
    const std::string found = difference(expected, run(program));
    if (!found.empty()) FAIL(found + "\n" + print(program.graph));
  }
}
