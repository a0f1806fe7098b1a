// sscanf: the numbers and characters that a template finds in a string.
#pragma once

#include <limits>
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
  bool is_long = false;  ///< of an integer: its range is that of 64 bits, and of 32 else
  std::size_t width = std::string::npos;
};

/// Fails where a conversion is outside the language, and where there is none.
Result<std::vector<ScanPart>> scan_template(std::string_view format);
/// What the template finds in a text: numbers, and codes of characters.
struct Scanned {
  std::vector<double> values = {};
  std::size_t end = 0;                 ///< how many characters of the text were read for them
  bool characters_alone = true;        ///< nothing but %s and %c was converted
  std::vector<std::size_t> ends = {};  ///< behind which value each conversion that gives any ends
  bool differs = false;                ///< the text went on other than the template says
};

/// The template is used again until the text ends or differs, or there are `most` values; or it is used `once`.
Scanned scan_text(std::string_view text, const std::vector<ScanPart>& parts,
                  std::size_t most = std::numeric_limits<std::size_t>::max(), bool once = false);

/// The matrix that `count` values make of those that were asked for, in columns of `rows`; 0: in one column.
struct ScanExtents {
  std::size_t rows = 0, cols = 0;
};
ScanExtents scan_extents(std::size_t count, std::size_t most, std::size_t rows);

}  // namespace lac
