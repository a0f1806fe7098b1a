// Warnings that the language itself makes, by their id.
#pragma once

#include <string_view>

namespace lac {

/// Where Octave would turn complex. Reported with its place, and once for each place; the id of such a `warn` or
/// `check` also tells passes that its only purpose is to speak of a function's domain.
inline constexpr std::string_view domain_warning = "lac:domain";

}  // namespace lac
