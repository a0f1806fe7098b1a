// Warnings that the language itself makes, by their id.
#pragma once

#include <string_view>

namespace lac {

/// Where Octave would turn complex. Reported with its place, and once for each place; the id of such a `warn` or
/// `check` also tells passes that its only purpose is to speak of a function's domain.
inline constexpr std::string_view domain_warning = "lac:domain";

/// Of a matrix as a condition; off unless the program switches it on.
inline constexpr std::string_view array_as_logical = "Octave:array-as-logical";

}  // namespace lac
