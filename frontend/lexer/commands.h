// Octave's command syntax: which statements Octave would read as words. The language refuses them by name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lac::frontend {

/// A statement that Octave reads as a command: its end, and why it is refused.
struct Command {
  std::size_t end = 0;
  std::string message;
};

/// `text[begin, name_end)` is a name at the start of a statement. An empty message: it is not a command.
Command find_command(std::string_view text, std::size_t begin, std::size_t name_end);

}  // namespace lac::frontend
