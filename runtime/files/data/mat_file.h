// MATLAB level 5 MAT files, of both byte orders, with and without compressed variables. The reader is this project's
// own: every count is held against the bytes that are there, and every byte against the memory of the run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/files/data/data_value.h"

namespace lac::runtime {

bool is_mat_file(std::string_view bytes);

/// Variables of classes that the language lacks (objects, function handles) have a `problem` in place of a value; what
/// is damaged is a failure, "name: what is wrong". Throws std::bad_alloc where the memory of the run does not do.
Result<DataFile> read_mat_file(std::string_view bytes, const std::string& name);

/// The 128 bytes that such a file begins with.
std::string mat_header();
/// Variables as they stand behind it, or behind others. Fails where one of them is larger than 4 GB.
Result<std::string> format_mat_variables(const std::vector<NamedValue>& variables, bool compressed);

}  // namespace lac::runtime
