#include "ir/support/data_form.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace lac {
namespace {

constexpr std::string_view class_names[] = {"double", "single", "logical", "char",   "int8",   "int16",  "int32",
                                            "int64",  "uint8",  "uint16",  "uint32", "uint64", "struct", "cell"};
static_assert(std::size(class_names) == static_cast<std::size_t>(DataClass::cell) + 1);

std::string extents_text(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (const std::int64_t extent : extents)
    text += (text.empty() ? "" : "x") + (extent == DataForm::any ? std::string("n") : std::to_string(extent));
  return text;
}

bool extents_fit(const std::vector<std::int64_t>& wanted, const std::vector<std::int64_t>& found) {
  return std::ranges::equal(wanted, found, [](std::int64_t a, std::int64_t b) { return a == DataForm::any || a == b; });
}

/// Extents of 1 at the end are not shown and not kept.
std::vector<std::int64_t> padded(std::vector<std::int64_t> extents, std::size_t count) {
  if (count > 2 && extents.size() < count) extents.resize(count, 1);
  return extents;
}

/// "" is 0x0 where other strings have one row.
bool is_no_text(const DataForm& form) {
  return form.data_class == DataClass::text && std::ranges::count(form.extents, 0) == 2;
}

std::string path_of_item(const DataForm& form, std::size_t item, const std::string& path) {
  if (form.data_class == DataClass::cell) return path + "{" + std::to_string(item + 1) + "}";
  const std::size_t count = form.items.size() / form.fields.size();
  const std::string element = count == 1 ? "" : "(" + std::to_string(item % count + 1) + ")";
  return path + element + "." + form.fields[item / count];
}

bool same_class(const DataForm& wanted, const DataForm& found) {
  return wanted.data_class == found.data_class && wanted.structure == found.structure &&
         wanted.is_sparse == found.is_sparse && (wanted.is_complex || !found.is_complex);
}

// A sequence of words between blanks; a text has its length before it.
class Writer {
 public:
  std::string text;

  void number(std::int64_t value) { text += std::to_string(value) + ' '; }
  void word(std::string_view bytes) {
    number(static_cast<std::int64_t>(bytes.size()));
    text += bytes;
  }
  void form(const DataForm& form) {
    for (const int flag : {static_cast<int>(form.data_class), static_cast<int>(form.structure), int{form.is_complex},
                           int{form.is_sparse}, int{form.double_quoted}})
      number(flag);
    number(static_cast<std::int64_t>(form.extents.size()));
    for (const std::int64_t extent : form.extents) number(extent);
    number(static_cast<std::int64_t>(form.fields.size()));
    for (const std::string& field : form.fields) word(field);
    number(static_cast<std::int64_t>(form.items.size()));
    for (const DataForm& item : form.items) this->form(item);
  }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool failed = false;
  bool at_end() const { return rest_.empty(); }

  std::int64_t number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const auto length = static_cast<std::size_t>(end - rest_.data());
    if (error != std::errc() || length == rest_.size() || *end != ' ') return fail();
    rest_.remove_prefix(length + 1);
    return value;
  }
  /// Of things that each take a byte at least.
  std::size_t count() {
    const std::int64_t value = number();
    return static_cast<std::size_t>(value < 0 || value > static_cast<std::int64_t>(rest_.size()) ? fail() : value);
  }
  std::string word() {
    const std::size_t length = count();
    const std::string bytes(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return bytes;
  }
  DataForm form(int depth = 0) {
    DataForm made;
    made.data_class = enumerator<DataClass>(DataClass::cell);
    made.structure = enumerator<DataStructure>(DataStructure::permutation);
    for (bool* flag : {&made.is_complex, &made.is_sparse, &made.double_quoted}) *flag = number() != 0;
    made.extents.resize(count());
    for (std::int64_t& extent : made.extents) extent = number();
    made.fields.resize(count());
    for (std::string& field : made.fields) field = word();
    const std::size_t items = count();
    if (depth > most_data_depth || made.extents.size() < 2) fail();
    for (std::size_t i = 0; i < items && !failed; ++i) made.items.push_back(form(depth + 1));
    return made;
  }

 private:
  std::int64_t fail() {
    failed = true;
    rest_ = {};
    return 0;
  }
  template <class Enum>
  Enum enumerator(Enum last) {
    const std::int64_t value = number();
    return static_cast<Enum>(value < 0 || value > static_cast<std::int64_t>(last) ? fail() : value);
  }

  std::string_view rest_;
};

}  // namespace

std::string_view name(DataClass data_class) { return class_names[static_cast<std::size_t>(data_class)]; }

bool is_integer(DataClass data_class) { return data_class >= DataClass::int8 && data_class <= DataClass::uint64; }

const DataForm* FileForm::find(std::string_view name) const {
  const auto found = std::ranges::find(variables, name, &NamedForm::name);
  return found == variables.end() ? nullptr : &found->form;
}

std::int64_t leaf_count(const DataForm& form) {
  if (!has_items(form.data_class)) return form.is_complex ? 2 : 1;
  std::int64_t count = 0;
  for (const DataForm& item : form.items) count += leaf_count(item);
  return count;
}

DataForm generalised(DataForm form) {
  for (DataForm& item : form.items) item = generalised(std::move(item));
  if (has_items(form.data_class)) return form;
  if (is_no_text(form)) form.extents = {1, 0};
  const bool is_array = form.extents.size() > 2;
  for (std::size_t i = 0; i < form.extents.size(); ++i)
    if (is_array ? i + 1 == form.extents.size() : form.extents[i] != 1) form.extents[i] = DataForm::any;
  return form;
}

std::string form_text(const DataForm& form) {
  const std::string structure = form.structure == DataStructure::diagonal      ? "diagonal "
                                : form.structure == DataStructure::permutation ? "permutation "
                                                                               : "";
  return extents_text(form.extents) + " " + structure + (form.is_complex ? "complex " : "") +
         (form.is_sparse ? "sparse " : "") + std::string(name(form.data_class));
}

std::optional<std::string> mismatch(const DataForm& wanted, const DataForm& found, const std::string& path) {
  const bool fits = extents_fit(wanted.extents, padded(found.extents, wanted.extents.size())) ||
                    (is_no_text(found) && wanted.extents[0] == 1);
  if (!same_class(wanted, found) || !fits)
    return path + " is " + form_text(found) + ", where " + form_text(wanted) + " was expected";
  if (wanted.fields != found.fields) return path + " has other fields than were expected";
  for (std::size_t i = 0; i < wanted.items.size(); ++i)
    if (auto problem = mismatch(wanted.items[i], found.items[i], path_of_item(wanted, i, path))) return problem;
  return std::nullopt;
}

std::string serialised(const FileForm& form) {
  Writer writer;
  writer.number(form.is_all ? 1 : 0);
  writer.number(static_cast<std::int64_t>(form.variables.size()));
  for (const NamedForm& variable : form.variables) {
    writer.word(variable.name);
    writer.form(variable.form);
  }
  return std::move(writer.text);
}

std::optional<FileForm> parsed_form(std::string_view text) {
  Reader reader(text);
  FileForm form;
  form.is_all = reader.number() != 0;
  const std::size_t count = reader.count();
  for (std::size_t i = 0; i < count && !reader.failed; ++i) {
    std::string name = reader.word();
    form.variables.push_back({std::move(name), reader.form(), {}});
  }
  if (reader.failed || !reader.at_end()) return std::nullopt;
  return form;
}

}  // namespace lac
