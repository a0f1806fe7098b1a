// What a file of variables holds, without the values: the classes, the extents and the parts of each. The frontend
// takes the form of a variable from it and says with it what a step saves or loads; readers and writers of files have
// the same tree with the values in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lac {

enum class DataClass : std::uint8_t {
  real,
  single,
  logical,
  text,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  record,
  cell,
};

/// Octave's name of the class: "double", "char", "struct".
std::string_view name(DataClass data_class);
bool is_integer(DataClass data_class);
inline bool has_items(DataClass data_class) { return data_class == DataClass::record || data_class == DataClass::cell; }

/// Of a matrix of which a part alone is written: its main diagonal, or where each column has its 1.
enum class DataStructure : std::uint8_t { none, diagonal, permutation };

struct DataForm {
  static constexpr std::int64_t any = -1;  ///< an extent that the run finds

  DataClass data_class = DataClass::real;
  DataStructure structure = DataStructure::none;
  bool is_complex = false, is_sparse = false, double_quoted = false;
  std::vector<std::int64_t> extents = {1, 1};  ///< two or more; of a string: rows and characters
  std::vector<std::string> fields = {};        ///< of structs
  /// Of cells in column-major order; of structs field by field, each of all elements.
  std::vector<DataForm> items = {};

  friend bool operator==(const DataForm&, const DataForm&) = default;
};

struct NamedForm {
  std::string name;  ///< empty: of a file that holds one matrix without a name
  DataForm form = {};
  std::string problem = {};  ///< why the language has no value for it, in place of a form; not serialised

  friend bool operator==(const NamedForm&, const NamedForm&) = default;
};

/// The variables of a file in their order.
struct FileForm {
  std::vector<NamedForm> variables = {};
  bool is_all = false;  ///< a file that holds others besides has another form

  const DataForm* find(std::string_view name) const;
  friend bool operator==(const FileForm&, const FileForm&) = default;
};

/// How many matrices of the Graph hold a value: strings and real matrices one, complex ones two, structs and cells
/// those of their items.
std::int64_t leaf_count(const DataForm& form);

/// The form with extents that may be others in the run: only an extent of 1, the extents of an array of more than two
/// dimensions but the last, and those of structs and cells stay.
DataForm generalised(DataForm form);

/// Why a value of the form `found` cannot stand where `wanted` was compiled for: "x is a 2x2 cell, and was a double
/// matrix"; nothing where it can. A real value stands for a complex one.
std::optional<std::string> mismatch(const DataForm& wanted, const DataForm& found, const std::string& path);
/// "3x1 double", "complex sparse double", "1x2 cell".
std::string form_text(const DataForm& form);

/// A text that `parsed` reads back; nothing where it is none.
std::string serialised(const FileForm& form);
std::optional<FileForm> parsed_form(std::string_view text);

/// Structs and cells are at most so deep in each other.
inline constexpr int most_data_depth = 100;

}  // namespace lac
