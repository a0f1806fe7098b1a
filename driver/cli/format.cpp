// lac fmt: rewrites files in canonical form, or says which are not.
#include <filesystem>
#include <fstream>
#include <optional>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

/// All of it or nothing: a file beside it takes its place.
bool replace(const std::string& path, const std::string& text) {
  const std::string beside = path + ".formatted";
  std::ofstream file(beside, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) {
    std::filesystem::permissions(beside, std::filesystem::status(path).permissions(), error);
    std::filesystem::rename(beside, std::filesystem::canonical(path), error);
    if (!error) return true;
  }
  std::filesystem::remove(beside, error);
  return false;
}

int format_file(const std::string& path, const CommandLine& line) {
  const std::optional<std::string> text = content_of(path);
  if (!text) {
    say("lac: error: " + path + ": cannot be read\n");
    return exit_failed;
  }
  const api::Emitted formatted = api::format(*text, path);
  show(formatted.diagnostics, line);
  if (!formatted.ok()) return exit_failed;
  if (line.check_format) {
    if (formatted.text == *text) return exit_ok;
    out(path + "\n");
    return exit_failed;
  }
  if (path == "-") {
    out(formatted.text);
  } else if (formatted.text != *text) {
    if (!replace(path, formatted.text)) {
      say("lac: error: " + path + ": cannot be written\n");
      return exit_failed;
    }
    if (line.verbose) say("formatted " + path + "\n");
  }
  return exit_ok;
}

}  // namespace

int format_verb(const CommandLine& line) {
  int status = exit_ok;
  for (const std::string& path : line.files) status = std::max(status, format_file(path, line));
  return finish_output() ? status : exit_failed;
}

}  // namespace lac::cli
