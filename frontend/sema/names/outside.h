// Names of Octave that the language leaves out, and what to do instead.
#pragma once

#include <string>
#include <string_view>

namespace lac::frontend {

/// What a message says behind such a name, with what to do instead; "" when the name is none of them.
std::string outside_remedy(std::string_view name);
/// For a function of Octave that the language does not have: the construct and the remedy; else empty.
std::string_view outside_reason(std::string_view name);

}  // namespace lac::frontend
