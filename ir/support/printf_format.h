// The parts of a printf format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lac {

/// Literal text, or one conversion.
struct FormatPart {
  static constexpr int absent = -1;
  static constexpr int star = -2;

  char type = 0;      ///< the conversion character; 0 for literal text
  std::string text;   ///< literal text; empty for a conversion
  std::string flags;  ///< some of "-+ 0#~"
  int width = absent;
  int precision = absent;

  bool is_literal() const { return type == 0; }
  bool has_flag(char flag) const { return flags.find(flag) != std::string::npos; }
};

/// Splits a format; nothing when a conversion is malformed. "%%" becomes literal text; the modifiers h, l and L are
/// dropped.
std::optional<std::vector<FormatPart>> parse_format(std::string_view format);

}  // namespace lac
