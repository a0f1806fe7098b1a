#include "driver/cli/console.h"

#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <tuple>
#include <vector>

namespace lac::cli {

namespace {

std::atomic<bool> interrupted = false;
std::atomic<bool> progress_shown = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // used in signal handlers

void on_interrupt(int) { interrupted.store(true); }

// Signal handlers: write is the one way to say something there.
template <std::size_t size>
void tell(const char (&text)[size]) {
  static_cast<void>(!::write(STDERR_FILENO, text, size - 1));
}

void on_first_interrupt(int) {
  interrupted.store(true);
  tell("\nlac: interrupted: the run ends as soon as it can; Ctrl-C again ends the process\n");
}

void on_time_limit(int) {
  if (progress_shown.load()) tell("\r\x1b[K");
  tell("lac: error: the time limit is reached, and what runs cannot be stopped: the process ends\n");
  ::_exit(exit_failed);
}

constexpr double grace = 1;  // seconds for the run to hear of its limit and to say where it was

}  // namespace

namespace {

std::size_t terminal_columns() {
  winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

/// What stands in the last line of the terminal.
struct LastLine {
  std::mutex mutex;
  bool progress = false;
  bool begun = false;  ///< by text without an end of line

  void clear() {
    if (progress) std::fputs("\r\x1b[K", stderr);
    progress = false;
    progress_shown.store(false);
  }
  void write(std::string_view text, std::FILE* to) {
    const std::lock_guard lock(mutex);
    clear();
    if (!text.empty() && ::isatty(::fileno(to)) == 1) begun = text.back() != '\n';
    std::fwrite(text.data(), 1, text.size(), to);
  }
};

LastLine& last_line() {
  static LastLine line;
  return line;
}

}  // namespace

void out(std::string_view text) { last_line().write(text, stdout); }

void err(std::string_view text) {
  std::fflush(stdout);
  last_line().write(text, stderr);
}

void show_progress(std::string_view text) {
  LastLine& line = last_line();
  const std::lock_guard lock(line.mutex);
  if (line.begun) return;
  std::fflush(stdout);
  std::fputs("\r\x1b[K", stderr);
  std::fwrite(text.data(), 1, std::min(text.size(), terminal_columns() - 1), stderr);
  line.progress = true;
  progress_shown.store(true);
}

void line_was_ended() {
  LastLine& line = last_line();
  const std::lock_guard lock(line.mutex);
  line.begun = false;
}

void end_progress() {
  LastLine& line = last_line();
  const std::lock_guard lock(line.mutex);
  line.clear();
}

void say(std::string_view message) { err(api::printable(message)); }

int usage_error(std::string_view message) {
  say("lac: error: ");
  say(message);
  say(message.ends_with('\n') ? "" : "\n");
  return exit_usage;
}

// A message that comes more often than most_equal is shown once, with the lines of the others.
void show(const std::vector<api::Diagnostic>& diagnostics, const CommandLine& line) {
  constexpr std::size_t most_equal = 5, most_lines = 10;
  using Message = std::tuple<api::Severity, std::string, std::string>;
  std::map<Message, std::vector<std::size_t>> places;  // the lines of the same message in the same file
  const auto key = [](const api::Diagnostic& d) { return Message{d.severity, d.file, d.message}; };
  for (const api::Diagnostic& diagnostic : diagnostics)
    if (diagnostic.line > 0) places[key(diagnostic)].push_back(diagnostic.line);
  std::string remarks;
  for (const api::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == api::Severity::remark) {
      remarks += diagnostic.rendered;
      continue;
    }
    if (diagnostic.severity != api::Severity::error && line.quiet) continue;
    std::vector<std::size_t>& lines = places[key(diagnostic)];
    if (diagnostic.line > 0 && lines.empty()) continue;  // told with the first
    err(diagnostic.rendered);
    if (lines.size() <= most_equal) continue;
    std::string others;
    for (std::size_t i = 1; i < std::min(lines.size(), most_lines + 1); ++i)
      others += (i > 1 ? ", " : "") + std::to_string(lines[i]);
    if (lines.size() > most_lines + 1) others += ", ...";
    err("note: the same " + std::to_string(lines.size() - 1) + " times more, in lines " + others + "\n");
    lines.clear();
  }
  if ((line.remarks.wanted || line.verbose) && !remarks.empty()) write_report(line.remarks.file, remarks);
}

ProcessLimit::ProcessLimit(double seconds) {
  if (seconds <= 0) return;
  struct sigaction action = {};
  action.sa_handler = on_time_limit;
  sigaction(SIGALRM, &action, nullptr);
  itimerval timer = {};
  const double whole = std::floor(std::min(seconds + grace, 1e9));
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::max(0.0, (std::min(seconds + grace, 1e9) - whole) * 1e6));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

ProcessLimit::~ProcessLimit() {
  const itimerval none = {};
  setitimer(ITIMER_REAL, &none, nullptr);
}

const std::atomic<bool>& interrupt_flag() {
  struct sigaction action = {};
  action.sa_handler = on_first_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  return interrupted;
}

const std::atomic<bool>& fresh_interrupt_flag() {
  interrupted.store(false);
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  return interrupted;
}

int guarded_main(const std::function<int()>& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    err("lac: error: out of memory\n");
  } catch (const std::exception& error) {
    say(std::string("lac: error: ") + error.what() + "\n");
  }
  return exit_failed;
}

bool finish_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  err(std::string("lac: error: standard output: ") + std::strerror(errno) + "\n");
  return false;
}

bool write_report(const std::string& path, std::string_view text) {
  if (path.empty()) {
    err(text);
    return true;
  }
  std::FILE* file = std::fopen(path.c_str(), "w");
  bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file && std::fclose(file) != 0) written = false;
  if (!written) say("lac: error: " + path + ": " + std::strerror(errno) + "\n");
  return written;
}

}  // namespace lac::cli
