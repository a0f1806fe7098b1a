// Programs: what `lac check` does, with parameters as declared. What is accepted is a graph that verifies.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "frontend/usage.h"
#include "ir/graph/verifier.h"
#include "tests/fuzz/limits.h"
#include "tests/fuzz/program_text.h"

using namespace lac;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::WorkLimit limit;
  fuzz::Program program(std::string(reinterpret_cast<const char*>(data), size), true);
  if (!program.tree) return 0;
  if (!program.lowered && !program.diagnostics.has_errors()) std::abort();
  Diagnostics usage;
  frontend::warn_of_usage(*program.tree, program.sources, usage);
  if (!program.lowered || program.diagnostics.has_errors()) return 0;
  for (const std::string& problem : verify(program.lowered->graph)) {
    std::fprintf(stderr, "does not verify: %s\n", problem.c_str());
    std::abort();
  }
  return 0;
}
