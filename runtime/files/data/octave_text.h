// Octave's text format of variables, what its `save` writes by default: for each a name, a type, and the values as the
// type has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/files/data/data_value.h"

namespace lac::runtime {

/// Whether the bytes begin as such a file does: comments, then a name.
bool is_octave_text(std::string_view bytes);

/// `name` appears in failures, "name:line: what is wrong". Counts that the bytes cannot hold, unknown types and numbers
/// of 64-bit classes beyond 2^53 are failures. Throws std::bad_alloc where the memory of the run does not do.
Result<DataFile> read_octave_text(std::string_view bytes, const std::string& name);

/// Numbers have 17 digits, so each reads back the same.
std::string format_octave_text(const std::vector<NamedValue>& variables);

/// The numbers alone, as `save -ascii` writes them: %.8e, a line for each row. Fails at what is no matrix of numbers.
Result<std::string> format_ascii(const std::vector<NamedValue>& variables);

}  // namespace lac::runtime
