// The terminal: results to stdout, everything else to stderr, in the order in which they arise.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>
#include <vector>

#include "driver/cli/command_line.h"

namespace lac::cli {

void out(std::string_view text);
/// Flushes stdout first, so that the two stay in order on a terminal.
void err(std::string_view text);
/// The same for messages of lac itself: what words and files bring into them does not steer the terminal.
void say(std::string_view message);
/// The last line of a terminal, which tells how a run goes on until the next text takes its place. Nothing where a line
/// was begun and not ended. From any thread.
void show_progress(std::string_view text);
void end_progress();
/// What the terminal's user typed has ended the line.
void line_was_ended();

/// "lac: error: ...", and the exit status for it.
int usage_error(std::string_view message);

/// Errors always; warnings unless `quiet`; remarks when asked for, or with `verbose`, to where `remarks` says.
void show(const std::vector<api::Diagnostic>& diagnostics, const CommandLine& line);

/// While it lives, the process ends, with a message and exit status 1, a little after `seconds` from when it was made:
/// for what cannot be stopped in the middle, a long compilation among it. 0: it does not.
class ProcessLimit {
 public:
  explicit ProcessLimit(double seconds);
  ~ProcessLimit();
  ProcessLimit(const ProcessLimit&) = delete;
  ProcessLimit& operator=(const ProcessLimit&) = delete;
};

/// Set by Ctrl-C from now on, which says so; a second Ctrl-C ends the process at once.
const std::atomic<bool>& interrupt_flag();

/// The same for a session, cleared: however often Ctrl-C is pressed, the process stays.
const std::atomic<bool>& fresh_interrupt_flag();

/// What `main` does; what it throws (no memory, no thread) ends the process with a message and exit_failed.
int guarded_main(const std::function<int()>& action);

/// False when standard output could not be written (a full disk).
bool finish_output();

/// Writes a text to a file, or to stderr when `path` is empty; false when that failed, with a message.
bool write_report(const std::string& path, std::string_view text);

}  // namespace lac::cli
