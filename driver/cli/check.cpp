#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

std::string table(const std::vector<api::Variable>& variables) {
  std::size_t width = 4;
  for (const api::Variable& variable : variables) width = std::max(width, variable.name.size());
  std::string text;
  std::string scope;
  for (const api::Variable& variable : variables) {
    if (variable.scope != scope) {
      scope = variable.scope;
      text += "function " + scope + "\n";
    }
    std::string left = (scope.empty() ? "" : "  ") + variable.name;
    left.resize(std::max(width + 4, left.size() + 2), ' ');
    text += left + variable.type + "\n";
  }
  return text;
}

const char* name_of(api::Severity severity) {
  constexpr const char* names[] = {"error", "warning", "remark"};
  return names[static_cast<int>(severity)];
}

std::string json_text(const api::Checked& checked) {
  nlohmann::ordered_json root;
  root["ok"] = checked.ok();
  root["variables"] = nlohmann::ordered_json::array();
  for (const api::Variable& variable : checked.variables) {
    root["variables"].push_back(
        {{"scope", variable.scope}, {"name", variable.name}, {"type", variable.type}, {"line", variable.line}});
  }
  root["diagnostics"] = nlohmann::ordered_json::array();
  for (const api::Diagnostic& diagnostic : checked.diagnostics) {
    root["diagnostics"].push_back({{"severity", name_of(diagnostic.severity)},
                                   {"file", diagnostic.file},
                                   {"line", diagnostic.line},
                                   {"column", diagnostic.column},
                                   {"message", diagnostic.message}});
  }
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int check_verb(const CommandLine& line) {
  api::Program program = load_program(line);
  api::Checked checked = program.check(arguments_of(line));
  if (program.ok()) {
    const auto& earlier = program.diagnostics();
    checked.diagnostics.insert(checked.diagnostics.begin(), earlier.begin(), earlier.end());
  }
  if (line.json) {
    out(json_text(checked));
  } else {
    show(checked.diagnostics, line);
    if (checked.ok()) out(table(checked.variables));
  }
  return finish_output() ? exit_status(checked.outcome) : exit_failed;
}

}  // namespace lac::cli
