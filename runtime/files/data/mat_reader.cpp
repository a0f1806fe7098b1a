#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "ir/types/extent.h"
#include "runtime/files/data/inflate.h"
#include "runtime/files/data/mat_bytes.h"
#include "runtime/files/data/mat_file.h"
#include "runtime/files/data/utf.h"
#include "runtime/stop.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

using mat::Elements;
using mat::Type;

constexpr double exact_limit = 0x1p53;

/// Thrown at what is wrong with the file; caught where it is read.
struct Wrong {
  std::string what;
};
/// Thrown at a class that the language lacks; caught at the variable.
struct Outside {
  std::string what;
};

struct ArrayClass {
  mat::Class of_array;
  DataClass data_class;
};

constexpr ArrayClass classes[] = {
    {mat::Class::cell, DataClass::cell},   {mat::Class::record, DataClass::record},
    {mat::Class::text, DataClass::text},   {mat::Class::sparse, DataClass::real},
    {mat::Class::real, DataClass::real},   {mat::Class::single, DataClass::single},
    {mat::Class::int8, DataClass::int8},   {mat::Class::uint8, DataClass::uint8},
    {mat::Class::int16, DataClass::int16}, {mat::Class::uint16, DataClass::uint16},
    {mat::Class::int32, DataClass::int32}, {mat::Class::uint32, DataClass::uint32},
    {mat::Class::int64, DataClass::int64}, {mat::Class::uint64, DataClass::uint64},
};

DataClass class_of(mat::Class of_array) {
  if (of_array == mat::Class::object || of_array == mat::Class::opaque)
    throw Outside{"an object of a class, which is outside the language"};
  if (of_array == mat::Class::function)
    throw Outside{"a function handle, which cannot be loaded: write it in the program"};
  const auto* found = std::ranges::find(classes, of_array, &ArrayClass::of_array);
  if (found == std::end(classes)) throw Wrong{"it holds an array of an unknown class"};
  return found->data_class;
}

/// What every array begins with.
struct Head {
  std::uint32_t flags = 0;
  DataForm form = {};
  std::string name = {};
};

class Reader {
 public:
  explicit Reader(MemoryBudget::Share& held) : held_(held) {}

  NamedValue variable(const mat::Element& array, bool swapped) {
    NamedValue variable;
    try {
      variable.value = value(array, swapped, 0, &variable.name);
    } catch (const Outside& outside) {
      variable.problem = outside.what;
    }
    return variable;
  }

 private:
  static mat::Element require(Elements& elements) {
    const auto element = elements.next();
    if (!element) throw Wrong{"it ends too early, or is damaged"};
    return *element;
  }
  static mat::Element require_numbers(Elements& elements) {
    const mat::Element element = require(elements);
    if (mat::size_of(element.type) == 0) throw Wrong{"numbers are missing"};
    return element;
  }

  DataValue value(const mat::Element& array, bool swapped, int depth, std::string* name = nullptr) {
    if (array.type != Type::matrix) throw Wrong{"something else stands where an array should"};
    if (depth > most_data_depth) throw Wrong{"structs and cells lie too deep in each other"};
    take_node(held_);
    poll_stop();
    if (array.bytes.empty()) return matrix_value(DataClass::real, Tensor::dense(Element::real, 0, 0));
    Elements elements(array.bytes, swapped);
    const Head head = head_of(elements, name);
    switch (head.form.data_class) {
      case DataClass::cell: return cell(elements, head, depth);
      case DataClass::record: return record(elements, head, depth);
      case DataClass::text: return text(elements, head);
      default: break;
    }
    return head.form.is_sparse || is_unmarked_sparse(elements, head) ? sparse(elements, head) : dense(elements, head);
  }

  /// Octave gives sparse logical matrices the class of full ones, whose elements are bytes: here indices come first.
  static bool is_unmarked_sparse(Elements elements, const Head& head) {
    if (head.form.data_class != DataClass::logical) return false;
    const auto first = elements.next();
    return first && first->type == Type::int32 && !elements.at_end();
  }

  static Head head_of(Elements& elements, std::string* name) {
    const mat::Element flags = require(elements);
    if (flags.type != Type::uint32 || mat::count_of(flags) < 1) throw Wrong{"an array has no flags"};
    Head head;
    head.flags = static_cast<std::uint32_t>(mat::number_at(flags, 0, elements.swapped()));
    const auto of_array = static_cast<mat::Class>(head.flags & 0xffU);
    const bool has_extents = of_array != mat::Class::opaque && of_array != mat::Class::function;
    if (has_extents) head.form.extents = extents_of(elements);
    head.name = std::string(require(elements).bytes);
    if (name) *name = head.name;
    head.form.data_class = class_of(of_array);
    head.form.is_sparse = of_array == mat::Class::sparse;
    head.form.is_complex = (head.flags & mat::complex_flag) != 0 && !has_items(head.form.data_class);
    if ((head.flags & mat::logical_flag) != 0 && !has_items(head.form.data_class))
      head.form.data_class = DataClass::logical;
    if (const std::string problem = outside_of_language(head.form); !problem.empty()) throw Outside{problem};
    return head;
  }

  static std::vector<std::int64_t> extents_of(Elements& elements) {
    const mat::Element element = require_numbers(elements);
    std::vector<std::int64_t> extents;
    for (std::size_t i = 0; i < mat::count_of(element); ++i) {
      const double extent = mat::number_at(element, i, elements.swapped());
      if (!(std::abs(extent) < exact_limit)) throw Wrong{"an extent is too large"};
      extents.push_back(static_cast<std::int64_t>(extent));
    }
    if (const std::string problem = problem_of_extents(extents); !problem.empty()) throw Wrong{problem};
    while (extents.size() > 2 && extents.back() == 1) extents.pop_back();
    return extents;
  }

  /// As many numbers as there are elements.
  static Tensor part(Elements& elements, const DataForm& form) {
    const mat::Element data = require_numbers(elements);
    const std::int64_t rows = rows_of(form.extents), cols = form.extents.back();
    if (mat::count_of(data) != static_cast<std::size_t>(rows * cols)) throw Wrong{"a matrix lacks elements"};
    Tensor made = Tensor::for_writing(element_of(form.data_class), rows, cols);
    for (std::int64_t k = 0; k < rows * cols; ++k)
      made.set_stored_value(k, entry_of(mat::number_at(data, static_cast<std::size_t>(k), elements.swapped()), form));
    return made;
  }
  static double entry_of(double number, const DataForm& form) {
    const std::optional<double> held = in_class(form.data_class, number);
    if (!held)
      throw Outside{"of class " + std::string(lac::name(form.data_class)) +
                    " with a number beyond 2^53, up to which they are exact here"};
    return *held;
  }

  static DataValue dense(Elements& elements, const Head& head) {
    Tensor re = part(elements, head.form);
    DataValue value = head.form.is_complex
                          ? complex_value(head.form.data_class, std::move(re), part(elements, head.form))
                          : matrix_value(head.form.data_class, std::move(re));
    value.form.extents = head.form.extents;
    return value;
  }

  /// As bytes, as which strings of the language have their characters; what is no ASCII is UTF-8.
  static DataValue text(Elements& elements, const Head& head) {
    const mat::Element data = require_numbers(elements);
    const std::int64_t rows = head.form.extents[0], cols = head.form.extents[1];
    if (data.type == Type::utf8 && rows == 1) return row_of(std::string(data.bytes));
    if (mat::count_of(data) != static_cast<std::size_t>(rows * cols)) throw Wrong{"a string lacks characters"};
    std::vector<std::uint32_t> characters;
    for (std::size_t k = 0; k < mat::count_of(data); ++k)
      characters.push_back(static_cast<std::uint32_t>(mat::number_at(data, k, elements.swapped())));
    const bool is_ascii = std::ranges::all_of(characters, [](std::uint32_t c) { return c < 0x80; });
    if (!is_ascii && rows == 1 && mat::size_of(data.type) > 1) return row_of(utf8_of(characters));
    Tensor codes = Tensor::for_writing(Element::integer, rows, cols);
    for (std::int64_t k = 0; k < rows * cols; ++k)
      codes.set_stored_value(k, std::min<std::uint32_t>(characters[static_cast<std::size_t>(k)], 255));
    return matrix_value(DataClass::text, std::move(codes));
  }
  static DataValue row_of(const std::string& bytes) {
    const auto length = static_cast<std::int64_t>(bytes.size());
    Tensor codes = Tensor::for_writing(Element::integer, 1, length);
    for (std::int64_t k = 0; k < length; ++k)
      codes.set_stored_value(k, static_cast<unsigned char>(bytes[static_cast<std::size_t>(k)]));
    return matrix_value(DataClass::text, std::move(codes));
  }

  static std::int64_t index_at(const mat::Element& data, std::size_t i, bool swapped, std::int64_t end) {
    const double index = mat::number_at(data, i, swapped);
    if (!(index >= 0 && index < static_cast<double>(end)))
      throw Wrong{"an index of a sparse matrix lies outside of it"};
    return static_cast<std::int64_t>(index);
  }

  static DataValue sparse(Elements& elements, const Head& head) {
    const std::int64_t rows = head.form.extents[0], cols = head.form.extents[1];
    const mat::Element row_indices = require_numbers(elements), column_ends = require_numbers(elements);
    if (!is_sparse_extent(rows) || !is_sparse_extent(cols) ||
        mat::count_of(column_ends) != static_cast<std::size_t>(cols) + 1)
      throw Wrong{"a sparse matrix lacks columns"};
    const auto part = [&](const mat::Element& data) {
      const std::size_t known = std::min(mat::count_of(row_indices), mat::count_of(data));
      std::vector<Triplet> entries;
      std::size_t k = 0;
      for (std::int64_t j = 0; j < cols; ++j) {
        const auto end = static_cast<std::size_t>(index_at(column_ends, static_cast<std::size_t>(j) + 1,
                                                           elements.swapped(), static_cast<std::int64_t>(known) + 1));
        for (; k < end; ++k) {
          const std::int64_t i = index_at(row_indices, k, elements.swapped(), rows);
          const double entry = entry_of(mat::number_at(data, k, elements.swapped()), head.form);
          if (entry != 0) entries.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), entry});
        }
      }
      return csr_from_triplets(element_of(head.form.data_class), rows, cols, entries);
    };
    Tensor re = part(require_numbers(elements));
    if (!head.form.is_complex) return matrix_value(head.form.data_class, std::move(re));
    return complex_value(head.form.data_class, std::move(re), part(require_numbers(elements)));
  }

  DataValue cell(Elements& elements, const Head& head, int depth) {
    DataValue value;
    value.form = head.form;
    for (std::int64_t i = 0; i < head.form.extents[0] * head.form.extents[1]; ++i)
      value.items.push_back(this->value(require(elements), elements.swapped(), depth + 1));
    return value;
  }

  DataValue record(Elements& elements, const Head& head, int depth) {
    DataValue value;
    value.form = head.form;
    value.form.fields = fields_of(elements);
    const auto fields = value.form.fields.size();
    const auto count = static_cast<std::size_t>(head.form.extents[0] * head.form.extents[1]);
    if (fields != 0 && count > elements.remaining() / fields) throw Wrong{"a struct lacks fields"};
    value.items.resize(fields * count);
    for (std::size_t element = 0; element < count; ++element)
      for (std::size_t field = 0; field < fields; ++field)
        value.items[field * count + element] = this->value(require(elements), elements.swapped(), depth + 1);
    return value;
  }

  static std::vector<std::string> fields_of(Elements& elements) {
    const mat::Element width_element = require_numbers(elements);
    const double width = mat::count_of(width_element) > 0 ? mat::number_at(width_element, 0, elements.swapped()) : 0;
    const std::string_view names = require(elements).bytes;
    std::vector<std::string> fields;
    if (names.empty()) return fields;
    if (!(width >= 1 && width <= static_cast<double>(names.size()))) throw Wrong{"the names of fields are damaged"};
    const auto step = static_cast<std::size_t>(width);
    for (std::size_t at = 0; at + step <= names.size(); at += step) {
      const std::string_view name = names.substr(at, step);
      fields.emplace_back(name.substr(0, name.find('\0')));
    }
    return fields;
  }

  MemoryBudget::Share& held_;
};

bool is_swapped(std::string_view bytes) {
  constexpr std::uint16_t mark = 0x4d49;  // "MI" as a number
  std::uint16_t found = 0;
  std::memcpy(&found, bytes.data() + mat::header_size - sizeof found, sizeof found);
  return found != mark;
}

/// The bytes of the array in a compressed element. Its tag claims how many there are; Octave claims a few too many of
/// strings.
std::string array_in(std::string_view stream, bool swapped, MemoryBudget::Share& held) {
  constexpr std::size_t tag_size = 8;
  MemoryBudget::Share of_tag;
  const auto tag = inflated(stream, tag_size, of_tag);
  if (!tag || tag->size() != tag_size) throw Wrong{"a compressed variable is damaged"};
  const mat::Element words{Type::uint32, *tag};
  auto bytes = inflated(stream, tag_size + static_cast<std::size_t>(mat::number_at(words, 1, swapped)), held);
  if (!bytes || static_cast<Type>(mat::number_at(words, 0, swapped)) != Type::matrix)
    throw Wrong{"a compressed variable is damaged"};
  return bytes->substr(tag_size);
}

NamedValue variable_in(Reader& reader, const mat::Element& element, bool swapped) {
  if (element.type != Type::compressed) return reader.variable(element, swapped);
  MemoryBudget::Share held;
  const std::string array = array_in(element.bytes, swapped, held);
  return reader.variable({Type::matrix, array}, swapped);
}

}  // namespace

bool is_mat_file(std::string_view bytes) {
  if (bytes.size() < mat::header_size) return false;
  const std::string_view order = bytes.substr(mat::header_size - 2, 2);
  return order == "IM" || order == "MI";
}

Result<DataFile> read_mat_file(std::string_view bytes, const std::string& name) {
  DataFile file;
  const bool swapped = is_swapped(bytes);
  Reader reader(file.held);
  Elements elements(bytes.substr(mat::header_size), swapped);
  try {
    while (!elements.at_end()) {
      const auto element = elements.next();
      if (!element) throw Wrong{"it ends too early, or is damaged"};
      file.variables.push_back(variable_in(reader, *element, swapped));
    }
  } catch (const Wrong& wrong) {
    return Failure{name + ": the MAT file cannot be read: " + wrong.what};
  }
  std::erase_if(file.variables, [](const NamedValue& variable) { return variable.name.empty(); });
  return file;
}

}  // namespace lac::runtime
