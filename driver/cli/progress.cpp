#include "driver/cli/progress.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "driver/cli/console.h"

namespace lac::cli {
namespace {

std::string in_digits(const char* format, double number) {
  char text[32];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

/// "12.5 s, line 7; loop at line 5: trip 340, 102/s, 3.1e-05 against 1e-08": what matters most fits 80 columns.
std::string progress_text(const api::Progress& progress) {
  std::string text = in_digits("%.1f", progress.seconds) + " s";
  if (progress.compiling) return text + ", compiling";
  if (progress.line > 0) text += ", line " + std::to_string(progress.line);
  if (progress.loop_line == 0) return text;
  const std::string other = progress.loop_file == progress.file ? "" : progress.loop_file + " ";
  text +=
      "; loop at " + other + "line " + std::to_string(progress.loop_line) + ": trip " + std::to_string(progress.trip);
  if (progress.trips_per_second > 0) text += ", " + in_digits("%.3g", progress.trips_per_second) + "/s";
  if (progress.compared)
    text += ", " + in_digits("%.3g", progress.left) + " against " + in_digits("%.3g", progress.right);
  return text;
}

}  // namespace

bool can_show_progress() { return ::isatty(STDERR_FILENO) == 1; }

void tell_progress(const api::Progress& progress) { show_progress(progress_text(progress)); }

}  // namespace lac::cli
