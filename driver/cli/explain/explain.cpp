// `lac explain`: what compiling and one run of a program tell, as one page.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/cli/console.h"
#include "driver/cli/explain/bandwidth.h"
#include "driver/cli/explain/page.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"

namespace lac::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_output = 64 * 1024;  // bytes of what the program prints that the page shows

Json messages(const std::vector<api::Diagnostic>& diagnostics) {
  static constexpr const char* severities[] = {"error", "warning", "remark"};
  Json list = Json::array();
  for (const api::Diagnostic& each : diagnostics)
    list.push_back({{"severity", severities[static_cast<int>(each.severity)]},
                    {"file", each.file},
                    {"line", each.line},
                    {"message", each.message}});
  return list;
}

CommandLine for_target(CommandLine line, api::Target target) {
  line.options.target = target;
  if (line.options.compile == api::Compile::when_worth_it)
    line.options.compile = api::Compile::first;  // times are those of compiled code from the first trip on
  line.remarks.wanted = true;
  line.options.dump.clear();
  return line;
}

/// The plan with its code; what is wrong in its place.
Json plan_of(api::Program& program, const CommandLine& line, std::string_view target) {
  if (!program.ok()) return {{"target", std::string(target)}, {"failed", program.message()}};
  const api::Emitted emitted = program.emit("explain", arguments_of(line));
  if (!emitted.ok()) return {{"target", std::string(target)}, {"failed", emitted.message()}};
  return Json::parse(emitted.text);
}

/// The beginning of what a program prints, and how much more there was.
struct Printed {
  std::string text;
  std::size_t left_out = 0;

  void operator()(std::string_view more) {
    const std::size_t taken = std::min(more.size(), most_output - text.size());
    text += more.substr(0, taken);
    left_out += more.size() - taken;
  }
};

/// One run: its figures, what it printed, and every message. Where it does not end well the page says so.
Json run_of(api::Program& program, const CommandLine& line, int& status) {
  Printed printed;
  api::RunOptions options;
  options.threads = line.threads;
  options.out = [&](std::string_view text) { printed(text); };
  options.err = options.out;
  options.interrupt = &interrupt_flag();
  options.statistics = true;
  options.check_nan = line.check_nan;
  options.time_limit = line.time_limit;
  options.memory_limit = line.memory_limit;
  options.output_limit = line.output_limit;
  if (!line.quiet && can_show_progress()) options.progress = tell_progress;
  const api::Result result = program.run(arguments_of(line), options);
  end_progress();
  status = result.exit_status().value_or(exit_status(result.outcome()));
  Json run = {{"ok", result.ok()},
              {"messages", messages(result.diagnostics())},
              {"printed", printed.text},
              {"left_out", printed.left_out},
              {"statistics", Json::parse(result.statistics_json())}};
  if (result.ok()) return run;
  std::vector<api::Diagnostic> errors;
  for (const api::Diagnostic& each : result.diagnostics())
    if (each.severity != api::Severity::remark) errors.push_back(each);
  show(errors, line);
  return run;
}

/// As it may stand in a script of a page: nothing in it ends the script.
std::string in_page(std::string_view data) {
  std::string text;
  for (const char c : data) {
    if (c == '<') text += "\\u003c";
    else text += c;
  }
  return text;
}

std::string page_with(std::string_view data) {
  std::string page(explain_page());
  return page.replace(page.find(data_marker), data_marker.size(), in_page(data));
}

std::string_view name(api::Target target) { return target == api::Target::vulkan ? "vulkan" : "cpu"; }

/// What the page cannot be made of, or where it cannot go; empty where all is well.
std::string problem_of(const CommandLine& line) {
  if (line.outputs.size() != 1) return "where to? lac explain FILE.la -o report.html";
  const std::filesystem::path path = line.outputs.front();
  if (path.extension() != ".html" && path.extension() != ".json")
    return "-o: '" + path.string() + "' is neither an .html nor a .json file";
  std::error_code error;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error)) return "-o: there is no folder " + folder.string();
  if (line.options.target != api::Target::cpu && line.options.target != api::Target::vulkan)
    return "lac explain shows the targets cpu and vulkan";
  for (const auto& [parameter, value] : line.arguments)
    if (value == "-") return parameter + "=-: the program is compiled for two targets, and standard input is read once";
  return {};
}

}  // namespace

int explain_verb(const CommandLine& line) {
  if (const std::string problem = problem_of(line); !problem.empty()) return usage_error(problem);
  const api::Target target = line.options.target;
  const CommandLine chosen = for_target(line, target);
  const CommandLine other = for_target(line, target == api::Target::cpu ? api::Target::vulkan : api::Target::cpu);
  const auto programs = load_programs({chosen, other});
  api::Program program = programs[0], elsewhere = programs[1];
  if (!program.ok()) {
    show(program.diagnostics(), line);
    return exit_failed;
  }
  Json first = plan_of(program, chosen, name(target));
  if (first.contains("failed")) {
    say(first["failed"].get<std::string>());
    return exit_failed;
  }
  Json data = {{"lac", std::string(api::version())}, {"file", line.expression ? "-e" : line.file}};
  data["plans"] = {std::move(first), plan_of(elsewhere, other, name(other.options.target))};
  int status = exit_ok;
  data["run"] = run_of(program, chosen, status);
  data["bandwidth"] = data["run"]["ok"].get<bool>() ? measured_bandwidth(line) : 0;
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string& path = line.outputs.front();
  if (!write_report(path, path.ends_with(".json") ? text + "\n" : page_with(text))) return exit_failed;
  return status;
}

}  // namespace lac::cli
