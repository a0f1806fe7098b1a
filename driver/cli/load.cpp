#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

/// "graph:after=fuse" -> "03-graph-after-fuse.txt": in the order of compilation, also where a pass runs twice.
std::string dump_file(const std::string& directory, int number, const std::string& item) {
  std::string name = item;
  for (char& c : name) {
    if (c == ':' || c == '=') c = '-';
  }
  const std::string order = (number < 10 ? "0" : "") + std::to_string(number);
  return directory + "/" + order + "-" + name + (item == "dot" ? ".dot" : ".txt");
}

api::DumpSink dump_sink(const CommandLine& line) {
  std::error_code refused;  // write_report says of a file that there is no folder for it
  if (!line.dump_directory.empty()) std::filesystem::create_directories(line.dump_directory, refused);
  auto count = std::make_shared<int>(0);
  return [count, directory = line.dump_directory](const std::string& item, const std::string& text) {
    if (!directory.empty() && item != "time-passes") {
      write_report(dump_file(directory, (*count)++, item), text);
    } else {
      err("// ---- " + item + "\n" + text + (text.ends_with('\n') ? "" : "\n"));
    }
  };
}

api::Options program_options(const CommandLine& line) {
  api::Options options = line.options;
  options.remarks = line.remarks.wanted;
  options.time_kernels = line.statistics.wanted;
  if (!options.dump.empty() || options.print_passes || options.time_passes) options.dump_sink = dump_sink(line);
  return options;
}

}  // namespace

std::optional<std::string> content_of(const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

void list_folder(const std::string& folder, const CommandLine& line, api::Options& options) {
  if (!line.sandbox) options.include_directories.insert(options.include_directories.begin(), folder);
}

api::Program load_program(const CommandLine& line) {
  api::Options options = program_options(line);
  if (line.expression) list_folder(".", line, options);
  else if (!options.files && line.file != "-") list_folder(folder_of(line.file), line, options);
  if (line.expression) return api::Program::from_text(*line.expression, "-e", std::move(options));
  return api::Program::from_file(line.file, std::move(options));
}

std::vector<api::Program> load_programs(const std::vector<CommandLine>& lines) {
  const CommandLine& first = lines.front();
  const std::optional<std::string> text = first.expression ? std::nullopt : content_of(first.file);
  std::vector<api::Program> programs;
  for (const CommandLine& line : lines) {
    if (!text) {  // an expression, or a file that cannot be read, which is said as ever
      programs.push_back(load_program(line));
      continue;
    }
    api::Options options = program_options(line);
    if (line.file != "-") list_folder(folder_of(line.file), line, options);
    programs.push_back(api::Program::from_text(*text, line.file, std::move(options)));
  }
  return programs;
}

api::Arguments arguments_of(const CommandLine& line) {
  api::Arguments arguments;
  for (const auto& [name, value] : line.arguments) arguments.text(name, value);
  return arguments;
}

std::string describe_program(const api::Program& program, const std::string& name) {
  std::string text;
  if (!program.help().empty()) text += program.help() + (program.help().ends_with('\n') ? "\n" : "\n\n");
  text += "usage: " + name;
  for (const api::Parameter& parameter : program.parameters()) {
    const std::string word = parameter.name + "=" + (parameter.shape == "scalar" ? "VALUE" : "FILE");
    text += parameter.default_value.empty() ? " " + word : " [" + word + "]";
  }
  text += "\n";
  if (!program.parameters().empty()) text += "\nparameters\n";
  for (const api::Parameter& parameter : program.parameters()) {
    std::string left = "  " + parameter.name;
    left.resize(std::max<std::size_t>(left.size() + 2, 14), ' ');
    left += parameter.shape;
    if (!parameter.properties.empty()) left += " " + parameter.properties;
    left += parameter.default_value.empty() ? ", required" : ", default " + parameter.default_value;
    if (!parameter.comment.empty()) {
      left.resize(std::max<std::size_t>(left.size() + 2, 44), ' ');
      left += parameter.comment;
    }
    text += left + "\n";
  }
  if (!program.outputs().empty()) {
    text += "\noutputs\n ";
    for (const std::string& output : program.outputs()) text += " " + output;
    text += "\n";
  }
  return api::printable(text);
}

}  // namespace lac::cli
