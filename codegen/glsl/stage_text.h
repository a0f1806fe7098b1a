// The text of a stage taken apart, so that several stages can become one shader.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// Every identifier of a GLSL text that is not a member (`.x`) becomes `replace(identifier)`.
std::string rename_identifiers(std::string_view text, const std::function<std::string(const std::string&)>& replace);

/// A definition in front of main: a shared array or a function.
struct Definition {
  std::string name;
  std::string text;
  bool is_array = false;
  std::int64_t shared_bytes = 0;  ///< of an array
};

struct StageText {
  std::map<std::string, std::string> memory_types;  ///< of the arrays, by their names: "x" -> "double"
  std::vector<Definition> definitions;
  std::string main;  ///< "void main() { ... }"
};

/// Of a compute stage made by StageWriter.
StageText take_apart(const ShaderStage& stage);
/// Of a text of functions, such as library_text's.
std::vector<Definition> definitions_of(const std::string& functions);

}  // namespace lac::codegen::glsl
