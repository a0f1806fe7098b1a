// The columns of a text, as textscan takes it apart.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/column_template.h"

namespace lac::runtime {

struct ColumnRules {
  std::string delimiters = {};  ///< any of them ends a field; none: blanks do
  bool delimiters_are_one = false;
  std::size_t lines_left_out = 0;
  std::size_t most_rows = std::numeric_limits<std::size_t>::max();
  bool has_words = false;  ///< as strread: see scan_columns
};

struct ScannedColumn {
  std::vector<double> numbers = {};
  std::string characters = {};            ///< of strings, one behind the other
  std::vector<std::size_t> lengths = {};  ///< of each
};

struct ScannedColumns {
  std::vector<ScannedColumn> columns = {};  ///< of the parts that are columns, in their order
  std::size_t end = 0;                      ///< how much of the text was read
};

/// As Octave: fields end at a delimiter or a line; one without characters is NaN, 0 in integer classes, or "". It ends
/// where the text does, or at what is no number: columns may then have fewer elements than those before them. A row
/// that ends with a delimiter is filled up. With delimiters a field that is no number is a failure. As strread takes
/// texts apart a field is a word: one that is no number is NaN, or 0, NA is a number, and empty lines are left out.
Result<ScannedColumns> scan_columns(std::string_view text, const std::vector<ColumnPart>& parts,
                                    const ColumnRules& rules);

}  // namespace lac::runtime
