#include "driver/cli/figures.h"

#include <filesystem>

#include "driver/cli/console.h"

namespace lac::cli {

namespace {

namespace fs = std::filesystem;

std::string file_of(const api::Figure& figure, const CommandLine& line) {
  const bool named = !line.expression && line.file != "-";
  const std::string program = named ? fs::path(line.file).stem().string() + "-" : "";
  return (fs::path(line.figures) / (program + "figure" + std::to_string(figure.number) + ".svg")).string();
}

}  // namespace

bool deliver_figures(const api::Result& result, const CommandLine& line) {
  if (line.figures == "none" || line.sandbox || result.figures().empty()) return true;
  std::string written;
  bool fine = true;
  for (const api::Figure& figure : result.figures()) {
    const std::string path = file_of(figure, line);
    if (write_report(path, figure.svg)) written += (written.empty() ? "" : ", ") + path;
    else fine = false;
  }
  if (!written.empty() && !line.quiet) say("lac: wrote " + written + "\n");
  return fine;
}

}  // namespace lac::cli
