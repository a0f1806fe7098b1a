#include "runtime/files/data/octave_types.h"

#include <algorithm>
#include <iterator>

#include "ir/support/result.h"

namespace lac::runtime {
namespace {

struct Row {
  std::string_view name;
  OctaveType type;
};

using Layout = OctaveLayout;

constexpr Row rows[] = {
    {"scalar", {DataClass::real, Layout::scalar}},
    {"matrix", {DataClass::real, Layout::matrix}},
    {"complex scalar", {DataClass::real, Layout::scalar, true}},
    {"complex matrix", {DataClass::real, Layout::matrix, true}},
    {"bool", {DataClass::logical, Layout::scalar}},
    {"bool matrix", {DataClass::logical, Layout::matrix}},
    {"string", {DataClass::text, Layout::text, false, true}},
    {"sq_string", {DataClass::text, Layout::text}},
    {"double_range", {DataClass::real, Layout::range}},
    {"range", {DataClass::real, Layout::old_range}},
    {"diagonal matrix", {DataClass::real, Layout::diagonal}},
    {"complex diagonal matrix", {DataClass::real, Layout::diagonal, true}},
    {"permutation matrix", {DataClass::real, Layout::permutation}},
    {"sparse matrix", {DataClass::real, Layout::sparse}},
    {"sparse complex matrix", {DataClass::real, Layout::sparse, true}},
    {"sparse bool matrix", {DataClass::logical, Layout::sparse}},
    {"scalar struct", {DataClass::record, Layout::record}},
    {"struct", {DataClass::record, Layout::records}},
    {"cell", {DataClass::cell, Layout::cell}},
    // read alone: [], '' and "" as they stand in a cell array's braces
    {"null_matrix", {DataClass::real, Layout::matrix}},
    {"null_sq_string", {DataClass::text, Layout::text}},
    {"null_string", {DataClass::text, Layout::text, false, true}},
};

const Row* row_of(std::string_view name) {
  const auto* row = std::ranges::find(rows, name, &Row::name);
  return row == std::end(rows) ? nullptr : row;
}

Layout layout_of(const DataForm& form) {
  switch (form.data_class) {
    case DataClass::text: return Layout::text;
    case DataClass::cell: return Layout::cell;
    case DataClass::record: return form.extents == std::vector<std::int64_t>{1, 1} ? Layout::record : Layout::records;
    default: break;
  }
  if (form.is_sparse) return Layout::sparse;
  if (form.structure == DataStructure::diagonal) return Layout::diagonal;
  if (form.structure == DataStructure::permutation) return Layout::permutation;
  return form.extents == std::vector<std::int64_t>{1, 1} ? Layout::scalar : Layout::matrix;
}

}  // namespace

std::optional<OctaveType> octave_type(std::string_view name) {
  if (const Row* row = row_of(name)) return row->type;
  const std::size_t blank = name.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view prefix = name.substr(0, blank), rest = name.substr(blank + 1);
  const Row* row = row_of(rest);
  if (row == nullptr || row->type.data_class != DataClass::real) return std::nullopt;
  OctaveType type = row->type;
  if (prefix == "float") {
    type.data_class = DataClass::single;
    return type;
  }
  for (int i = static_cast<int>(DataClass::int8); i <= static_cast<int>(DataClass::uint64); ++i)
    if (prefix == lac::name(static_cast<DataClass>(i))) {
      type.data_class = static_cast<DataClass>(i);
      return rest == "scalar" || rest == "matrix" ? std::optional(type) : std::nullopt;
    }
  return std::nullopt;
}

std::string octave_type_name(const DataForm& form) {
  const bool has_prefix = form.data_class == DataClass::single || is_integer(form.data_class);
  const DataClass listed = has_prefix ? DataClass::real : form.data_class;
  const Layout layout = layout_of(form);
  const auto* row = std::ranges::find_if(rows, [&](const Row& each) {
    return each.type.data_class == listed && each.type.layout == layout && each.type.is_complex == form.is_complex &&
           each.type.double_quoted == form.double_quoted;
  });
  if (row == std::end(rows)) throw InternalError("a value without a type of Octave");
  if (!has_prefix) return std::string(row->name);
  return (form.data_class == DataClass::single ? "float" : std::string(lac::name(form.data_class))) + " " +
         std::string(row->name);
}

}  // namespace lac::runtime
