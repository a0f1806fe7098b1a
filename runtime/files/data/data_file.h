// Files of variables, as `save` writes and `load` reads them, in any of their formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/files/data/data_value.h"
#include "runtime/files/files.h"

namespace lac::runtime {

enum class DataFormat : std::uint8_t { text, mat, compressed_mat, ascii };

/// By the words "text", "mat", "compressed mat", "ascii".
std::optional<DataFormat> data_format(std::string_view name);

/// Variables in Octave's text format or a MAT file; else one matrix without a name: a Matrix Market or NPY file, or a
/// table of numbers. Other formats that are known are refused by name.
Result<DataFile> parse_data(std::string_view bytes, const std::string& name);
Result<DataFile> read_data(const std::string& path);

/// The file holds the variables then, or, where they are appended to it, those besides that it had. It is written as
/// write_file does. Fails where it has another format.
Result<Written> write_data(const std::string& path, DataFormat format, bool append,
                           const std::vector<NamedValue>& variables);

/// The form of all that is in the file.
FileForm form_of(const DataFile& file);

/// The values that the form asks for, in its order, so that what they hold has the form: real values in place of
/// complex ones have imaginary parts of zero. Fails with what differs.
Result<std::vector<DataValue>> values_of_form(DataFile file, const FileForm& form, const std::string& name);

}  // namespace lac::runtime
