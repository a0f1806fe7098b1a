// What files of variables hold: matrices of every class, strings, and structs and cells of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/data_form.h"
#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

struct DataValue {
  /// Without items, which are below. The extents are those of the matrix; an array of more than two dimensions has its
  /// elements in a matrix whose columns are the places along the last one.
  DataForm form = {};
  Tensor re = {}, im = {};  ///< of a string its codes; of what has structure the diagonal, or the positions from 1
  std::vector<DataValue> items = {};
};

struct NamedValue {
  std::string name;  ///< empty: of a file that holds one matrix without a name
  DataValue value = {};
  std::string problem = {};  ///< why there is no value: what it is lies outside of the language
};

struct DataFile {
  std::vector<NamedValue> variables = {};
  MemoryBudget::Share held = MemoryBudget::Share();  ///< for what is no matrix

  /// The last of this name; null: none.
  const NamedValue* find(std::string_view name) const;
};

/// That of a new value of the tree, with what a form of it takes besides, in the budget of the thread; throws
/// std::bad_alloc where it has none left.
void take_node(MemoryBudget::Share& share);

/// The number as the class holds it: whole and in the range of an integer class, 0 or 1 of a logical one. Nothing where
/// it is of a 64-bit class and beyond 2^53, up to which numbers are exact here.
std::optional<double> in_class(DataClass data_class, double number);
/// In which elements a tensor holds values of the class.
Element element_of(DataClass data_class);
/// A matrix, or a string, that is all in `re`.
DataValue matrix_value(DataClass data_class, Tensor re);
/// With the imaginary parts.
DataValue complex_value(DataClass data_class, Tensor re, Tensor im);
/// As saved: complex values without imaginary parts are real.
DataValue narrowed(DataValue value);
/// A complex sparse matrix with the same entries in both parts; anything else as it is.
DataValue with_one_pattern(DataValue value);
/// The whole matrix, of what has structure.
Tensor full_of(const DataValue& value);

DataForm form_of(const DataValue& value);

/// Structs in an array at most: where they have no fields, nothing in a file limits how many they claim to be.
inline constexpr std::int64_t most_structs = std::int64_t{1} << 20;

/// Why the language has no value of the form, items aside: "complex of more than two dimensions, ..."; empty where it
/// has.
std::string outside_of_language(const DataForm& form);

/// Columns of an array's matrix: all extents but the last are its rows.
std::int64_t rows_of(const std::vector<std::int64_t>& extents);
/// Why extents are none: fewer than two, negative, or of too many elements; empty where they are.
std::string problem_of_extents(const std::vector<std::int64_t>& extents);

}  // namespace lac::runtime
