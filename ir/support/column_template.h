// Templates of textscan: what the columns of a text hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/support/data_form.h"
#include "ir/support/result.h"

namespace lac {

/// A column, or a text that stands between columns.
struct ColumnPart {
  DataClass data_class = DataClass::real;  ///< of a column: a class of numbers, or text
  bool skipped = false;                    ///< a column that is read and left out
  std::string literal = {};                ///< not empty: the text
  bool is_column() const { return literal.empty() && !skipped; }
};

/// "%f %d %*s": of %f, %n double, %d int32, %u uint32, with 8, 16, 32, 64 behind them the class of so many bits; %s.
/// Fails at conversions that are outside the language, and where there is none.
Result<std::vector<ColumnPart>> column_template(std::string_view text);

}  // namespace lac
