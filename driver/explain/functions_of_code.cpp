#include "driver/explain/functions_of_code.h"

namespace lac::driver {
namespace {

/// The next line, its newline included.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n') + 1);
  const std::string_view taken = line.empty() ? text : line;
  text.remove_prefix(taken.size());
  return taken;
}

/// "define internal void @k4_p_x(ptr ...": the name; empty where the line defines nothing.
std::string defined_by(std::string_view line) {
  if (!line.starts_with("define ")) return {};
  const std::size_t at = line.find('@'), end = line.find('(', at);
  return at == std::string_view::npos || end == std::string_view::npos ? ""
                                                                       : std::string(line.substr(at + 1, end - at - 1));
}

/// "k4_p_x:  # @k4_p_x"; labels of blocks begin with a dot.
std::string labelled_by(std::string_view line) {
  if (line.empty() || line[0] == '.' || line[0] == '#' || line[0] == ' ' || line[0] == '\t') return {};
  const std::size_t colon = line.find(':');
  return colon == std::string_view::npos ? "" : std::string(line.substr(0, colon));
}

template <class NameOf, class Ends>
std::map<std::string, std::string> split(std::string_view text, const NameOf& name_of, const Ends& ends) {
  std::map<std::string, std::string> functions;
  std::string* current = nullptr;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (const std::string name = name_of(line); !name.empty()) current = &functions[name];
    if (current == nullptr) continue;
    if (ends(line, *current)) current = nullptr;
  }
  return functions;
}

}  // namespace

std::map<std::string, std::string> functions_of_llvm(std::string_view text) {
  return split(text, defined_by, [](std::string_view line, std::string& function) {
    function += line;
    return line.starts_with('}');
  });
}

std::map<std::string, std::string> functions_of_assembly(std::string_view text) {
  return split(text, labelled_by, [](std::string_view line, std::string& function) {
    const bool over = line.find("\t.size\t") != std::string_view::npos;
    if (!over) function += line;
    return over;
  });
}

std::string functions_of_kernel(const std::map<std::string, std::string>& functions, const std::string& id) {
  std::string text;
  for (const auto& [name, function] : functions)
    if (name == id || name.starts_with(id + "_")) text += (text.empty() ? "" : "\n") + function;
  return text;
}

}  // namespace lac::driver
