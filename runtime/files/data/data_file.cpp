#include "runtime/files/data/data_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>

#include "runtime/files/data/mat_file.h"
#include "runtime/files/data/number_table.h"
#include "runtime/files/data/octave_text.h"

namespace lac::runtime {
namespace {

constexpr std::string_view format_names[] = {"text", "mat", "compressed mat", "ascii"};

struct OtherFormat {
  std::string_view magic, why;
};

constexpr OtherFormat other_formats[] = {
    {"\x89HDF", "HDF5 files, those of save -hdf5 and -v7.3 among them, are not supported: save it with -v7 or -text"},
    {"Octave-1-L", "Octave's binary files are not supported: save it with -v7 or -text"},
    {"Octave-1-B", "Octave's binary files are not supported: save it with -v7 or -text"},
    {"\x1f\x8b", "gzip-compressed files are not supported: decompress it first (gunzip)"},
    {"PK\x03\x04", "archives are not supported: extract the file first"},
};

bool is_mat(DataFormat format) { return format == DataFormat::mat || format == DataFormat::compressed_mat; }

Result<DataFile> one_matrix(FileFormat format, std::string_view bytes, const std::string& name) {
  Result<Tensor> read = parse_tensor(format, bytes, name);
  if (!read) return read.failure();
  DataFile file;
  const Element element = read.value().element();
  const DataClass data_class = element == Element::logical  ? DataClass::logical
                               : element == Element::single ? DataClass::single
                                                            : DataClass::real;
  file.variables.push_back({"", matrix_value(data_class, read.take())});
  return file;
}

Result<std::string> formatted(DataFormat format, const std::vector<NamedValue>& variables) {
  if (format == DataFormat::ascii) return format_ascii(variables);
  if (format == DataFormat::text) return format_octave_text(variables);
  return format_mat_variables(variables, format == DataFormat::compressed_mat);
}

std::string beginning_of(DataFormat format) {
  if (format == DataFormat::text) return "# Created by lac\n";
  return is_mat(format) ? mat_header() : "";
}

/// What is there already and stays.
Result<std::string> before(const std::string& path, DataFormat format) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return beginning_of(format);
  Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes;
  const bool fits =
      is_mat(format) ? is_mat_file(bytes.value()) : format == DataFormat::ascii || is_octave_text(bytes.value());
  if (!fits) return Failure{path + " has another format, in which nothing can be appended to it"};
  return bytes;
}

/// With an imaginary part wherever the form has one.
void widen(DataValue& value, const DataForm& form) {
  for (std::size_t i = 0; i < value.items.size(); ++i) widen(value.items[i], form.items[i]);
  if (!form.is_complex || value.form.is_complex) return;
  value.form.is_complex = true;
  value.im = value.re.is_dense() ? Tensor::dense(value.re.element(), value.re.rows(), value.re.cols())
                                 : Tensor::csr(value.re.element(), value.re.rows(), value.re.cols(), 0);
}

}  // namespace

std::optional<DataFormat> data_format(std::string_view name) {
  const auto* found = std::ranges::find(format_names, name);
  if (found == std::end(format_names)) return std::nullopt;
  return static_cast<DataFormat>(found - std::begin(format_names));
}

Result<DataFile> parse_data(std::string_view bytes, const std::string& name) {
  try {
    for (const OtherFormat& other : other_formats)
      if (bytes.starts_with(other.magic)) return Failure{name + ": " + std::string(other.why)};
    if (is_mat_file(bytes)) return read_mat_file(bytes, name);
    if (bytes.starts_with("MATLAB 5.0 MAT-file"))
      return Failure{name + ": the MAT file cannot be read: it ends too early, or is damaged"};
    if (is_octave_text(bytes)) return read_octave_text(bytes, name);
    if (bytes.starts_with("%%MatrixMarket")) return one_matrix(FileFormat::matrix_market, bytes, name);
    if (bytes.starts_with("\x93NUMPY")) return one_matrix(FileFormat::npy, bytes, name);
    return read_number_table(bytes, name);
  } catch (const std::bad_alloc&) {
    if (MemoryBudget::current()) throw;  // a limit of the run, which its executor tells
    return Failure{name + ": not enough memory for what it holds"};
  }
}

Result<DataFile> read_data(const std::string& path) {
  MemoryBudget::Share held;
  const Result<std::string> bytes = read_file(path, &held);
  if (!bytes) return bytes.failure();
  return parse_data(bytes.value(), path);
}

Result<Written> write_data(const std::string& path, DataFormat format, bool append,
                           const std::vector<NamedValue>& variables) {
  Result<std::string> bytes = append ? before(path, format) : beginning_of(format);
  if (!bytes) return bytes.failure();
  const Result<std::string> more = formatted(format, variables);
  if (!more) return more.failure();
  return write_file(path, bytes.value() + more.value());
}

FileForm form_of(const DataFile& file) {
  FileForm form;
  form.is_all = true;
  for (const NamedValue& variable : file.variables)
    if (!form.find(variable.name)) {
      const NamedValue& last = *file.find(variable.name);
      form.variables.push_back({last.name, form_of(last.value), last.problem});
    }
  return form;
}

Result<std::vector<DataValue>> values_of_form(DataFile file, const FileForm& form, const std::string& name) {
  if (form.is_all) {
    for (const NamedValue& variable : file.variables) {
      if (variable.name.empty() && !form.find(""))
        return Failure{name + " holds a table of numbers, and no variables as was expected"};
      if (!form.find(variable.name))
        return Failure{name + " holds '" + variable.name + "', which it did not where the program was compiled"};
    }
  }
  std::vector<DataValue> values;
  for (const NamedForm& wanted : form.variables) {
    const NamedValue* found = file.find(wanted.name);
    if (!found)
      return Failure{wanted.name.empty() ? name + " holds variables, and no table of numbers as was expected"
                                         : "empty name keyword or no data found in file '" + name + "'"};
    const std::string shown = wanted.name.empty() ? "the matrix" : wanted.name;
    if (!found->problem.empty()) return Failure{name + ": " + shown + " is " + found->problem};
    if (auto problem = mismatch(wanted.form, form_of(found->value), shown)) return Failure{name + ": " + *problem};
    values.push_back(found->value);
    widen(values.back(), wanted.form);
  }
  return values;
}

}  // namespace lac::runtime
