// Random programs, compiled for this machine, against the interpreter on the graph as it was.
#include <catch2/catch.hpp>

#include "driver/native/native_code.h"
#include "ir/graph/text.h"
#include "ir/plan/manifest.h"
#include "passes/pass_manager.h"
#include "runtime/cpu/executor.h"
#include "runtime/interp/interpreter.h"
#include "tests/unit/plans.h"
#include "tests/unit/random_graph.h"

using namespace lac;
using test::difference;

namespace {

runtime::RunResult run(const test::RandomProgram& program) {
  Result<driver::NativeCode> code = driver::NativeCode::make(test::cpu_plan(program.graph), {"native", true}, nullptr);
  if (!code) throw InternalError(code.failure().message);
  const Manifest manifest = make_manifest(program.graph);
  return runtime::run_cpu(code.value().program(manifest), program.parameters, {});
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
