#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

constexpr const char* titles[] = {"variable", "element", "storage", "shape", "properties", "line"};
constexpr std::size_t columns = std::size(titles);
using Row = std::array<std::string, columns>;

Row row_of(const api::Variable& variable) {
  return {variable.name,  variable.element,    variable.storage,
          variable.shape, variable.properties, variable.line != 0 ? std::to_string(variable.line) : ""};
}

/// Columns of one width in all scopes; one that is empty throughout is left out.
std::string table(const std::vector<api::Variable>& variables) {
  std::vector<Row> rows;
  for (const api::Variable& variable : variables) rows.push_back(row_of(variable));
  std::array<std::size_t, columns> widths = {};
  for (const Row& row : rows)
    for (std::size_t k = 0; k < columns; ++k)
      if (!row[k].empty()) widths[k] = std::max({widths[k], row[k].size(), std::strlen(titles[k])});
  const auto line = [&](const auto& cells) {
    std::string text;
    for (std::size_t k = 0; k < columns; ++k) {
      if (widths[k] == 0) continue;
      std::string cell(cells[k]);
      cell.resize(widths[k] + 2, ' ');
      text += cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& scope = variables[i].scope;
    if (i == 0 || scope != variables[i - 1].scope) {
      text += (i == 0 ? "" : "\n") + (scope.empty() ? std::string("file") : "function " + scope) + "\n";
      text += line(titles);
    }
    text += line(rows[i]);
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
    root["variables"].push_back({{"scope", variable.scope},
                                 {"name", variable.name},
                                 {"type", variable.type},
                                 {"element", variable.element},
                                 {"storage", variable.storage},
                                 {"shape", variable.shape},
                                 {"properties", variable.properties},
                                 {"line", variable.line}});
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
