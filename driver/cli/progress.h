// What a person who waits sees of a run.
#pragma once

#include "driver/cli/command_line.h"

namespace lac::cli {

/// Whether somebody looks: standard error is a terminal.
bool can_show_progress();
/// For RunOptions::progress and Options::progress of the API.
void tell_progress(const api::Progress& progress);

}  // namespace lac::cli
