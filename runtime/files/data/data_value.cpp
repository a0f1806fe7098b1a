#include "runtime/files/data/data_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "runtime/tensor/convert.h"

namespace lac::runtime {

const NamedValue* DataFile::find(std::string_view name) const {
  const auto found = std::find_if(variables.rbegin(), variables.rend(),
                                  [&](const NamedValue& variable) { return variable.name == name; });
  return found == variables.rend() ? nullptr : &*found;
}

void take_node(MemoryBudget::Share& share) {
  constexpr std::size_t blocks = 4 * 32;  // extents and names, of the value and of its form, as an allocator gives them
  if (!share.take(sizeof(DataValue) + sizeof(DataForm) + blocks)) throw std::bad_alloc();
}

std::optional<double> in_class(DataClass data_class, double number) {
  if (data_class == DataClass::logical) return number != 0 ? 1 : 0;
  if (!is_integer(data_class)) return number;
  const bool is_signed = data_class <= DataClass::int64;
  const int bits =
      8 << (static_cast<int>(data_class) - static_cast<int>(is_signed ? DataClass::int8 : DataClass::uint8));
  constexpr double exact_limit = 0x1p53;
  if (bits == 64 && std::abs(number) > exact_limit) return std::nullopt;
  const double end = std::ldexp(1.0, is_signed ? bits - 1 : bits), lowest = is_signed ? -end : 0;
  return std::isnan(number) ? 0 : std::clamp(std::round(number), lowest, end - 1) + 0.0;  // no -0
}

Element element_of(DataClass data_class) {
  if (data_class == DataClass::logical) return Element::logical;
  if (data_class == DataClass::single) return Element::single;
  return data_class == DataClass::real ? Element::real : Element::integer;
}

DataValue matrix_value(DataClass data_class, Tensor re) {
  DataValue value;
  value.form.data_class = data_class;
  value.form.is_sparse = !re.is_dense();
  value.form.extents = {re.rows(), re.cols()};
  value.re = std::move(re);
  return value;
}

DataValue complex_value(DataClass data_class, Tensor re, Tensor im) {
  DataValue value = matrix_value(data_class, std::move(re));
  value.form.is_complex = true;
  value.im = std::move(im);
  return value;
}

DataValue narrowed(DataValue value) {
  for (DataValue& item : value.items) item = narrowed(std::move(item));
  if (!value.form.is_complex) return value;
  for (std::int64_t k = 0; k < value.im.stored(); ++k)
    if (value.im.stored_value(k) != 0) return value;
  value.form.is_complex = false;
  value.im = {};
  return value;
}

DataValue with_one_pattern(DataValue value) {
  if (!value.form.is_sparse || !value.form.is_complex) return value;
  const std::vector<Triplet> entries[] = {to_triplets(value.re), to_triplets(value.im)};
  const auto completed = [&](int part) {
    std::vector<Triplet> all = entries[part];
    for (Triplet entry : entries[1 - part]) {
      entry.value = 0;
      all.push_back(entry);
    }
    return csr_from_triplets(value.re.element(), value.re.rows(), value.re.cols(), all);
  };
  const Tensor re = completed(0);
  value.im = completed(1);
  value.re = re;
  return value;
}

Tensor full_of(const DataValue& value) {
  if (value.form.structure == DataStructure::none) return value.re;
  Tensor full = Tensor::dense(value.re.element(), value.form.extents[0], value.form.extents[1]);
  const bool is_permutation = value.form.structure == DataStructure::permutation;
  for (std::int64_t j = 0; j < value.re.stored(); ++j) {
    const double entry = value.re.stored_value(j);
    const std::int64_t row = is_permutation ? static_cast<std::int64_t>(entry) - 1 : j;
    full.set_stored_value(j * full.rows() + row, is_permutation ? 1 : entry);
  }
  return full;
}

DataForm form_of(const DataValue& value) {
  DataForm form = value.form;
  for (const DataValue& item : value.items) form.items.push_back(form_of(item));
  return form;
}

std::string outside_of_language(const DataForm& form) {
  const std::string of_class(lac::name(form.data_class));
  const bool is_number = form.data_class == DataClass::real || form.data_class == DataClass::single;
  if (form.is_complex && !is_number) return "complex of class " + of_class + ", which is outside the language";
  const bool is_flat = form.extents.size() == 2;
  if (form.is_complex && !is_flat) return "complex of more than two dimensions, which is outside the language";
  const bool has_pages = !has_items(form.data_class) && form.data_class != DataClass::text && !form.is_sparse;
  if (!is_flat && !has_pages) return "a " + of_class + " of more than two dimensions, which is outside the language";
  const bool is_record = form.data_class == DataClass::record;
  if (is_record && form.extents[1] > 0 && form.extents[0] > most_structs / form.extents[1])
    return "an array of more than " + std::to_string(most_structs) + " structs, which is outside the language";
  return {};
}

std::int64_t rows_of(const std::vector<std::int64_t>& extents) {
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < extents.size(); ++i) rows *= extents[i];
  return rows;
}

std::string problem_of_extents(const std::vector<std::int64_t>& extents) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 64;
  if (extents.size() < 2 || extents.size() > 32) return "a matrix has two dimensions or more";
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0) return "an extent is negative";
    if (extent > 0 && count > most / extent) return "there is no room for so many elements";
    count *= std::max<std::int64_t>(extent, 1);
  }
  return {};
}

}  // namespace lac::runtime
