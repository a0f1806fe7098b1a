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
                        std::vector<Matrix> inputs, runtime::RunResult&& run, Statistics statistics) {
  fail(result, outcome, std::move(diagnostics));
  if (driver::is_exit(run.status)) result.exit_status_ = driver::exit_status_of(run.status);
  result.inputs_ = std::move(inputs);
  for (runtime::NamedTensor& output : run.outputs) {
    result.outputs_.push_back(MatrixAccess::make(std::move(output.first), std::move(output.second)));
  }
  result.statistics_ = std::move(statistics);
}

void ResultAccess::trace(Result& result, std::string json) { result.trace_json_ = std::move(json); }

void ResultAccess::figures(Result& result, std::vector<Figure> figures) { result.figures_ = std::move(figures); }

void ResultAccess::limit(Result& result, Limit limit) { result.limit_ = limit; }

void ResultAccess::warnings_left_out(Result& result, std::int64_t count) { result.warnings_left_out_ = count; }

void ResultAccess::describe(Result& result, std::string target, std::string precision) {
  result.target_ = std::move(target);
  result.precision_ = std::move(precision);
}

}  // namespace lac::api
