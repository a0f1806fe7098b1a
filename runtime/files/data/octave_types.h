// The names of types in Octave's text files: "complex matrix", "int8 scalar", "sq_string".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/support/data_form.h"

namespace lac::runtime {

/// How what stands below the type is written.
enum class OctaveLayout : std::uint8_t {
  scalar,
  matrix,
  range,
  old_range,  ///< of Octave before 7: with an increment of 0 the limit is how often the base stands
  diagonal,
  permutation,
  sparse,
  text,
  record,
  records,
  cell
};

struct OctaveType {
  DataClass data_class = DataClass::real;
  OctaveLayout layout = OctaveLayout::scalar;
  bool is_complex = false, double_quoted = false;
};

std::optional<OctaveType> octave_type(std::string_view name);
/// The name of the type that a value of this form is written as.
std::string octave_type_name(const DataForm& form);

}  // namespace lac::runtime
