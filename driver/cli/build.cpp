#include "driver/cli/console.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

int build_verb(const CommandLine& line) {
  if (line.outputs.size() != 1) return usage_error("lac build needs one -o PROG");
  api::Program program = load_program(line);
  if (program.ok()) show(program.diagnostics(), line);
  const auto kind = line.build_kind == "obj" ? api::BuildKind::object : api::BuildKind::executable;
  const api::Emitted built = [&] {
    const CompilationProgress progress;
    return program.build(line.outputs.front(), kind, arguments_of(line));
  }();
  show(built.diagnostics, line);
  return exit_status(built.outcome);
}

}  // namespace lac::cli
