#include "codegen/glsl/stage_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The name that is declared in front of `mark`: "shared double sum_tree[" -> "sum_tree".
std::string name_before(const std::string& line, char mark) {
  const std::size_t end = line.find(mark);
  if (end == std::string::npos) throw InternalError("a shader's definition without a name: " + line);
  std::size_t begin = end;
  while (begin > 0 && in_name(line[begin - 1])) --begin;
  return line.substr(begin, end - begin);
}

std::int64_t element_bytes(const std::string& line) {
  std::int64_t bytes = line.find("double ") != std::string::npos || line.find("vec2 ") != std::string::npos ? 8 : 4;
  if (line.find("vec4 ") != std::string::npos) bytes = 16;
  if (line.find("dvec") != std::string::npos) bytes = 32;
  return bytes;
}

/// "shared double a[256];": the product of its extents times the element.
std::int64_t shared_bytes(const std::string& line) {
  std::int64_t bytes = element_bytes(line);
  for (std::size_t at = line.find('['); at != std::string::npos; at = line.find('[', at + 1))
    bytes *= std::max(1L, std::strtol(line.c_str() + at + 1, nullptr, 10));
  return bytes;
}

}  // namespace

std::string rename_identifiers(std::string_view text, const std::function<std::string(const std::string&)>& replace) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const bool name = begins_name(text[at]);
    const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    if (name || number)
      while (end < text.size() && (in_name(text[end]) || (number && text[end] == '.'))) ++end;
    const std::string token(text.substr(at, end - at));
    const bool member = at > 0 && text[at - 1] == '.';
    result += name && !member ? replace(token) : token;
    at = end;
  }
  return result;
}

StageText take_apart(const ShaderStage& stage) {
  StageText parts;
  bool in_block = false;  // of parameters
  std::string definition;
  for (const std::string& line : lines_of(stage.glsl)) {
    if (definition.empty() && (line.empty() || line[0] == '#' || line.starts_with("//"))) continue;
    if (line.starts_with("layout(")) {
      const std::size_t open = line.find('{');
      const std::size_t close = line.find("[]");
      if (close != std::string::npos) {
        const std::string name = name_before(line, '[');
        const std::size_t type = line.find_first_not_of(' ', open + 1);
        parts.memory_types[name] = line.substr(type, line.find(' ', type) - type);
      } else {
        in_block = open != std::string::npos;
      }
      continue;
    }
    if (in_block) {
      in_block = line != "};";
      continue;
    }
    if (definition.empty() && line.starts_with("shared ")) {
      parts.definitions.push_back({name_before(line, '['), line + "\n", true, shared_bytes(line)});
      continue;
    }
    const bool begins = definition.empty();
    definition += line + "\n";
    const bool constant = begins && line.starts_with("const ") && line.ends_with(";");
    if (line != "}" && !(begins && line.ends_with("}")) && !constant) continue;
    if (definition.starts_with("void main()")) parts.main = definition;
    else parts.definitions.push_back({name_before(definition, constant ? '=' : '('), definition, false, 0});
    definition.clear();
  }
  if (parts.main.empty()) throw InternalError("the text of shader " + stage.name + " has no main");
  return parts;
}

std::vector<Definition> definitions_of(const std::string& functions) {
  ShaderStage stage;
  stage.glsl = functions + "void main() {\n}\n";
  return take_apart(stage).definitions;
}

}  // namespace lac::codegen::glsl
