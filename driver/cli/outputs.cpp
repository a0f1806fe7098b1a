#include "driver/cli/outputs.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "driver/cli/console.h"

namespace lac::cli {

namespace {

namespace fs = std::filesystem;

bool has_output(const api::Program& program, const std::string& name) {
  const auto& outputs = program.outputs();
  return std::find(outputs.begin(), outputs.end(), name) != outputs.end();
}

std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

bool known_format(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), ::tolower);
  return extension == ".mtx" || extension == ".npy" || extension == ".csv";
}

/// Why a file cannot be written, as far as that shows before trying.
std::string obstacle(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return path + ": is a folder";
  if (fs::exists(status)) {
    return ::access(path.c_str(), W_OK) == 0 ? "" : path + ": " + std::strerror(errno);
  }
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, error)) return path + ": there is no folder " + folder.string();
  return ::access(folder.c_str(), W_OK) == 0 ? "" : path + ": " + std::strerror(errno);
}

void show_matrix(const api::Matrix& matrix, PrintMode print) {
  if (print == PrintMode::none) return;
  out(print == PrintMode::full ? matrix.display() : matrix.summary());
}

}  // namespace

OutputPlan plan_outputs(const api::Program& program, const CommandLine& line) {
  OutputPlan plan;
  for (const std::string& word : line.outputs) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string path = equals == std::string::npos ? "" : word.substr(equals + 1);
    plan.status = exit_usage;
    if (path.empty()) plan.error = "-o " + word + ": NAME=FILE is expected";
    else if (!has_output(program, name)) {
      plan.error =
          "-o " + word + ": the program has no output '" + name + "'; its outputs: " + names_of(program.outputs());
    } else if (path != "-" && !known_format(path)) {
      plan.error = "-o " + word + ": the format of '" + path + "' is not known; use .mtx, .npy or .csv";
    } else if (path != "-") {
      plan.status = exit_failed;
      plan.error = obstacle(path);
    }
    if (!plan.error.empty()) return plan;
    plan.files[name] = path;
  }
  plan.status = exit_ok;
  return plan;
}

int deliver_outputs(const api::Result& result, const OutputPlan& plan, PrintMode print) {
  for (const api::Matrix& matrix : result.outputs()) {
    const auto file = plan.files.find(matrix.name());
    if (file == plan.files.end()) {
      show_matrix(matrix, print);
    } else if (file->second == "-") {
      out(matrix.file_content(".mtx").value_or(""));
    } else if (const auto problem = matrix.write(file->second)) {
      err(problem->rendered);
      return exit_failed;
    }
  }
  return exit_ok;
}

}  // namespace lac::cli
