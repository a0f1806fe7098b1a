// Names of the source made legal in GLSL.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace lac::codegen::glsl {

/// Letters, digits and single underscores, beginning with a letter and not a word of GLSL; "x" where nothing is left.
std::string legal_name(std::string_view wanted);

/// Hands out names of one shader, each once.
class Names {
 public:
  /// `wanted` made legal, with a number behind it where it is taken.
  std::string take(std::string_view wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace lac::codegen::glsl
