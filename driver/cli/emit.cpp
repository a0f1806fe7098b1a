#include <filesystem>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

/// "samples/cg.la" and "plan" -> "DIR/cg.plan".
std::string emitted_file(const CommandLine& line) {
  const std::string stem =
      line.expression || line.file == "-" ? "program" : std::filesystem::path(line.file).stem().string();
  return (std::filesystem::path(line.outputs.front()) / (stem + "." + line.stage)).string();
}

}  // namespace

int write_files(const std::vector<api::EmittedFile>& files, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const api::EmittedFile& file : files) {
    if (!write_report((std::filesystem::path(folder) / file.name).string(), file.content)) return exit_failed;
  }
  return exit_ok;
}

int emit_verb(const CommandLine& line) {
  if (line.outputs.size() > 1) return usage_error("lac emit takes one -o DIR");
  api::Program program = load_program(line);
  if (program.ok()) show(program.diagnostics(), line);
  const api::Emitted emitted = program.emit(line.stage, arguments_of(line));
  show(emitted.diagnostics, line);
  if (!emitted.ok()) return exit_status(emitted.outcome);
  if (!line.outputs.empty() && !emitted.files.empty()) return write_files(emitted.files, line.outputs.front());
  if (!line.outputs.empty()) return write_report(emitted_file(line), emitted.text) ? exit_ok : exit_failed;
  out(emitted.text);
  return finish_output() ? exit_ok : exit_failed;
}

}  // namespace lac::cli
