// sscanf: the numbers and characters that a template finds in a string.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"

namespace lac {

/// A part of a template: blanks, a text that must stand there, or a conversion.
struct ScanPart {
  char conversion = 0;  ///< 0: `text`, blank where any blanks match
  std::string text;
  bool skipped = false;
  std::size_t width = std::string::npos;
};

/// Fails where a conversion is outside the language, and where there is none.
Result<std::vector<ScanPart>> scan_template(std::string_view format);
/// What the template finds in a text: numbers, and codes of characters.
struct Scanned {
  std::vector<double> values;
  bool characters_alone = true;  ///< nothing but %s and %c was converted
};

/// The template is used again until the text ends or differs.
Scanned scan_text(const std::string& text, const std::vector<ScanPart>& parts);

}  // namespace lac
