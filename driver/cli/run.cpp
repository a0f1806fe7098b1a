#include <filesystem>

#include "driver/cli/console.h"
#include "driver/cli/figures.h"
#include "driver/cli/outputs.h"
#include "driver/cli/progress.h"
#include "driver/cli/statistics.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

api::RunOptions run_options(const CommandLine& line) {
  api::RunOptions options;
  options.threads = line.threads;
  options.out = out;
  options.err = err;
  options.interrupt = &interrupt_flag();
  options.statistics = line.statistics.wanted;
  options.trace = !line.trace.empty();
  options.check_nan = line.check_nan;
  options.time_limit = line.time_limit;
  options.memory_limit = line.memory_limit;
  options.output_limit = line.output_limit;
  if (!line.quiet) options.on_warning = [](const api::Diagnostic& warning) { err(warning.rendered); };
  return options;
}

/// Warnings of the run were shown as they arose; these are the last ones of the result.
std::vector<api::Diagnostic> not_yet_shown(const api::Result& result, std::size_t warnings_shown) {
  std::vector<api::Diagnostic> rest = result.diagnostics();
  for (auto entry = rest.end(); warnings_shown > 0 && entry != rest.begin();) {
    --entry;
    if (entry->severity != api::Severity::warning) continue;
    entry = rest.erase(entry);
    --warnings_shown;
  }
  return rest;
}

}  // namespace

int run_program(api::Program& program, const CommandLine& line) {
  if (!program.ok()) {
    show(program.diagnostics(), line);
    return exit_failed;
  }
  if (line.help) {
    out(describe_program(program, line.expression ? "-e" : line.file));
    return finish_output() ? exit_ok : exit_failed;
  }
  show(program.diagnostics(), line);
  std::error_code unknown;
  if (!line.trace.empty() && std::filesystem::equivalent(line.trace, line.file, unknown))
    return usage_error("--trace: " + line.trace + " is the program");
  const OutputPlan plan = plan_outputs(program, line);
  if (!plan.error.empty()) {
    usage_error(plan.error);
    return plan.status;
  }
  api::RunOptions options = run_options(line);
  std::size_t warnings = 0;
  if (options.on_warning) {
    options.on_warning = [&](const api::Diagnostic& warning) {
      ++warnings;
      err(warning.rendered);
    };
  }
  if (!line.quiet && can_show_progress()) options.progress = tell_progress;
  const api::Result result = [&] {
    const ProcessLimit limit(line.time_limit);  // what is shown and written afterwards is no part of the run
    return program.run(arguments_of(line), options);
  }();
  end_progress();
  show(not_yet_shown(result, warnings - static_cast<std::size_t>(result.warnings_left_out())), line);
  int status = exit_status(result.outcome());
  if (result.ok()) status = deliver_outputs(result, plan, line.print);
  if (result.ok() && !deliver_figures(result, line) && status == exit_ok) status = exit_failed;
  status = result.exit_status().value_or(status);
  if (!finish_output() && status == exit_ok) status = exit_failed;
  if (!report_statistics(result, line) && status == exit_ok) status = exit_failed;
  if (!result.trace_json().empty() && !write_report(line.trace, result.trace_json()) && status == exit_ok)
    status = exit_failed;
  return status;
}

int run_verb(const CommandLine& line) {
  api::Program program = load_program(line);
  return run_program(program, line);
}

}  // namespace lac::cli
