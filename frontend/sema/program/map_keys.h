// Keys of containers.Map as names of fields: letters and digits, as the names of leaves are.
#pragma once

#include <string>
#include <string_view>

namespace lac::frontend {

/// The columns of a map that is a table (maps.h).
inline constexpr std::string_view key_field = "key", value_field = "value";

/// "t" and the characters in hex; and back.
std::string field_of_text(const std::string& text);
std::string text_of_field(const std::string& name);
/// "n" and the bits; and back.
std::string field_of_number(double number);
double number_of_field(const std::string& name);

/// A key that is a number as Octave's messages show it, as disp does: five significant digits where it has a fraction.
std::string shown_key(double number);

}  // namespace lac::frontend
