// printf as Octave 7 does it, byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"

namespace lac {

/// One argument of printf: a string, or numbers (a matrix in column-major order, stored zeros of sparse ones included).
struct PrintfArgument {
  bool is_string = false;
  std::string text = {};
  std::vector<double> values = {};

  static PrintfArgument string(std::string text) { return {true, std::move(text), {}}; }
  static PrintfArgument numbers(std::vector<double> values) { return {false, {}, std::move(values)}; }
};

/// The text that Octave's sprintf(format, args...) returns. The format is used again until all elements of all
/// arguments are consumed, and output ends at the first conversion that finds none; an empty argument prints as
/// nothing.
/// - %d %i %u %x %X %o %c of a value that is no integer print as %g with the same flags, width and precision;
/// - %s takes as many integers 0..255 as follow each other as one string; of any other finite number it prints nothing
///   (Octave 7 does);
/// - NaN and Inf print as words, padded to the width, under every conversion;
/// - flags, width, precision and '*' are those of C; with the flag '~', which messages of the compiler use, NaN and Inf
///   print in lower case, as Octave prints indices.
/// Fails with Octave's message on a bad conversion or a bad '*' argument; `caller` is the name in that message.
Result<std::string> format_printf(std::string_view format, const std::vector<PrintfArgument>& args,
                                  std::string_view caller = "printf");

/// Octave's do_string_escapes: what printf does to a single-quoted format before use. (The lexer does it to
/// double-quoted ones, which must not come here again.) An unknown escape stands for its character.
std::string expand_escapes(std::string_view text);

}  // namespace lac
