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

std::string lines_of(const api::KernelStatistics& kernel) {
  std::string text;
  for (const std::uint32_t line : kernel.lines) text += (text.empty() ? "" : ",") + std::to_string(line);
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
  for (const api::LoopStatistics& loop : s.loops) {
    text += format("loop     line %u: %lld trips\n", loop.line, static_cast<long long>(loop.trips));
  }
  if (!s.kernels.empty()) {
    text += format("%-28s %-8s %10s %14s %14s %14s %10s  %s\n", "kernel", "kind", "launches", "matrix bytes",
                   "vector bytes", "flops", "ms", "lines");
  }
  for (const api::KernelStatistics& kernel : s.kernels) {
    text += format("%-28s %-8s %10lld %14lld %14lld %14lld %10.3f  ", kernel.name.c_str(), kernel.kind.c_str(),
                   static_cast<long long>(kernel.launches), static_cast<long long>(kernel.matrix_bytes),
                   static_cast<long long>(kernel.vector_bytes), static_cast<long long>(kernel.flops), kernel.ms);
    text += lines_of(kernel) + "\n";
  }
  const api::TransferStatistics& t = s.transfers;
  if (t.submits > 0 || t.uploads > 0) {
    text += format("device   %lld uploads (%lld bytes), %lld downloads (%lld bytes), %lld scalars read back\n",
                   static_cast<long long>(t.uploads), static_cast<long long>(t.upload_bytes),
                   static_cast<long long>(t.downloads), static_cast<long long>(t.download_bytes),
                   static_cast<long long>(t.scalar_readbacks));
    text += format("         %lld submits, %lld waits, %lld looks at loops, %lld matrices evicted\n",
                   static_cast<long long>(t.submits), static_cast<long long>(t.waits), static_cast<long long>(t.polls),
                   static_cast<long long>(s.evictions));
  }
  text += format("memory   %lld buffers made, %lld reused, at most %lld bytes\n",
                 static_cast<long long>(s.resources_created), static_cast<long long>(s.pool_hits),
                 static_cast<long long>(s.peak_bytes));
  return text;
}

bool report_statistics(const api::Result& result, const CommandLine& line) {
  if (!line.statistics.wanted) return true;
  const std::string text = line.statistics.json ? result.statistics_json() + "\n" : statistics_table(result);
  return write_report(line.statistics.file, text);
}

}  // namespace lac::cli
