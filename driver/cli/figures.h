// Where the figures of a program go: files beside its outputs.
#pragma once

#include "driver/cli/command_line.h"

namespace lac::cli {

/// Writes NAME-figure1.svg, ... and says so on stderr; false when one could not be written, with a message.
bool deliver_figures(const api::Result& result, const CommandLine& line);

}  // namespace lac::cli
