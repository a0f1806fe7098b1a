#include <algorithm>

#include "driver/api/access.h"
#include "driver/core/report.h"

namespace lac::api {

namespace {

const Matrix* find(const std::vector<Matrix>& matrices, std::string_view name) {
  const auto found =
      std::find_if(matrices.begin(), matrices.end(), [&](const Matrix& matrix) { return matrix.name() == name; });
  return found == matrices.end() ? nullptr : &*found;
}

Statistics to_api(runtime::Statistics&& statistics, const CompileTimes& times) {
  Statistics result;
  result.compile_ms = times;
  result.run_ms = statistics.run_ms;
  for (const runtime::LoopStatistics& loop : statistics.loops) result.loops.push_back({loop.line, loop.trips});
  for (runtime::KernelStatistics& kernel : statistics.kernels) {
    if (kernel.launches == 0) continue;
    result.kernels.push_back({std::move(kernel.name), std::move(kernel.kind), std::move(kernel.lines), kernel.loop,
                              kernel.launches, kernel.bytes_read, kernel.bytes_written, kernel.matrix_bytes,
                              kernel.vector_bytes, kernel.flops, kernel.ms});
  }
  const runtime::TransferStatistics& t = statistics.transfers;
  result.transfers = {t.uploads, t.upload_bytes, t.downloads, t.download_bytes, t.scalar_readbacks,
                      t.polls,   t.waits,        t.submits,   t.render_passes};
  result.resources_created = statistics.memory.resources_created;
  result.pool_hits = statistics.memory.pool_hits;
  result.peak_bytes = statistics.memory.peak_bytes;
  result.evictions = statistics.memory.evictions;
  return result;
}

}  // namespace

std::string Result::message() const { return driver::rendered(diagnostics_); }
std::string Emitted::message() const { return driver::rendered(diagnostics); }
std::string Checked::message() const { return driver::rendered(diagnostics); }

const Matrix* Result::output(std::string_view name) const { return find(outputs_, name); }
const Matrix* Result::input(std::string_view name) const { return find(inputs_, name); }

void ResultAccess::fail(Result& result, Outcome outcome, std::vector<Diagnostic> diagnostics) {
  result.outcome_ = outcome;
  result.diagnostics_ = std::move(diagnostics);
}

void ResultAccess::fill(Result& result, Outcome outcome, std::vector<Diagnostic> diagnostics,
                        std::vector<Matrix> inputs, runtime::RunResult&& run, const CompileTimes& times) {
  fail(result, outcome, std::move(diagnostics));
  if (driver::is_exit(run.status)) result.exit_status_ = driver::exit_status_of(run.status);
  result.inputs_ = std::move(inputs);
  for (runtime::NamedTensor& output : run.outputs) {
    result.outputs_.push_back(MatrixAccess::make(std::move(output.first), std::move(output.second)));
  }
  result.statistics_ = to_api(std::move(run.statistics), times);
}

void ResultAccess::limit(Result& result, Limit limit) { result.limit_ = limit; }

void ResultAccess::warnings_left_out(Result& result, std::int64_t count) { result.warnings_left_out_ = count; }

void ResultAccess::describe(Result& result, std::string target, std::string precision) {
  result.target_ = std::move(target);
  result.precision_ = std::move(precision);
}

}  // namespace lac::api
