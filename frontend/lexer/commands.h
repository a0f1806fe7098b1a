// Octave's command syntax: which statements Octave would read as words. Those that begin with a word of a session
// (`format long`) are calls with strings as arguments; others are refused by name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lac::frontend {

/// A statement that Octave reads as a command: its end, and why it is refused; or the words behind its name.
struct Command {
  struct Word {
    std::size_t begin = 0, end = 0;  ///< in the text, quotes included
    std::string text = {};
  };
  std::size_t end = 0;
  std::string message = {};
  std::vector<Word> words = {};
};

/// `text[begin, name_end)` is a name at the start of a statement. Neither message nor words: it is not a command.
Command find_command(std::string_view text, std::size_t begin, std::size_t name_end);

}  // namespace lac::frontend
