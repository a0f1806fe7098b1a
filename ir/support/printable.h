// Text for terminals.
#pragma once

#include <string>
#include <string_view>

namespace lac {

/// The text with control characters (but newline and tab) and bytes that are no UTF-8 as \x1b: what a file or its name
/// contains must not steer the terminal of who reads a message about it.
std::string printable(std::string_view text);

/// The bytes of the UTF-8 character that `text` begins with where a terminal may have it as it is; 0 where not.
std::size_t printable_bytes(std::string_view text);

/// "\x1b"
std::string escaped_byte(char c);

}  // namespace lac
