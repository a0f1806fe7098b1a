// One function per verb; each returns the exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/command_line.h"

namespace lac::cli {

int run_verb(const CommandLine& line);
int check_verb(const CommandLine& line);
int test_verb(const CommandLine& line);
int build_verb(const CommandLine& line);
int format_verb(const CommandLine& line);
int emit_verb(const CommandLine& line);
int explain_verb(const CommandLine& line);
int repl_verb(const CommandLine& line);
int lsp_verb(const CommandLine& line);
int devices_verb(const CommandLine& line);
int cache_verb(const CommandLine& line);
int passes_verb(const CommandLine& line);
int help_verb(const CommandLine& line);

/// "lib/a.la" -> "lib", "a.la" -> ".".
std::string folder_of(const std::string& file);
/// Puts a folder in front of those that are searched for functions, unless the line says --sandbox.
void list_folder(const std::string& folder, const CommandLine& line, api::Options& options);

/// The program of a file or of -e, with the line's options. Functions are found beside the file; those of -e, which was
/// typed here, in the working directory; those of standard input in the folders of -I alone.
api::Program load_program(const CommandLine& line);
/// One program under several lines that name the same: its text is read once.
std::vector<api::Program> load_programs(const std::vector<CommandLine>& lines);
api::Arguments arguments_of(const CommandLine& line);
/// Into a folder, which is made if need be. The exit status.
int write_files(const std::vector<api::EmittedFile>& files, const std::string& folder);

/// The bytes of a file, or of standard input for "-"; nothing where it cannot be read.
std::optional<std::string> content_of(const std::string& path);

/// Runs a program that is already there: `lac run`, and executables that `lac build` made.
int run_program(api::Program& program, const CommandLine& line);

/// The text of `FILE.la --help`: comment, parameters, outputs.
std::string describe_program(const api::Program& program, const std::string& name);

}  // namespace lac::cli
