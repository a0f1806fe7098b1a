#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "ir/support/missing.h"
#include "ir/types/extent.h"
#include "runtime/files/data/octave_text.h"
#include "runtime/files/data/octave_types.h"
#include "runtime/files/number.h"
#include "runtime/stop.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

constexpr std::string_view white = " \t\r\n";
constexpr double exact_limit = 0x1p53;

/// Thrown at what is wrong with the text; caught where the file is read.
struct Wrong {
  std::string what;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// "# key: value", as its parts; nothing where the line is none.
std::optional<std::pair<std::string_view, std::string_view>> header_of(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || (line.front() != '#' && line.front() != '%')) return std::nullopt;
  line.remove_prefix(1);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return std::pair(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::size_t remaining() const { return text_.size() - at_; }
  std::int64_t line() const {
    return 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
  }

  std::string_view take_line() {
    const std::string_view line = peek_line();
    at_ = std::min(at_ + line.size() + 1, text_.size());
    poll_();
    return line;
  }
  std::string_view peek_line() const { return text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_); }
  void skip_white() { at_ = std::min(text_.find_first_not_of(white, at_), text_.size()); }

  /// The value of the header with this key, where it stands next.
  std::optional<std::string_view> header(std::string_view key) {
    skip_white();
    const auto found = header_of(peek_line());
    if (!found || found->first != key) return std::nullopt;
    take_line();
    return found->second;
  }
  std::string_view require(std::string_view key) {
    const auto value = header(key);
    if (!value) throw Wrong{"the line '# " + std::string(key) + ":' is missing"};
    return *value;
  }
  std::int64_t require_count(std::string_view key) { return count_in(require(key), key); }

  static std::int64_t count_in(std::string_view text, std::string_view key) {
    const ParsedNumber<std::int64_t> parsed = parse_integer(text.data(), text.data() + text.size());
    if (parsed.error != NumberError::none || parsed.end != text.data() + text.size() || parsed.value < 0)
      throw Wrong{"the line '# " + std::string(key) + ":' has no count"};
    return parsed.value;
  }

  bool skip(char c) {
    skip_white();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double number() {
    skip_white();
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,()", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    poll_();
    if (word == "NA") return missing_value();
    const ParsedNumber<double> parsed = parse_double(word.data(), word.data() + word.size());
    if (word.empty() || parsed.error != NumberError::none || parsed.end != word.data() + word.size())
      throw Wrong{"'" + std::string(word.substr(0, 20)) + "' stands where a number should"};
    return parsed.value;
  }
  std::int64_t integer() {
    const double value = number();
    if (value != std::trunc(value) || std::abs(value) > exact_limit) throw Wrong{"an extent or an index is no integer"};
    return static_cast<std::int64_t>(value);
  }
  std::string_view bytes(std::size_t count) {
    if (count > remaining()) throw Wrong{"a string ends too early"};
    const std::string_view taken = text_.substr(at_, count);
    at_ += count;
    return taken;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  StopPoll poll_;
};

class Reader {
 public:
  Reader(std::string_view text, MemoryBudget::Share& held) : cursor_(text), held_(held) {}

  std::int64_t line() const { return cursor_.line(); }

  /// The next variable; nothing at the end of the file.
  std::optional<NamedValue> next() {
    while (cursor_.remaining() > 0) {
      if (const auto name = cursor_.header("name")) return variable(std::string(*name));
      cursor_.take_line();
    }
    return std::nullopt;
  }

 private:
  NamedValue variable(std::string name) {
    outside_.clear();
    DataValue value = typed(0);
    return outside_.empty() ? NamedValue{std::move(name), std::move(value)} : NamedValue{std::move(name), {}, outside_};
  }

  /// What follows is read all the same, to find where the variable ends.
  void note_outside(const std::string& what) {
    if (outside_.empty()) outside_ = what;
  }

  /// Values of other types are lines of any kind, and with "# length: n" so many values with names.
  DataValue passed_over(std::string_view type, int depth) {
    note_outside(type == "function handle"
                     ? "a function handle, which cannot be loaded: write it in the program"
                     : "of the type '" + std::string(type.substr(0, 40)) + "', which is outside the language");
    for (cursor_.skip_white(); cursor_.remaining() > 0; cursor_.skip_white()) {
      const auto header = header_of(cursor_.peek_line());
      if (header && header->first == "name") break;
      cursor_.take_line();
      if (!header || header->first != "length") continue;
      for (std::int64_t left = Cursor::count_in(header->second, "length"); left > 0; --left) {
        cursor_.require("name");
        typed(depth + 1);
      }
      break;
    }
    return {};
  }

  DataValue typed(int depth) {
    if (depth > most_data_depth) throw Wrong{"structs and cells lie too deep in each other"};
    take_node(held_);
    std::string_view name = cursor_.require("type");
    if (name.starts_with("global ")) name.remove_prefix(7);
    const auto type = octave_type(name);
    if (!type) return passed_over(name, depth);
    DataValue value = of_layout(*type, depth);
    value.form.double_quoted = type->double_quoted;
    if (const std::string problem = outside_of_language(value.form); !problem.empty()) note_outside(problem);
    return value;
  }

  DataValue of_layout(const OctaveType& type, int depth) {
    switch (type.layout) {
      case OctaveLayout::scalar: return numbers(type, {1, 1}, false);
      case OctaveLayout::matrix: return matrix(type);
      case OctaveLayout::range: return range(false);
      case OctaveLayout::old_range: return range(true);
      case OctaveLayout::diagonal: return diagonal(type);
      case OctaveLayout::permutation: return permutation();
      case OctaveLayout::sparse: return sparse(type);
      case OctaveLayout::text: return text();
      case OctaveLayout::cell: return cell(depth);
      default: return record(depth, type.layout == OctaveLayout::record);
    }
  }

  double entry_of(DataClass data_class, double number) {
    const std::optional<double> held = in_class(data_class, number);
    if (!held)
      note_outside("of class " + std::string(lac::name(data_class)) +
                   " with a number beyond 2^53, up to which they are exact here");
    return held.value_or(0);
  }

  static std::vector<std::int64_t> checked(std::vector<std::int64_t> extents) {
    if (const std::string problem = problem_of_extents(extents); !problem.empty()) throw Wrong{problem};
    return extents;
  }
  std::vector<std::int64_t> dimensions(std::int64_t count) {
    if (count < 2 || count > 32) throw Wrong{"a matrix has two dimensions or more"};
    std::vector<std::int64_t> extents;
    for (std::int64_t i = 0; i < count; ++i) extents.push_back(cursor_.integer());
    return checked(extents);
  }
  std::vector<std::int64_t> rows_and_columns() {
    const std::int64_t rows = cursor_.require_count("rows");
    return checked({rows, cursor_.require_count("columns")});
  }
  /// That so many things, each of which takes `bytes` of text or more, can follow.
  void require_room(std::int64_t count, std::size_t bytes) const {
    if (count > static_cast<std::int64_t>(cursor_.remaining() / bytes + 1)) throw Wrong{"the file ends too early"};
  }

  double element(bool is_complex, double& imaginary) {
    if (!is_complex) return cursor_.number();
    const bool opened = cursor_.skip('(');
    const double re = cursor_.number();
    const bool divided = cursor_.skip(',');
    imaginary = divided ? cursor_.number() : 0;
    if (!opened || !divided || !cursor_.skip(')')) throw Wrong{"a complex number is not written as (re,im)"};
    return re;
  }

  DataValue numbers(const OctaveType& type, const std::vector<std::int64_t>& extents, bool by_rows) {
    const std::int64_t rows = rows_of(extents), cols = extents.back();
    require_room(rows * cols, 2);
    const Element element_type = element_of(type.data_class);
    Tensor re = Tensor::dense(element_type, rows, cols), im;
    if (type.is_complex) im = Tensor::dense(element_type, rows, cols);
    for (std::int64_t k = 0; k < rows * cols; ++k) {
      double imaginary = 0;
      const double real = element(type.is_complex, imaginary);
      const std::int64_t place = by_rows ? k % cols * rows + k / cols : k;
      re.set_stored_value(place, entry_of(type.data_class, real));
      if (type.is_complex) im.set_stored_value(place, imaginary);
    }
    DataValue value = type.is_complex ? complex_value(type.data_class, std::move(re), std::move(im))
                                      : matrix_value(type.data_class, std::move(re));
    value.form.extents = extents;
    return value;
  }

  DataValue matrix(const OctaveType& type) {
    if (const auto count = cursor_.header("ndims"))
      return numbers(type, dimensions(Cursor::count_in(*count, "ndims")), false);
    return numbers(type, rows_and_columns(), true);
  }

  DataValue range(bool is_old) {
    cursor_.skip_white();
    if (cursor_.peek_line().starts_with('#')) cursor_.take_line();  // "# base, limit, increment"
    const double base = cursor_.number(), limit = cursor_.number(), increment = cursor_.number();
    const double steps = increment != 0 ? std::floor((limit - base) / increment * (1 + 0x1p-52)) + 1
                         : is_old       ? limit
                                        : 0;
    if (!(steps < 0x1p40)) throw Wrong{"a range has no end"};
    const auto count = static_cast<std::int64_t>(std::max(steps, 0.0));
    Tensor row = Tensor::for_writing(Element::real, 1, count);
    for (std::int64_t k = 0; k < count; ++k)
      row.mutable_values<double>()[k] = base + static_cast<double>(k) * increment;
    return matrix_value(DataClass::real, std::move(row));
  }

  DataValue diagonal(const OctaveType& type) {
    const std::vector<std::int64_t> extents = rows_and_columns();
    DataValue value = numbers(type, {std::min(extents[0], extents[1]), 1}, false);
    value.form.structure = DataStructure::diagonal;
    value.form.extents = extents;
    return value;
  }

  DataValue permutation() {
    const std::int64_t size = cursor_.require_count("size");
    const bool by_columns = cursor_.require("orient") == "c";
    require_room(size, 2);
    Tensor places = Tensor::dense(Element::integer, size, 1);
    std::vector<bool> taken(static_cast<std::size_t>(size));
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int64_t place = cursor_.integer();
      if (place < 1 || place > size || taken[static_cast<std::size_t>(place - 1)])
        throw Wrong{"a permutation does not hold each number once"};
      taken[static_cast<std::size_t>(place - 1)] = true;
      if (by_columns) places.set_stored_value(k, static_cast<double>(place));
      else places.set_stored_value(place - 1, static_cast<double>(k + 1));
    }
    DataValue value = matrix_value(DataClass::real, std::move(places));
    value.form.structure = DataStructure::permutation;
    value.form.extents = {size, size};
    return value;
  }

  DataValue sparse(const OctaveType& type) {
    const std::int64_t stored = cursor_.require_count("nnz");
    const std::vector<std::int64_t> extents = rows_and_columns();
    if (!is_sparse_extent(extents[0]) || !is_sparse_extent(extents[1])) throw Wrong{"a sparse matrix is too large"};
    require_room(stored, 6);
    std::vector<Triplet> re, im;
    for (std::int64_t k = 0; k < stored; ++k) {
      const std::int64_t row = cursor_.integer(), col = cursor_.integer();
      if (row < 1 || row > extents[0] || col < 1 || col > extents[1])
        throw Wrong{"an index lies outside of the matrix"};
      double imaginary = 0;
      const double real = entry_of(type.data_class, element(type.is_complex, imaginary));
      const Triplet entry{static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(col - 1), real};
      if (real != 0) re.push_back(entry);
      if (imaginary != 0) im.push_back({entry.row, entry.col, imaginary});
    }
    const auto made = [&](const std::vector<Triplet>& entries) {
      return csr_from_triplets(element_of(type.data_class), extents[0], extents[1], entries);
    };
    return type.is_complex ? complex_value(type.data_class, made(re), made(im))
                           : matrix_value(type.data_class, made(re));
  }

  DataValue text() {
    const std::int64_t rows = cursor_.require_count("elements");
    require_room(rows, 10);
    Tensor codes = Tensor::dense(Element::integer, 0, 0);
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t length = cursor_.require_count("length");
      if (length > static_cast<std::int64_t>(cursor_.remaining()) / rows) throw Wrong{"a string ends too early"};
      if (i == 0) codes = Tensor::dense(Element::integer, rows, length);
      if (length != codes.cols()) throw Wrong{"the rows of a string have different lengths"};
      const std::string_view line = cursor_.bytes(static_cast<std::size_t>(length));
      for (std::int64_t j = 0; j < length; ++j)
        codes.set_stored_value(j * rows + i, static_cast<unsigned char>(line[static_cast<std::size_t>(j)]));
    }
    return matrix_value(DataClass::text, std::move(codes));
  }

  DataValue cell(int depth) {
    DataValue value;
    value.form.data_class = DataClass::cell;
    if (const auto count = cursor_.header("ndims")) value.form.extents = dimensions(Cursor::count_in(*count, "ndims"));
    else value.form.extents = rows_and_columns();
    const std::int64_t count = rows_of(value.form.extents) * value.form.extents.back();
    require_room(count, 8);
    for (std::int64_t i = 0; i < count; ++i) {
      if (cursor_.require("name") != "<cell-element>") throw Wrong{"an element of a cell has a name of its own"};
      value.items.push_back(typed(depth + 1));
    }
    return value;
  }

  DataValue record(int depth, bool is_one) {
    DataValue value;
    value.form.data_class = DataClass::record;
    if (const auto count = cursor_.header("ndims")) value.form.extents = dimensions(Cursor::count_in(*count, "ndims"));
    if (is_one && rows_of(value.form.extents) * value.form.extents.back() != 1)
      throw Wrong{"a scalar struct has another number of elements than one"};
    const std::int64_t fields = cursor_.require_count("length");
    require_room(fields, 8);
    for (std::int64_t i = 0; i < fields; ++i) {
      value.form.fields.emplace_back(cursor_.require("name"));
      DataValue item = typed(depth + 1);
      if (is_one) value.items.push_back(std::move(item));
      else add_elements(value, std::move(item));
    }
    return value;
  }

  /// Of an array of structs a field is a cell with what the elements have.
  static void add_elements(DataValue& value, DataValue cells) {
    if (cells.form.data_class != DataClass::cell || cells.form.extents != value.form.extents)
      throw Wrong{"a field of an array of structs has another number of elements"};
    for (DataValue& item : cells.items) value.items.push_back(std::move(item));
  }

  Cursor cursor_;
  MemoryBudget::Share& held_;
  std::string outside_;  ///< why the language has no value for the variable that is being read
};

}  // namespace

bool is_octave_text(std::string_view bytes) {
  constexpr int most_comments = 50;
  for (int i = 0; i < most_comments && !bytes.empty(); ++i) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    const std::string_view words = trimmed(line);
    if (!words.empty() && words.front() != '#' && words.front() != '%') return false;
    if (const auto header = header_of(line); header && header->first == "name") return true;
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
  }
  return false;
}

Result<DataFile> read_octave_text(std::string_view bytes, const std::string& name) {
  DataFile file;
  Reader reader(bytes, file.held);
  try {
    while (auto variable = reader.next()) file.variables.push_back(*std::move(variable));
  } catch (const Wrong& wrong) {
    return Failure{fmt::format("{}:{}: {}", name, reader.line(), wrong.what)};
  }
  return file;
}

}  // namespace lac::runtime
