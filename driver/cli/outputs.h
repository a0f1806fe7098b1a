// Where the results of a program go: files, standard output, or a short text.
#pragma once

#include <map>
#include <string>

#include "driver/cli/command_line.h"

namespace lac::cli {

/// NAME=FILE of every -o, checked.
struct OutputPlan {
  std::map<std::string, std::string> files;
  std::string error;  ///< empty: fine
  int status = 0;     ///< the exit status of the error
};

/// Before anything runs: the outputs exist, the formats are known, the files can be written.
OutputPlan plan_outputs(const api::Program& program, const CommandLine& line);

/// Writes and shows the outputs; the exit status.
int deliver_outputs(const api::Result& result, const OutputPlan& plan, PrintMode print);

}  // namespace lac::cli
