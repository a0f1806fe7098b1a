// Tables of numbers in text: lines of fields between separators, some of them without a number.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lac::runtime {

struct Table {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values = {};  ///< by columns
};

/// As Octave's dlmread: any of `separators` ends a field; where none are given, that of the first line that is taken:
/// a comma, colon, semicolon, or any blanks. A field without a number, and what shorter lines lack, is 0. The first
/// lines and fields are left out as told.
Table read_table(std::string_view text, std::string_view separators, std::size_t rows_left_out,
                 std::size_t cols_left_out);

}  // namespace lac::runtime
