// Comments: what marks them and what they say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lac::frontend {

inline bool is_comment_mark(char c) { return c == '%' || c == '#'; }

/// The line around `text[at]` without the blanks at its ends.
std::string_view line_at(std::string_view text, std::size_t at);

/// A line that holds nothing but "%{" (brace '{') or "%}" (brace '}').
bool is_block_mark(std::string_view line, char brace);

/// "%% text " says "text".
std::string_view comment_text(std::string_view comment);

/// The comment block that opens a file, one line each, without its marks; a first line "#!..." is no part of it.
std::string opening_comment(std::string_view text);

}  // namespace lac::frontend
