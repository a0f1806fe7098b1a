#include "driver/cli/console.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

/// The program runs once, for a device that does not see its commands: they are the pack.
int build_shaders(const CommandLine& line) {
  if (line.options.target != api::Target::vulkan) return usage_error("--emit=shaders is for --target=vulkan");
  std::vector<api::EmittedFile> files;
  CommandLine packing = line;
  packing.options.shader_pack = [&](const std::vector<api::EmittedFile>& made) { files = made; };
  api::Program program = load_program(packing);
  if (program.ok()) show(program.diagnostics(), line);
  const api::Result result = program.run(arguments_of(line));
  show(result.diagnostics(), line);
  if (!result.ok()) return exit_status(result.outcome());
  return write_files(files, line.outputs.front());
}

}  // namespace

int build_verb(const CommandLine& line) {
  if (line.outputs.size() != 1) return usage_error("lac build needs one -o PROG");
  if (line.build_kind == "shaders") return build_shaders(line);
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
