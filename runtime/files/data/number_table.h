// Tables of numbers in text as Octave's `load` takes them: lines of numbers between blanks, tabs or commas.
#pragma once

#include <string>
#include <string_view>

#include "runtime/files/data/data_value.h"

namespace lac::runtime {

/// One matrix without a name. What stands behind '%' or '#' in a line is a comment; all lines have as many numbers.
/// Fails with "name:line: what is wrong", also where there are no numbers.
Result<DataFile> read_number_table(std::string_view bytes, const std::string& name);

}  // namespace lac::runtime
