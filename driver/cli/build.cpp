#include "driver/cli/console.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

int build_verb(const CommandLine& line) {
  if (line.outputs.size() != 1) return usage_error("lac build needs one -o PROG");
  CommandLine telling = line;
  if (!line.quiet && can_show_progress()) telling.options.progress = tell_progress;
  api::Program program = load_program(telling);
  if (program.ok()) show(program.diagnostics(), line);
  const auto kind = line.build_kind == "obj" ? api::BuildKind::object : api::BuildKind::executable;
  const api::Emitted built = program.build(line.outputs.front(), kind, arguments_of(line));
  end_progress();
  show(built.diagnostics, line);
  return exit_status(built.outcome);
}

}  // namespace lac::cli
