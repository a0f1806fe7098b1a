// Programs: lowered, executed by the oracle, optimised for the CPU with the verifier after each pass, and executed as
// the plan that comes out. Both runs must end in the same way.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "tests/fuzz/program_run.h"
#include "tests/fuzz/program_text.h"

using namespace lac;

namespace {

constexpr std::size_t most_ops = 5'000;

fuzz::Outcome run(const Graph& graph) {
  return fuzz::limited_run([&](const runtime::RunOptions& options) { return interpret(graph, {}, options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::WorkLimit limit;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find("write") != std::string::npos) return 0;  // nothing is written to the disk
  fuzz::Program program(text, false);
  if (!program.lowered || program.diagnostics.has_errors()) return 0;
  Graph& graph = program.lowered->graph;
  if (!graph.parameters.empty() || graph.ops.size() > most_ops) return 0;
  const fuzz::Outcome before = run(graph);
  passes::ManagerOptions options;
  options.verify = true;
  if (!passes::run_pipeline(graph, *passes::find_pipeline("cpu"), options).ok()) std::abort();
  const fuzz::Outcome after = run(graph);
  if (before.has_result() && after.has_result() && before.status.code != after.status.code) {
    std::fprintf(stderr, "as lowered: %s\nas planned: %s\n", before.status.message.c_str(),
                 after.status.message.c_str());
    std::abort();
  }
  return 0;
}
