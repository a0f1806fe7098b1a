// What was asked for: the words of a command line, checked for form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/include/lac/lac.hpp"

namespace lac::cli {

/// The exit statuses: those of api::Outcome.
inline constexpr int exit_ok = 0, exit_failed = 1, exit_usage = 2, exit_interrupted = 130;
inline int exit_status(api::Outcome outcome) { return static_cast<int>(outcome); }

enum class Verb {
  run,
  check,
  test,
  format,
  build,
  emit,
  explain,
  repl,
  lsp,
  devices,
  cache,
  passes,
  help,
  program
};  ///< program: a built executable runs itself
enum class PrintMode { automatic, full, none };

/// `--stats`, `--stats=json`, `--stats=json:FILE`; the same form serves `--remarks`.
struct Report {
  bool wanted = false;
  bool json = false;
  std::string file;  ///< empty: stderr
};

struct CommandLine {
  Verb verb = Verb::run;
  std::string stage;               ///< of emit
  std::string file;                ///< "-" is standard input; empty with `expression`
  std::vector<std::string> files;  ///< of test and fmt
  std::optional<std::string> expression;
  std::vector<std::pair<std::string, std::string>> arguments;  ///< NAME=VALUE
  std::vector<std::string> outputs;                            ///< of -o, as given
  api::Options options;
  int threads = 0;
  bool sandbox = false;   ///< the program gets no files
  double time_limit = 0;  ///< these three as in api::RunOptions
  std::int64_t memory_limit = 0;
  std::int64_t output_limit = 0;
  PrintMode print = PrintMode::automatic;
  Report statistics;
  Report remarks;
  std::string trace;    ///< a file for it; empty: none
  std::string figures;  ///< the folder that figures are written to; empty: the current one; "none": they are not
  std::string dump_directory;
  std::string build_kind = "exe";
  bool json = false;
  bool check_format = false;  ///< of fmt: say which files would change
  bool check_nan = false;     ///< --check=nan; domain is an option of the compiler
  bool quiet = false;
  bool verbose = false;
  bool help = false;
  bool version = false;
};

/// Parses the words after the verb. What is wrong, for exit status 2, comes back as text.
struct ParsedLine {
  CommandLine line;
  std::string error;                    ///< empty when the line is well-formed
  std::vector<std::string> warnings{};  ///< about options that change nothing
  bool ok() const { return error.empty(); }
};
ParsedLine parse_command_line(Verb verb, const std::vector<std::string>& words);

/// The usage text of a verb.
std::string usage(Verb verb);

}  // namespace lac::cli
