// Canonical formatting: blanks and indentation, nothing else.
#pragma once

#include <optional>
#include <string>

#include "ir/support/diagnostics.h"
#include "ir/support/source.h"

namespace lac::frontend {

/// The file's text in canonical form:
///   - two blanks of indentation a block; a continued line keeps its distance to the line that it continues
///   - one blank around `=`, comparisons, `&&`, `||` and after commas; none inside parentheses; around other binary
///     operators a blank on both sides where one side had it, else none; elements of `[ ]` stay as they are written
///   - comments keep their column where the code leaves room; `%!` test lines, block comments and `param`, `output` and
///     `precision` lines keep their text; at most two blank lines in a row, none at the ends
/// Formatting is idempotent and changes no meaning: the result is parsed and compared with the original tree.
/// Nothing, with the errors in `diagnostics`, when the text does not parse.
std::optional<std::string> format(FileId file, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace lac::frontend
