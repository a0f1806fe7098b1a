#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>

#include "ir/support/character.h"
#include "runtime/files/data/inflate.h"
#include "runtime/files/data/mat_bytes.h"
#include "runtime/files/data/mat_file.h"
#include "runtime/files/data/utf.h"
#include "runtime/stop.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"

namespace lac::runtime {
namespace {

using mat::Output;
using mat::Type;

struct Stored {
  DataClass data_class;
  mat::Class of_array;
  void (*numbers)(Output& out, const Tensor& values);
};

template <class T, Type type>
void write_numbers(Output& out, const Tensor& values) {
  std::vector<T> converted(static_cast<std::size_t>(values.stored()));
  for (std::size_t k = 0; k < converted.size(); ++k) {
    if (k % 65536 == 0) poll_stop();
    const double value = values.stored_value(static_cast<std::int64_t>(k));
    if constexpr (std::is_integral_v<T>) converted[k] = static_cast<T>(static_cast<std::int64_t>(value));
    else converted[k] = static_cast<T>(value);
  }
  out.numbers(type, converted);
}

constexpr Stored stored[] = {
    {DataClass::real, mat::Class::real, write_numbers<double, Type::real>},
    {DataClass::single, mat::Class::single, write_numbers<float, Type::single>},
    {DataClass::logical, mat::Class::uint8, write_numbers<std::uint8_t, Type::uint8>},
    {DataClass::int8, mat::Class::int8, write_numbers<std::int8_t, Type::int8>},
    {DataClass::int16, mat::Class::int16, write_numbers<std::int16_t, Type::int16>},
    {DataClass::int32, mat::Class::int32, write_numbers<std::int32_t, Type::int32>},
    {DataClass::int64, mat::Class::int64, write_numbers<std::int64_t, Type::int64>},
    {DataClass::uint8, mat::Class::uint8, write_numbers<std::uint8_t, Type::uint8>},
    {DataClass::uint16, mat::Class::uint16, write_numbers<std::uint16_t, Type::uint16>},
    {DataClass::uint32, mat::Class::uint32, write_numbers<std::uint32_t, Type::uint32>},
    {DataClass::uint64, mat::Class::uint64, write_numbers<std::uint64_t, Type::uint64>},
    {DataClass::text, mat::Class::text, write_numbers<std::uint16_t, Type::uint16>},
    {DataClass::record, mat::Class::record, nullptr},
    {DataClass::cell, mat::Class::cell, nullptr},
};

const Stored& stored_as(DataClass data_class) { return *std::ranges::find(stored, data_class, &Stored::data_class); }

void append_array(Output& out, const std::string& name, const DataValue& value);

void append_head(Output& array, const std::string& name, const DataForm& form, std::uint32_t entries) {
  std::uint32_t flags =
      static_cast<std::uint32_t>(form.is_sparse ? mat::Class::sparse : stored_as(form.data_class).of_array);
  if (form.is_complex) flags |= mat::complex_flag;
  if (form.data_class == DataClass::logical) flags |= mat::logical_flag;
  array.numbers(Type::uint32, std::vector<std::uint32_t>{flags, entries});
  array.numbers(Type::int32, std::vector<std::int32_t>(form.extents.begin(), form.extents.end()));
  array.raw(Type::int8, name);
}

// Compressed columns: rows of the transpose.
void append_sparse(Output& array, const std::string& name, const DataValue& value) {
  const DataValue both = with_one_pattern(value);
  const Tensor re = transpose(to_csr(both.re));
  const auto count = static_cast<std::size_t>(re.stored());
  append_head(array, name, value.form, static_cast<std::uint32_t>(std::max<std::size_t>(count, 1)));
  array.numbers(Type::int32, std::vector<std::int32_t>(re.column_indices(), re.column_indices() + count));
  array.numbers(Type::int32, std::vector<std::int32_t>(re.row_pointers(), re.row_pointers() + re.rows() + 1));
  if (value.form.data_class == DataClass::logical) write_numbers<std::uint8_t, Type::uint8>(array, re);
  else write_numbers<double, Type::real>(array, re);
  if (value.form.is_complex) write_numbers<double, Type::real>(array, transpose(to_csr(both.im)));
}

void append_record(Output& array, const DataValue& value) {
  std::size_t longest = 0;
  for (const std::string& field : value.form.fields) longest = std::max(longest, field.size());
  const std::size_t width = longest + 1;
  array.numbers(Type::int32, std::vector<std::int32_t>{static_cast<std::int32_t>(width)});
  std::string names;
  for (const std::string& field : value.form.fields) names += field + std::string(width - field.size(), '\0');
  array.raw(Type::int8, names);
  const auto fields = value.form.fields.size();
  const std::size_t elements = fields == 0 ? 0 : value.items.size() / fields;
  for (std::size_t element = 0; element < elements; ++element)
    for (std::size_t field = 0; field < fields; ++field)
      append_array(array, "", value.items[field * elements + element]);
}

void append_dense(Output& array, const DataValue& value) {
  const Stored& as = stored_as(value.form.data_class);
  as.numbers(array, to_dense(full_of(value)));
  if (!value.form.is_complex) return;
  DataValue imaginary = value;
  imaginary.re = value.im;
  as.numbers(array, to_dense(full_of(imaginary)));
}

/// Characters beyond ASCII in a row, as their units; nothing where the codes stand as they are.
std::optional<std::vector<std::uint16_t>> units_of(const DataValue& text) {
  if (text.form.data_class != DataClass::text || text.re.rows() != 1) return std::nullopt;
  std::string bytes;
  for (std::int64_t k = 0; k < text.re.stored(); ++k) bytes += character_of(text.re.stored_value(k));
  return utf16_of(bytes);
}

void append_row_of_text(Output& array, const std::string& name, const std::vector<std::uint16_t>& units) {
  DataForm form;
  form.data_class = DataClass::text;
  form.extents = {1, static_cast<std::int64_t>(units.size())};
  append_head(array, name, form, 0);
  array.numbers(Type::uint16, units);
}

/// Bytes that are no UTF-8 stand as bytes: as units they would be read as characters.
void append_codes(Output& array, const DataValue& text) {
  if (text.re.rows() == 1) write_numbers<std::uint8_t, Type::uint8>(array, text.re);
  else append_dense(array, text);
}

void append_array(Output& out, const std::string& name, const DataValue& value) {
  Output array;
  if (value.form.is_sparse) {
    append_sparse(array, name, value);
  } else if (const auto units = units_of(value)) {
    append_row_of_text(array, name, *units);
  } else {
    append_head(array, name, value.form, 0);
    if (value.form.data_class == DataClass::record) append_record(array, value);
    else if (value.form.data_class == DataClass::cell)
      for (const DataValue& item : value.items) append_array(array, "", item);
    else if (value.form.data_class == DataClass::text) append_codes(array, value);
    else append_dense(array, value);
  }
  out.raw(Type::matrix, array.bytes);
}

}  // namespace

std::string mat_header() {
  std::string header = "MATLAB 5.0 MAT-file, written by lac";
  header.resize(mat::header_size - 4, ' ');
  std::fill(header.end() - 8, header.end(), '\0');  // where subsystem data lie: nowhere
  const std::uint16_t words[] = {0x0100, 0x4d49};   // the version, and "MI" in the byte order of the machine
  return header.append(reinterpret_cast<const char*>(words), sizeof words);
}

Result<std::string> format_mat_variables(const std::vector<NamedValue>& variables, bool compressed) {
  Output out;
  for (const NamedValue& variable : variables) {
    Output array;
    append_array(array, variable.name, variable.value);
    if (array.bytes.size() > std::numeric_limits<std::uint32_t>::max())
      return Failure{variable.name + " is larger than 4 GB, which MAT files do not hold: save it as text"};
    if (compressed) out.raw(Type::compressed, deflated(array.bytes));
    else out.bytes += array.bytes;
  }
  return std::move(out.bytes);
}

}  // namespace lac::runtime
