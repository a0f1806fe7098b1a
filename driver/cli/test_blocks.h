// The `%!` blocks of a file, as Octave's `test` reads them, and the program that each one is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/include/lac/lac.hpp"

namespace lac::cli {

enum class BlockKind : std::uint8_t {
  test,      ///< %!test, %!assert and %!fail: must run without an error
  error,     ///< %!error, %!fail: must end with an error whose message matches
  warning,   ///< %!warning: must warn with a message that matches
  shared,    ///< %!shared: variables of the blocks after it, and the statements that set them
  function,  ///< %!function: a function of the blocks after it
  skipped,   ///< %!demo, %!testif, %!xtest
  ignored,   ///< a comment, or the %!endfunction that closed a function
  unknown,   ///< a word that Octave does not know either
};

/// One block: lines first_line..last_line of the file, from 1.
struct TestBlock {
  BlockKind kind = BlockKind::unknown;
  std::string word;  ///< "assert"
  std::uint32_t first_line = 0, last_line = 0;
  std::vector<std::string> source;  ///< the lines as written
  std::vector<std::string> code;    ///< the same lines as statements; columns are those of the file
  std::vector<std::string> names;   ///< of shared: its variables; of function: its name
  std::string pattern;              ///< regular expression for the message; empty: any
  std::string id;                   ///< identifier that the message must have; empty: any
};

std::vector<TestBlock> test_blocks(std::string_view text);

/// The program of blocks[index]: its statements after those of the `shared` block in effect and of the tests that set
/// its variables since, with the functions of the file and those of earlier blocks that it mentions (of two with one
/// name the later). All else is blank lines, so that messages name the lines of the file.
std::string program_of(std::string_view text, const std::vector<api::Function>& functions,
                       const std::vector<TestBlock>& blocks, std::size_t index);

}  // namespace lac::cli
