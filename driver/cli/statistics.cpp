#include "driver/cli/statistics.h"

#include <cstdarg>
#include <cstdio>

#include "driver/cli/console.h"

namespace lac::cli {

namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* text, ...) {
  std::va_list arguments;
  va_start(arguments, text);
  char buffer[512];
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  va_end(arguments);
  return buffer;
}

/// "20 solvers/cg.la:33,46": lines of the program, then where in other files.
std::string places_of(const api::KernelStatistics& kernel, const std::string& program) {
  std::string text, file;
  for (const std::uint32_t line : kernel.lines) text += (text.empty() ? "" : ",") + std::to_string(line);
  for (const api::Place& place : kernel.places) {
    if (place.file == program) continue;
    text += place.file == file ? "," : " " + place.file + ":";
    text += std::to_string(place.line);
    file = place.file;
  }
  return text;
}

std::string loop_of(const api::LoopStatistics& loop, const std::string& program) {
  std::string text = "line " + std::to_string(loop.line);
  if (loop.place.line != 0 && loop.place.file != program)
    text += " (" + loop.place.file + ":" + std::to_string(loop.place.line) + ")";
  return text;
}

}  // namespace

std::string statistics_table(const api::Result& result) {
  const api::Statistics& s = result.statistics();
  const api::CompileTimes& c = s.compile_ms;
  std::string text = "target   " + result.target() + ", " + result.precision() + "\n";
  text += format("compile  parse %.2f ms, lower %.2f ms, passes %.2f ms, codegen %.2f ms\n", c.parse, c.lower, c.passes,
                 c.codegen);
  text += format("run      %.3f ms\n", s.run_ms);
  if (!s.loops.empty())
    text +=
        format("%-28s %10s %10s %10s %10s %14s\n", "loop", "trips", "launches", "straight", "steps", "copied bytes");
  for (const api::LoopStatistics& loop : s.loops) {
    text += format("%-28s %10lld %10lld %10lld %10lld %14lld\n", loop_of(loop, s.file).c_str(),
                   static_cast<long long>(loop.trips), static_cast<long long>(loop.launches),
                   static_cast<long long>(loop.straight), static_cast<long long>(loop.steps),
                   static_cast<long long>(loop.copied_bytes));
  }
  if (!s.kernels.empty()) {
    text += format("%-28s %-8s %10s %14s %14s %14s %10s  %s\n", "kernel", "kind", "launches", "matrix bytes",
                   "vector bytes", "flops", "ms", "lines");
  }
  for (const api::KernelStatistics& kernel : s.kernels) {
    const std::string ms = kernel.kind == "straight" ? "-" : format("%.3f", kernel.ms);  // nobody stops the time there
    text += format("%-28s %-8s %10lld %14lld %14lld %14lld %10s  ", kernel.name.c_str(), kernel.kind.c_str(),
                   static_cast<long long>(kernel.launches), static_cast<long long>(kernel.matrix_bytes),
                   static_cast<long long>(kernel.vector_bytes), static_cast<long long>(kernel.flops), ms.c_str());
    text += places_of(kernel, s.file) + "\n";
  }
  const api::TransferStatistics& t = s.transfers;
  if (t.submits > 0 || t.uploads > 0) {
    text += format("device   %lld uploads (%lld bytes), %lld downloads (%lld bytes), %lld scalars read back\n",
                   static_cast<long long>(t.uploads), static_cast<long long>(t.upload_bytes),
                   static_cast<long long>(t.downloads), static_cast<long long>(t.download_bytes),
                   static_cast<long long>(t.scalar_readbacks));
    text +=
        format("         %lld dispatches, %lld submits, %lld waits, %lld looks at loops, %lld matrices evicted\n",
               static_cast<long long>(t.dispatches), static_cast<long long>(t.submits), static_cast<long long>(t.waits),
               static_cast<long long>(t.polls), static_cast<long long>(s.evictions));
  }
  text +=
      format("memory   %lld buffers made, %lld reused, at most %lld bytes", static_cast<long long>(s.resources_created),
             static_cast<long long>(s.pool_hits), static_cast<long long>(s.peak_bytes));
  if (s.sliced_matrices > 0)
    text += format(", sparse matrices in slices: %lld", static_cast<long long>(s.sliced_matrices));
  text += "\n";
  return text;
}

bool report_statistics(const api::Result& result, const CommandLine& line) {
  if (!line.statistics.wanted) return true;
  const std::string text = line.statistics.json ? result.statistics_json() + "\n" : statistics_table(result);
  return write_report(line.statistics.file, text);
}

}  // namespace lac::cli
