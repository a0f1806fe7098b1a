#include <algorithm>
#include <string>
#include <vector>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

using Row = std::vector<std::string>;

std::string gibibytes(std::int64_t bytes) {
  const std::int64_t tenths = bytes / (1024 * 1024 * 1024 / 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

Row row_of(const api::Device& device) {
  return {std::to_string(device.index),
          device.type,
          gibibytes(device.memory_bytes),
          device.real ? "yes" : "no",
          device.version,
          device.name + (device.usable ? "" : " (not usable: " + device.missing + ")"),
          device.driver};
}

std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += row[c];
      if (c + 1 < row.size()) line.append(widths[c] + 2 - row[c].size(), ' ');
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace

int devices_verb(const CommandLine&) {
  const api::Devices devices = api::devices();
  if (!devices.problem.empty()) {
    say("lac: " + devices.problem + "\n");
    return exit_failed;
  }
  std::vector<Row> rows = {{"device", "type", "memory", "double", "vulkan", "name", "driver"}};
  for (const api::Device& device : devices.list) rows.push_back(row_of(device));
  out(table(rows));
  return finish_output() ? exit_ok : exit_failed;
}

}  // namespace lac::cli
