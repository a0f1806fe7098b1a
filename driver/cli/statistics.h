// `--stats`.
#pragma once

#include <string>

#include "driver/cli/command_line.h"

namespace lac::cli {

/// A table for people.
std::string statistics_table(const api::Result& result);
/// Writes what the line asks for; false when a file could not be written.
bool report_statistics(const api::Result& result, const CommandLine& line);

}  // namespace lac::cli
